/// @file bind_symbols.ipp: definitions of ir/bind_symbols.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {
namespace detail {

/// The expression with the numbers that are known in it. An extent that is an expression may itself be given a number.
inline extent_expr bound_expression(const extent_expr& e, const symbol_values& values) {
  if (const auto whole = values.find(e.text()); whole != values.end()) return whole->second;
  return e.substitute([&](const std::string& n) {
    const auto it = values.find(n);
    return it == values.end() ? std::nullopt : std::optional<i64>(it->second);
  });
}

inline std::optional<type> bound_type(module& m, const type& t, const symbol_values& values) {
  type r = t;
  for (dim& d : r.shape)
    if (d.is_symbol()) d = dim_of(m, bound_expression(expression_of(m, d), values));
  if (r == t) return std::nullopt;
  return r;
}

}  // namespace detail

std::vector<extent_place> extent_places(const module& m, function_id f, std::span<const tenon::tensor> inputs) {
  std::vector<extent_place> r;
  const auto& arguments = m[m[f].body].arguments;
  for (size_t i = 0; i < inputs.size() && i < arguments.size(); ++i) {
    const type& t = m.type_of(arguments[i]);
    if (!(t.is_tensor() || t.is_buffer()) || !t.ranked || t.shape.size() != inputs[i].shape().size()) continue;
    for (size_t d = 0; d < t.shape.size(); ++d) {
      if (!t.shape[d].is_symbol()) continue;
      const extent_expr e = expression_of(m, t.shape[d]);
      const i64 n = inputs[i].shape()[d];
      if (e.terms().size() != 1 || e.names().size() != 1 || e.text() != e.names()[0]) continue;
      const auto at = std::find_if(r.begin(), r.end(), [&](const extent_place& p) { return p.name == e.text(); });
      if (at == r.end()) r.push_back({e.text(), input_name(m[f], i), d, n});
      else if (at->given != n)
        throw error("ir.symbols", "dimension " + std::to_string(d) + " of argument " + std::to_string(i) + " is " +
                                      std::to_string(n) + ", and '" + e.text() + "' is " + std::to_string(at->given) +
                                      " elsewhere");
    }
  }
  return r;
}

std::set<std::string> names_of_extents(const module& m, function_id f) {
  std::set<std::string> names;
  for (value_id a : m[m[f].body].arguments)
    for (dim d : m.type_of(a).shape)
      if (d.is_symbol())
        if (const extent_expr e = expression_of(m, d); e.names().size() == 1 && e.names()[0] == e.text())
          names.insert(e.text());
  return names;
}

std::set<std::string> names_spoken_of(const module& m) {
  std::set<std::string> names;
  const auto take = [&](std::string_view text) {
    if (const std::optional<extent_expr> e = extent_expr::parse(text))
      for (std::string& n : e->names()) names.insert(std::move(n));
  };
  for (size_t i = 0; i < m.symbol_count(); ++i) take(m.name(symbol_id(i)));
  for (function_id f : m.functions())
    for_each_op(m, m[f].body, [&](op_id op) {
      if (const auto* e = m.view(op).get_if<loop::extent>()) take(e->expression);
      if (const auto* list = m.view(op).get_if<op::extents_of>())
        for (const std::string& text : list->values) take(text);
    });
  return names;
}

std::optional<error> unmet_condition(const module& m, function_id f, std::span<const tenon::tensor> inputs) {
  if (m.conditions.empty()) return std::nullopt;
  const std::string why = unmet_sentence(m.conditions.items(), extent_places(m, f, inputs));
  if (why.empty()) return std::nullopt;
  return error("program.condition", why, {}, "give such inputs, or compile for these sizes (--shape)");
}

symbol_values symbols_of(const module& m, function_id f, std::span<const tenon::tensor> inputs) {
  symbol_values r;
  for (const extent_place& p : extent_places(m, f, inputs)) r.emplace(p.name, p.given);
  return r;
}

std::optional<i64> extent_with(const module& m, dim d, const symbol_values& values) {
  if (d.is_static()) return d.extent();
  if (!d.is_symbol()) return std::nullopt;
  const extent_expr now = detail::bound_expression(expression_of(m, d), values);
  return now.is_constant() ? std::optional<i64>(now.constant()) : std::nullopt;
}

void bind_symbols(module& m, function_id f, const symbol_values& values) {
  const auto bind = [&](value_id v) {
    if (!m[v].type) return;
    if (const auto t = detail::bound_type(m, m.type_of(v), values)) m.set_type(v, m.intern(*t));
  };
  const auto bind_arguments = [&](region_id r) {
    for (value_id v : std::vector<value_id>(m[r].arguments)) bind(v);
  };
  for (type_id& t : m[f].result_types)
    if (const auto b = detail::bound_type(m, m[t], values)) t = m.intern(*b);
  bind_arguments(m[f].body);
  for_each_op(m, m[f].body, [&](op_id op) {
    for (value_id v : m.results(op)) bind(v);
    const op_view v = m.view(op);
    for (int i = 0; i < v.region_count(); ++i) bind_arguments(v.region(i));
    if (const auto* e = v.get_if<loop::extent>()) {
      const auto parsed = extent_expr::parse(e->expression);
      if (!parsed) return;
      const extent_expr now = detail::bound_expression(*parsed, values);
      const type_id t[1] = {m[v.result()].type};
      if (!now.is_constant()) {
        const loop::extent made{now.text()};
        m.set_attributes(op, m.intern_attributes(info_of<loop::extent>, &made));
        return;
      }
      builder<> b(m, m[op].parent);
      b.before(op);
      m.replace_uses(v.result(), m.result(b.make_op(loop::literal{dtype::index, 0.0, now.constant()}, {}, t)));
      m.erase(op);
    } else if (const auto* l = v.get_if<op::extents_of>()) {
      op::extents_of made = *l;
      for (std::string& s : made.values)
        if (const auto parsed = extent_expr::parse(s)) s = detail::bound_expression(*parsed, values).text();
      m.set_attributes(op, m.intern_attributes(info_of<op::extents_of>, &made));
    }
  });
}

void bind_symbols(module& m, const symbol_values& values) {
  for (function_id f : m.functions()) bind_symbols(m, f, values);
}

void bind_conditions(module& m, const symbol_values& values) {
  const condition_list old = std::move(m.conditions);
  m.conditions.clear();
  for (const extent_condition& c : old)
    if (!m.conditions.add({detail::bound_expression(c.value, values), c.kind}))
      throw error("program.condition", "the module is for sizes with " + readable(c) + ", and these are others", {},
                  "give other sizes");
}

void number_extents(module& m) {
  for (function_id f : m.functions())
    for_each_op(m, m[f].body, [&](op_id op) {
      if (const auto* e = m.view(op).get_if<loop::extent>()) m.symbol(e->expression);
    });
}

bool asks_for_symbols(const module& m) {
  bool asks = false;
  for (function_id f : m.functions()) {
    for (value_id a : m[m[f].body].arguments) asks = asks || (m.type_of(a).is_buffer() && has_symbols(m.type_of(a)));
    for_each_op(m, m[f].body, [&](op_id op) {
      const op_view v = m.view(op);
      asks = asks || v.is<loop::extent>() || v.is<op::extents_of>() || v.is<op::view>() || v.is<op::call_kernel>();
    });
  }
  return asks;
}

}  // namespace tenon::ir
