// A lowering table of ops, two of which nobody wrote loop nests for: both are named.
#include <tenon/passes/lowering_table.hpp>

namespace mine {
using namespace tenon;
template <fixed_string Name>
struct unary {
  static constexpr fixed_string name = Name;
  static constexpr op_traits traits{.elementwise = true, .min_operands = 1, .max_operands = 1};
};
struct twice : unary<"twice"> {};
struct half : unary<"half"> {};
struct print_it : unary<"print_it"> {};
value_id element(const twice&, element_context& cx, const index_list& at);
}  // namespace mine
#ifdef TENON_TWIN
namespace mine {
value_id element(const half&, element_context& cx, const index_list& at);
}
template <>
struct tenon::handles_op<tenon::loop_nests, mine::print_it> : tenon::handled_by_default<"it is for the interpreter only"> {};
#endif

// CHECK: tenon-E006: the table of loop nests has nothing for 'half' and 'print_it': declare 'element' or 'lower' beside each, or specialize tenon::handles_op<loop_nests, half> : tenon::handled_by_default<...>
const auto table = tenon::lowering_table_of<tenon::ops<mine::twice, mine::half, mine::print_it>>();
