// Ops that the interpreter is to run, two of which nobody said the meaning of: both are named.
#include <tenon/interpret/eval_table.hpp>

namespace mine {
using namespace tenon;
struct twice {
  static constexpr fixed_string name = "twice";
};
struct half {
  static constexpr fixed_string name = "half";
};
struct barrier {
  static constexpr fixed_string name = "barrier";
};
void evaluate(const twice&, eval_context&);
}  // namespace mine
#ifdef TENON_TWIN
namespace mine {
void evaluate(const half&, eval_context&);
}
template <>
struct tenon::handles_op<tenon::reference_evaluation, mine::barrier> : tenon::handled_by_default<"one thread waits for nobody"> {};
#endif

// CHECK: tenon-E006: the interpreter has nothing for 'barrier' and 'half': declare 'void evaluate(const op&, tenon::eval_context&)' beside each, or specialize tenon::handles_op<reference_evaluation, barrier> : tenon::handled_by_default<...>
const auto table = tenon::eval_table_of<tenon::ops<mine::twice, mine::half, mine::barrier>>();
