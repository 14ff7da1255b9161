// What lambdas become are new functions, and nobody has planned a device for them: a fact of all functions ends there.
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/pipeline.hpp>

namespace tn = tenon;
using tn::passes::lift_lambdas;

struct devices_planned {
  static constexpr tn::fixed_string name = "devices_planned";
};
template <class Phase>
struct plan_devices {
  static constexpr auto name = tn::fixed_string("plan_devices_in_") + Phase::name;
  using runs_in = Phase;
  using needs = tn::facts<>;
  using gives = tn::facts<devices_planned>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct verify_memory {
  static constexpr tn::fixed_string name = "verify_memory";
  using runs_in = tn::phases::optimization;
  using needs = tn::facts<devices_planned>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, plan_devices<tn::phases::optimization>, verify_memory>;
#else
// CHECK: tenon-E003: pass 'verify_memory' (3rd) needs 'devices_planned', which pass 'lift_lambdas' (2nd) breaks after 'plan_devices_in_ingestion' (1st) gave it
using order = tn::pipeline<plan_devices<tn::phases::ingestion>, lift_lambdas, verify_memory>;
#endif
