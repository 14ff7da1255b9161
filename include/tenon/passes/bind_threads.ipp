/// @file bind_threads.ipp: definition of passes/bind_threads.hpp.
#pragma once

#include <utility>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/grid.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/passes/bind_threads.hpp>

namespace tenon::passes {
namespace binding {

/// Before: loop.contract(%a, %b) {m, n, k} (%acc, %m..., %n) { … }
/// After:  loop.for %m {independent} { … loop.for %n {independent} { %acc = loop.for %k … { … }; … } }
class contract_loops {
 public:
  contract_loops(ir::module& m, op_id op)
      : m_(m), op_(op), c_(m.view(op).as<loop::contract>()), at_(m.operands(op)), b_(m, m[op].parent) {}

  void make() {
    b_.before(op_);
    const value_id a = at_[0], b = at_[1];
    at_.erase(at_.begin(), at_.begin() + 2);
    const std::vector<value_id> outer = at_;
    for (i64 e : c_.m) point(e, outer);
    point(c_.n, outer);
    const region_id inside = b_.region();
    const value_id sum = terms(0, literal(c_.accumulate, 0), a, b, outer);
    const region_id from = m_.region(op_);
    const auto arguments = m_[from].arguments;
    m_.replace_uses(arguments[0], sum);
    for (size_t i = 1; i < arguments.size(); ++i) m_.replace_uses(arguments[i], points_[i - 1]);
    const std::vector<op_id> ops = std::exchange(m_[from].ops, {});
    for (op_id o : ops) m_.append(inside, o);  // its yield ends the innermost loop
    for (size_t i = 0; i + 1 < opened_.size(); ++i) b_.to_end(opened_[i]), b_.make_op(loop::yield{}, {}, {});
    m_.erase(op_);
  }

 private:
  value_id literal(dtype t, i64 v) {
    const type_id type[1] = {m_.intern(ir::type::scalar(t))};
    return m_.result(b_.make_op(loop::literal{t, 0.0, v}, {}, type));
  }
  value_id extent(i64 e, const std::vector<value_id>& outer) {
    return e >= 0 ? literal(dtype::index, e) : outer[static_cast<size_t>(-1 - e)];
  }
  /// A dimension of the result: a loop, which what is made next stands in.
  void point(i64 e, const std::vector<value_id>& outer) {
    value_id index;
    if (e == 1 && points_.size() < c_.m.size()) {  // the columns are a loop in any case
      index = literal(dtype::index, 0);
    } else {
      const value_id bounds[2] = {literal(dtype::index, 0), extent(e, outer)};
      const op_id loop = b_.make_op(loop::for_loop{.independent = true}, bounds, {}, 1);
      opened_.push_back(m_.region(loop));
      index = m_.add_argument(opened_.back(), m_.intern(ir::type::scalar(dtype::index)));
      b_.to_end(opened_.back());
    }
    points_.push_back(index), at_.push_back(index);
  }
  /// Adds the products of the dimensions of k from `d` on to a sum.
  value_id terms(size_t d, value_id sum, value_id a, value_id b, const std::vector<value_id>& outer) {
    const type_id type[1] = {m_[sum].type};
    const auto apply = [&](loop::scalar_fn fn, value_id x, value_id y) {
      const value_id operands[2] = {x, y};
      return m_.result(b_.make_op(loop::scalar{fn}, operands, type));
    };
    if (d == c_.k.size()) {
      const value_id x = operand(a, c_.map_a), y = operand(b, c_.map_b);
      return apply(loop::scalar_fn::add, sum, apply(loop::scalar_fn::mul, x, y));
    }
    if (c_.k[d] == 1) {
      at_.push_back(literal(dtype::index, 0));
      const value_id r = terms(d + 1, sum, a, b, outer);
      at_.pop_back();
      return r;
    }
    const value_id operands[3] = {literal(dtype::index, 0), extent(c_.k[d], outer), sum};
    const op_id loop = b_.make_op(loop::for_loop{}, operands, type, 1);
    const region_id before = b_.region(), r = m_.region(loop);
    at_.push_back(m_.add_argument(r, m_.intern(ir::type::scalar(dtype::index))));
    const value_id carried = m_.add_argument(r, type[0]);
    b_.to_end(r);
    const value_id next[1] = {terms(d + 1, carried, a, b, outer)};
    b_.make_op(loop::yield{}, next, {});
    at_.pop_back();
    b_.to_end(before);
    return m_.result(loop);
  }
  value_id operand(value_id buffer, const ir::access_map& map) {
    std::vector<value_id> operands{buffer};
    operands.insert(operands.end(), at_.begin(), at_.end());
    const type_id element[1] = {m_.intern(ir::type::scalar(m_.type_of(buffer).elem))};
    loop::load l;
    l.map = map;
    const value_id v = m_.result(b_.make_op(l, operands, element));
    if (m_.type_of(buffer).elem == c_.accumulate) return v;
    const value_id from[1] = {v};
    const type_id to[1] = {m_.intern(ir::type::scalar(c_.accumulate))};
    return m_.result(b_.make_op(loop::convert{.to = c_.accumulate}, from, to));
  }

  ir::module& m_;
  op_id op_;
  loop::contract c_;
  std::vector<value_id> at_;  ///< the columns of the maps
  ir::builder<bind_threads::emits> b_;
  std::vector<value_id> points_;
  std::vector<region_id> opened_;
};

inline void set_kind(ir::module& m, op_id op, loop::loop_kind kind) {
  loop::for_loop l = m.view(op).as<loop::for_loop>();
  if (l.kind == kind) return;
  if (l.kind == loop::loop_kind::parallel) l.independent = true;  // as who made it so said
  l.kind = kind, l.lanes = 0, l.grain = 1;
  m.set_attributes(op, m.intern_attributes(ir::info_of<loop::for_loop>, &l));
}

inline void unbind(ir::module& m, function_id f) {
  ir::for_each_op(m, m[f].body, [&](op_id op) {
    if (m.view(op).is<loop::for_loop>()) set_kind(m, op, loop::loop_kind::serial);
  });
}

/// Binds the loops of a nest from the outermost one, as long as the kernel is one that can be launched.
inline void bind_nest(ir::module& m, function_id f, op_id op) {
  for (;;) {
    const ir::op_view v = m.view(op);
    if (!v.is<loop::for_loop>() || !v.as<loop::for_loop>().independent || v.result_count() != 0) return;
    set_kind(m, op, loop::loop_kind::parallel);
    if (ir::grid_problem(m, f)) return set_kind(m, op, loop::loop_kind::serial);
    op_id inner;
    for (op_id o : m[v.region()].ops)
      if (m.view(o).is<loop::for_loop>()) {
        if (inner) return;
        inner = o;
      }
    if (!inner) return;
    op = inner;
  }
}

}  // namespace binding

void bind_threads::run(ir_module<runs_in>& module, context&) const {
  ir::module& m = module.body();
  for (function_id f : m.functions()) {
    if (!m[f].here(ir::function_kind::kernel)) continue;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      if (m.view(op).is<loop::contract>()) binding::contract_loops(m, op).make();
    });
    binding::unbind(m, f);
    for (op_id op : std::vector<op_id>(m[m[f].body].ops)) binding::bind_nest(m, f, op);
  }
}

}  // namespace tenon::passes
