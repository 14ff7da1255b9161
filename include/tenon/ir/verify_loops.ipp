/// @file verify_loops.ipp: the verifier at loop level: scalars, loops, accesses, contractions.
#pragma once

#include <tenon/ir/bounds.hpp>
#include <tenon/ir/verify.ipp>
#include <tenon/ir/walk.hpp>

namespace tenon::ir::detail {

inline void verifier::access_is_right(op_id op, const access_map& map, const type& buffer, int first, int end,
                                      size_t more_columns) {
  const op_view v = m_.view(op);
  require(buffer.is_buffer(), "what it accesses is not a buffer", op);
  require(first <= end, "it has too few operands", op);
  if (map.rows.size() != buffer.shape.size())
    fail("its access has " + std::to_string(map.rows.size()) + " rows for a buffer of rank " +
             std::to_string(buffer.rank()),
         op);
  for (const auto& row : map.rows)
    if (row.size() != 1 + static_cast<size_t>(end - first) + more_columns)
      fail("a row of its access has " + std::to_string(row.size()) + " columns for " + std::to_string(end - first) +
               " indices",
           op);
  for (int i = first; i < end; ++i)
    require(is_scalar(v.operand(i), dtype::index), "an index is not a scalar of type index", op);
}

inline void verifier::contract_is_right(op_id op) {
  const op_view v = m_.view(op);
  const auto& c = v.as<loop::contract>();
  const i64 least = -static_cast<i64>(v.operand_count() - 2);  // extents that are outer indices
  require(c.n >= least, "an extent is negative and names no operand", op);
  for (const auto* list : {&c.m, &c.k})
    for (i64 e : *list) require(e >= least, "an extent is negative and names no operand", op);
  const size_t columns = c.m.size() + 1 + c.k.size();
  access_is_right(op, c.map_a, v.operand_type(0), 2, v.operand_count(), columns);
  access_is_right(op, c.map_b, v.operand_type(1), 2, v.operand_count(), columns);
  const size_t n_column = 1 + static_cast<size_t>(v.operand_count() - 2) + c.m.size();
  for (const auto& row : c.map_a.rows) require(row[n_column] == 0, "its first operand depends on n", op);
  const auto& arguments = m_[v.region()].arguments;
  require(arguments.size() == 2 + c.m.size(), "its region needs (acc, m..., n)", op);
  require(is_scalar(arguments[0], c.accumulate), "its region's first argument is not of the accumulator's type", op);
  for (size_t i = 1; i < arguments.size(); ++i)
    require(is_scalar(arguments[i], dtype::index), "an index argument of its region is not of type index", op);
  require(yielded(op, 0).empty(), "its region yields values", op);
}

inline void verifier::loop_op_is_right(op_id op) {
  const op_view v = m_.view(op);
  if (v.is<op::alloc>() || v.is<op::constant_buffer>()) return storage_is_right(op);
  if (!v.name().starts_with("loop.")) return;
  for (int i = 0; i < v.operand_count(); ++i) require(v.has_operand(i), "an operand is absent", op);
  for (int i = 0; i < v.result_count(); ++i) require(v.result_type(i).is_scalar(), "a result is not a scalar", op);
  if (const auto* l = v.get_if<loop::load>()) {
    const int end = v.operand_count() - (l->guarded ? 1 : 0);
    access_is_right(op, l->map, v.operand_type(0), 1, end, 0);
    require(v.result_type().elem == v.operand_type(0).elem, "its result is not of the buffer's element type", op);
    if (l->guarded)
      require(is_scalar(v.operand(end), v.result_type().elem), "its fill is not of the buffer's element type", op);
  } else if (const auto* s = v.get_if<loop::store>()) {
    access_is_right(op, s->map, v.operand_type(1), 2, v.operand_count(), 0);
    require(is_scalar(v.operand(0), v.operand_type(1).elem), "its value is not of the buffer's element type", op);
  } else if (const auto* f = v.get_if<loop::for_loop>()) {
    require(f->step > 0, "its step is not positive", op);
    require(is_scalar(v.operand(0), dtype::index) && is_scalar(v.operand(1), dtype::index),
            "a bound is not of type index", op);
    const auto& arguments = m_[v.region()].arguments;
    require(!arguments.empty() && is_scalar(arguments[0], dtype::index),
            "its region's first argument is not of type index", op);
    const auto carried = std::span(arguments).subspan(1);
    const auto operands = m_.operands(op);
    types_match(std::span(operands).subspan(2), carried, "initial values do not match the carried values", op);
    types_match(m_.results(op), carried, "results do not match the carried values", op);
    types_match(yielded(op, 0), carried, "yielded values do not match the carried values", op);
  } else if (v.is<loop::branch>()) {
    require(is_scalar(v.operand(0), dtype::boolean), "its condition is not a bool", op);
    for (int i = 0; i < 2; ++i) {
      require(m_[v.region(i)].arguments.empty(), "a branch has arguments", op);
      types_match(yielded(op, i), m_.results(op), "yielded values do not match the results", op);
    }
  } else if (const auto* c = v.get_if<loop::scalar>()) {
    if (v.operand_count() != loop::arity(c->fn)) fail("it has the wrong number of operands for its function", op);
    const int typed = c->fn == loop::scalar_fn::select ? 1 : 0;
    if (typed == 1) require(is_scalar(v.operand(0), dtype::boolean), "the condition is not a bool", op);
    require(v.operand_type(typed).is_scalar(), "an operand is not a scalar", op);
    const dtype t = v.operand_type(typed).elem;
    require(typed == 1 || !is_narrow(t), "nothing is computed in a narrow type: convert the operands", op);
    for (int i = typed; i < v.operand_count(); ++i)
      require(is_scalar(v.operand(i), t), "its operands are not of one type", op);
    require(v.result_type().elem == (loop::gives_bool(c->fn) ? dtype::boolean : t), "its result has the wrong type",
            op);
  } else if (const auto* x = v.get_if<loop::convert>()) {
    require(v.operand_type(0).is_scalar(), "its operand is not a scalar", op);
    require(v.result_type().elem == x->to, "its result is not of the type it converts to", op);
    require(!x->bits || (v.operand_type(0).elem == dtype::u32 && x->to == dtype::f32),
            "only the bits of u32 are taken for another type, f32", op);
  } else if (const auto* l2 = v.get_if<loop::literal>()) {
    require(v.result_type().elem == l2->type, "its result is not of its type", op);
  } else if (v.is<loop::extent>()) {
    require(v.result_type().elem == dtype::index, "its result is not of type index", op);
  } else if (v.is<loop::contract>()) {
    contract_is_right(op);
  }
}

/// What is surely wrong is refused here. What is not known before it runs is checked then: by the interpreter always,
/// by generated code where it is asked to (ir/bounds.hpp).
inline void verifier::accesses_stay_inside(const function& fn) {
  bounds known(m_);
  for_each_op(m_, fn.body, [&](op_id op) {
    if (const auto o = known.overrun_of(op)) fail(o->text(m_, op), op);
  });
}

}  // namespace tenon::ir::detail
