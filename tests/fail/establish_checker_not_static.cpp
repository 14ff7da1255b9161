// A checker that is no static function is called by nobody: one sentence, of the checker, and not also that there is none.
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;

struct normalized {
  static constexpr tn::fixed_string name = "normalized";
#ifdef TENON_TWIN
  static void check(const tn::ir::module&) {}
#else
  void check(const tn::ir::module&) const {}
#endif
};
void claim(tn::ir_module<tn::phases::optimization> m) {
  // CHECK: tenon-E008: fact 'normalized' has a member 'check' that nobody calls: write 'static void check(const ir::module&)'
  // CHECK-NOT: tenon-E031
  auto n = tn::establish<normalized>(std::move(m));
  static_cast<void>(n);
}
