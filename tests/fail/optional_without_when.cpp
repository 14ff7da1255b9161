// A flag where a condition is meant.
#include "house.hpp"

using namespace house;

struct fast;
#ifdef TENON_TWIN
using order = tn::pipeline<lift_lambdas, infer_shapes, tn::optional<fold_constants, tn::when<"fast">>>;
#else
// CHECK: tenon-E018: pass 'fold_constants' is optional under 'fast', which is no condition: write tenon::when<"flag"> or tenon::unless<"flag">
using order = tn::pipeline<lift_lambdas, infer_shapes, tn::optional<fold_constants, fast>>;
#endif
