/// @file grid.ipp: definition of ir/grid.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenon/core/checked.hpp>
#include <tenon/ir/grid.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {
namespace detail {

inline bool is_bound_loop(const module& m, op_id op) {
  const auto* l = m.view(op).get_if<loop::for_loop>();
  return l != nullptr && l->kind == loop::loop_kind::parallel;
}
/// Computes a scalar of scalars, and nothing else.
inline bool is_scalar_op(const op_view& v) {
  return v.is<loop::literal>() || v.is<loop::extent>() || v.is<loop::scalar>() || v.is<loop::convert>();
}

/// The value of a function of indices; nothing where it has none, or is not one of those that bounds are made of.
inline std::optional<i64> index_function(loop::scalar_fn fn, i64 a, i64 b) {
  using enum loop::scalar_fn;
  const auto quotient = [](i64 x, i64 y) { return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0); };
  switch (fn) {
    case add: return checked_add(a, b);
    case sub: return checked_add(a, checked_mul(b, -1));
    case mul: return checked_mul(a, b);
    case min: return std::min(a, b);
    case max: return std::max(a, b);
    case floor_div: return b == 0 || b == -1 ? std::nullopt : std::optional(quotient(a, b));
    case mod: return b == 0 || b == -1 ? std::nullopt : std::optional(a - quotient(a, b) * b);
    default: return {};
  }
}

class grid_reader {
 public:
  grid_reader(const module& m, function_id f) : m_(m) {
    for (op_id op : m[m[f].body].ops)
      if (!m.view(op).info().traits.terminator) top(op);
    for (size_t i = 0; i < steps.size() && !problem; ++i)
      for (op_id op : steps[i].ops) check_uses(op, i);
  }

  std::vector<grid_step> steps;
  std::optional<std::string> problem;

 private:
  void fail(std::string why) {
    if (!problem) problem = std::move(why);
  }
  void top(op_id op) {
    const op_view v = m_.view(op);
    if (is_scalar_op(v) && !uses_computed(op)) return;
    if (is_bound_loop(m_, op)) {
      grid_step s;
      s.ops.push_back(op);
      nest(op, s);
      steps.push_back(std::move(s));
    } else {
      if (steps.empty() || !steps.back().loops.empty()) steps.emplace_back();
      steps.back().ops.push_back(op);
      no_bound_loop_in(op);
    }
    for (value_id r : m_.results(op)) computed_.emplace(r.index, steps.size() - 1);
  }
  bool uses_computed(op_id op) const {
    for (value_id v : m_.operands(op))
      if (computed_.contains(v.index)) return true;
    return false;
  }
  void check_uses(op_id op, size_t step) {
    const auto look = [&](op_id o) {
      for (value_id v : m_.operands(o))
        if (const auto it = computed_.find(v.index); it != computed_.end() && it->second != step)
          fail("a value that one grid computes is used by another");
      if (m_.view(o).is<loop::contract>()) fail("a contraction is left: its points are bound as loops");
    };
    look(op);
    for (u32 r = 0; r < m_[op].region_count; ++r) for_each_op(m_, m_.region(op, static_cast<int>(r)), look);
  }
  void no_bound_loop_in(op_id op) {
    for (u32 r = 0; r < m_[op].region_count; ++r)
      for_each_op(m_, m_.region(op, static_cast<int>(r)), [&](op_id o) {
        if (is_bound_loop(m_, o)) fail("a parallel loop is inside of an op that a single thread runs");
      });
  }
  /// The loops of a nest, from its outermost one.
  void nest(op_id op, grid_step& s) {
    for (;;) {
      const op_view v = m_.view(op);
      s.loops.push_back(op);
      if (v.result_count() != 0) fail("a parallel loop carries values from one iteration to the next");
      if (!follows_from_sizes(m_, v.operand(0)) || !follows_from_sizes(m_, v.operand(1)))
        fail("how often a parallel loop runs is not known before the kernel runs");
      op_id inner;
      for (op_id o : m_[v.region()].ops)
        if (is_bound_loop(m_, o)) {
          if (inner) return fail("two parallel loops stand beside each other inside of a third one");
          inner = o;
        }
      if (!inner) break;
      for (op_id o : m_[v.region()].ops) {
        const op_view beside = m_.view(o);
        if (o == inner || is_scalar_op(beside) || beside.info().traits.terminator) continue;
        if (!beside.is<loop::load>()) return fail("a parallel loop that holds another one does more than that");
        if (stores_to(m_.region(op), beside.operand(0)))
          return fail("between two parallel loops a value is loaded that the inner one may store");
      }
      op = inner;
    }
    for (op_id o : m_[m_.region(op)].ops) no_bound_loop_in(o);
  }
  bool stores_to(region_id r, value_id buffer) const {
    bool found = false;
    for_each_op(m_, r, [&](op_id o) { found = found || (m_.view(o).is<loop::store>() && m_.operand(o, 1) == buffer); });
    return found;
  }

  const module& m_;
  std::unordered_map<u32, size_t> computed_;  ///< values of the kernel's body, by the step that they are computed in
};

}  // namespace detail

std::optional<std::string> grid_problem(const module& m, function_id kernel) {
  return detail::grid_reader(m, kernel).problem;
}

std::vector<grid_step> grid_steps(const module& m, function_id kernel) {
  detail::grid_reader r(m, kernel);
  if (r.problem)
    throw error("fact.threads_bound", "kernel '" + m[kernel].name + "': " + *r.problem, {},
                "run 'bind_threads' on the module: it leaves no such loop parallel");
  return std::move(r.steps);
}

bool follows_from_sizes(const module& m, value_id index) {
  const op_id d = m[index].definition;
  if (!d || m.type_of(index).elem != dtype::index) return false;
  const op_view v = m.view(d);
  if (v.is<loop::literal>() || v.is<loop::extent>()) return true;
  const auto* s = v.get_if<loop::scalar>();
  if (s == nullptr || v.operand_count() != 2 || !detail::index_function(s->fn, 1, 1)) return false;
  return follows_from_sizes(m, v.operand(0)) && follows_from_sizes(m, v.operand(1));
}

i64 value_for_sizes(const module& m, value_id index, std::span<const i64> symbols) {
  const op_view v = m.view(m[index].definition);
  if (const auto* l = v.get_if<loop::literal>()) return l->integer;
  std::optional<i64> value;
  if (const auto* e = v.get_if<loop::extent>()) {
    for (u32 i = 0; i < symbols.size(); ++i)
      if (m.name(symbol_id(size_t{i})) == e->expression) value = symbols[i];
  } else {
    value = detail::index_function(v.as<loop::scalar>().fn, value_for_sizes(m, v.operand(0), symbols),
                                   value_for_sizes(m, v.operand(1), symbols));
  }
  if (!value) throw error("program.sizes", "a loop's bound has no value for these sizes", m.text(v.location()));
  return *value;
}

}  // namespace tenon::ir
