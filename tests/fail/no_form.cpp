// A code generator that forgets two ops of its phase, where it makes the code: both are named.
#include <tenon/ir/dispatch.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace mine {
using namespace tenon;
struct emitter {};
using emitted = ops<loop::load, loop::store, loop::yield>;
}  // namespace mine
#ifdef TENON_TWIN
template <>
struct tenon::handles_op<mine::emitter, tenon::loop::yield> : tenon::handled_by_default<"loops read what they yield"> {};
#endif

bool emit(const tenon::ir::op_view& v) {
  using namespace tenon;
#ifdef TENON_TWIN
  const ir::forms form{[](const loop::load&) {}, [](const loop::store&) {}};
#else
  const ir::forms form{[](const loop::load&) {}};
#endif
  // CHECK: tenon-E006: my code generator has nothing for 'store' and 'yield': add an overload for each, or specialize tenon::handles_op<emitter, store> : tenon::handled_by_default<...>
  return ir::dispatch<mine::emitted, "my code generator", mine::emitter>(v, form);
}
