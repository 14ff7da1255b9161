// In closed form a fact stands where a word is meant.
#include <tenon/judge/pass_of.hpp>

#include "house.hpp"

using namespace tenon::words;

// CHECK: tenon-E018: pass 'expand' says 'shapes_known', which is no word of a pass: those stand in tenon::words, as 'tenon::words::needs<...>'
#ifdef TENON_TWIN
struct expand : tenon::pass_of<"expand", runs_in<house::graph>, needs<house::shapes_known>> {};
#else
struct expand : tenon::pass_of<"expand", runs_in<house::graph>, house::shapes_known> {};
#endif
