// In closed form a word stands once.
#include <tenon/judge/pass_of.hpp>

#include "house.hpp"

using namespace tenon::words;

// CHECK: tenon-E018: pass 'expand' says 'needs' twice: say it once, with all that belongs to it
#ifdef TENON_TWIN
struct expand : tenon::pass_of<"expand", runs_in<house::graph>, needs<house::shapes_known, house::ops_legalized>> {};
#else
struct expand
    : tenon::pass_of<"expand", runs_in<house::graph>, needs<house::shapes_known>, needs<house::ops_legalized>> {};
#endif
