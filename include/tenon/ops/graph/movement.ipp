/// @file movement.ipp: the type rules of ops/graph/movement.hpp.
#pragma once

#include <tenon/ops/graph/movement_shapes.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>
#include <tenon/ops/permutation.hpp>

namespace tenon::op {
namespace movement_detail {

/// The dimensions that a reshape gives when extents are expressions; nothing when one of them is unknown.
inline std::optional<std::vector<ir::dim>> symbolic_reshape(const ir::infer_context& cx, const ir::type& from,
                                                            const symbolic_list& target, bool allow_zero) {
  std::vector<ir::dim> to;
  extent_expr others = 1, total = 1, both = 1;  // both: of what is copied
  std::optional<size_t> computed;
  std::vector<char> copied(from.shape.size(), 0);
  bool known = from.ranked;
  for (size_t d = 0; d < target.size(); ++d) {
    to.push_back(dim_for(cx, target[d]));
    if (target[d] && target[d]->is_constant() && target[d]->constant() < 0) {
      if (target[d]->constant() < -1) cx.fail("the extent " + target[d]->text() + " of the new shape is negative");
      if (computed) cx.fail("the new shape has more than one -1");
      computed = d;
      continue;
    }
    if (target[d] && target[d]->is_constant() && target[d]->constant() == 0 && !allow_zero) {
      if (from.ranked && d >= from.shape.size())
        cx.fail("the new shape's 0 at " + std::to_string(d) + " has no dimension to copy: the operand has " +
                std::to_string(from.shape.size()));
      to.back() = from.ranked ? from.shape[d] : ir::dim::unknown();
      if (from.ranked) {
        copied[d] = 1;
        continue;
      }
    }
    if (target[d] && !target[d]->is_constant()) cx.require_not_negative(*target[d]);
    known = known && !to.back().is_unknown();
    if (known) others = others * *cx.expression(to.back());
  }
  // What is copied has no part in what -1 stands for; see reshaped_dims.
  for (size_t d = 0; d < from.shape.size(); ++d) {
    if (copied[d] && computed) continue;
    known = known && !from.shape[d].is_unknown();
    if (known) (copied[d] ? both : total) = (copied[d] ? both : total) * *cx.expression(from.shape[d]);
  }
  if (computed) to[*computed] = ir::dim::unknown();
  if (!known) return to;
  extent_expr quotient = 1;
  if (computed) {
    if (others.is_constant() && others.constant() == 0) quotient = 0;
    else quotient = floor_div(total, others);
    to[*computed] = cx.extent(quotient);
  }
  const extent_expr difference = (total - quotient * others) * both;
  if (difference.is_constant() && difference.constant() != 0)
    cx.fail(total.text() + " elements cannot be reshaped to a multiple of " + others.text());
  cx.same(cx.extent(total * both), cx.extent(quotient * others * both));
  return to;
}

}  // namespace movement_detail

void infer(const reshape& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  const auto list = movement_detail::symbolic_list_of(cx, 1, op.shape);
  if (!list) return cx.result(movement_detail::computed_shape(cx, x.elem, 1));
  const auto target = movement_detail::numbers_in(*list);
  if (!target || (ir::is_known(x) && !x.is_static()))
    return cx.result(ir::type::tensor(x.elem, *movement_detail::symbolic_reshape(cx, x, *list, op.allow_zero)));
  cx.result(ir::type::tensor(x.elem, movement_detail::reshaped_dims(cx, x, *target, op.allow_zero)));
}

void infer(const transpose& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (!x.ranked) {
    if (op.permutation.empty()) return cx.result(x);
    return cx.result(ir::type::tensor(x.elem, std::vector<ir::dim>(op.permutation.size())));
  }
  std::vector<ir::dim> to(x.shape.rbegin(), x.shape.rend());
  if (!op.permutation.empty()) {
    movement_detail::check_permutation(cx, op.permutation, x.shape.size());
    for (size_t d = 0; d < to.size(); ++d)
      to[d] = x.shape[static_cast<size_t>(movement_detail::wrapped_axis(op.permutation[d], to.size()))];
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const expand& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  const auto shape = movement_detail::symbolic_list_of(cx, 1, op.shape);
  if (!shape) {
    ir::type t = movement_detail::computed_shape(cx, x.elem, 1);
    if (t.ranked && x.ranked) t.shape.resize(std::max(t.shape.size(), x.shape.size()));
    return cx.result(x.ranked ? t : ir::type::unranked_tensor(x.elem));
  }
  std::vector<ir::dim> to;
  for (const auto& e : *shape) {
    if (e && e->is_constant() && e->constant() < 0)
      cx.fail("the extent " + e->text() + " of the new shape is negative");
    if (e) cx.require_not_negative(*e);
    to.push_back(movement_detail::dim_for(cx, e));
  }
  if (!x.ranked) return cx.result(ir::type::unranked_tensor(x.elem));
  cx.result(ir::type::tensor(x.elem, cx.broadcast(x.shape, to)));
}

void infer(const slice& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (!x.ranked) return cx.result(x);
  const auto s = movement_detail::slices_of(cx, op, x.shape.size());
  std::vector<ir::dim> to = x.shape;
  const bool numbers = s && x.is_static();
  if (const auto spans =
          numbers ? std::nullopt : movement_detail::symbolic_slices(op, x, movement_detail::infer_reader{cx});
      spans) {
    for (size_t d = 0; d < to.size(); ++d) {
      if (!(*spans)[d].cut) continue;
      if (!(*spans)[d].span) {
        to[d] = ir::dim::unknown();
        continue;
      }
      bool inside = true;  // what reaches beyond the extent is cut off there
      for (const extent_expr& e : (*spans)[d].not_negative) inside = cx.may_assume_not_negative(e) && inside;
      if (inside) to[d] = cx.extent((*spans)[d].span->count);
      else to[d] = (*spans)[d].clamped ? cx.extent((*spans)[d].clamped->count) : ir::dim::unknown();
    }
    return cx.result(ir::type::tensor(x.elem, std::move(to)));
  }
  if (!s) {
    const auto axes = movement_detail::list_of(cx, 3, op.axes);
    const bool some = axes && !axes->empty();
    if (some)
      for (i64 a : movement_detail::checked_axes(cx, *axes, 0, to.size()))
        to[static_cast<size_t>(a)] = ir::dim::unknown();
    else to.assign(to.size(), ir::dim::unknown());
    return cx.result(ir::type::tensor(x.elem, std::move(to)));
  }
  for (size_t d = 0; d < to.size(); ++d) {
    const auto& p = s->parts[d];
    if (!p.cut) continue;
    if (to[d].is_static()) to[d] = movement_detail::clamped_span(to[d].extent(), p.start, p.end, p.step).count;
    else if (p.start != 0 || p.step != 1 || p.end < INT32_MAX) to[d] = ir::dim::unknown();
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const concat& op, ir::infer_context& cx) {
  const ir::type first = cx.operand(0);
  ir::type r = first;
  for (int i = 1; i < cx.operand_count(); ++i) {
    const ir::type& t = cx.operand(i);
    if (t.elem != first.elem)
      cx.fail("operand " + std::to_string(i) + " is of " + std::string(name_of(t.elem)) + ", the first one of " +
              std::string(name_of(first.elem)));
    if (!r.ranked) r = t;
  }
  if (!r.ranked) return cx.result(r);
  const size_t axis = static_cast<size_t>(cx.axis(op.axis, r.rank()));
  if (axis >= r.shape.size()) cx.fail("scalars cannot be joined along axis " + std::to_string(op.axis));
  ir::dim total(0);
  for (int i = 0; i < cx.operand_count(); ++i) {
    const ir::type& t = cx.operand(i);
    if (!t.ranked) {
      total = ir::dim::unknown();
      continue;
    }
    if (t.rank() != r.rank())
      cx.fail("operand " + std::to_string(i) + " has " + std::to_string(t.rank()) + " dimensions, another one has " +
              std::to_string(r.rank()));
    for (size_t d = 0; d < r.shape.size(); ++d) {
      if (d == axis) {
        total = i == 0 ? t.shape[d] : cx.sum(total, t.shape[d]);
      } else if (r.shape[d].is_static() && t.shape[d].is_static() && r.shape[d] != t.shape[d]) {
        cx.fail("dimension " + std::to_string(d) + " of operand " + std::to_string(i) + " is " +
                std::to_string(t.shape[d].extent()) + ", of another one " + std::to_string(r.shape[d].extent()));
      } else {
        r.shape[d] = cx.same(r.shape[d], t.shape[d]);
      }
    }
  }
  r.shape[axis] = total;
  cx.result(r);
}

namespace movement_detail {

/// The extent of a padded dimension. Amounts that are not numbers do not crop.
inline ir::dim padded_dim(const ir::infer_context& cx, pad_mode mode, const extent_expr& n, const extent_expr& before,
                          const extent_expr& after) {
  check_pads(cx, before.is_constant() ? before.constant() : 0, after.is_constant() ? after.constant() : 0);
  extent_expr rest = n;
  bool pads = false;
  for (const extent_expr* e : {&before, &after}) {
    if (!e->is_constant()) cx.require_not_negative(*e);
    else if (e->constant() < 0) rest = rest + *e;
    pads = pads || !e->is_constant() || e->constant() > 0;
  }
  // There must be an element to pad from.
  cx.require_not_negative(mode == pad_mode::constant || !pads ? rest : rest - 1);
  return cx.extent(n + before + after);
}

}  // namespace movement_detail

void infer(const pad& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (!x.ranked) return cx.result(x);
  if (cx.has(2)) movement_detail::expect_scalar(cx, 2);
  const auto p = movement_detail::padding_of(cx, op, x.shape.size());
  std::vector<ir::dim> to(x.shape.size());
  const auto computed = movement_detail::symbolic_padding_of(op, to.size(), movement_detail::infer_reader{cx});
  for (size_t d = 0; d < to.size(); ++d) {
    if (p && x.shape[d].is_static())
      to[d] = movement_detail::padded_extent(cx, op.mode, x.shape[d].extent(), p->before[d], p->after[d]);
    else if (computed && !x.shape[d].is_unknown())
      to[d] =
          movement_detail::padded_dim(cx, op.mode, *cx.expression(x.shape[d]), computed->before[d], computed->after[d]);
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const tile& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (!x.ranked) return cx.result(x);
  const auto repeats = movement_detail::symbolic_list_of(cx, 1, op.repeats);
  std::vector<ir::dim> to(x.shape.size());
  if (repeats && !repeats->empty() && repeats->size() != to.size())
    cx.fail(std::to_string(repeats->size()) + " repeats for " + std::to_string(to.size()) + " dimensions");
  for (size_t d = 0; repeats && d < to.size(); ++d) {
    const auto n = repeats->empty() ? extent_expr(1) : (*repeats)[d];
    if (!n) continue;
    if (n->is_constant() && n->constant() < 0) cx.fail("the number of repeats " + n->text() + " is negative");
    cx.require_not_negative(*n);
    to[d] = cx.compute([&](const extent_expr& e) { return e * *n; }, x.shape[d]);
  }
  cx.result(ir::type::tensor(x.elem, std::move(to)));
}

void infer(const range&, ir::infer_context& cx) {
  const dtype t = cx.operand(0).elem;
  for (int i = 0; i < 3; ++i) {
    movement_detail::expect_scalar(cx, i);
    if (cx.operand(i).elem != t) cx.fail("start, limit and delta are not of one type");
  }
  ir::dim n;
  if (cx.constant(0) && cx.constant(1) && cx.constant(2)) {
    for (int i = 0; i < 3; ++i)
      if (cx.constant(i)->size() != 1)
        cx.fail("operand " + std::to_string(i) + " has " + std::to_string(cx.constant(i)->size()) +
                " elements and must have one");
    n = movement_detail::range_count(cx, *cx.constant(0), *cx.constant(1), *cx.constant(2));
  } else if (is_int(t)) {
    std::optional<extent_expr> bounds[3];
    for (int i = 0; i < 3; ++i)
      if (const auto list = symbolic_value(cx.mod(), cx.value(i)); list && list->size() == 1) bounds[i] = list->front();
    if (bounds[0] && bounds[1] && bounds[2] && bounds[2]->is_constant() && bounds[2]->constant() > 0) {
      const extent_expr distance = *bounds[1] - *bounds[0];
      if ((extent_expr(0) - distance).never_negative()) {
        n = 0;
      } else {
        const extent_expr count = ceil_div(distance, bounds[2]->constant());
        n = cx.extent(cx.may_assume_not_negative(distance) ? count : tenon::maximum(count, 0));
      }
    }
  }
  cx.result(ir::type::tensor(t, {n}));
}

void infer(const shape_of& op, ir::infer_context& cx) {
  const ir::type& x = cx.operand(0);
  if (!x.ranked) return cx.result(ir::type::tensor(dtype::i64, {ir::dim::unknown()}));
  i64 start = 0, end = 0;
  movement_detail::shape_bounds(op, x.rank(), start, end);
  cx.result(ir::type::tensor(dtype::i64, {end - start}));
}

void infer(const extents_of& op, ir::infer_context& cx) {
  if (!is_int(op.type)) cx.fail("its elements are of " + std::string(name_of(op.type)));
  if (op.scalar && op.values.size() != 1) cx.fail("a scalar of " + std::to_string(op.values.size()) + " values");
  for (const std::string& s : op.values)
    if (!extent_expr::parse(s)) cx.fail("'" + s + "' is not an expression of extents");
  if (op.scalar) return cx.result(ir::type::tensor(op.type, {}));
  cx.result(ir::type::tensor(op.type, {static_cast<i64>(op.values.size())}));
}

void infer(const count_of&, ir::infer_context& cx) {
  cx.operand(0);
  cx.result(ir::type::tensor(dtype::i64, {}));
}

void infer(const trilu&, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (x.ranked && x.rank() < 2) cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions, not a matrix");
  if (cx.has(1)) movement_detail::expect_scalar(cx, 1);
  cx.result(x);
}

void infer(const eye_like& op, ir::infer_context& cx) {
  ir::type x = cx.operand(0);
  if (x.ranked && x.rank() != 2) cx.fail("the operand has " + std::to_string(x.rank()) + " dimensions, not two");
  if (op.type != dtype::index) x.elem = op.type;
  cx.result(x);
}

void infer(const constant_of_shape& op, ir::infer_context& cx) {
  movement_detail::expect_scalar(cx, 0);
  const dtype t = cx.operand(0).elem;
  const auto shape = movement_detail::symbolic_list_of(cx, 1, op.shape);
  if (!shape) return cx.result(movement_detail::computed_shape(cx, t, 1));
  std::vector<ir::dim> to;
  for (const auto& e : *shape) {
    if (e && e->is_constant() && e->constant() < 0) cx.fail("the extent " + e->text() + " is negative");
    if (e) cx.require_not_negative(*e);
    to.push_back(movement_detail::dim_for(cx, e));
  }
  cx.result(ir::type::tensor(t, std::move(to)));
}

void infer(const reverse_sequence& op, ir::infer_context& cx) {
  const ir::type x = cx.operand(0);
  if (x.ranked) {
    const i64 b = cx.axis(op.batch_axis, x.rank()), t = cx.axis(op.time_axis, x.rank());
    if (b == t || x.rank() < 2) cx.fail("batch axis and time axis are both " + std::to_string(b));
    const ir::type& n = cx.operand(1);
    const ir::dim batch = x.shape[static_cast<size_t>(b)];
    if (n.ranked && n.rank() != 1) cx.fail("the lengths are not a list");
    if (n.is_static() && batch.is_static() && n.shape[0] != batch)
      cx.fail(std::to_string(n.shape[0].extent()) + " lengths for " + std::to_string(batch.extent()) +
              " batch entries");
    if (n.ranked) cx.same(n.shape[0], batch);
    const ir::dim time = x.shape[static_cast<size_t>(t)];
    if (const tensor* lengths = cx.constant(1); lengths != nullptr && time.is_static() && !cx.values_are_bound())
      for (i64 i = 0; i < lengths->size(); ++i)
        if (const i64 length = lengths->at_i64(i); length < 0 || length > time.extent())
          cx.fail("the length " + std::to_string(length) + " is outside of a time axis of " +
                  std::to_string(time.extent()));
  }
  cx.result(x);
}

bool absorb(reshape& op, int operand, const tensor& value) {
  return operand == 1 && (!op.shape.empty() || (op.shape = movement_detail::integers_of(value), true));
}
bool absorb(expand& op, int operand, const tensor& value) {
  return operand == 1 && (!op.shape.empty() || (op.shape = movement_detail::integers_of(value), true));
}
bool absorb(slice& op, int operand, const tensor& value) {
  std::vector<i64>* lists[5] = {nullptr, &op.starts, &op.ends, &op.axes, &op.steps};
  if (operand < 1 || operand > 4) return false;
  if (lists[operand]->empty()) *lists[operand] = movement_detail::integers_of(value);
  return true;
}
bool absorb(pad& op, int operand, const tensor& value) {
  if (operand == 1 && op.before.empty() && op.after.empty()) {
    const std::vector<i64> pads = movement_detail::integers_of(value);
    if (pads.size() % 2 != 0) return false;
    op.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2));
    op.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(pads.size() / 2), pads.end());
  } else if (operand == 2) {
    if (value.size() != 1) return false;
    const double v = value.at_f64(0);
    if (is_int(value.type()) && (v > 4503599627370496.0 || v < -4503599627370496.0)) return false;
    op.value = v;
  } else if (operand == 3 && op.axes.empty()) {
    op.axes = movement_detail::integers_of(value);
    // No axis at all is not what an empty list says.
    if (op.axes.empty()) return false;
  }
  return operand >= 1;
}
bool absorb(tile& op, int operand, const tensor& value) {
  return operand == 1 && (!op.repeats.empty() || (op.repeats = movement_detail::integers_of(value), true));
}
bool absorb(trilu& op, int operand, const tensor& value) {
  if (operand != 1 || value.size() != 1) return false;
  op.k = value.at_i64(0);
  return true;
}
bool absorb(constant_of_shape& op, int operand, const tensor& value) {
  return operand == 1 && (!op.shape.empty() || (op.shape = movement_detail::integers_of(value), true));
}

bool value_from_type(const shape_of& op, const ir::type& x, tensor& value) {
  if (!x.ranked) return false;
  i64 start = 0, end = 0;
  movement_detail::shape_bounds(op, x.rank(), start, end);
  std::vector<i64> v;
  for (i64 d = start; d < end; ++d) {
    if (!x.shape[static_cast<size_t>(d)].is_static()) return false;
    v.push_back(x.shape[static_cast<size_t>(d)].extent());
  }
  value = tensor::from<i64>({end - start}, v);
  return true;
}
bool value_from_type(const count_of&, const ir::type& x, tensor& value) {
  if (!x.is_static()) return false;
  value = tensor::scalar<i64>(x.count());
  return true;
}

bool move_transpose(slice& op, std::vector<i64>& order, u32 given) {
  if (given != 1 || op.starts.empty()) return false;
  op.axes = permutations::moved_axes(op.axes, op.starts.size(), order);
  return true;
}

/// The value that it pads with has no layout.
bool move_transpose(pad& op, std::vector<i64>& order, u32 given) {
  constexpr u32 image_and_value = 0b101;
  if ((given & ~image_and_value) != 0 || op.before.empty()) return false;
  op.axes = permutations::moved_axes(op.axes, order.size(), order);
  return true;
}

}  // namespace tenon::op
