/// @file entry_steps.ipp: definitions of ir/entry_steps.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>

#include <tenon/ir/dims.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {
namespace detail {

/// Sizes that are no numbers, each once, by their expressions.
class formulas_of_sizes {
 public:
  explicit formulas_of_sizes(loop_work& w) : work_(w) {}
  index_formula of(const std::string& expression) {
    for (size_t i = 0; i < work_.sizes.size(); ++i)
      if (work_.sizes[i] == expression) return index_formula::size(i);
    work_.sizes.push_back(expression);
    return index_formula::size(work_.sizes.size() - 1);
  }
  index_formula of(const module& m, dim d) {
    if (d.is_static()) return index_formula::number(d.extent());
    return d.is_symbol() ? of(expression_of(m, d).text()) : index_formula{};
  }
  index_formula bytes_of(const module& m, const type& t) {
    index_formula n = index_formula::number(size_of(t.elem));
    for (dim d : t.shape) n = index_formula::apply(index_formula::code::mul, n, of(m, d));
    return n;
  }

 private:
  loop_work& work_;
};

/// Writes a kernel's loops down as a tree of work.
class work_writer {
 public:
  work_writer(const module& m, loop_work& to) : m_(m), work_(to), sizes_(to) {}

  void kernel(region_id body) {
    for (value_id a : m_[body].arguments) {
      buffers_[a.index] = static_cast<u32>(work_.buffers.size());
      work_.buffers.push_back(sizes_.bytes_of(m_, m_.type_of(a)));
    }
    region(body);
  }

 private:
  using code = index_formula::code;

  u64 all() const { return (u64{1} << depth_) - 1; }
  u64 depends_on(value_id v) const {
    const auto it = depends_.find(v.index);
    return it == depends_.end() ? 0 : it->second;
  }
  index_formula formula(value_id v) const {
    const auto it = formulas_.find(v.index);
    return it == formulas_.end() ? index_formula{} : it->second;
  }
  loop_work::node& add(loop_work::kind what) {
    work_.nodes.push_back({});
    work_.nodes.back().what = what;
    return work_.nodes.back();
  }
  void count(i64 flops) {
    if (flops != 0) add(loop_work::kind::flops).amount = index_formula::number(flops);
  }
  /// `times` places of a buffer at each execution.
  void access(loop_work::kind what, value_id buffer, u64 depends, const index_formula& times) {
    const auto it = buffers_.find(buffer.index);
    if (it == buffers_.end()) return;
    loop_work::node& n = add(what);
    n.number = it->second, n.depends = depends;
    n.amount = index_formula::apply(code::mul, index_formula::number(size_of(m_.type_of(buffer).elem)), times);
  }
  /// The loops that an access map's rows move with. `first`: the operand of its first column.
  u64 depends_of(const access_map& map, const op_view& v, int first, int last) const {
    u64 bits = 0;
    for (const auto& row : map.rows)
      for (size_t k = 1; k < row.size() && first + static_cast<int>(k) - 1 < last; ++k)
        if (row[k] != 0) bits |= depends_on(v.operand(first + static_cast<int>(k) - 1));
    return bits;
  }

  void region(region_id r) {
    for (op_id op : m_[r].ops) operation(op);
  }
  void operation(op_id op) {
    const op_view v = m_.view(op);
    if (v.is<loop::for_loop>()) return for_loop(v);
    if (v.is<loop::branch>()) return branch(v);
    if (v.is<loop::contract>()) return contraction(v);
    u64 bits = 0;
    for (int i = 0; i < v.operand_count(); ++i) bits |= depends_on(v.operand(i));
    if (const auto* l = v.get_if<loop::load>()) {
      const int last = v.operand_count() - (l->guarded ? 1 : 0);
      access(loop_work::kind::read, v.operand(0), depends_of(l->map, v, 1, last), index_formula::number(1));
    } else if (const auto* s = v.get_if<loop::store>()) {
      access(loop_work::kind::write, v.operand(1), depends_of(s->map, v, 2, v.operand_count()),
             index_formula::number(1));
    } else if (const auto* f = v.get_if<loop::scalar>()) {
      const dtype t = v.operand_type(v.operand_count() - 1).elem;
      if (is_float(t)) count(loop::flops_of(f->fn));
      if (t == dtype::index) formulas_[v.result().index] = of_scalar(*f, v);
    } else if (const auto* n = v.get_if<loop::literal>()) {
      if (n->type == dtype::index) formulas_[v.result().index] = index_formula::number(n->integer);
    } else if (const auto* e = v.get_if<loop::extent>()) {
      formulas_[v.result().index] = sizes_.of(e->expression);
    }
    for (int i = 0; i < v.result_count(); ++i) depends_[v.result(i).index] = bits;
  }
  index_formula of_scalar(const loop::scalar& s, const op_view& v) const {
    using enum loop::scalar_fn;
    if (v.operand_count() != 2) return {};
    const index_formula a = formula(v.operand(0)), b = formula(v.operand(1));
    switch (s.fn) {
      case add: return index_formula::apply(code::add, a, b);
      case sub: return index_formula::apply(code::sub, a, b);
      case mul: return index_formula::apply(code::mul, a, b);
      case div:
      case floor_div: return index_formula::apply(code::floor_div, a, b);
      case mod: return index_formula::apply(code::mod, a, b);
      case min: return index_formula::apply(code::min, a, b);
      case max: return index_formula::apply(code::max, a, b);
      default: return {};
    }
  }

  /// Writes a loop around what `inside` writes; an index of the depth is `at`.
  template <class F>
  void around(const index_formula& low, const index_formula& high, i64 step, value_id at, F&& inside) {
    if (depth_ + 1 >= loop_work::most_depth) return void(work_.exact = false);
    const size_t here = work_.nodes.size();
    loop_work::node& n = add(loop_work::kind::loop);
    n.low = low, n.high = high, n.step = step, n.number = static_cast<u32>(depth_);
    if (at) depends_[at.index] = u64{1} << depth_, formulas_[at.index] = index_formula::index(depth_);
    ++depth_;
    inside();
    --depth_;
    work_.nodes[here].end = static_cast<u32>(work_.nodes.size());
  }
  void for_loop(const op_view& v) {
    const auto& arguments = m_[v.region()].arguments;
    around(formula(v.operand(0)), formula(v.operand(1)), v.as<loop::for_loop>().step, arguments[0], [&] {
      for (size_t i = 1; i < arguments.size(); ++i) depends_[arguments[i].index] = all();
      region(v.region());
    });
    for (int i = 0; i < v.result_count(); ++i) depends_[v.result(i).index] = all();
  }
  void branch(const op_view& v) {
    const size_t here = work_.nodes.size();
    add(loop_work::kind::alternative);
    region(v.region(0));
    work_.nodes[here].middle = static_cast<u32>(work_.nodes.size());
    region(v.region(1));
    work_.nodes[here].end = static_cast<u32>(work_.nodes.size());
    for (int i = 0; i < v.result_count(); ++i) depends_[v.result(i).index] = all();
  }
  /// Loops over m and n, with the sums over k as amounts inside.
  void contraction(const op_view& v) {
    const auto& c = v.as<loop::contract>();
    const size_t outer = static_cast<size_t>(v.operand_count()) - 2;
    const auto extent = [&](i64 e) {
      return e >= 0 ? index_formula::number(e) : formula(v.operand(static_cast<int>(2 + (-1 - e))));
    };
    const auto& arguments = m_[v.region()].arguments;
    depends_[arguments[0].index] = all();
    const auto side = [&](const access_map& map, int operand, size_t first_depth) {
      u64 bits = depends_of(map, v, 2, v.operand_count());
      index_formula times = index_formula::number(1);
      for (size_t d = 0; d <= c.m.size(); ++d)
        for (const auto& row : map.rows)
          if (row[1 + outer + d] != 0) bits |= u64{1} << (first_depth + d);
      for (size_t d = 0; d < c.k.size(); ++d)
        if (std::any_of(map.rows.begin(), map.rows.end(),
                        [&](const auto& row) { return row[1 + outer + c.m.size() + 1 + d] != 0; }))
          times = index_formula::apply(code::mul, times, extent(c.k[d]));
      access(loop_work::kind::read, v.operand(operand), bits, times);
    };
    const size_t first = depth_;
    const auto nest = [&](const auto& self, size_t d) -> void {
      if (d <= c.m.size())
        return around(index_formula::number(0), extent(d < c.m.size() ? c.m[d] : c.n), 1, arguments[1 + d],
                      [&] { self(self, d + 1); });
      index_formula flops = index_formula::number(2);
      for (i64 k : c.k) flops = index_formula::apply(code::mul, flops, extent(k));
      add(loop_work::kind::flops).amount = flops;
      side(c.map_a, 0, first), side(c.map_b, 1, first);
      region(v.region());
    };
    nest(nest, 0);
  }

  const module& m_;
  loop_work& work_;
  formulas_of_sizes sizes_;
  std::unordered_map<u32, u32> buffers_;
  std::unordered_map<u32, u64> depends_;
  std::unordered_map<u32, index_formula> formulas_;
  size_t depth_ = 0;
};

}  // namespace detail

bool is_step(const op_view& v) { return v.is<op::call_native>() || v.is<op::copy_buffer>(); }

loop_work work_of(const module& m, function_id kernel) {
  loop_work w;
  detail::work_writer(m, w).kernel(m[kernel].body);
  return w;
}

std::vector<entry_step> entry_steps(const module& m, function_id entry) {
  std::vector<entry_step> steps;
  std::unordered_map<u32, loop_work> known;  // a kernel may be called often
  for (op_id op : m[m[entry].body].ops) {
    const op_view v = m.view(op);
    if (!is_step(v)) continue;
    entry_step s{op, "copy", places_of(m.text(v.location())), {}};
    if (const auto* call = v.get_if<op::call_native>()) {
      s.name = call->kernel.name;
      if (const function_id k = m.find_function(s.name)) {
        const auto [it, fresh] = known.try_emplace(k.index);
        if (fresh) it->second = work_of(m, k);
        s.work = it->second;
      }
    } else {
      const index_formula bytes = detail::formulas_of_sizes(s.work).bytes_of(m, v.operand_type(0));
      s.work.buffers = {bytes, bytes};
      for (u32 i = 0; i < 2; ++i) {
        loop_work::node n;
        n.what = i == 0 ? loop_work::kind::read : loop_work::kind::write, n.number = i, n.amount = bytes;
        s.work.nodes.push_back(std::move(n));
      }
    }
    steps.push_back(std::move(s));
  }
  return steps;
}

std::vector<std::string> places_of(std::string_view location) {
  std::vector<std::string> places;
  while (!location.empty()) {
    const size_t end = std::min(location.find('\n'), location.size());
    if (end != 0) places.emplace_back(location.substr(0, end));
    location.remove_prefix(std::min(end + 1, location.size()));
  }
  return places;
}

location_id joined_location(module& m, std::span<const op_id> ops, location_id first) {
  std::vector<std::string> places;
  const auto take = [&](location_id l) {
    for (std::string& p : places_of(m.text(l)))
      if (std::find(places.begin(), places.end(), p) == places.end()) places.push_back(std::move(p));
  };
  for (op_id op : ops) take(m[op].location);
  take(first);
  std::string text;
  for (const std::string& p : places) text += (text.empty() ? "" : "\n") + p;
  return m.location(text, m.target(first));
}

}  // namespace tenon::ir
