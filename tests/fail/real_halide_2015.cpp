// halide/Halide #2015: prefetches were injected before storage was folded, and fetched regions that the folded buffer no longer
// has. Folding rewrites loads and stores; it says itself that it does not know how to rewrite what was made of them.
#include "house.hpp"

using namespace house;

struct load;
struct store;
struct prefetch;
struct statement {
  static constexpr tn::fixed_string name = "statement";
  using op_list = tn::ops<load, store, prefetch>;
};
struct inject_prefetch {
  static constexpr tn::fixed_string name = "inject_prefetch";
  using runs_in = statement;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<prefetch>;
};
struct fold_storage {
  static constexpr tn::fixed_string name = "fold_storage";
  using runs_in = statement;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<load, store>;
  using not_after = tn::emitter_of<prefetch>;
};
#ifdef TENON_TWIN
using order = tn::pipeline<fold_storage, inject_prefetch>;
#else
// CHECK: tenon-E019: pass 'fold_storage' (2nd) may not run after 'inject_prefetch' (1st), which emits 'prefetch': move 'fold_storage' before 'inject_prefetch'
using order = tn::pipeline<inject_prefetch, fold_storage>;
#endif
