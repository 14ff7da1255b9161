// A pattern that every value would match.
#include <tenon/compile/external/code_generator.hpp>

namespace tn = tenon;

template <class P>
  requires tn::sound_pattern_of<P, tn::phases::optimization>
struct offered {};
#ifdef TENON_TWIN
using wanted = tn::named<"anything", tn::pattern<tn::op::add, tn::any, tn::any>>;
#else
// CHECK: tenon-E053: pattern 'anything' would match any value: the outermost part of a pattern is 'pattern<op, ...>'
using wanted = tn::named<"anything", tn::any>;
#endif
offered<wanted> offer;
