/// @file columns.cpp: definition of columns.hpp.
#include "columns.hpp"

#include <tenon/ops/loop/loop.hpp>
#include <tenon/passes/loop_analysis.hpp>

namespace tenon::codegen {

unsigned columns_together(const ir::module& m, op_id op, i64 trips, unsigned lanes) {
  const region_id r = m.region(op);
  op_id load;
  int loads = 0, loops = 0;
  bool simple = true;
  const auto look = [&](auto& self, region_id inside) -> void {
    for (op_id o : m[inside].ops) {
      const ir::op_view v = m.view(o);
      if (const auto* s = v.get_if<loop::scalar>()) simple = simple && (inside == r || loop::is_cheap(s->fn));
      if (v.is<loop::load>()) ++loads, load = o;
      if (!v.is<loop::for_loop>()) simple = simple && v.region_count() == 0;
      else ++loops, simple = simple && v.result_count() == 1, self(self, v.region());
    }
  };
  look(look, r);
  if (!simple || loops == 0 || loads != 1 || m[load].parent == r) return 1;
  if (m.view(load).result_type().elem != dtype::f32) return 1;
  if (passes::detail::access_stride(m, load, m[r].arguments[0]) != 1) return 1;
  for (unsigned n = 8; n > 1; n /= 2)
    if (const i64 all = static_cast<i64>(n) * lanes; trips >= 4 * all || (trips > 0 && trips % all == 0)) return n;
  return 1;
}

}  // namespace tenon::codegen
