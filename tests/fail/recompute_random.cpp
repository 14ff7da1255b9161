// Cheap ops run again instead of being kept, whatever they are: a dropout that runs again drops others.
#include "random_net.hpp"

using namespace random_net;

#ifdef TENON_TWIN
using order = tn::pipeline<lower_dropout, rematerialize>;
#else
// CHECK: tenon-E043: pass 'rematerialize' (1st) may run 'dropout' again, whose effect 'random' does not allow that, and phase 'net' lists it: move 'rematerialize' after 'lower_dropout', or say 'using leaves = tenon::effects<random>' if the pass leaves such ops alone
using order = tn::pipeline<rematerialize, lower_dropout>;
#endif
