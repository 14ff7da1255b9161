// An op is added of which only the name is known: what it does besides computing may be said later, and before it runs.
#include "house.hpp"
#include <tenon/compile/run_pipeline.hpp>

using namespace house;

struct eliminate_dead {
  static constexpr tn::fixed_string name = "eliminate_dead";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using deletes = tn::effects<tn::effect::random>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct ref_write;
using order = tn::pipeline<eliminate_dead>::with_ops<ref_write>;
#ifdef TENON_TWIN
struct ref_write {
  static constexpr tn::fixed_string name = "ref_write";
  using effects = tn::effects<tn::effect::random>;
};
#endif

void compile(tn::ir_module<graph> m, tn::context& cx) {
  // CHECK: tenon-E016: pass 'eliminate_dead' (1st) deletes, merges or moves ops, and 'ref_write', which this pipeline adds, is only declared here, so that nobody knows its effects: include the header that defines it first
  auto smaller = tn::run_pipeline<order>(std::move(m), cx);
  static_cast<void>(smaller);
}
