// The laws of ops refuse one that does nothing, too: no results, no effects, and it ends no region.
#include <tenon/testing/laws.hpp>

namespace mine {
using namespace tenon;

struct print {
  static constexpr fixed_string name = "print";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .results = 0};
#ifdef TENON_TWIN
  using effects = tenon::effects<effect::io>;
#endif
};
inline void infer(const print&, ir::infer_context&) {}
inline void evaluate(const print&, eval_context&) {}
}  // namespace mine

// CHECK: tenon-E037: op 'print' has no results and no effects, and ends no region: it does nothing, and dead-code elimination deletes it; say what it does with 'using effects = tenon::effects<...>'
void test(const tenon::tensor& x) { tenon::laws::check_op(mine::print{}, {x}); }
