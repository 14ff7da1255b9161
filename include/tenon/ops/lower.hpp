/// @file lower.hpp: how an op says what it computes to the loop level.
///
/// Two ways, or both (nests where nobody asks for elements), found by argument-dependent lookup:
///   element: the value at one index of the result, from operand values at indices (elementwise ops, data movement);
///   lower:   whole loop nests, which read operands by `load` and write each result element once by `store`.
/// Because nests read and write through the context only, fusion needs no rule of its own: a load may evaluate a fused
/// producer's `element`, a store may pass through fused elementwise consumers.
#pragma once

#include <optional>
#include <span>

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/loop_builder.hpp>

namespace tenon {

using ir::index_expr;
using loop::scalar_fn;

/// What `element` sees.
class element_context {
 public:
  virtual ir::loop_builder& b() = 0;
  virtual int operand_count() const = 0;
  virtual bool has(int i) const = 0;
  virtual const ir::type& operand_type(int i) const = 0;
  virtual const ir::type& result_type(int i = 0) const = 0;
  /// The i-th operand's element at an index of the operand's rank.
  virtual value_id operand(int i, const index_list& at) = 0;
  /// As `operand`, but `fill` where `at` is outside of the operand.
  virtual value_id operand_or(value_id fill, int i, const index_list& at) = 0;
  /// The operand's value when it is constant, else null.
  virtual const tensor* constant(int i) const = 0;
  /// Is the operand constant, without infinities and NaN? Kernels of all such operands are alike.
  virtual bool is_finite_constant(int i) const = 0;
  /// The elements of a small list of integers, as far as they are known as expressions of extents.
  virtual std::optional<std::vector<std::optional<extent_expr>>> integers(int i) const = 0;
  virtual extent_expr expression(ir::dim d) const = 0;
  /// Is it a condition of the code that two extents are equal?
  virtual bool are_equal(ir::dim a, ir::dim b) const = 0;
  /// The value of an expression of extents: a number, or an index that is computed once, outside of all loops.
  virtual index_expr value(const extent_expr& e) = 0;

  index_expr extent(ir::dim d) { return d.is_static() ? index_expr(d.extent()) : value(expression(d)); }
  index_list extents(ir::type t) {  // a copy: making values may move the module's types
    index_list r;
    for (ir::dim d : t.shape) r.push_back(extent(d));
    return r;
  }

  using dims = std::span<const ir::dim>;
  /// The index into the last dimensions of a shape for an index of the shape `to` that it broadcasts to (numpy's rule):
  /// 0 where it has one element at most, which of an extent that no condition holds to the other's only a run says.
  index_list broadcast_index(dims shape, dims to, const index_list& at) {
    index_list mine;
    const size_t skip = to.size() - shape.size();
    const auto one = [&](ir::dim d) { return d.is_static() ? d.extent() == 1 : expression(d).at_most(1); };
    for (size_t d = 0; d < shape.size(); ++d) {
      const ir::dim n = shape[d];
      if (one(n)) mine.push_back(0);
      else if (n.is_static() || are_equal(n, to[skip + d])) mine.push_back(at[skip + d]);
      else mine.push_back(b().min(at[skip + d], extent(n) - 1));
    }
    return mine;
  }
  /// The i-th operand's element for an index of the shape `to` that it broadcasts to.
  value_id broadcast(int i, const index_list& at, dims to) {
    const std::vector<ir::dim> shape = operand_type(i).shape;
    return operand(i, broadcast_index(shape, to, at));
  }
  /// … of the result.
  value_id broadcast(int i, const index_list& at) {
    const std::vector<ir::dim> to = result_type(0).shape;  // a copy: making values may move the module's types
    return broadcast(i, at, to);
  }

 protected:
  ~element_context() = default;
};

/// What `lower` sees. Extents are numbers or symbols; asking a symbol for its number throws "ir.not_static".
class lower_context : public element_context {
 public:
  /// Writes an element of a result; once for each element.
  virtual void store(value_id v, int result, const index_list& at) = 0;
  /// The operand as a buffer, for contractions and general access; it is computed first when it is fused.
  virtual value_id buffer(int i) = 0;
  /// A result as a buffer, for nests that write elements more than once (scatter); nothing is fused behind it then.
  virtual value_id result_buffer(int i) = 0;
  virtual value_id scratch(dtype t, std::vector<ir::dim> shape) = 0;
  /// The target's preferred number of lanes of a type (for example 16 for f32 with AVX-512).
  virtual i64 lanes(dtype t) const = 0;
  [[noreturn]] virtual void fail(std::string message, std::string hint = {}) const = 0;

  value_id load(int i, const index_list& at) { return operand(i, at); }
  using element_context::extent;
  index_expr extent(int operand_number, int d) {
    return extent(operand_type(operand_number).shape[static_cast<size_t>(d)]);
  }

 protected:
  ~lower_context() = default;
};

}  // namespace tenon
