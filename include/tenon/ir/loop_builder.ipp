/// @file loop_builder.ipp: definitions of ir/loop_builder.hpp.
#pragma once

#include <tenon/ir/loop_builder.hpp>

namespace tenon::ir {

index_expr::index_expr(value_id v) : terms_{{v, 1}} {}
void index_expr::add(term t) {
  for (size_t i = 0; i < terms_.size(); ++i)
    if (terms_[i].value == t.value) {
      terms_[i].coefficient += t.coefficient;
      if (terms_[i].coefficient == 0) terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  terms_.push_back(t);
}
index_expr operator+(index_expr a, const index_expr& b) {
  a.constant_ += b.constant_;
  for (const index_expr::term& t : b.terms_) a.add(t);
  return a;
}
index_expr operator*(index_expr a, i64 k) {
  a.constant_ *= k;
  if (k == 0) a.terms_.clear();
  for (index_expr::term& t : a.terms_) t.coefficient *= k;
  return a;
}
index_expr operator-(const index_expr& a, const index_expr& b) { return a + b * -1; }

value_id loop_builder::real(dtype t, double v) {
  const loop::literal l{t, is_float(t) ? v : 0.0, is_float(t) ? 0 : static_cast<i64>(v)};
  const type_id r[1] = {mod().intern(type::scalar(t))};
  return mod().result(make_op(l, {}, r));
}

value_id loop_builder::integer(dtype t, i64 v) {
  if (is_float(t)) return real(t, static_cast<double>(v));
  const type_id r[1] = {mod().intern(type::scalar(t))};
  return mod().result(make_op(loop::literal{t, 0.0, v}, {}, r));
}

value_id loop_builder::apply(loop::scalar_fn fn, std::span<const value_id> operands) {
  const size_t typed = fn == loop::scalar_fn::select ? 1 : 0;
  const dtype t = loop::gives_bool(fn) ? dtype::boolean : type_of(operands[typed]);
  for (size_t i = typed + 1; i < operands.size(); ++i)
    if (type_of(operands[i]) != type_of(operands[typed]))
      throw error("ir.scalar_types",
                  "loop.scalar '" + std::string(loop::scalar_fn_names[static_cast<size_t>(fn)]) + "' of " +
                      std::string(name_of(type_of(operands[typed]))) + " and " +
                      std::string(name_of(type_of(operands[i]))),
                  mod().text(location()), "convert one of them");
  const type_id r[1] = {mod().intern(type::scalar(t))};
  return mod().result(make_op(loop::scalar{fn}, operands, r));
}

value_id loop_builder::apply(loop::scalar_fn fn, std::initializer_list<value_id> v) {
  return apply(fn, std::span<const value_id>(v.begin(), v.size()));
}

value_id loop_builder::convert(value_id v, dtype to) {
  if (type_of(v) == to) return v;
  const type_id r[1] = {mod().intern(type::scalar(to))};
  const value_id operands[1] = {v};
  return mod().result(make_op(loop::convert{to}, operands, r));
}

value_id loop_builder::bits_of(value_id v, dtype to) {
  const type_id r[1] = {mod().intern(type::scalar(to))};
  const value_id operands[1] = {v};
  return mod().result(make_op(loop::convert{to, true}, operands, r));
}

value_id loop_builder::index(const index_expr& e) {
  value_id sum;
  for (const auto& t : e.terms()) {
    const value_id v = t.coefficient == 1 ? t.value : mul(t.value, integer(dtype::index, t.coefficient));
    sum = sum ? add(sum, v) : v;
  }
  if (!sum) return integer(dtype::index, e.constant());
  return e.constant() == 0 ? sum : add(sum, integer(dtype::index, e.constant()));
}

index_expr loop_builder::floor_div(const index_expr& a, i64 k) {
  return apply(loop::scalar_fn::floor_div, {index(a), index(k)});
}
index_expr loop_builder::floor_mod(const index_expr& a, i64 k) {
  return apply(loop::scalar_fn::mod, {index(a), index(k)});
}
index_expr loop_builder::min(const index_expr& a, const index_expr& b) {
  return apply(loop::scalar_fn::min, {index(a), index(b)});
}
index_expr loop_builder::max(const index_expr& a, const index_expr& b) {
  return apply(loop::scalar_fn::max, {index(a), index(b)});
}
value_id loop_builder::less(const index_expr& a, const index_expr& b) {
  return apply(loop::scalar_fn::lt, {index(a), index(b)});
}
value_id loop_builder::equal(const index_expr& a, const index_expr& b) {
  return apply(loop::scalar_fn::eq, {index(a), index(b)});
}
index_expr loop_builder::floor_div(const index_expr& a, const index_expr& k) {
  if (k == 1) return a;
  if (a.is_constant() && k.is_constant() && a.constant() >= 0 && k.constant() > 0) return a.constant() / k.constant();
  return apply(loop::scalar_fn::floor_div, {index(a), index(k)});
}
index_expr loop_builder::floor_mod(const index_expr& a, const index_expr& k) {
  if (k == 1) return 0;
  return apply(loop::scalar_fn::mod, {index(a), index(k)});
}
index_expr loop_builder::times(const index_expr& a, const index_expr& b) {
  if (a.is_constant()) return b * a.constant();
  if (b.is_constant()) return a * b.constant();
  return mul(index(a), index(b));
}

access_map loop_builder::flatten(const index_list& at, std::vector<value_id>& operands, size_t first_operand,
                                 size_t placeholders) const {
  access_map map;
  for (const index_expr& e : at)
    for (const auto& t : e.terms()) {
      if (t.value.index >= first_placeholder) continue;
      bool known = false;
      for (size_t i = first_operand; i < operands.size(); ++i) known = known || operands[i] == t.value;
      if (!known) operands.push_back(t.value);
    }
  const size_t outer = operands.size() - first_operand;
  for (const index_expr& e : at) {
    std::vector<i64> row(1 + outer + placeholders, 0);
    row[0] = e.constant();
    for (const auto& t : e.terms()) {
      if (t.value.index >= first_placeholder) {
        row[1 + outer + (t.value.index - first_placeholder)] += t.coefficient;
        continue;
      }
      for (size_t i = first_operand; i < operands.size(); ++i)
        if (operands[i] == t.value) row[1 + i - first_operand] += t.coefficient;
    }
    map.rows.push_back(std::move(row));
  }
  return map;
}

value_id loop_builder::load(value_id buffer, const index_list& at) {
  std::vector<value_id> operands{buffer};
  loop::load l{flatten(at, operands, 1), false};
  const type_id r[1] = {mod().intern(type::scalar(mod().type_of(buffer).elem))};
  return mod().result(make_op(l, operands, r));
}

value_id loop_builder::load_or(value_id fill, value_id buffer, const index_list& at) {
  std::vector<value_id> operands{buffer};
  loop::load l{flatten(at, operands, 1), true};
  operands.push_back(fill);
  const type_id r[1] = {mod().intern(type::scalar(mod().type_of(buffer).elem))};
  return mod().result(make_op(l, operands, r));
}

void loop_builder::store(value_id v, value_id buffer, const index_list& at) {
  std::vector<value_id> operands{v, buffer};
  loop::store s{flatten(at, operands, 2)};
  make_op(s, operands, {});
}

std::vector<value_id> loop_builder::make_loop(const index_expr& lo, const index_expr& hi, std::vector<value_id> init,
                                              const loop::for_loop& how, loop_body call, void* body) {
  const auto before = mark();
  std::vector<value_id> operands{index(lo), index(hi)};
  operands.insert(operands.end(), init.begin(), init.end());
  std::vector<type_id> results;
  for (value_id v : init) results.push_back(mod()[v].type);
  const op_id op = make_op(how, operands, results, 1);
  const region_id r = mod().region(op);
  const value_id i = mod().add_argument(r, mod().intern(type::scalar(dtype::index)));
  std::vector<value_id> carried;
  for (type_id t : results) carried.push_back(mod().add_argument(r, t));
  module_enter(op, 0);
  call(body, i, carried);
  end_region(carried);
  restore(before);
  return mod().results(op);
}

void loop_builder::make_nest(const index_list& extents, nest_body call, void* body) {
  index_list at;
  const auto deeper = [&](const auto& self) -> void {
    if (at.size() == extents.size()) return call(body, at);
    for_(0, extents[at.size()], [&](const index_expr& i) {
      at.push_back(i);
      self(self);
      at.pop_back();
    });
  };
  deeper(deeper);
}

index_list loop_builder::numbers_of(std::span<const i64> extents) { return {extents.begin(), extents.end()}; }

void loop_builder::end_region(const std::vector<value_id>& yielded) { make_op(loop::yield{}, yielded, {}); }

op_id loop_builder::begin_if(value_id condition) {
  const value_id operands[1] = {condition};
  return make_op(loop::branch{}, operands, {}, 2);
}

std::vector<value_id> loop_builder::end_if(op_id op, const std::vector<value_id>& a, const std::vector<value_id>& b,
                                           place p) {
  to_end(mod().region(op, 0));
  end_region(a);
  to_end(mod().region(op, 1));
  end_region(b);
  restore(p);
  if (a.empty()) return {};
  // Results are known only now: make the op anew with them and move the branches over.
  std::vector<type_id> types;
  for (value_id v : a) types.push_back(mod()[v].type);
  const value_id condition[1] = {mod().operand(op, 0)};
  const op_id with = make_op(loop::branch{}, condition, types, 2);
  for (int i = 0; i < 2; ++i) {
    const region_id from = mod().region(op, i), to = mod().region(with, i);
    for (op_id o : mod()[from].ops) mod()[o].parent = to;
    mod()[to].ops = std::move(mod()[from].ops);
    mod()[from].ops.clear();
  }
  mod().erase(op);
  return mod().results(with);
}

/// An extent that is no number becomes an outer index, and -1 - its number.
i64 loop_builder::contract_extent(const index_expr& e, std::vector<value_id>& operands) {
  if (e.is_constant()) return e.constant();
  const value_id v = index(e);
  size_t i = 2;
  while (i < operands.size() && operands[i] != v) ++i;
  if (i == operands.size()) operands.push_back(v);
  return -1 - static_cast<i64>(i - 2);
}

op_id loop_builder::make_contract(const contract_spec& s, const index_list& a, const index_list& b) {
  std::vector<value_id> operands{s.a, s.b};
  loop::contract c;
  for (const index_expr& e : s.m) c.m.push_back(contract_extent(e, operands));
  for (const index_expr& e : s.k) c.k.push_back(contract_extent(e, operands));
  c.n = contract_extent(s.n, operands);
  index_list both = a;
  both.insert(both.end(), b.begin(), b.end());
  const access_map map = flatten(both, operands, 2, s.m.size() + 1 + s.k.size());
  c.accumulate = s.accumulate;
  const auto split = map.rows.begin() + static_cast<std::ptrdiff_t>(a.size());
  c.map_a.rows.assign(map.rows.begin(), split);
  c.map_b.rows.assign(split, map.rows.end());
  const op_id op = make_op(c, operands, {}, 1);
  const region_id r = mod().region(op);
  mod().add_argument(r, mod().intern(type::scalar(s.accumulate)));
  for (size_t i = 0; i <= s.m.size(); ++i) mod().add_argument(r, mod().intern(type::scalar(dtype::index)));
  return op;
}

}  // namespace tenon::ir
