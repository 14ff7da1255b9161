/// @file tile.ipp: definitions of passes/tile.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/products_together.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/tile.hpp>

namespace tenon::passes {
namespace detail {

/// Sizes of blocks that cover `extent` evenly with at most `limit` each: ceil(extent / blocks).
inline i64 even_block(i64 extent, i64 limit) {
  const i64 blocks = (extent + limit - 1) / limit;
  return (extent + blocks - 1) / blocks;
}

/// What instructions cost, in cycles.
struct instruction_costs {
  double multiply_add, load, latency;
  double near, second_level, third_level;  ///< a vector of b, by where its panel is kept
};
/// With vectors of 64 bytes: a fused multiply-add a cycle, two loads. With 32 bytes two a cycle, and three loads in two
/// (measured on Zen 3).
inline instruction_costs costs_of(int vector_bytes) {
  return vector_bytes == 64 ? instruction_costs{1, 0.5, 4, 0.5, 1.2, 4} : instruction_costs{0.5, 0.65, 4, 0.65, 1, 2};
}

/// Cycles of all blocks, for one step of k: multiply-adds, loads or the latency of the sums, and `stream` for each
/// vector of b, which passes by once a block. Of equals, the one with fewer loads.
inline double block_cost(i64 mo, i64 mi, i64 nv, i64 ro, i64 ri, i64 v, double stream, const instruction_costs& c) {
  auto parts = [](i64 extent, i64 block) {
    return std::pair<std::pair<i64, i64>, std::pair<i64, i64>>{{extent / block, block},
                                                               {extent % block != 0, extent % block}};
  };
  double total = 0;
  const auto o = parts(mo, ro), i = parts(mi, ri), n = parts(nv, v);
  for (auto [oc, os] : {o.first, o.second})
    for (auto [ic, is] : {i.first, i.second})
      for (auto [nc, ns] : {n.first, n.second}) {
        if (oc * ic * nc == 0) continue;
        const double fmas = static_cast<double>(os * is * ns) * c.multiply_add;
        const double loads = static_cast<double>(ns + os * is) * c.load;
        const double columns = stream * static_cast<double>(ns);
        total += static_cast<double>(oc * ic * nc) * (std::max({fmas, loads, columns, c.latency}) + 0.05 * loads);
      }
  return total;
}

}  // namespace detail

register_block choose_block(i64 outer, i64 inner, i64 columns, double depth, int registers, int vector_bytes) {
  const detail::instruction_costs costs = detail::costs_of(vector_bytes);
  // A panel of b that the second-level cache does not hold comes from the third for each block of rows.
  const double panel_bytes = depth * static_cast<double>(std::min<i64>(columns, 4) * vector_bytes);
  const double stream = panel_bytes > 400e3 ? costs.third_level : panel_bytes > 20e3 ? costs.second_level : costs.near;
  register_block best;
  double least = -1;
  // One row alone (a vector times a matrix) needs more vectors to hide the latency of the additions.
  for (i64 vectors = 1; vectors <= std::min<i64>(columns, inner * outer == 1 ? 8 : 4); ++vectors) {
    const i64 limit = (registers - 1 - vectors) / vectors;
    for (i64 most = std::min(limit, inner); most >= 1; --most) {
      const i64 ri = detail::even_block(inner, most);
      const i64 ro = ri == inner ? detail::even_block(outer, std::max<i64>(limit / ri, 1)) : 1;
      const double x = detail::block_cost(outer, inner, columns, ro, ri, vectors, stream, costs);
      if (least < 0 || x < least * 0.999) least = x, best = {ro, ri, vectors};
    }
  }
  return best;
}

void tile::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto options = cx.get<kernel_options>();
  const int bytes = options.vector_bytes, registers = options.register_count();
  ir::for_each_op(m, ir::function_kind::kernel, [&](op_id op) {
    const auto* old = m.view(op).get_if<loop::contract>();
    if (old == nullptr) return;
    loop::contract c = *old;
    const dtype held = c.accumulate == dtype::f16 || c.accumulate == dtype::bf16 ? dtype::f32 : c.accumulate;
    i64 lanes = bytes / size_of(held);
    while (lanes > 1 && c.n >= 0 && lanes / 2 >= c.n) lanes /= 2;
    const auto size = [](i64 e, i64 unknown) { return e < 0 ? unknown : e; };
    double depth = 1;
    for (i64 e : c.k) depth *= static_cast<double>(size(e, 64));
    const i64 together = loop::products_together(c, m.view(op).operand_type(0).elem, m.view(op).operand_type(1).elem);
    depth /= static_cast<double>(together);
    // A number of rows that is not known: many, of which the last few are done in blocks of 4, 2 and 1.
    const i64 inner = c.m.empty() ? 1 : size(c.m.back(), 840),
              outer = c.m.size() > 1 ? size(c.m[c.m.size() - 2], 840) : 1;
    const i64 columns = (size(c.n, 4 * lanes) + lanes - 1) / lanes;
    // A sum of two products is a register of its own before it is added.
    const int free = registers - (together == 2 ? 1 : 0);
    register_block b = choose_block(std::max<i64>(outer, 1), std::max<i64>(inner, 1), columns, depth, free, bytes);
    // They may be few as well, as the batch of a recurrence is: then the latency of the additions asks for all four
    // vectors of a panel, which cost many rows nothing.
    if (!c.m.empty() && c.m.back() < 0 && c.n >= 0 && columns == 4 && b.vectors < 4)
      b = {1, (registers - 1 - 4) / 4, 4};
    c.rows = b.outer_rows, c.inner_rows = b.inner_rows, c.vectors = b.vectors;
    m.set_attributes(op, m.intern_attributes(ir::info_of<loop::contract>, &c));
  });
}

}  // namespace tenon::passes
