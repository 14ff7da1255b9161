// Discardable attributes: names and values, text, files, and what becomes of them when a module is changed.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <tenon/compile/run.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>
#include <support/find_op.hpp>

using namespace tenon;
using testing::caught;
using testing::find_op;

namespace {

constexpr const char* text = R"m(tenon.module phase=optimization

func entry @main(%0: tensor<2xf32> [user.range = [-1.0, 1.0]]) -> (tensor<2xf32>) inputs("x") outputs("y") attributes(user.owner = "me") {
  %1 = exp(%0) : tensor<2xf32> [user.scale = 0.5] attributes(user.lanes = 4) target("a") loc("node_1")
  %2, %3 = top_k(%1) {k = 1} : (tensor<1xf32>, tensor<1xi64> [user.half = 2]) attributes(a.b.c = true)
  %4 = call(%1) {callee = @f} : tensor<2xf32>
  return(%4)
}

func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) attributes(user.inner = texts []) {
  %1 = neg(%0) : tensor<2xf32> attributes(user.empty = [], user.list = [1, -2], user.nan = 0x7ff8000000000000, user.none = reals [], user.off = false, user.texts = ["a\n", ""], user.tiny = 1e-300, user.whole = 3.0)
  return(%1)
}
)m";

enum class why : u8 { guessed, measured };
std::span<const std::string_view> enumerator_names(why) {
  static constexpr std::string_view names[] = {"guessed", "measured"};
  return names;
}
struct hint {
  static constexpr std::string_view name = "user.hint";
  i64 lanes = 1;
  bool fast = false;
  why from = why::guessed;
  std::vector<std::string> words{};
  TENON_ATTRIBUTES(lanes, fast, from, words)
};
struct refers {
  static constexpr std::string_view name = "user.refers";
  ir::function_ref to{};
  TENON_ATTRIBUTES(to)
};

std::string from_hex(std::string_view digits) {
  std::string bytes;
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  return bytes;
}

}  // namespace

TEST_CASE("text and files have them, and give them back") {
  const auto m = parse<phases::optimization>(text);
  CHECK(print(m) == text);
  const ir::module& b = m.body();
  CHECK(*b.discardable(find_op(b, "exp")).get<i64>("user.lanes") == 4);
  CHECK(*b.discardable(b.result(find_op(b, "exp"))).get<double>("user.scale") == 0.5);
  CHECK(*b[b.find_function("main")].discardable.get<std::string>("user.owner") == "me");
  CHECK(b.discardable(find_op(b, "neg")).size() == 8);
  CHECK(std::isnan(*b.discardable(find_op(b, "neg")).get<double>("user.nan")));
  CHECK(b.discardable(find_op(b, "neg")).get<double>("user.list") == nullptr);  // of another type
  const std::string bytes = serialize(m);
  const auto back = deserialize<phases::optimization>(bytes);
  CHECK(print(back) == text);
  CHECK(serialize(back) == bytes);
  CHECK(print(m.clone()) == text);
  ir::module compacted = b;
  compacted.compact();
  CHECK(print(compacted, {.phase = "optimization"}) == text);
  const std::string alone = print(b.extract(b.find_function("main")));
  for (const char* noted :
       {"attributes(user.owner = ", "[user.range = ", "[user.scale = 0.5] attributes(user.lanes = 4)",
        "[user.half = 2]", "attributes(user.inner = ", "user.whole = 3.0"})
    CHECK_MESSAGE(alone.find(noted) != std::string::npos, noted);
}

TEST_CASE("what is no attribute is refused where it is written") {
  const auto refusal = [](const std::string& op) {
    return caught([&] {
      (void)parse<phases::optimization>(
          "tenon.module phase=optimization\nfunc entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  " + op +
          "\n  return(%1)\n}\n");
    });
  };
  const error plain = refusal("%1 = exp(%0) : tensor<2xf32> attributes(lanes = 4)");
  CHECK(plain.code() == "text.syntax");
  CHECK(plain.message().find("'lanes' is no name of a discardable attribute") == 0);
  CHECK(plain.where() == "text:3:43");
  CHECK(refusal("%1 = exp(%0) : tensor<2xf32> [u.a = 1, u.a = 2]").message().find("'u.a' is said twice") == 0);
  CHECK(refusal("%1 = exp(%0) : tensor<2xf32> [u.a = [1, 2.5]]").code() == "text.syntax");
  CHECK(refusal("%1 = exp(%0) : tensor<2xf32> [u.a = x]").code() == "text.syntax");
  ir::discardable_attributes d;
  for (const char* name : {"", "a", ".a", "a.", "a..b", "1a.b", "a.b c", "a.2"})
    CHECK(caught([&] { d.set(name, true); }).code() == "ir.attribute");
  d.set("a.b2", true);
  CHECK(d.erase("a.b2"));
  CHECK(!d.erase("a.b2"));
}

TEST_CASE("files of the version before are read, and older ones refused") {
  // exp, target "cpu:threads=1", loc "node_1", as version 2 wrote it.
  std::string old = from_hex(
      "54454e4f4e4d4f440200000000000000aa000000000000007f1a5b86e713ab686a0000000000000000000000000000000000"
      "00000000000000000000000000000c6f7074696d697a6174696f6e00000005302e312e3000000001146e6f64655f31006370"
      "753a746872656164733d310101010100000103000203657870000672657475726e000001046d61696e000100000101780101"
      "7901000100020001010101000001000102000000");
  const ir::module m = deserialize(old);
  const op_id op = find_op(m, "exp");
  CHECK(m.target(m[op].location) == "cpu:threads=1");
  CHECK(m.text(m[op].location) == "node_1");
  CHECK(m.discardable(op).empty());
  CHECK(serialize(m, "optimization").size() > old.size());
  old[8] = 1;
  seal_frame(old);
  const error e = caught([&] { (void)deserialize(old); });
  CHECK(e.code() == "file.version");
  CHECK(e.message() == "a module file of version 1, and this library reads versions 2 to 5");
  CHECK(e.hint() == "write the module again");
}

TEST_CASE("a value's go to what takes its place, which keeps its own") {
  auto parsed = parse<phases::optimization>(R"m(tenon.module phase=optimization
    func entry @main(%0: tensor<2xf32> [u.a = 1]) -> (tensor<2xf32>, tensor<2xf32>) {
      %1 = exp(%0) : tensor<2xf32> [u.a = 2, u.b = 3] attributes(u.op = 1)
      %2 = exp(%0) : tensor<2xf32> [u.a = 4, u.c = 5] attributes(u.op = 2)
      return(%1, %2)
    })m");
  context cx;
  const auto merged = run<passes::eliminate_common>(std::move(parsed), cx);
  const ir::module& m = merged.body();
  const op_id op = find_op(m, "exp");
  const ir::discardable_attributes& d = m.discardable(m.result(op));
  CHECK(*d.get<i64>("u.a") == 2);
  CHECK(*d.get<i64>("u.b") == 3);
  CHECK(*d.get<i64>("u.c") == 5);
  CHECK(*m.discardable(op).get<i64>("u.op") == 1);  // of the one that stays
}

TEST_CASE("constraining an op, and inlining it, keep its attributes") {
  auto m = parse<phases::optimization>(text);
  ir::constrain(m.body(), find_op(m.body(), "neg"), "b");
  CHECK(m.body().discardable(find_op(m.body(), "neg")).size() == 8);
  m.constrain("f", "b");
  context cx;
  const auto inlined = run<passes::inline_calls>(std::move(m), cx);
  CHECK(inlined.body().discardable(find_op(inlined.body(), "neg")).size() == 8);
  ir::module free = inlined.body();
  ir::remove_constraints(free);
  CHECK(free.target(free[find_op(free, "neg")].location).empty());
  CHECK(free.discardable(find_op(free, "neg")).size() == 8);
}

TEST_CASE("a struct is attached field by field") {
  ir::discardable_attributes d;
  CHECK(!ir::attached<hint>(d));
  ir::attach(d, hint{.lanes = 8, .fast = true, .from = why::measured, .words = {"a", "b"}});
  CHECK(d.size() == 4);
  CHECK(*d.get<std::string>("user.hint.from") == "measured");
  d.erase("user.hint.fast");
  const auto back = ir::attached<hint>(d);
  REQUIRE(back);
  CHECK(back->lanes == 8);
  CHECK(!back->fast);  // as in hint{}
  CHECK(back->from == why::measured);
  CHECK(back->words == std::vector<std::string>{"a", "b"});
  CHECK(caught([&] { ir::attach(d, refers{{"f"}}); }).code() == "ir.attribute");
}
