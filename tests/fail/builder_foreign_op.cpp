// A builder makes an op that the pass did not say it emits.
#include "house.hpp"

using namespace house;

template <class Emits>
struct builder {
  template <class Op>
  void make() {
    tn::may_emit<Op, Emits>::accept();
  }
};
#ifdef TENON_TWIN
void pass(builder<legalize_ops::emits>& b) { b.make<kernel_call>(); }
#else
// CHECK: tenon-E010: a builder that makes only 'kernel_call' cannot make 'jump': add 'jump' to the 'emits' of the pass, or to the op list of the phase
void pass(builder<legalize_ops::emits>& b) { b.make<jump>(); }
#endif
