// An optional pass that others rely on: every combination of flags is judged, and the smallest failing one named.
#include "house.hpp"

using namespace house;

#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, tn::optional<fold_constants, tn::when<"opt_level_1">>, legalize_ops>;
#else
// CHECK: tenon-E025: when 'opt_level_1' is off, pass 'fold_constants' (3rd) needs 'shapes_known', which no pass before it gives: run 'infer_shapes' always, or run 'fold_constants' only when 'opt_level_1' is on
using order = tn::pipeline<lift_lambdas, tn::optional<infer_shapes, tn::when<"opt_level_1">>, fold_constants>;
#endif
