// A fact that cannot be checked cannot be established.
#include "house.hpp"
#include <tenon/ir/ir_module.hpp>

using namespace house;

struct checked_shapes {
  static constexpr tn::fixed_string name = "checked_shapes";
  static void check(const tn::ir::module&) {}
};
void claim(tn::ir_module<graph> m) {
#ifdef TENON_TWIN
  auto n = tn::establish<checked_shapes>(std::move(m));
#else
  // CHECK: tenon-E031: fact 'shapes_known' can be established only if it has a checker: static void check(const ir::module&)
  auto n = tn::establish<shapes_known>(std::move(m));
#endif
  static_cast<void>(n);
}
