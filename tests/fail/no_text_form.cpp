// Ops with members that no list names: printed and read again they would be other ops, and equal to ops that they are not.
#include <tenon/ir/op_table.hpp>

namespace mine {
using namespace tenon;
struct leaky {
  static constexpr fixed_string name = "leaky";
  double slope = 0.01;
#ifdef TENON_TWIN
  TENON_ATTRIBUTES(slope)
#endif
};
struct clamp {
  static constexpr fixed_string name = "clamp";
  double low = 0, high = 6;
#ifdef TENON_TWIN
  TENON_ATTRIBUTES(low, high)
#endif
};
struct plain {
  static constexpr fixed_string name = "plain";
};
}  // namespace mine

// CHECK: tenon-E006: the printer has nothing for 'clamp' and 'leaky': list the members of each in TENON_ATTRIBUTES, or specialize tenon::handles_op<text_form, clamp> : tenon::handled_by_default<...>
const auto table = tenon::ir::op_table_of<tenon::ops<mine::leaky, mine::clamp, mine::plain>>();
