/// @file pack_weights.ipp: definition of passes/pack_weights.hpp.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/core/mapped_file.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/weight_panels.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/integer_weights.ipp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/pack_weights.hpp>

namespace tenon::passes {

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

/// What kernels of an op are made for.
inline weight_panels::machine machine_of(const kernel_options& own, i64 panel = 0) {
  return {.vector_bytes = own.vector_bytes, .products_together = own.products_together, .panel = panel};
}
using op_attributes = std::unique_ptr<void, void (*)(void*)>;
/// Asks an op how it uses panels: its attributes with them; null: it does not.
inline op_attributes with_panels(const ir::module& m, op_id op, weight_panels& w) {
  const ir::op_info& info = *m[op].info;
  op_attributes r(nullptr, info.destroy);
  if (info.use_panels == nullptr) return r;
  r.reset(info.copy(m.attributes(m[op].attributes)));
  if (!info.use_panels(r.get(), w)) r.reset();
  return r;
}
/// Would the weights of an op be read from panels, also those of fewer bits, once they are constant?
inline bool takes_narrow_panels(const ir::module& m, op_id op, const kernel_options& own) {
  if (!m[op].info->traits.narrow_weights) return false;
  weight_panels asked(m, op, machine_of(own));
  return with_panels(m, op, asked) != nullptr;
}

/// What is computed of an op's operands when it asks for their values.
class computed_weights : public weight_panels {
 public:
  computed_weights(ir::module& m, op_id op, const machine& on) : weight_panels(m, op, on), m_(m), op_(op) {}
  tensor constant(int operand) override {
    return fold_operand(m_, op_, operand) ? *m_.constant_value(m_.operand(op_, operand)) : tensor();
  }

 private:
  ir::module& m_;
  op_id op_;
};

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
  void add(const ir::module& m, value_id panels, i64 columns) {
    const tensor* const t = m.constant_value(panels);
    if (t != nullptr && t->rank() == 3)
      weights_.push_back({t->shape()[2], columns, m.view(m[panels].definition).as<op::constant>().value});
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
      const op::gather read{0, w.panel, w.columns};
      const op_id before = m[m.operand(op, 0)].definition;
      m.set_operand(op, 0, b.make(op::constant{w.panels}, {}));
      m.set_attributes(op, m.intern_attributes(ir::info_of<op::gather>, &read));
      return erase_unused(m, before);
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
  ir::builder<emits> b(m, {});
  packing::tied_tables tied;

  // Integers that are made floats for a product: it is by these integers, and asked as such from here on.
  const auto by_integers = [&](op_id op, const weight_panels& asked) {
    const ir::op_view v = m.view(op);
    const auto* const p = v.get_if<op::matmul>();
    if (p == nullptr || p->panel != 0) return op;
    const ir::type& w = v.operand_type(1);
    if (w.rank() != 2 || !w.is_static() || !asked.fill_words(w.shape[1].extent())) return op;
    const auto integers = packing::integers_of(m, op);
    if (!integers) return op;
    b.before(op);
    std::vector<value_id> operands{m.operand(op, 0)};
    for (const tensor& t : {integers->b, integers->scales, integers->zeros})
      if (t.defined()) operands.push_back(b.make(op::constant{m.add_constant(t)}, {}));
    const op_id product = b.make_op(integers->op, operands);
    m.set_type(m.result(product), m[m.result(op)].type);
    m.replace_uses(m.result(op), m.result(product));
    erase_unused(m, op);
    return product;
  };
  // One weight after the other, and each frees what it was made of: there are never two copies of all.
  const auto pack = [&](op_id op, const weight_panels::packed& p) {
    const value_id before = m.operand(op, p.operand);
    const i64 columns = p.value.defined() ? 0 : m.type_of(before).shape.back().extent();
    b.before(op);
    const value_id v = p.value.defined() ? b.make(op::constant{m.add_constant(p.value)}, {})
                                         : b.make(op::pack_panels{p.width, p.interleave}, {before});
    m.set_operand(op, p.operand, v);
    if (p.value.defined()) return erase_unused(m, m[before].definition);
    const op_id packs = m[v].definition;
    fold_op(m, packs, std::numeric_limits<i64>::max());
    erase_unused(m, packs);
    tied.add(m, m.operand(op, p.operand), columns);
  };

  for (op_id op : packing::largest_first(m)) {
    if (!m.alive(op)) continue;  // it was a part of a weight
    const auto on = packing::machine_of(program.of(ir::constraint_of(m, op)), panel);
    op = by_integers(op, weight_panels(m, op, on));
    packing::computed_weights asked(m, op, on);
    const packing::op_attributes packed = packing::with_panels(m, op, asked);
    bool known = true;
    for (const weight_panels::packed& p : asked.answers())
      known = known && (p.value.defined() || packing::fold_operand(m, op, p.operand));
    if (!packed || !known) continue;
    m.set_attributes(op, m.intern_attributes(*m[op].info, packed.get()));
    for (const weight_panels::packed& p : asked.answers())
      if (p.value.defined() || p.width > 0) pack(op, p);
  }
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) { tied.read_from_panels(m, op); });
  if (ir::entries_of(m).size() > 1) ir::share_equal_constants(m);  // each has packed what it uses
}

}  // namespace tenon::passes
