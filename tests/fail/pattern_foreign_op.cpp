// A pattern asks for an op that the phase of graphs has not.
#include <tenon/compile/external/code_generator.hpp>

namespace tn = tenon;

template <class P>
  requires tn::sound_pattern_of<P, tn::phases::optimization>
struct offered {};
#ifdef TENON_TWIN
using wanted = tn::pattern<tn::op::call_kernel, tn::any>;
#else
// CHECK: tenon-E050: pattern 'call_dps' asks for op 'call_dps', which phase 'optimization' does not list, so that it can never match: name ops of that phase
using wanted = tn::pattern<tn::op::call_dps, tn::any>;
#endif
offered<wanted> offer;
