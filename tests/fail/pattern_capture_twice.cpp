// A pattern uses one name for two of its parts.
#include <tenon/compile/external/code_generator.hpp>

namespace tn = tenon;

template <class P>
  requires tn::sound_pattern_of<P, tn::phases::optimization>
struct offered {};
#ifdef TENON_TWIN
using wanted = tn::pattern<tn::op::add, tn::capture<"x", tn::any>, tn::capture<"y", tn::any>>;
#else
// CHECK: tenon-E051: pattern 'add' captures 'x' twice: give each capture a name of its own
using wanted = tn::pattern<tn::op::add, tn::capture<"x", tn::any>, tn::capture<"x", tn::any>>;
#endif
offered<wanted> offer;
