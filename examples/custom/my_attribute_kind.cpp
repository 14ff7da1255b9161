// Attribute kinds of your own: a member of an op, or a note, of your own type. What it is written as is said once, and
// texts, files, equality and copies follow. A program that does not know the kind carries a note of it as it is.
#include <cstdio>

#include <tenon/definitions.hpp>  // once in a program
#include <tenon/ir/module_file.hpp>
#include <tenon/passes/eliminate_common.hpp>
#include <tenon/tenon.hpp>

namespace mine {
using namespace tenon;

/// A type with rules: in which order an accelerator holds the axes of an image.
class layout {
 public:
  layout() = default;
  explicit layout(const std::string& axes) : axes_(axes) {
    if (axes.size() != 4 || axes.find_first_not_of("nchw") != axes.npos)
      throw error("mine.layout", "'" + axes + "' is no order of n, c, h, w");
  }
  const std::string& axes() const { return axes_; }

 private:
  std::string axes_ = "nchw";
};

/// A struct that lists its members is written as they are, and may hold other kinds.
struct placement {
  static constexpr fixed_string name = "mine.placement";
  layout axes{};
  i64 bank = 0;
  TENON_ATTRIBUTES(axes, bank)
};
/// An op with such a member.
struct place {
  static constexpr fixed_string name = "mine.place";
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
  placement to{};
  TENON_ATTRIBUTES(to)
};
void infer(const place&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
using phase = extend<phases::optimization, place>;
}  // namespace mine

/// Any other type says what it is written as: here, a text.
template <>
struct tenon::ir::attribute_format<mine::layout> {
  static constexpr std::string_view name = "mine.layout";
  static std::string to(const mine::layout& l) { return l.axes(); }
  static mine::layout from(const std::string& axes) { return mine::layout(axes); }
};

int main() {
  using namespace tenon;
  const char* text = R"m(tenon.module phase=optimization
    func entry @main(%x: tensor<1x3x8x8xf32>) -> (tensor<1x3x8x8xf32>) inputs("x") outputs("y") {
      %a = mine.place(%x) {to = mine.placement {axes = mine.layout "nhwc", bank = 1}} : tensor<1x3x8x8xf32>
      %b = mine.place(%x) {to = mine.placement {bank = 1, axes = mine.layout "nhwc"}} : tensor<1x3x8x8xf32>
      %y = add(%a, %b) : tensor<1x3x8x8xf32> attributes(mine.wants = mine.layout "nhwc", their.cost = other.cycles {at = 2.5})
      return(%y)
    })m";
  // The two are equal, so one of them goes; a file has the rest.
  context cx;
  const auto merged = run<passes::eliminate_common>(parse<mine::phase>(text), cx);
  const auto m = deserialize<mine::phase>(serialize(merged));
  std::printf("%s\n", print(m).c_str());

  // As values, with their types.
  ir::for_each_op(m.body(), [&](op_id op) {
    if (const auto* p = m.body().view(op).get_if<mine::place>())
      std::printf("bank %d holds %s\n", static_cast<int>(p->to.bank), p->to.axes.axes().c_str());
    if (const auto l = m.body().discardable(op).get<mine::layout>("mine.wants"))
      std::printf("%s is wanted\n", l->axes().c_str());
  });

  // What is no value of a kind is refused where it stands.
  std::string wrong = text;
  wrong.replace(wrong.find("nhwc"), 4, "nhwd");
  try {
    parse<mine::phase>(wrong);
  } catch (const error& e) { std::printf("%s\n", e.message().c_str()); }
}

// CHECK: %1 = mine.place(%0) {to = mine.placement {axes = mine.layout "nhwc", bank = 1}} : tensor<1x3x8x8xf32>
// CHECK-NEXT: add(%1, %1) : tensor<1x3x8x8xf32> attributes(mine.wants = mine.layout "nhwc", their.cost = other.cycles {at = 2.5})
// CHECK: bank 1 holds nhwc
// CHECK: nhwc is wanted
// CHECK: no 'mine.layout' is written so: 'nhwd' is no order of n, c, h, w
