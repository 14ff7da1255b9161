// What the reader keeps from one op for the next: types by their text, names by region, attributes that nobody says.
#include <doctest/doctest.h>

#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

using namespace tenon;

namespace {
ir::module of_body(const std::string& body, const std::string& arguments) {
  return parse("tenon.module phase=optimization\n\nfunc @f(" + arguments + ") {\n" + body + "  return()\n}\n");
}
void same_again(const ir::module& m) {
  const std::string once = print(m);
  CHECK(print(parse(once)) == once);
}
}  // namespace

TEST_CASE("a type is what stands there, however alike two texts are") {
  const ir::module m = of_body("",
                               "%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf16>, %d: tensor< 4xf32>, "
                               "%e: tensor<\"a>b\"xf32>, %f: tensor<\"a>c\"xf32>, %g: tensor<4x // 5xf32>\n f32>, "
                               "%h: tensor<?xf32>, %i: tensor<nxf32>, %j: tensor<nxf32>, %k: sequence<tensor<4xf32>>, "
                               "%l: optional<tensor<4xf32>>, %m: tensor<*xf32>");
  same_again(m);
  const auto& v = m[m[m.find_function("f")].body].arguments;
  const auto type = [&](char name) { return m[v[static_cast<size_t>(name - 'a')]].type; };
  CHECK(type('a') == type('b'));
  CHECK(type('a') != type('c'));
  CHECK(type('a') == type('d'));
  CHECK(type('e') != type('f'));
  CHECK(type('a') == type('g'));
  CHECK(type('i') == type('j'));
  CHECK(m[type('k')].kind == ir::type_kind::sequence);
  CHECK(m[type('k')].parts[0] == type('a'));
  CHECK(m[type('l')].kind == ir::type_kind::optional);
  CHECK_FALSE(m[type('m')].ranked);
}

TEST_CASE("a name is free again behind its region, and is the outer one's inside of the next") {
  const std::string group =
      "  %r = fused(%x) : tensor<4xf32> ({ ^(%a: tensor<4xf32>):\n"
      "    %b = abs(%a) : tensor<4xf32>\n    yield(%b)\n  })\n";
  std::string twice = group;
  twice.replace(twice.find("%r"), 2, "%s");
  const ir::module m = of_body(group + twice + "  %b = neg(%r) : tensor<4xf32>\n  %a = add(%b, %s) : tensor<4xf32>\n",
                               "%x: tensor<4xf32>");
  const auto& ops = m[m[m.find_function("f")].body].ops;
  REQUIRE(ops.size() == 5);
  CHECK(m.operand(ops[2], 0) == m.result(ops[0]));
  CHECK(m.operand(ops[3], 0) == m.result(ops[2]));
  CHECK(m.operand(ops[3], 1) == m.result(ops[1]));
  same_again(m);
}

TEST_CASE("attributes that one op says are not those of the next") {
  const ir::module m = of_body(
      "  %a = cast(%x) : tensor<4xf32>\n  %b = cast(%x) {to = f16} : tensor<4xf16>\n  %c = cast(%x) : tensor<4xf32>\n",
      "%x: tensor<4xi32>");
  const auto& ops = m[m[m.find_function("f")].body].ops;
  CHECK(m[ops[0]].attributes == m[ops[2]].attributes);
  CHECK(m[ops[0]].attributes != m[ops[1]].attributes);
  same_again(m);
}
