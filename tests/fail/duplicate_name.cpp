// Two passes with one name: fingerprints and text pipelines could not tell them apart.
#include "house.hpp"

using namespace house;

namespace mine {
struct fold {
#ifdef TENON_TWIN
  static constexpr tn::fixed_string name = "fold_more";
#else
  static constexpr tn::fixed_string name = "fold_constants";
#endif
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
}  // namespace mine
// CHECK: tenon-E009: pass 'fold' (4th) has the name 'fold_constants', which another pass, 'fold_constants' (3rd), has too: a name belongs to one pass
using order = tn::pipeline<lift_lambdas, infer_shapes, fold_constants, mine::fold>;
