// An optional pass by hand: the type of the module would say what it gives, whether its flag is on or not.
#include "house.hpp"
#include <tenon/judge/optional.hpp>
#include <tenon/compile/run.hpp>

using namespace house;
struct guess_shapes {
  static constexpr tn::fixed_string name = "guess_shapes";
  using runs_in = graph;
  using needs = tn::facts<>;
  using gives = tn::facts<shapes_known>;
  using keeps = tn::all_facts;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};

tn::ir_module<graph> compile(tn::ir_module<graph> m, tn::context& cx) {
#ifdef TENON_TWIN
  if (cx.flag("shapes")) return tn::run<guess_shapes>(std::move(m), cx);
  return m;
#else
  // CHECK: tenon-E018: pass 'guess_shapes' is optional under 'shapes', which pipelines ask: by hand, run the pass itself where cx.flag("shapes") is on
  return tn::run<tn::optional<guess_shapes, tn::when<"shapes">>>(std::move(m), cx);
#endif
}
