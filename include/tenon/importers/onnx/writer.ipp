/// @file writer: definitions.
#pragma once

#include <algorithm>
#include <numeric>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/writer.hpp>
#include <tenon/ir/condition_scope.hpp>
#include <tenon/ir/dims.hpp>

namespace tenon::importers::onnx {
namespace detail {
/// Results up to this many elements are computed while importing; weights and images stay ops.
inline constexpr i64 max_folded = 4096;
/// And as many bytes of text, which stay in memory for good: each element of a result may hold the longest of every
/// operand.
inline constexpr i64 max_folded_text = i64{1} << 20;

/// The longest text of a tensor, in bytes; 0 if it holds none.
inline i64 longest_text(const tensor& t) {
  size_t longest = 0;
  for (i64 i = 0; t.type() == dtype::string && i < t.size(); ++i) longest = std::max(longest, string_at(t, i).size());
  return static_cast<i64>(longest);
}

}  // namespace detail

bool writer::can_fold(op_id op) const {
  const ir::op_view view = mod().view(op);
  if (!view.info().is_pure() || view.operand_count() == 0) return false;
  if (view.is<op::dequantize>()) return false;  // passes want to see the integers
  i64 text = 0;
  for (int i = 0; i < view.operand_count(); ++i) {
    if (!view.has_operand(i)) continue;
    const tensor* const t = constant_of(view.operand(i));
    if (!t || t->size() > detail::max_folded) return false;
    text += detail::longest_text(*t);
  }
  for (int i = 0; i < view.result_count(); ++i) {
    const ir::type& t = view.result_type(i);
    if (!t.is_tensor() || !t.is_static() || t.count() > detail::max_folded) return false;
    if (t.elem == dtype::string && text > detail::max_folded_text / std::max<i64>(t.count(), 1)) return false;
  }
  return true;
}

writer::values writer::make_erased(const ir::op_info& info, const void* op, std::span<const value_id> operands,
                                   evaluator evaluate) {
  budget_.take_node(where());
  const op_id made = to_.make_erased(info, op, operands);
  values results = mod().results(made);
  if (!evaluate || !can_fold(made)) return results;
  std::vector<const tensor*> given;
  for (const value_id v : operands) given.push_back(v ? constant_of(v) : nullptr);
  eval_context cx(mod(), made, given);
  evaluate(op, cx);
  std::vector<tensor> computed = std::move(cx.results());
  mod().erase(made);
  for (size_t i = 0; i < results.size(); ++i) results[i] = constant(std::move(computed[i]));
  return results;
}

// -- what is known --------------------------------------------------------------------------------------------------

std::vector<ir::input_need> writer::needs_of(values behind) const {
  for (function_id f : mod().functions())
    if (mod()[f].entry) return ir::needs_of(mod(), f, std::move(behind));
  return {};
}

int writer::rank(value_id v) const {
  if (!has_rank(v))
    throw unknown_input(unsupported_error("onnx.unknown_rank", "the number of dimensions of an input is not known",
                                          where(), "give the shapes of the model's inputs when importing"),
                        needs_of({v}));
  return type_of(v).rank();
}

ir::dim writer::dim(value_id v, int axis) const {
  return type_of(v).shape[static_cast<size_t>(this->axis(axis, rank(v)))];
}

i64 writer::axis(i64 a, int rank) const {
  if (a < -rank || a >= rank)
    throw node_error("axis " + std::to_string(a) + " of a tensor of " + std::to_string(rank) + " dimensions", where(),
                     {});
  return a < 0 ? a + rank : a;
}

std::vector<i64> writer::axes(std::vector<i64> list, int rank) const {
  for (i64& a : list) a = axis(a, rank);
  return list;
}

// -- constants ------------------------------------------------------------------------------------------------------

value_id writer::constant(tensor t, std::string name) {
  budget_.take_bytes(t.bytes(), where());
  return stored_constant(std::move(t), std::move(name));
}

void writer::require_room(dtype t, const std::vector<i64>& shape) const {
  // No product of max_elements and a size of an element is above 2^62.
  budget_.require_bytes(checked_count(shape).value_or(max_elements) * size_of(t), where());
}

tensor writer::blank(dtype t, std::vector<i64> shape) const {
  require_room(t, shape);
  return tensor(t, std::move(shape));
}

value_id writer::stored_constant(tensor t, std::string name) {
  budget_.take_node(where());
  const op::constant c{mod().add_constant(std::move(t), std::move(name))};
  return mod().result(to_.make_erased(ir::info_of<op::constant>, &c, {}));
}

value_id writer::scalar(dtype t, double v) {
  tensor s(t, {});
  s.set_f64(0, v);
  return constant(std::move(s));
}

value_id writer::list(const std::vector<i64>& integers) {
  return constant(tensor::from<i64>({static_cast<i64>(integers.size())}, std::span<const i64>(integers)));
}

// -- shapes ---------------------------------------------------------------------------------------------------------

value_id writer::shape_of(value_id v) {
  if (has_rank(v) && type_of(v).is_static()) return list(type_of(v).extents());
  return make(op::shape_of{}, {v});
}

value_id writer::count(value_id v, const std::vector<i64>& axes, dtype t) {
  i64 n = 1;
  bool known = true;
  for (const i64 a : axes) {
    const ir::dim d = dim(v, static_cast<int>(a));
    known &= d.is_static();
    n = checked_mul(n, d.is_static() ? d.extent() : 1);
  }
  if (known) return scalar(t, static_cast<double>(n));
  const value_id extents = gather(shape_of(v), list(axes), 0);
  return cast(make(op::reduce_prod{.axes = {0}, .keep_dims = false}, {extents}), t);
}

value_id writer::reshape(value_id v, const std::vector<i64>& shape) {
  if (shape.empty()) return make(op::reshape{}, {v, list({})});
  return make(op::reshape{.shape = shape}, {v});
}

value_id writer::reshape_like(value_id v, const std::vector<i64>& plan) {
  if (plan.empty()) return reshape(v, {});
  std::vector<i64> shape;
  bool has_zero = false, copies = false;
  int unknown = 0;
  for (size_t i = 0; i < plan.size(); ++i) {
    if (plan[i] >= 0) {
      shape.push_back(plan[i]);
      has_zero |= plan[i] == 0;
      continue;
    }
    const ir::dim d = dim(v, static_cast<int>(-1 - plan[i]));
    if (d.is_static()) {
      shape.push_back(d.extent());
      has_zero |= d.extent() == 0;
    } else if (-1 - plan[i] == static_cast<i64>(i)) {
      shape.push_back(0);
      copies = true;
    } else {
      shape.push_back(-1);
      ++unknown;
    }
  }
  const bool direct = unknown <= 1 && !(has_zero && (copies || unknown > 0));
  if (direct) return make(op::reshape{.shape = shape, .allow_zero = has_zero}, {v});
  const value_id all = shape_of(v);
  values parts;
  for (const i64 p : plan) parts.push_back(p >= 0 ? list({p}) : slice(all, 0, -1 - p, -p));
  return make(op::reshape{.shape = {}, .allow_zero = true}, {v, concat(parts, 0)});
}

value_id writer::unsqueeze(value_id v, std::vector<i64> axes) {
  const int result_rank = rank(v) + static_cast<int>(axes.size());
  axes = this->axes(std::move(axes), result_rank);
  std::vector<i64> plan(static_cast<size_t>(result_rank));
  for (const i64 a : axes) plan[static_cast<size_t>(a)] = 1;
  i64 next = 0;
  for (i64& p : plan)
    if (p == 0) p = -1 - next++;
  if (next != rank(v)) throw node_error("the same axis is inserted twice", where(), {});
  return reshape_like(v, plan);
}

bool writer::require_equal(ir::dim a, ir::dim b) const {
  const ir::condition_scope scope(mod(), to_.region());
  return ir::require_equal(mod(), a, b);
}
bool writer::require_multiple(ir::dim d, i64 of) const {
  const ir::condition_scope scope(mod(), to_.region());
  return ir::require_multiple(mod(), d, of);
}
bool writer::require_at_least(ir::dim a, ir::dim b) const {
  const ir::condition_scope scope(mod(), to_.region());
  return ir::require_at_least(mod(), a, b);
}

value_id writer::squeeze(value_id v, std::vector<i64> axes) {
  axes = this->axes(std::move(axes), rank(v));
  std::vector<i64> plan;
  for (i64 d = 0; d < rank(v); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) plan.push_back(-1 - d);
  for (const i64 a : axes)
    if (const ir::dim d = dim(v, static_cast<int>(a)); !require_equal(d, 1))
      throw node_error("dimension " + std::to_string(a) + " to be removed has " + ir::expression_of(mod(), d).text() +
                           " elements, not 1",
                       where(), ir::sizes_of(mod(), {&v, 1}));
  return reshape_like(v, plan);
}

value_id writer::flatten(value_id v, i64 axis) {
  const int n = rank(v);
  const auto product = [&](i64 from, i64 to, i64& extent) {
    extent = 1;
    for (i64 d = from; d < to; ++d) {
      const ir::dim e = dim(v, static_cast<int>(d));
      if (!e.is_static()) return false;
      extent = checked_mul(extent, e.extent());
    }
    return true;
  };
  i64 before = 0, after = 0;
  const bool knows_before = product(0, axis, before), knows_after = product(axis, n, after);
  if (knows_before && knows_after) return make(op::reshape{.shape = {before, after}, .allow_zero = true}, {v});
  if (knows_before && before > 0) return reshape(v, {before, -1});
  if (knows_after && after > 0) return reshape(v, {-1, after});
  // Both are computed: what -1 stands for beside an extent of 0 nobody can say.
  const auto counted = [&](i64 from, i64 to) {
    std::vector<i64> axes(static_cast<size_t>(to - from));
    std::iota(axes.begin(), axes.end(), from);
    return unsqueeze(count(v, axes, dtype::i64), {0});
  };
  const value_id rows = counted(0, axis), columns = counted(axis, n);
  return make(op::reshape{.shape = {}, .allow_zero = true}, {v, concat({rows, columns}, 0)});
}

value_id writer::transpose(value_id v, const std::vector<i64>& permutation) {
  return make(op::transpose{.permutation = permutation}, {v});
}

value_id writer::expand(value_id v, value_id shape) { return make(op::expand{}, {v, shape}); }

value_id writer::concat(const values& parts, i64 axis) {
  return parts.size() == 1 ? parts.front() : make(op::concat{.axis = axis}, parts);
}

value_id writer::slice(value_id v, i64 axis, i64 start, i64 end, i64 step) {
  return make(op::slice{.starts = {start}, .ends = {end}, .axes = {axis}, .steps = {step}}, {v});
}

value_id writer::gather(value_id v, value_id indices, i64 axis) { return make(op::gather{.axis = axis}, {v, indices}); }

// -- arithmetic -----------------------------------------------------------------------------------------------------

value_id writer::add(value_id a, value_id b) { return make(op::add{}, {a, b}); }
value_id writer::sub(value_id a, value_id b) { return make(op::sub{}, {a, b}); }
value_id writer::mul(value_id a, value_id b) { return make(op::mul{}, {a, b}); }
value_id writer::div(value_id a, value_id b) { return make(op::div{}, {a, b}); }
value_id writer::maximum(value_id a, value_id b) { return make(op::maximum{}, {a, b}); }
value_id writer::minimum(value_id a, value_id b) { return make(op::minimum{}, {a, b}); }
value_id writer::where(value_id c, value_id yes, value_id no) { return make(op::where{}, {c, yes, no}); }
value_id writer::less(value_id a, value_id b) { return make(op::less{}, {a, b}); }
value_id writer::greater(value_id a, value_id b) { return make(op::greater{}, {a, b}); }
value_id writer::equal(value_id a, value_id b) { return make(op::equal{}, {a, b}); }
value_id writer::cast(value_id v, dtype to) {
  if (elem(v) == to) return v;
  if (to == dtype::string)
    return make(op::number_to_string{}, {is_narrow(elem(v)) ? cast(v, compute_type(elem(v))) : v});
  if (elem(v) == dtype::string)
    return is_narrow(to) ? cast(cast(v, compute_type(to)), to) : make(op::string_to_number{.to = to}, {v});
  return make(op::cast{.to = to, .excess = elem(v) == dtype::f32 && op::is_half(to)}, {v});
}

value_id writer::reduce_sum(value_id v, const std::vector<i64>& axes, bool keep_dims) {
  return make(op::reduce_sum{.axes = axes, .keep_dims = keep_dims}, {v});
}
value_id writer::reduce_mean(value_id v, const std::vector<i64>& axes, bool keep_dims) {
  // The sum of many 16-bit floats may not be one, though their mean is.
  const dtype t = elem(v), wide = compute_type(t);
  return cast(div(reduce_sum(cast(v, wide), axes, keep_dims), count(v, axes, wide)), t);
}
value_id writer::reduce_max(value_id v, const std::vector<i64>& axes, bool keep_dims) {
  return make(op::reduce_max{.axes = axes, .keep_dims = keep_dims}, {v});
}
value_id writer::matmul(value_id a, value_id b) { return make(op::matmul{}, {a, b}); }

}  // namespace tenon::importers::onnx
