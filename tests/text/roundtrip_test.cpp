// parse(print(m)) is m, in every phase; what is wrong in a text is said with its place.
#include <doctest/doctest.h>

#include <limits>
#include <random>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "text/same_module.hpp"

using namespace tenon;
using ir::dim;
using ir::type;

namespace {

const char* const graph_text =
    R"(tenon.module phase=optimization fingerprint=abc123 {producer = "a \"front\" end", source = "x.onnx"}

constant #0 "w" : tensor<2x2xf32> = [1, 2.5, -0, 1e-45]
constant #1 : tensor<3xi64> = [-9223372036854775808, 0, 9223372036854775807]
constant #2 "" : tensor<2xbool> = [true, false]
constant #3 : tensor<f16> = [0x7e01]
constant #4 "empty" : tensor<0x3xf64> = []

func entry @main(%0: tensor<2x2xf32>, %1: tensor<?xNx"max length"xf32>, %2: tensor<*xi64>) -> (tensor<2x2xf32>) inputs("x", "y", "z") outputs("r") target("cpu") {
  %3 = constant() {value = #0} : tensor<2x2xf32>
  %4 = matmul(%0, %3) : tensor<2x2xf32> loc("node \"7\"")
  %5 = add(%4, %3) : tensor<2x2xf32>
  %6 = fused(%5) : tensor<2x2xf32> ({ ^(%7: tensor<2x2xf32>):
    %8 = mul(%7, %7) : tensor<2x2xf32>
    yield(%8)
  })
  %9 = call(%6) {callee = @"odd name"} : tensor<2x2xf32>
  return(%9)
}

func @"odd name"(%0: tensor<2x2xf32>) {
  %1 = call_kernel(%0) {kernel = @copy} : tensor<2x2xf32>
  return(%1)
}

kernel @copy(%0: buffer<2x2xf32>, %1: buffer<2x2xf32, "shared">) phase(lowering) {
  %2 = loop.literal() {type = index} : index
  %3 = loop.literal() {type = index, integer = 2} : index
  loop.for(%2, %3) {kind = vector, lanes = 8, independent = true} ({ ^(%4: index):
    %5 = loop.for(%2, %3, %2) : index ({ ^(%6: index, %7: index):
      %8 = loop.literal() : f32
      %9 = loop.load(%0[%4 * 2 - %6 - 1, %6], %8) : f32
      %10 = loop.load(%0[%4 * -1 + 1, 0]) : f32
      %11 = loop.scalar(%9, %10) {fn = max} : f32
      loop.store(%11, %1[%4, %6])
      loop.yield(%7)
    })
    loop.yield()
  })
  return()
}
)";

/// The same text with types of its symbols as they are printed.
std::string printed(const ir::module& m, const char* phase = "optimization") { return print(m, {.phase = phase}); }

error error_of(std::string_view text) {
  try {
    parse(text, "file.tir");
  } catch (const error& e) { return e; }
  return error("none", "no error");
}

std::string with_body(const std::string& body) {
  return "tenon.module\nfunc @f(%x: tensor<2x3xf32>, %n: tensor<3xi64>) {\n" + body + "\n}\n";
}

}  // namespace

TEST_CASE("text that is printed reads back as itself") {
  const std::string once = printed(parse(graph_text, "graph"));
  CHECK(printed(parse(once, "once")) == once);
  CHECK(testing::difference(parse(graph_text), parse(once)) == "");
  std::string other = once;
  other.replace(other.find("fn = max"), 8, "fn = min");
  CHECK(testing::difference(parse(once), parse(other)) == "copy: loop.for: loop.for: loop.scalar: attribute fn");
  // But for what the printer writes its own way, it is the text above.
  std::string expected = graph_text;
  const auto replace = [&](std::string_view from, std::string_view to) {
    const size_t at = expected.find(from);
    REQUIRE(at != expected.npos);
    expected.replace(at, from.size(), to);
  };
  replace("#2 \"\" :", "#2 :");
  replace("%6 = fused", "%6 = fused");
  CHECK(once == expected);
}

TEST_CASE("a module built by hand prints and reads back") {
  ir::module m;
  m.metadata["key with space"] = "tab\t and \x01 byte";
  type sequence, function;
  sequence.kind = ir::type_kind::sequence;
  sequence.parts = {
      m.intern(type::tensor(dtype::f32, {dim::symbol(m.symbol("batch")), dim::symbol(m.symbol("x_axis"))}))};
  function.kind = ir::type_kind::function;
  function.parts = {m.intern(type::scalar(dtype::index)), m.intern(type{}), sequence.parts[0]};
  function.split = 2;
  type optional;
  optional.kind = ir::type_kind::optional;
  optional.parts = {m.intern(sequence)};
  const type_id arguments[] = {m.intern(sequence), m.intern(function), m.intern(optional)};
  const function_id f = m.add_function("f", ir::function_kind::graph, arguments);
  ir::builder<> b(m, m[f].body);
  b.make_op(op::return_{}, std::vector<value_id>{m[m[f].body].arguments[2]}, {});
  const std::string text = print(m);
  CHECK(text ==
        "tenon.module {\"key with space\" = \"tab\\t and \\x01 byte\"}\n\n"
        "func @f(%0: sequence<tensor<batchx\"x_axis\"xf32>>, %1: function<(index, none) -> "
        "(tensor<batchx\"x_axis\"xf32>)>, "
        "%2: optional<sequence<tensor<batchx\"x_axis\"xf32>>>) {\n  return(%2)\n}\n");
  const ir::module again = parse(text);
  CHECK(print(again) == text);
  CHECK(again.metadata == m.metadata);
  const auto& types = again[again[again.find_function("f")].body].arguments;
  CHECK(again.type_of(types[1]).split == 2);
}

TEST_CASE("every number of every element type comes back bit for bit") {
  std::mt19937_64 random(7);
  ir::module m;
  std::vector<tensor> tensors;
  for (int t = 0; t < dtype_count - 1; ++t) {
    tensor x(static_cast<dtype>(t), {6, 10});
    if (x.type() == dtype::index) continue;
    auto* bytes = static_cast<unsigned char*>(x.data());
    for (i64 i = 0; i < x.bytes(); ++i) bytes[i] = static_cast<unsigned char>(random());
    if (x.type() == dtype::boolean)
      for (i64 i = 0; i < x.bytes(); ++i) bytes[i] &= 1;
    if (bits_of(x.type()) < 8)  // small numbers are elements of all of these types
      for (i64 i = 0; i < x.bytes(); ++i) bytes[i] %= 2;
    tensors.push_back(x);
  }
  using limits = std::numeric_limits<double>;
  tensors.push_back(tensor::from<double>({8}, {limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                                               -limits::quiet_NaN(), limits::denorm_min(), limits::max(), -0.0, 0.1}));
  tensors.push_back(tensor::from<half>({3}, {half(1.0f / 3), half(limits::infinity()), half(6e-8f)}));
  for (const tensor& t : tensors) m.add_constant(t);
  for (const i64 decimal : {i64{1000}, i64{0}}) {
    const ir::module again = parse(print(m, {.decimal_elements = decimal}));
    REQUIRE(again.constant_count() == tensors.size());
    for (size_t i = 0; i < tensors.size(); ++i) {
      INFO(tensors[i].describe(), " ", decimal);
      CHECK(same_bits(again[constant_id(i)].value, tensors[i]));
    }
  }
}

TEST_CASE("a text runs") {
  const ir::module m = parse(R"(tenon.module
    func @main(%x: tensor<3xf32>) -> (tensor<3xf32>) {
      %y = call_kernel(%x) {kernel = @sums} : tensor<3xf32>
      return(%y)
    }
    kernel @sums(%a: buffer<3xf32>, %r: buffer<3xf32>) {  // running sums
      %lo = loop.literal() {type = index} : index
      %hi = loop.literal() {type = index, integer = 3} : index
      %zero = loop.literal() : f32
      %s = loop.for(%lo, %hi, %zero) : f32 ({ ^(%i: index, %acc: f32):
        %v = loop.load(%a[2 - %i]) : f32
        %t = loop.scalar(%acc, %v) {fn = add} : f32
        loop.store(%t, %r[%i])
        loop.yield(%t)
      })
      return()
    })");
  CHECK(
      same_bits(interpret(m, "main", {{tensor::from<float>({3}, {1, 2, 3})}})[0], tensor::from<float>({3}, {3, 5, 6})));
}

namespace {
const char* const kernel_text = R"(
kernel @sum(%0: buffer<2xf32>, %1: buffer<2xf32>, %2: buffer<2xf32>) target("cpu") {
  %3 = loop.literal() {type = index} : index
  %4 = loop.literal() {type = index, integer = 2} : index
  loop.for(%3, %4) {kind = parallel, grain = 64} ({ ^(%5: index):
    %6 = loop.load(%0[%5]) : f32
    %7 = loop.load(%1[%5]) : f32
    %8 = loop.scalar(%6, %7) {fn = add} : f32
    loop.store(%8, %2[%5])
    loop.yield()
  })
  return()
}
)";
}  // namespace

TEST_CASE("destination passing and explicit storage have a text, and the same meaning") {
  const std::string lowering = std::string(R"(tenon.module phase=lowering

constant #0 "w" : tensor<2xf32> = [10, 20]

func entry @main(%0: buffer<2xf32>, %1: buffer<1x2xf32>) -> (buffer<1x2xf32>) inputs("x") outputs("y") target("cpu") {
  %2 = constant_buffer() {value = #0} : buffer<2xf32>
  %3 = alloc() {offset = 64} : buffer<2xf32>
  call_dps(%0, %2, %3) {kernel = @sum, inputs = 2}
  %4 = alloc() : buffer<2xf32>
  call_dps(%3, %2, %4) {kernel = @sum, inputs = 2}
  %5 = view_buffer(%4) : buffer<1x2xf32>
  copy_buffer(%5, %1)
  return()
}
)") + kernel_text;
  const std::string build = std::string(R"(tenon.module phase=build

constant #0 "w" : tensor<2xf32> = [10, 20]

func entry @main(%0: buffer<2xf32>, %1: buffer<1x2xf32>) -> (buffer<1x2xf32>) inputs("x") outputs("y") target("cpu") {
  %2 = constant_buffer() {value = #0} : buffer<2xf32>
  %3 = slot() : buffer<2xf32>
  call_native(%0, %2, %3) {kernel = @sum}
  %4 = slot() {offset = 64} : buffer<2xf32>
  call_native(%3, %2, %4) {kernel = @sum}
  %5 = view_buffer(%4) : buffer<1x2xf32>
  copy_buffer(%5, %1)
  return()
}
)") + kernel_text;
  const auto l = parse<phases::lowering>(lowering);
  const auto b = parse<phases::build>(build);
  CHECK(print(l) == lowering);
  CHECK(print(b) == build);
  CHECK_NOTHROW(ir::verify<phases::lowering>(l.body()));
  CHECK_NOTHROW(ir::verify<phases::build>(b.body()));
  const tensor x = tensor::from<float>({2}, {1, 2}), y = tensor::from<float>({1, 2}, {21, 42});
  CHECK(same_bits(interpret(l.body(), "main", {{x}})[0], y));
  CHECK(same_bits(interpret(b.body(), "main", {{x}})[0], y));
}

TEST_CASE("accesses that the affine form cannot say keep their operands") {
  ir::module m;
  const type_id arguments[] = {m.intern(type::buffer(dtype::f32, {4, 4}))};
  const function_id f = m.add_function("k", ir::function_kind::kernel, arguments);
  const value_id buffer = m[m[f].body].arguments[0];
  ir::loop_builder b(m, m[f].body);
  const type_id scalar[] = {m.intern(type::scalar(dtype::f32))}, index[] = {m.intern(type::scalar(dtype::index))};
  const value_id i = m.result(b.make_op(loop::extent{"n"}, {}, index)),
                 j = m.result(b.make_op(loop::extent{"m"}, {}, index));
  const std::pair<std::vector<value_id>, std::vector<std::vector<i64>>> cases[] = {
      {{buffer, i, j}, {{0, 0, 1}, {0, 1, 0}}},  // in another order
      {{buffer, i, j}, {{0, 1, 0}, {3, 0, 0}}},  // one is not used
      {{buffer, i, i}, {{0, 1, 0}, {0, 0, 1}}},  // one twice
      {{buffer, i, j}, {{-1, 2, -3}, {std::numeric_limits<i64>::min(), 0, std::numeric_limits<i64>::min()}}},
  };
  for (const auto& [operands, rows] : cases) b.make_op(loop::load{{rows}, false}, operands, scalar);
  b.make_op(op::return_{}, {}, {});
  const std::string text = print(m);
  const ir::module again = parse(text);
  CHECK(print(again) == text);
  const auto& ops = again[again[again.find_function("k")].body].ops;
  for (size_t c = 0; c < std::size(cases); ++c) {
    CHECK(again.view(ops[2 + c]).as<loop::load>().map.rows == cases[c].second);
    CHECK(again.view(ops[2 + c]).operand_count() == 3);
  }
}

TEST_CASE("a text that says a version is read as that one, or refused") {
  const std::string rest = std::string(graph_text).substr(std::string(graph_text).find("tenon.module") + 12);
  CHECK(print(parse("tenon.module version=1" + rest)) == print(parse(graph_text)));
  CHECK(facts_of_text("tenon.module version=1 phase=optimization facts=\"shapes_known\"\n").size() == 1);
  for (const char* version : {"2", "0", "-1"}) {
    try {
      parse("tenon.module version=" + std::string(version) + rest, "new.tir");
      FAIL("read");
    } catch (const error& e) {
      CHECK(e.code() == "text.version");
      CHECK(e.message().find("the text is of version " + std::string(version)) != std::string::npos);
      CHECK(e.where() == "new.tir:1:22");
    }
  }
}

TEST_CASE("typed modules know their phase") {
  const auto m = parse<phases::optimization>(graph_text);
  CHECK(print(m).starts_with("tenon.module phase=optimization fingerprint=abc123 {"));
  CHECK(phase_of_text(graph_text) == "optimization");
  CHECK(facts_of_text(graph_text).empty());
  const std::vector<std::string> facts{"shapes_known", "calls_inlined"};
  const print_options noted{.phase = "optimization", .facts = facts};
  CHECK(facts_of_text(print(m.body(), noted)) == facts);
  CHECK(print(parse(print(m.body(), noted)), {.phase = "optimization"}) ==
        print(m.body(), {.phase = "optimization"}));  // a note, no part of the module
  try {
    parse<phases::lowering>(graph_text, "graph.tir");
    FAIL("read in the wrong phase");
  } catch (const error& e) {
    CHECK(e.code() == "text.phase");
    CHECK(e.message().find("the module is in phase 'optimization', not in 'lowering'") != std::string::npos);
    CHECK(e.where() == "graph.tir:1:32");
  }
  const std::string wrong =
      "tenon.module phase=lowering\nfunc @f(%x: tensor<2xf32>) {\n  %y = add(%x, %x) : tensor<2xf32>\n  return()\n}\n";
  try {
    parse<phases::lowering>(wrong, "w");
    FAIL("an op of another phase");
  } catch (const error& e) {
    CHECK(e.code() == "text.op");
    CHECK(e.where() == "w:3:8");
  }
}

TEST_CASE("errors say where, what was expected, and show the line") {
  const auto check = [](const std::string& text, const char* code, const char* where, const char* message) {
    const error e = error_of(text);
    INFO(e.what());
    CHECK(e.code() == code);
    if (*where) CHECK(e.where() == std::string("file.tir:") + where);
    CHECK(e.message().find(message) != std::string::npos);
  };
  check("", "text.syntax", "1:1", "expected 'tenon.module', found the end of the text");
  check("tenon.module\nfunk @f", "text.syntax", "2:1",
        "expected 'constant', 'func', 'kernel' or 'artifact', found 'funk' in \"funk @f\"");
  check(with_body("  %y = add(%x, %q) : tensor<2x3xf32>"), "text.undefined", "3:16",
        "%q is not defined here in \"%y = add(%x, %q) : tensor<2x3xf32>\"");
  check(with_body("  %y = add(%x %x) : tensor<2x3xf32>"), "text.syntax", "3:15", "expected ')', found '%'");
  check(with_body("  %y = ad(%x, %x) : tensor<2x3xf32>"), "text.op", "3:8", "there is no op 'ad'");
  check(with_body("  %y = add(%x) : tensor<2x3xf32>"), "text.op", "3:8", "has 1 operand, but takes 2 in");
  check(with_body("  %y = add(%x, %x) : tensor<2x4xf32>"), "text.type", "3:8",
        "result 0 is said to be tensor<2x4xf32>, but its type rule gives tensor<2x3xf32>");
  check(with_body("  %y = add(%x, %x) : tensor<2x3xf33>"), "text.type", "3:33", "there is no element type 'f33'");
  check(with_body("  %y = matmul(%x, %x) : tensor<2x2xf32>"), "text.type", "3:8", "");
  check(with_body("  %y = add(%x, %x) : tensor<99999999999999999999xf32>"), "text.number", "3:29", "out of range");
  check(with_body("  %y, %z = add(%x, %x) : tensor<2x3xf32>"), "text.op", "3:3",
        "2 results are named, but 1 types are given");
  check(with_body("  %x = add(%x, %x) : tensor<2x3xf32>"), "text.syntax", "3:3", "%x is defined above already");
  check(with_body("  %y = add(%x, %x) {axis = 1} : tensor<2x3xf32>"), "text.syntax", "3:21",
        "op 'add' has no attribute 'axis'");
  check(with_body("  %y = call(%x) {callee = @g} : tensor<2x3xf32>\n  return(%y)"), "text.undefined", "3:28",
        "there is no function 'g'");
  check(with_body("  %y = constant() {value = #3} : tensor<2x3xf32>"), "text.undefined", "3:28", "no such constant");
  check(with_body("  %y = fused(%x) : tensor<2x3xf32> ({ ^(%a: tensor<2x3xf32>):\n yield(%a) })\n return(%a)"),
        "text.undefined", "5:9", "%a is not defined here");
  check(with_body("  %y = add(%x, %x) : tensor<2x3xf32> loc(\"open)"), "text.syntax", "3:42", "no closing quote");
  check("tenon.module\nconstant #0 : tensor<2xf32> = [1]", "text.type", "2:15",
        "the type has 2 elements, but 1 are given");
  check("tenon.module\nconstant #0 : tensor<2xi8> = [1, 300]", "text.number", "2:34", "out of range");
  check("tenon.module\nconstant #0 : tensor<4000000000x4000000000x4000000000xf32> = []", "text.type", "2:15", "");
  check("tenon.module\nconstant #0 : tensor<2xi8> = dense_hex \"0g\"", "text.syntax", "2:42", "hexadecimal digit");
  check(with_body("  return(%x)\n  return(%x)"), "ir.verify", "",
        "function 'f': return: a terminator stands before the end of its region");
  std::string deep = "tenon.module\nfunc @f(%x: ";
  for (int i = 0; i < 100000; ++i) deep += "sequence<";
  check(deep, "text.syntax", "", "nested more than 100 deep");
}

TEST_CASE("two thousand mutated texts parse or are refused, and never crash") {
  std::mt19937 random(42);
  const std::string original = graph_text;
  // clang-format off
  const std::string_view pieces[] = {
      "%0", "%8", "(", ")", "{", "}", "[", "]", "<", ">", ",", ":", "=", "-", "#1", "@copy", "\"", "0",
      "99999999999999999999", "-1", "x", "?", "*", "f32", "index", "loop.for", "loop.load", "matmul", "return",
      "yield", "({", "})", "tensor<", "buffer<2xf32>", "concat", "conv", "reshape", "slice", "transpose",
      "reduce_sum", "max_pool", "gather", "\n", "//", "\\", "\x80", "\x01"};
  // clang-format on
  int accepted = 0;
  for (int n = 0; n < 2000; ++n) {
    std::string text = original;
    for (unsigned k = random() % 4 + 1; k-- > 0;) {
      const size_t at = random() % text.size(), length = random() % 12;
      switch (random() % 4) {
        case 0: text.erase(at, length); break;
        case 1: text.insert(at, pieces[random() % std::size(pieces)]); break;
        case 2: text.replace(at, length, pieces[random() % std::size(pieces)]); break;
        default: text.insert(at, text.substr(random() % text.size(), length * 4)); break;
      }
    }
    try {
      const ir::module m = parse(text);
      const std::string once = print(m);
      CHECK(print(parse(once)) == once);
      ++accepted;
    } catch (const error&) {}
  }
  CHECK(accepted > 20);
  CHECK(accepted < 1500);
}

TEST_CASE("any op with any operands and attributes is accepted or refused") {
  std::mt19937 random(3);
  const char* const values[] = {"%a", "%b", "%c", "%d", "%e", "%f", "%g", "_"};
  const char* const numbers[] = {"-1", "0", "1", "2", "3", "-9223372036854775808", "9223372036854775807"};
  const auto number = [&] { return std::string(numbers[random() % std::size(numbers)]); };
  using graph = meta::concat_t<graph_ops, call_ops, front_end_ops>;
  int accepted = 0;
  for (const ir::op_info* info : ir::op_table_of<graph>()) {
    if (info->traits.terminator) continue;
    for (int n = 0; n < 60; ++n) {
      std::string text =
          "tenon.module\nconstant #0 : tensor<3xi64> = [1, -1, 2]\nfunc @f(%a: tensor<2x3xf32>, %b: tensor<3xi64>, %c: "
          "tensor<*xf32>, "
          "%d: tensor<f32>, %e: tensor<1x2x?xNxf32>, %f: tensor<0xi64>) {\n  %g = constant() {value = #0} : "
          "tensor<3xi64>\n  ";
      const int results = info->traits.results >= 0 ? info->traits.results : static_cast<int>(random() % 3);
      for (int i = 0; i < results; ++i) text += (i ? ", %r" : "%r") + std::to_string(i);
      text += std::string(results ? " = " : "") + std::string(info->name) + "(";
      const int low = info->traits.min_operands,
                high = info->traits.max_operands < 0 ? low + 3 : info->traits.max_operands;
      const int count = low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
      for (int i = 0; i < count; ++i) text += (i ? ", " : "") + std::string(values[random() % std::size(values)]);
      text += ")";
      std::string list;
      for (const ir::attribute& a : info->attributes()) {  // with values that need not make sense
        using kind = ir::attribute_kind;
        if (a.kind == kind::text || a.kind == kind::texts || a.kind == kind::access || a.kind == kind::enumeration ||
            random() % 2 == 0)
          continue;
        (list += list.empty() ? " {" : ", ").append(a.name).append(" = ");
        if (a.kind == kind::boolean) list += "true";
        else if (a.kind == kind::integer || a.kind == kind::real) list += number();
        else if (a.kind == kind::element_type) list += random() % 2 ? "i64" : "bool";
        else if (a.kind == kind::constant) list += "#0";
        else if (a.kind == kind::function) list += "@f";
        else {
          list += "[";
          for (unsigned k = random() % 4, i = 0; i < k; ++i) list += (i ? ", " : "") + number();
          list += "]";
        }
      }
      text += list.empty() ? "" : list + "}";
      if (results == 1) text += " : tensor<*xf32>";
      for (int i = 0; i < results && results > 1; ++i)
        text += (i ? ", " : " : (") + std::string("tensor<*xf32>") + (i + 1 == results ? ")" : "");
      for (int i = 0; i < info->traits.regions; ++i)
        text += (i ? ", " : " (") + std::string("{ yield(%a) }") + (i + 1 == info->traits.regions ? ")" : "");
      text += "\n  return(%a)\n}\n";
      INFO(text);
      try {
        const std::string once = print(parse(text));
        CHECK(print(parse(once)) == once);
        ++accepted;
      } catch (const error& e) { CHECK(e.code() != "text.syntax"); }
    }
  }
  CHECK(accepted > 100);
}

TEST_CASE("a function that is ahead of its module says its phase") {
  const char* const text = R"(tenon.module phase=optimization

kernel @k(%0: buffer<2xf32>, %1: buffer<2xf32>) phase(lowering) {
  %2 = loop.load(%0[0]) : f32
  loop.store(%2, %1[0])
  return()
}

func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  %1 = call_kernel(%0) {kernel = @k} : tensor<2xf32>
  return(%1)
}
)";
  const ir::module m = parse(text);
  CHECK(m[m.find_function("k")].phase == "lowering");
  CHECK(m[m.find_function("main")].phase.empty());
  CHECK(print(m, {.phase = "optimization"}) == text);
  // In a module of that phase it is not said.
  const ir::module same = parse(R"(tenon.module phase=lowering
kernel @k() phase(lowering) {
  return()
}
)");
  CHECK(same[same.find_function("k")].phase.empty());
}

TEST_CASE("what an op of a branch takes for granted is not said of the module that is read") {
  const auto conditions = [](const char* text) { return parse(text).conditions.items().size(); };
  CHECK(conditions(R"(tenon.module phase=optimization
func entry @main(%x: tensor<Nxf32>, %y: tensor<Mxf32>) -> (tensor<Nxf32>) {
  %z = add(%x, %y) : tensor<Nxf32>
  return(%z)
})") == 1);
  CHECK(conditions(R"(tenon.module phase=optimization
func entry @main(%c: tensor<bool>, %x: tensor<Nxf32>, %y: tensor<Mxf32>) -> (tensor<?xf32>) {
  %z = if_else(%c) : tensor<?xf32> ({
    %a = add(%x, %y) : tensor<Nxf32>
    yield(%a)
  }, {
    yield(%y)
  })
  return(%z)
})") == 0);
  CHECK(conditions(R"(tenon.module phase=optimization
func @region(%x: tensor<Nxf32>, %y: tensor<Mxf32>) -> (tensor<Nxf32>) target("cpu") {
  %z = add(%x, %y) : tensor<Nxf32>
  return(%z)
})") == 0);
}
