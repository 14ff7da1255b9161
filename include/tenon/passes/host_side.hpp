/// @file host_side: which ops of a graph become native code, and which the host runs between kernels.
///
/// An op is native when loop nests exist for it, its operands and results are tensors of numbers, and the shapes of its
/// results follow from the shapes of its operands. An operand that says a shape may be computed if it follows from
/// shapes alone: it is a constant once those are known.
#pragma once

#include <tenon/ir/module.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon {
struct more_lowerings;  // passes/lowering_table.hpp
}  // namespace tenon

namespace tenon::passes {

class host_side {
 public:
  /// `more`: what ops beside the built-in ones are lowered by.
  explicit host_side(const ir::module& m, const more_lowerings* more = nullptr) : m_(m), more_(more) {}

  /// Do kernels exist for it, were its shapes known?
  bool has_kernels(op_id op) const;
  /// `has_kernels`, and its results' shapes follow from its operands' shapes.
  bool is_native(op_id op);
  /// Why the host runs it, in words; empty for a native op.
  std::string reason(op_id op);
  /// Does the value follow from shapes and constants alone?
  bool follows_from_shapes(value_id v);
  /// A few integers, as shapes are made of: no more than one dimension.
  bool is_shape_like(value_id v) const;

 private:
  bool shapes_follow(op_id op);

  const ir::module& m_;
  const more_lowerings* more_;
  std::vector<signed char> from_shapes_;  ///< by value: 0 not asked yet
};

}  // namespace tenon::passes
