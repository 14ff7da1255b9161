// A fact without a value is asked for as an analysis.
#include <tenon/compile/analysis.hpp>

#include "house.hpp"

using namespace house;

struct extents_summed {
  static constexpr tn::fixed_string name = "extents_summed";
#ifdef TENON_TWIN
  static int compute(const tn::ir::module&) { return 0; }
#else
  static int compute(tn::ir::module&) { return 0; }
#endif
};
struct unroll {
  static constexpr tn::fixed_string name = "unroll";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<add>;
  void run(tn::ir_module<graph>& m, tn::context& cx) const {
    // CHECK: tenon-E044: pass 'unroll' asks for analysis 'extents_summed', which is no analysis: that is a fact with a name and 'static T compute(const ir::module&)', whose values can be compared by '=='
    static_cast<void>(cx.analysis<extents_summed>(*this, m));
  }
};
