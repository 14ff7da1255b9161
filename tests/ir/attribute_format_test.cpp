// Attribute kinds of a program's own: text, files, equality, copies, and what is wrong with them.
#include <doctest/doctest.h>

#include <tenon/compile/run.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/ahead.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/references.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>
#include <support/find_op.hpp>

using namespace tenon;
using testing::caught;
using testing::find_op;

namespace own {

/// A type that is no struct of members: an order of axes that checks itself.
class layout {
 public:
  layout() = default;
  explicit layout(std::string axes) : axes_(std::move(axes)) {
    for (size_t i = 0; i < axes_.size(); ++i)
      if (axes_.find(axes_[i], i + 1) != axes_.npos)
        throw error("own.layout", "axis '" + axes_.substr(i, 1) + "' is said twice", {}, "say each axis once");
  }
  const std::string& axes() const { return axes_; }

 private:
  std::string axes_ = "nchw";
};

enum class rounding : u8 { nearest, down };
std::span<const std::string_view> enumerator_names(rounding) {
  static constexpr std::string_view names[] = {"nearest", "down"};
  return names;
}
struct scale {
  static constexpr fixed_string name = "own.scale";
  double by = 1;
  std::vector<i64> zeros{};
  rounding round = rounding::nearest;
  dtype as = dtype::i8;
  layout axes{};
  TENON_ATTRIBUTES(by, zeros, round, as, axes)
};
/// What refers to the module.
struct table {
  static constexpr fixed_string name = "own.table";
  constant_id values{};
  ir::function_ref index{};
  TENON_ATTRIBUTES(values, index)
};
struct quantized {
  static constexpr fixed_string name = "own.quantized";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  scale with{};
  TENON_ATTRIBUTES(with)
};
struct looked_up {
  static constexpr fixed_string name = "own.looked_up";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  table from{};
  TENON_ATTRIBUTES(from)
};
void infer(const quantized&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void infer(const looked_up&, ir::infer_context& cx) { cx.result(cx.operand(0)); }

/// The same name, and other members: another version of the program.
struct later_scale {
  static constexpr fixed_string name = "own.scale";
  double by = 1;
  i64 axis = 0;
  TENON_ATTRIBUTES(by, axis)
};
struct later_quantized {
  static constexpr fixed_string name = "own.quantized";
  static constexpr op_traits traits = quantized::traits;
  later_scale with{};
  TENON_ATTRIBUTES(with)
};

using phase = extend<phases::optimization, quantized, looked_up>;
using later_phase = extend<phases::optimization, later_quantized>;

}  // namespace own

template <>
struct tenon::ir::attribute_format<own::layout> {
  static constexpr std::string_view name = "own.layout";
  static std::string to(const own::layout& l) { return l.axes(); }
  static own::layout from(const std::string& axes) { return own::layout(axes); }
};

namespace {

constexpr const char* text = R"m(tenon.module phase=optimization

constant #0 : tensor<2xf32> = [1, 2]

func entry @main(%0: tensor<2xf32> [own.range = own.scale {by = 3.0}]) -> (tensor<2xf32>) inputs("x") outputs("y") attributes(own.order = own.layout "nhwc") {
  %1 = own.quantized(%0) {with = own.scale {by = 0.5, zeros = [1, -2], round = down, as = u8, axes = own.layout "nhwc"}} : tensor<2xf32>
  %2 = own.looked_up(%1) {from = own.table {values = #0, index = @f}} : tensor<2xf32>
  %3 = exp(%2) : tensor<2xf32> attributes(not.known = a.b {c = 1, d = e.f [], g = h.i {}, j = reals []})
  return(%3)
}

func @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {
  return(%0)
}
)m";

ir_module<own::phase> with_op(const std::string& op) {
  return parse<own::phase>(
      "tenon.module phase=optimization\nfunc entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n" + op +
      "\nreturn(%1)\n}\n");
}
error refusal(const std::string& op) {
  return caught([&] { (void)with_op(op); });
}
size_t quantizations(const std::string& first, const std::string& second) {
  auto m = with_op("%2 = own.quantized(%0) " + first + " : tensor<2xf32>\n%3 = own.quantized(%0) " + second +
                   " : tensor<2xf32>\n%1 = add(%2, %3) : tensor<2xf32>");
  context cx;
  const auto merged = run<passes::eliminate_common>(std::move(m), cx);
  size_t n = 0;
  ir::for_each_op(merged.body(), [&](op_id op) { n += merged.body().view(op).is<own::quantized>(); });
  return n;
}

}  // namespace

TEST_CASE("text and files have values of own kinds, and give them back") {
  const auto m = parse<own::phase>(text);
  CHECK(print(m) == text);
  const ir::module& b = m.body();
  const own::scale& s = b.view(find_op(b, "own.quantized")).as<own::quantized>().with;
  CHECK(s.by == 0.5);
  CHECK(s.zeros == std::vector<i64>{1, -2});
  CHECK(s.round == own::rounding::down);
  CHECK(s.as == dtype::u8);
  CHECK(s.axes.axes() == "nhwc");
  const std::string bytes = serialize(m);
  const auto back = deserialize<own::phase>(bytes);
  CHECK(print(back) == text);
  CHECK(serialize(back) == bytes);
  CHECK(print(m.clone()) == text);
  ir::verify(back.body(), {"optimization", {}, {}});
}

TEST_CASE("a file that has a note of an own kind is refused by its version where no such kinds are known") {
  const auto file = [](std::string_view note) {
    return serialize(parse<phases::optimization>(
        "tenon.module phase=optimization\nfunc entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  %1 = exp(%0) : "
        "tensor<2xf32>" +
        std::string(note) + "\n  return(%1)\n}\n"));
  };
  file_kind before = module_file_kind;  // as libraries have it that read no version after 4
  before.version = 4;
  for (const char* plain : {"", " [a.b = 1]", " attributes(a.b = [\"x\"])"})
    CHECK(open_frame(file(plain), before, "m").version == 4);
  for (const char* own : {" [a.b = c.d {e = 1}]", " attributes(a.b = c.d {e = c.f {g = 1}})"}) {
    const error e = caught([&] { (void)open_frame(file(own), before, "m"); });
    CHECK(e.code() == "file.version");
    CHECK(e.hint() == "read it with a newer tenon");
    CHECK(open_frame(file(own), module_file_kind, "m").version == 5);
    CHECK(serialize(deserialize<phases::optimization>(file(own))) == file(own));
  }
}

TEST_CASE("values that are written alike are equal: ops are merged by them, and hashed") {
  CHECK(quantizations("{with = own.scale {by = 2}}", "{with = own.scale {by = 2, zeros = []}}") == 1);
  CHECK(quantizations("{with = own.scale {by = 2}}", "{with = own.scale {by = 3}}") == 2);
  CHECK(quantizations("{with = own.scale {axes = own.layout \"ab\"}}",
                      "{with = own.scale {axes = own.layout \"ba\"}}") == 2);
  CHECK(quantizations("", "{with = own.scale {round = nearest}}") == 1);
  const auto hash = [](const char* by) {
    const auto m = with_op(std::string("%1 = own.quantized(%0) {with = own.scale {by = ") + by + "}} : tensor<2xf32>");
    return ir::hash_of_function(m.body(), m.body().find_function("main"));
  };
  CHECK(hash("2") == hash("2.0"));
  CHECK(hash("2") != hash("3"));
}

TEST_CASE("constants and functions in a value are found by who looks for them") {
  auto m = parse<own::phase>(text);
  ir::module& b = m.body();
  CHECK(ir::referenced_functions(b, b.find_function("main")).size() == 1);
  const auto values = [](const ir::module& in) {
    const own::table& t = in.view(find_op(in, "own.looked_up")).as<own::looked_up>().from;
    return in[t.values].value.at_f64(1);
  };
  b.release_constant(constant_id(size_t{0}));  // it is used
  CHECK(values(b) == 2);
  b.add_constant(tensor::from<float>({1}, {7}));
  const ir::module alone = b.extract(b.find_function("main"));  // with what it uses
  CHECK(alone.find_function("f"));
  CHECK(alone.constant_count() == 1);
  CHECK(values(alone) == 2);
  ir::module compacted;
  compacted = b;
  compacted.compact();
  CHECK(compacted.constant_count() == 1);
  CHECK(values(compacted) == 2);
  ir::builder<ops<own::looked_up>> more(b, b[b.find_function("main")].body);
  const op_id op = find_op(b, "own.looked_up");
  more.before(op);
  more.make(own::looked_up{{.values = {}, .index = {"nobody"}}}, {b.operand(op, 0)});
  CHECK(caught([&] { ir::verify(b, {"optimization", {}, {}}); }).message().find("there is no function 'nobody'") !=
        std::string::npos);
}

TEST_CASE("as discardable attributes they are carried whole, and read by who knows the kind") {
  const ir::module unknown = parse<phases::optimization>(R"m(tenon.module phase=optimization
    func entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {
      %1 = exp(%0) : tensor<2xf32> attributes(a.later = own.scale {by = 2.0, axis = 1}, a.now = own.scale {by = 0.5, as = "u8", axes = own.layout "ab", round = "down"}, a.order = own.layout "aa")
      return(%1)
    })m")
                                 .body();
  const ir::discardable_attributes& d = unknown.discardable(find_op(unknown, "exp"));
  const auto now = d.get<own::scale>("a.now");
  REQUIRE(now);
  CHECK(now->by == 0.5);
  CHECK(now->as == dtype::u8);
  CHECK(now->axes.axes() == "ab");
  CHECK(now->round == own::rounding::down);
  CHECK(now->zeros.empty());
  CHECK(!d.get<own::layout>("a.now"));  // of another kind
  CHECK(!d.get<own::scale>("a.none"));
  const error e = caught([&] { (void)d.get<own::scale>("a.later"); });
  CHECK(e.code() == "ir.attribute");
  CHECK(e.message() == "a value of 'own.scale' says the field 'axis', which the kind has not here, or of another kind");
  CHECK(caught([&] { (void)d.get<own::layout>("a.order"); }).code() == "own.layout");

  ir::module m = unknown;
  const op_id op = find_op(m, "exp");
  m.set_discardable(op, ir::discardable_attributes());
  m.set_discardable(op, "own.note", own::scale{.by = 4, .as = dtype::f16});
  CHECK(m.discardable(op).get<own::scale>("own.note")->as == dtype::f16);
  CHECK(print(m, op).find("attributes(own.note = own.scale {by = 4.0, zeros = [], round = \"nearest\", as = \"f16\", "
                          "axes = own.layout \"nchw\"})") != std::string::npos);
  CHECK(caught([&] { m.set_discardable(op, "own.note", own::table{}); }).message() ==
        "'own.table.values' holds a constant, a function or an access map, and a discardable attribute does not");
  for (ir::discardable_attributes notes; const char* kind : {"", "plain", "a..b"}) {
    ir::kind_value v;
    v.kind = kind;
    CHECK(caught([&] { notes.set("a.b", v); }).code() == "ir.attribute");
  }
}

TEST_CASE("text that is no value of a kind is refused where it stands, with the kind's name") {
  const auto with = [](const std::string& value) {
    return refusal("%1 = own.quantized(%0) {with = " + value + "} : tensor<2xf32>");
  };
  const error other = with("own.layout \"ab\"");
  CHECK(other.code() == "text.kind");
  CHECK(other.message().find("'with' is of the kind 'own.scale', and 'own.layout' stands here") == 0);
  CHECK(other.where() == "text:3:32");
  CHECK(with("0.5").message().find("expected a value of 'own.scale'") == 0);
  CHECK(with("own.scale").message().find("expected '{' and the fields of 'own.scale'") == 0);
  const error field = with("own.scale {factor = 2}");
  CHECK(field.message().find("kind 'own.scale' has no field 'factor'") == 0);
  CHECK(field.hint() == "it has by, zeros, round, as, axes");
  CHECK(with("own.scale {round = up}").message().find("'round' is none of nearest, down") == 0);
  const error twice = with("own.scale {axes = own.layout \"aa\"}");
  CHECK(twice.code() == "text.kind");
  CHECK(twice.message().find("no 'own.layout' is written so: axis 'a' is said twice") == 0);
  CHECK(twice.hint() == "say each axis once");
  CHECK(refusal("%1 = exp(%0) : tensor<2xf32> [a.b = c.d {e = 1, e = 2}]").message().find("'e' is said twice") == 0);
  CHECK(refusal("%1 = exp(%0) : tensor<2xf32> [a.b = c.d]").code() == "text.syntax");
  std::string deep = "1";
  for (int i = 0; i < 200; ++i) deep = "c.d {e = " + deep + "}";
  CHECK(refusal("%1 = exp(%0) : tensor<2xf32> [a.b = " + deep + "]").message().find("nested more than 100 deep") == 0);
}

TEST_CASE("a file whose op has another kind than this program's says both") {
  const std::string bytes = serialize(with_op("%1 = own.quantized(%0) : tensor<2xf32>"));
  const error e = caught([&] { (void)deserialize<own::later_phase>(bytes); });
  CHECK(e.code() == "module.op");
  CHECK(e.message() ==
        "op 'own.quantized' has the attributes 'with:own.scale(by:r,zeros:I,round:e2,as:t,axes:own.layout(:s))' in the "
        "file, and 'with:own.scale(by:r,axis:i)' here");
  std::string broken =
      serialize(with_op("%1 = own.quantized(%0) {with = own.scale {axes = own.layout \"xyzw\"}} : tensor<2xf32>"));
  const size_t at = broken.find("xyzw");
  REQUIRE(at != broken.npos);
  broken[at + 1] = 'x';
  seal_frame(broken);
  const error wrong = caught([&] { (void)deserialize<own::phase>(broken); });
  CHECK(wrong.code() == "module.file");
  CHECK(wrong.message() == "no 'own.layout' is written so: axis 'x' is said twice");
  std::string kind = serialize(with_op("%1 = exp(%0) : tensor<2xf32> [a.b = c.d {e = 1}]"));
  const size_t dot = kind.find("c.d");
  REQUIRE(dot != kind.npos);
  kind[dot + 1] = 'x';
  seal_frame(kind);
  CHECK(caught([&] { (void)deserialize<own::phase>(kind); }).message() == "the value of 'a.b' cannot be spelled");
}
