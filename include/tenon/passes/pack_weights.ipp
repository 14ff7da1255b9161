/// @file pack_weights.ipp: definition of passes/pack_weights.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <tenon/core/mapped_file.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/integer_weights.ipp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/pack_weights.hpp>

namespace tenon::passes {

i64 panel_width(i64 columns, i64 rows, i64 lanes) {
  const i64 vectors = (columns + lanes - 1) / lanes;
  const bool few_rows = rows <= 7 || (rows < 128 && rows % 7 == 0 && rows % 14 != 0);
  i64 wide = vectors % 2 != 0 && vectors % 3 == 0 ? 3 : 2;
  if (few_rows && vectors >= 4) wide = 4;
  return std::min(wide, vectors) * lanes;
}

namespace packing {

/// Folds what an operand is computed from, if that is a tree of ops on constants. True if it is constant.
inline bool fold_operand(ir::module& m, op_id user, int number, int depth = 8) {
  const value_id v = m.operand(user, number);
  if (!v || m.constant_value(v) != nullptr) return bool(v);
  const op_id op = m[v].definition;
  if (!op || depth == 0 || m[op].operand_count == 0 || m[op].region_count != 0 || !m.view(op).info().is_pure())
    return false;
  for (u32 i = 0; i < m[op].operand_count; ++i)
    if (m.operand(op, static_cast<int>(i)) && !fold_operand(m, op, static_cast<int>(i), depth - 1)) return false;
  fold_op(m, op, std::numeric_limits<i64>::max());
  erase_unused(m, op);
  return m.constant_value(m.operand(user, number)) != nullptr;
}

/// Is an op a product whose weights become panels, once they are constant?
inline bool takes_panels(const ir::module& m, op_id op) {
  const ir::op_view v = m.view(op);
  if (v.info().traits.weights != 1) return false;
  const ir::type& w = v.operand_type(1);
  if (!w.is_static()) return false;
  if (const auto* p = v.get_if<op::matmul>()) return p->panel == 0 && w.rank() == 2 && w.shape[1].extent() >= 2;
  if (const auto* c = v.get_if<op::conv>())
    return c->panel == 0 && c->layout == op::data_layout::channels_last && c->group == 1 &&
           std::all_of(c->pads.begin(), c->pads.end(), [](i64 pad) { return pad == 0; });
  const auto* t = v.get_if<op::conv_transpose>();
  return t != nullptr && t->panel == 0 && t->layout == op::data_layout::channels_last && t->group == 1 &&
         w.shape.back().extent() >= 2;
}

/// The `dequantize` that makes the right operand of a product, or its transpose.
struct dequantized {
  op_id by;  ///< none: nothing does
  bool transposed = false;
};
inline dequantized dequantized_weight(const ir::module& m, op_id product) {
  value_id v = m.operand(product, 1);
  dequantized r;
  if (r.transposed = m.definition_info(v) == &ir::info_of<op::transpose>; r.transposed) {
    const op_id t = m[v].definition;
    const auto& order = m.view(t).as<op::transpose>().permutation;
    if (!order.empty() && order != std::vector<i64>{1, 0}) return {};
    v = m.operand(t, 0);
  }
  if (m.definition_info(v) == &ir::info_of<op::dequantize>) r.by = m[v].definition;
  return r;
}

/// Weights from this size on stay integers: smaller ones cost nothing as floats.
inline constexpr i64 least_integers = 4096;
/// What a product of floats by a constant `dequantize`, or its transpose, is.
inline std::optional<integer_product> integers_of(ir::module& m, op_id product) {
  if (m.view(product).result_type().elem != dtype::f32 || !m.view(product).operand_type(0).ranked) return std::nullopt;
  const auto [d, transposed] = dequantized_weight(m, product);
  if (!d || !m.view(d).operand_type(0).is_static() || m.view(d).operand_type(0).rank() != 2 ||
      m.view(d).operand_type(0).count() < least_integers)
    return std::nullopt;
  for (int i = 0; i < m.view(d).operand_count(); ++i)
    if (m.view(d).has_operand(i) && !fold_operand(m, d, i)) return std::nullopt;
  const tensor x = *m.constant_value(m.operand(d, 0)), scale = *m.constant_value(m.operand(d, 1));
  const bool has_zero = m.view(d).has_operand(2);
  const tensor zero = has_zero ? *m.constant_value(m.operand(d, 2)) : tensor();
  return integer_matrix(x, scale, has_zero ? &zero : nullptr, transposed).product();
}

/// The ops that may have weights to pack, those with the largest first: while a weight is packed it is there twice, and
/// at the end all others are there, too.
inline std::vector<op_id> largest_first(const ir::module& m) {
  std::vector<std::pair<i64, op_id>> sized;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (m.view(op).operand_count() < 2 || !m.view(op).has_operand(1)) return;
    const ir::type& w = m.view(op).operand_type(1);
    sized.emplace_back(w.is_tensor() && w.is_static() ? -w.bytes() : 0, op);
  });
  std::sort(sized.begin(), sized.end());
  std::vector<op_id> ops;
  for (const auto& [bytes, op] : sized) ops.push_back(op);
  return ops;
}

/// Weights of products that stand in panels, and tables that are the same transposed: an embedding that is tied to the
/// output's projection.
class tied_tables {
 public:
  void add(const ir::module& m, const op::matmul& product, value_id panels) {
    const op_id d = m[panels].definition;
    if (product.interleave == 1 && m.constant_value(panels) != nullptr)
      weights_.push_back({product.panel, product.columns, m.view(d).as<op::constant>().value});
  }
  /// Reads a large table from the panels, if it is the transpose of one of the weights.
  void read_from_panels(ir::module& m, op_id op) const {
    const auto* g = m.view(op).get_if<op::gather>();
    const tensor* table = g == nullptr || g->panel != 0 ? nullptr : m.constant_value(m.operand(op, 0));
    if (table == nullptr || table->rank() != 2 || g->axis % 2 != 0 || table->bytes() < least_bytes) return;
    for (const weight& w : weights_) {
      if (!is_transpose(w, m[w.panels].value, *table)) continue;
      ir::builder<pack_weights::emits> b(m, m[op].parent);
      b.before(op);
      const value_id panels = b.make(op::constant{w.panels}, {});
      const std::vector<value_id> operands{panels, m.operand(op, 1)};
      const op_id made = b.make_op(op::gather{0, w.panel, w.columns}, operands);
      m.set_type(m.result(made), m[m.result(op)].type);
      m.replace_uses(m.result(op), m.result(made));
      return erase_unused(m, op);
    }
  }

 private:
  static constexpr i64 least_bytes = 1 << 16;
  struct weight {
    i64 panel, columns;
    constant_id panels;
  };
  static bool is_transpose(const weight& w, const tensor& panels, const tensor& table) {
    if (panels.type() != table.type() || w.columns != table.shape()[0] || panels.shape()[1] != table.shape()[1])
      return false;
    return visit_storage(table.type(), [&]<class T>(T) {
      const i64 depth = table.shape()[1];
      const auto* const p = static_cast<const char*>(panels.data());
      const auto* const t = static_cast<const char*>(table.data());
      const i64 row = depth * i64{sizeof(T)};
      for (i64 n = 0; n < w.columns; ++n) {
        for (i64 k = 0; k < depth; ++k)
          if (std::memcmp(t + n * row + k * i64{sizeof(T)},
                          p + (((n / w.panel) * depth + k) * w.panel + n % w.panel) * i64{sizeof(T)}, sizeof(T)) != 0)
            return false;
        if (const i64 read = n % w.panel + 1; read == w.panel)
          release_pages({t + (n + 1 - read) * row, static_cast<size_t>(read * row)});
      }
      return true;
    });
  }
  std::vector<weight> weights_;
};

}  // namespace packing

void pack_weights::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  kernel_options own = program;  // of the op that is looked at
  ir::builder<emits> b(m, {});

  // Sums are kept in at least 32 bits, and their type says how many lanes there are.
  const auto width = [&](dtype t, i64 columns, i64 rows) {
    return panel > 0 ? panel : panel_width(columns, rows, std::max<i64>(1, own.vector_bytes / std::max(4, size_of(t))));
  };
  const auto packed = [&](op_id user, i64 width, i64 interleave) {
    b.before(user);
    return b.make(op::pack_panels{width, interleave}, {m.operand(user, 1)});
  };
  // Products of bytes are added up several at once. Their depth is a multiple of 4 (use_byte_products).
  const auto interleave = [&](const ir::type& x, const ir::type& w) {
    const i64 depth = w.shape[w.shape.size() - 2].extent(), together = std::max(1, own.products_together);
    return op::is_byte_product(x.elem, w.elem) && depth % together == 0 && depth > 0 ? together : i64{1};
  };
  // One weight after the other, and each frees what it was made of: there are never two copies of all.
  const auto fold_pack = [&](value_id panels) {
    const op_id pack = m[panels].definition;
    fold_op(m, pack, std::numeric_limits<i64>::max());
    erase_unused(m, pack);
  };
  const auto replace = [&](op_id op, const auto& attributes, value_id weight) {
    std::vector<value_id> operands = m.operands(op);
    operands[1] = weight;
    const op_id made = b.make_op(attributes, operands);
    m.set_type(m.result(made), m[m.result(op)].type);
    m.replace_uses(m.result(op), m.result(made));
    m.erase(op);
    fold_pack(weight);
    return made;
  };

  // A word holds places of one column that are neighbours: a vector of words is of neighbouring columns.
  const auto words = [&] { return panel > 0 ? panel : std::max<i64>(1, own.vector_bytes / 4); };
  const auto fits = [&](i64 columns) { return 2 * columns > words(); };
  const auto product_of_integers = [&](op_id op, const packing::integer_product& p) {
    b.before(op);
    std::vector<value_id> operands{m.operand(op, 0)};
    for (tensor& t : op::pack_nbits(p.op, p.b, p.scales, p.zeros, words()))
      if (t.defined()) operands.push_back(b.make(op::constant{m.add_constant(std::move(t))}, {}));
    op::matmul_nbits made = p.op;
    made.panel = words();
    const op_id product = b.make_op(made, operands);
    m.set_type(m.result(product), m[m.result(op)].type);
    m.replace_uses(m.result(op), m.result(product));
    erase_unused(m, op);
  };

  packing::tied_tables tied;
  const auto pack = [&](op_id op) {
    const ir::op_view v = m.view(op);
    own = program.of(ir::constraint_of(m, op));
    if (v.is<op::recurrence>()) {
      const ir::type w = v.operand_type(1);
      if (w.rank() != 2 || !w.is_static() || !packing::fold_operand(m, op, 1)) return;
      // The widest panels that gates can be cut into.
      const i64 hidden = w.shape[0].extent(), one = std::max<i64>(1, own.vector_bytes / std::max(4, size_of(w.elem)));
      i64 wide = panel > 0 ? panel : 4 * one;
      while (panel == 0 && wide > one && hidden % wide != 0) wide /= 2;
      if (hidden == 0 || hidden % wide != 0) return;
      const value_id panels = packed(op, wide, 1);
      m.set_operand(op, 1, panels);
      fold_pack(panels);
    } else if (const auto* p = v.get_if<op::matmul>()) {
      const ir::type x = v.operand_type(0), w = v.operand_type(1);
      if (p->panel != 0 || w.rank() != 2 || !w.is_static()) return;
      const i64 columns = w.shape[1].extent();
      if (fits(columns))
        if (const auto integers = packing::integers_of(m, op)) return product_of_integers(op, *integers);
      if (!packing::fold_operand(m, op, 1) || !packing::takes_panels(m, op)) return;
      i64 rows = 1;  // unknown extents count as many rows
      for (size_t d = 0; d + 1 < x.shape.size(); ++d) rows *= x.shape[d].is_static() ? x.shape[d].extent() : 1024;
      const i64 panel = width(w.elem, columns, rows);
      const i64 neighbours = interleave(x, w);
      const op::matmul product{panel, columns, neighbours};
      tied.add(m, product, m.operand(replace(op, product, packed(op, panel, neighbours)), 1));
    } else if (const auto* q = v.get_if<op::matmul_nbits>()) {
      if (q->panel != 0 || !fits(q->columns)) return;
      for (int i = 1; i < v.operand_count(); ++i)
        if (v.has_operand(i) && !packing::fold_operand(m, op, i)) return;
      const bool zeros = m.view(op).has_operand(3);
      product_of_integers(
          op, {m.view(op).as<op::matmul_nbits>(), *m.constant_value(m.operand(op, 1)),
               *m.constant_value(m.operand(op, 2)), zeros ? *m.constant_value(m.operand(op, 3)) : tensor()});
    } else if (const auto* c = v.get_if<op::conv>()) {
      const ir::type x = v.operand_type(0), w = v.operand_type(1), y = v.result_type();
      if (!packing::takes_panels(m, op) || !packing::fold_operand(m, op, 1)) return;
      i64 rows = 1;
      for (size_t d = 1; d + 1 < y.shape.size(); ++d) rows *= y.shape[d].is_static() ? y.shape[d].extent() : 1024;
      op::conv made = *c;
      made.columns = w.shape.back().extent();
      made.panel = width(w.elem, made.columns, rows);
      made.interleave = interleave(x, w);
      replace(op, made, packed(op, made.panel, made.interleave));
    } else if (const auto* t = v.get_if<op::conv_transpose>()) {
      const ir::type x = v.operand_type(0), w = v.operand_type(1);
      if (!packing::takes_panels(m, op) || !packing::fold_operand(m, op, 1)) return;
      i64 rows = 1;  // of a phase: about as many as the image has
      for (size_t d = 1; d + 1 < x.shape.size(); ++d) rows *= x.shape[d].is_static() ? x.shape[d].extent() : 1024;
      op::conv_transpose made = *t;
      made.columns = w.shape.back().extent();
      made.panel = width(w.elem, made.columns, rows);
      replace(op, made, packed(op, made.panel, 1));
    }
  };
  for (op_id op : packing::largest_first(m))
    if (m.alive(op)) pack(op);  // it may have been a part of a weight
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) { tied.read_from_panels(m, op); });
  if (ir::entries_of(m).size() > 1) ir::share_equal_constants(m);  // each has packed what it uses
}

}  // namespace tenon::passes
