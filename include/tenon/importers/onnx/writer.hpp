/// @file writer: writes graph ops the way one writes formulas, and computes at once what is known at once.
///
/// An op whose operands are small constants becomes a constant: shapes that exporters compute from shapes are then
/// known while importing, and composite ops are built with ranks and extents instead of guesses. What is written is
/// counted (budget.hpp): tensors that a model's numbers size are made by `blank`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tenon/importers/onnx/budget.hpp>
#include <tenon/interpret/eval.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/resize.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon::importers::onnx {

/// What an error says to do where a node breaks the rules of its operator.
inline constexpr const char* export_again = "the model breaks the rules of the operator: export it again";

/// A node breaks the rules of its operator: "onnx.bad_node". No error of `import_model` says to export the model again
/// where it follows from shapes or values that the caller gave.
class node_error : public rule_error {
 public:
  node_error(std::string what, std::string where, const std::vector<i64>& sizes)
      : rule_error("onnx.bad_node", std::move(what), std::move(where), export_again, sizes) {}
};

/// Something is not known while importing that decides what the graph is: of which inputs more must be known.
class unknown_input : public unsupported_error {
 public:
  unknown_input(unsupported_error what, std::vector<ir::input_need> inputs)
      : unsupported_error(std::move(what)), needs(std::move(inputs)) {}
  std::vector<ir::input_need> needs;
};

/// What is computed in f32 where elements are narrower, or no floats; f64 stays f64.
constexpr dtype at_least_f32(dtype t) { return t == dtype::f64 ? t : dtype::f32; }

class writer {
 public:
  using values = std::vector<value_id>;
  using evaluator = void (*)(const void*, eval_context&);

  writer(ir::module& m, region_id body, budget_meter& budget) : to_(m, body), budget_(budget) {}
  writer(const writer&) = delete;
  writer& operator=(const writer&) = delete;

  ir::module& mod() const { return to_.mod(); }
  ir::inserter& at() { return to_; }
  /// The source location of what is written now, for errors.
  const std::string& where() const { return mod().text(to_.location()); }

  // -- any op ----------------------------------------------------------------------------------------------------
  template <class Op> value_id make(const Op& op, values operands) { return make_all(op, std::move(operands)).front(); }
  /// All results of an op with several. Constant operands become attributes where the op can take them.
  template <class Op> values make_all(Op op, values operands) {
    if constexpr (requires(const tensor& t) { absorb(op, 1, t); })
      for (size_t i = operands.size(); i-- > 1;)
        if (const tensor* const t = constant_of(operands[i]); t && absorb(op, static_cast<int>(i), *t))
          operands[i] = {};
    while (!operands.empty() && !operands.back()) operands.pop_back();
    return make_erased(ir::info_of<Op>, &op, operands, evaluator_of<Op>());
  }

  // -- what is known of a value ------------------------------------------------------------------------------------
  const ir::type& type_of(value_id v) const { return mod().type_of(v); }
  dtype elem(value_id v) const { return type_of(v).elem; }
  bool has_rank(value_id v) const { return type_of(v).is_tensor() && type_of(v).ranked; }
  /// Error "onnx.unknown_rank" when even the number of dimensions is not known.
  int rank(value_id v) const;
  /// Of which inputs more must be known for these values to be.
  std::vector<ir::input_need> needs_of(values behind) const;
  ir::dim dim(value_id v, int axis) const;
  /// An axis in [-rank, rank) as one in [0, rank).
  i64 axis(i64 a, int rank) const;
  std::vector<i64> axes(std::vector<i64> list, int rank) const;
  /// What the operator asks of extents (ir/dims.hpp); in a branch or a body, of numbers alone. False when it never
  /// holds.
  bool require_equal(ir::dim a, ir::dim b) const;
  bool require_multiple(ir::dim d, i64 of) const;
  bool require_at_least(ir::dim a, ir::dim b) const;
  const tensor* constant_of(value_id v) const { return mod().constant_value(v); }
  bool is_constant(value_id v) const { return constant_of(v) != nullptr; }

  // -- constants -----------------------------------------------------------------------------------------------------
  value_id constant(tensor t, std::string name = {});
  /// Zeros, for a constant that is computed here: error "onnx.budget" before the memory is taken.
  tensor blank(dtype t, std::vector<i64> shape) const;
  /// The same error for a tensor that is made elsewhere.
  void require_room(dtype t, const std::vector<i64>& shape) const;
  value_id scalar(dtype t, double v);
  value_id like(value_id v, double number) { return scalar(elem(v), number); }
  value_id list(const std::vector<i64>& integers);  ///< i64 of rank 1

  // -- shapes -------------------------------------------------------------------------------------------------------
  /// The shape as i64 of rank 1: a constant where it is known.
  value_id shape_of(value_id v);
  /// The number of elements along `axes`, as a scalar of type `t`.
  value_id count(value_id v, const std::vector<i64>& axes, dtype t);
  value_id reshape(value_id v, const std::vector<i64>& shape);
  /// One entry per dimension of the result: -1 - k stands for the extent of v's dimension k.
  value_id reshape_like(value_id v, const std::vector<i64>& plan);
  value_id unsqueeze(value_id v, std::vector<i64> axes);
  value_id squeeze(value_id v, std::vector<i64> axes);
  /// Rank 2: the dimensions before `axis`, and the rest.
  value_id flatten(value_id v, i64 axis);
  value_id transpose(value_id v, const std::vector<i64>& permutation);
  value_id expand(value_id v, value_id shape);
  value_id concat(const values& parts, i64 axis);
  /// Elements [start, end) along one axis.
  value_id slice(value_id v, i64 axis, i64 start, i64 end, i64 step = 1);
  value_id gather(value_id v, value_id indices, i64 axis);

  // -- arithmetic, with broadcasting --------------------------------------------------------------------------------
  value_id add(value_id a, value_id b);
  value_id sub(value_id a, value_id b);
  value_id mul(value_id a, value_id b);
  value_id div(value_id a, value_id b);
  value_id maximum(value_id a, value_id b);
  value_id minimum(value_id a, value_id b);
  value_id add(value_id a, double b) { return add(a, like(a, b)); }
  value_id mul(value_id a, double b) { return mul(a, like(a, b)); }
  value_id maximum(value_id a, double b) { return maximum(a, like(a, b)); }
  value_id minimum(value_id a, double b) { return minimum(a, like(a, b)); }
  value_id square(value_id v) { return mul(v, v); }
  value_id where(value_id condition, value_id yes, value_id no);
  value_id less(value_id a, value_id b);
  value_id greater(value_id a, value_id b);
  value_id equal(value_id a, value_id b);
  /// v itself when it has that type. Floats of 16 bits may keep excess precision: what the model's own Cast rounds is
  /// rounded by `op::cast` as it is.
  value_id cast(value_id v, dtype to);

  // -- reductions --------------------------------------------------------------------------------------------------
  value_id reduce_sum(value_id v, const std::vector<i64>& axes, bool keep_dims = true);
  value_id reduce_mean(value_id v, const std::vector<i64>& axes, bool keep_dims = true);
  value_id reduce_max(value_id v, const std::vector<i64>& axes, bool keep_dims = true);
  value_id matmul(value_id a, value_id b);

 private:
  template <class Op> static constexpr evaluator evaluator_of() {
    if constexpr (requires(const Op& op, eval_context& cx) { evaluate(op, cx); })
      return [](const void* op, eval_context& cx) { evaluate(*static_cast<const Op*>(op), cx); };
    else return nullptr;
  }
  values make_erased(const ir::op_info& info, const void* op, std::span<const value_id> operands, evaluator evaluate);
  bool can_fold(op_id op) const;

  ir::inserter to_;

 protected:
  /// A constant whose bytes are the file's.
  value_id stored_constant(tensor t, std::string name);
  budget_meter& budget_;
};

}  // namespace tenon::importers::onnx
