// A pattern gives an op fewer operands than it takes.
#include <tenon/compile/external/code_generator.hpp>
#include <tenon/ops/graph/contraction.hpp>

namespace tn = tenon;

template <class P>
  requires tn::sound_pattern_of<P, tn::phases::optimization>
struct offered {};
#ifdef TENON_TWIN
using wanted = tn::pattern<tn::op::conv, tn::any, tn::constant, tn::maybe<tn::any>>;
#else
// CHECK: tenon-E052: pattern 'conv' gives op 'conv' 1 operand, and it takes 2 to 3: 'maybe<any>' stands for an operand that may be absent, 'rest<any>' for any number more
using wanted = tn::pattern<tn::op::conv, tn::any>;
#endif
offered<wanted> offer;
