// Whoever lowers the random ops is optional: without it they run again.
#include "random_net.hpp"

using namespace random_net;

#ifdef TENON_TWIN
using order = tn::pipeline<lower_dropout, tn::optional<rematerialize, tn::when<"recompute">>>;
#else
// CHECK: tenon-E025: when 'inference' is off, pass 'rematerialize' (2nd) may run 'dropout' again, whose effect 'random' does not allow that
using order = tn::pipeline<tn::optional<lower_dropout, tn::when<"inference">>, rematerialize>;
#endif
