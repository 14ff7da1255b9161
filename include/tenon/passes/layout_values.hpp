/// @file layout_values: transposes and reshapes of values, made so that they fold into what is there already.
///
/// `transposed(transposed(v, p), q)` is one transpose or none; a transpose that moves only dimensions of extent 1 is a
/// reshape.
#pragma once

#include <numeric>
#include <optional>

#include <tenon/ir/builder.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/permutation.hpp>

namespace tenon::passes::layout {

using permutations::channels_to_first, permutations::channels_to_last, permutations::composed, permutations::inverse;
using permutations::is_identity, permutations::permutation;

/// An image [N, C, s...] of so few channels that putting them last leaves most lanes of a vector empty.
inline bool has_few_planes(const ir::type& image) {
  return image.is_static() && image.rank() > 2 && image.shape[1].extent() > 1 && image.shape[1].extent() <= 8;
}

/// True if p keeps the order of all dimensions of another extent than 1.
inline bool moves_only_ones(const ir::type& t, const permutation& p) {
  if (!t.is_static()) return is_identity(p);
  i64 last = -1;
  for (i64 d : p) {
    if (t.shape[static_cast<size_t>(d)].extent() == 1) continue;
    if (d < last) return false;
    last = d;
  }
  return true;
}

class values {
 public:
  explicit values(ir::module& m) : builder(m, {}), m_(m) {}
  ir::builder<> builder;

  ir::module& mod() { return m_; }
  const ir::type& type(value_id v) const { return m_.type_of(v); }

  /// v = transpose(source) by p.
  struct moved {
    value_id source;
    permutation p;
  };
  std::optional<moved> moved_of(value_id v) const {
    const auto* t = definition<op::transpose>(v);
    if (t == nullptr) return std::nullopt;
    const value_id source = m_.operand(m_[v].definition, 0);
    if (!type(v).ranked || !type(source).ranked) return std::nullopt;
    return moved{source, op::movement_detail::full_permutation(*t, type(v).shape.size())};
  }

  value_id transposed(value_id v, permutation p) {
    while (auto inner = moved_of(v)) {
      p = composed(inner->p, p);
      v = inner->source;
    }
    if (is_identity(p)) return v;
    const ir::type t = type(v);
    if (is_filled(v)) {
      std::vector<i64> shape;
      for (i64 d : p) shape.push_back(t.shape[static_cast<size_t>(d)].extent());
      return builder.make(op::constant_of_shape{shape}, {m_.operand(m_[v].definition, 0)});
    }
    if (t.is_static() && moves_only_ones(t, p)) {
      std::vector<i64> shape;
      for (i64 d : p) shape.push_back(t.shape[static_cast<size_t>(d)].extent());
      return reshaped(v, shape);
    }
    return builder.make(op::transpose{p}, {v});
  }

  /// v, whose type is static, with another shape.
  value_id reshaped(value_id v, const std::vector<i64>& shape) {
    while (definition<op::reshape>(v) != nullptr) {
      const value_id source = m_.operand(m_[v].definition, 0);
      if (!type(source).is_static()) break;
      v = source;
    }
    if (type(v).extents() == shape) return v;
    return builder.make(op::reshape{shape, true}, {v});
  }

  /// Transposing costs nothing when it runs: it cancels, is a reshape, or a constant's.
  bool is_free(value_id v, const permutation& p) const {
    if (is_constant(v)) return true;
    permutation all = p;
    while (auto inner = moved_of(v)) {
      all = composed(inner->p, all);
      v = inner->source;
    }
    return is_filled(v) || moves_only_ones(type(v), all);
  }
  /// One element everywhere, in a shape that is known: as easily made in any other shape.
  bool is_filled(value_id v) const { return definition<op::constant_of_shape>(v) != nullptr && type(v).is_static(); }
  bool is_constant(value_id v) const {
    for (int depth = 0; depth < 8; ++depth) {
      if (definition<op::constant>(v) != nullptr) return true;
      if (definition<op::transpose>(v) == nullptr && definition<op::reshape>(v) == nullptr) return false;
      v = m_.operand(m_[v].definition, 0);
    }
    return false;
  }

  /// The attributes of the op that defines v, when it is an `Op`.
  template <class Op>
  const Op* definition(value_id v) const {
    return m_.definition_info(v) == &ir::info_of<Op> ? &m_.view(m_[v].definition).template as<Op>() : nullptr;
  }

 private:
  ir::module& m_;
};

}  // namespace tenon::passes::layout
