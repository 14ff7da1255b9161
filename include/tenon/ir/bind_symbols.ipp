/// @file bind_symbols.ipp: definitions of ir/bind_symbols.hpp.
#pragma once

#include <algorithm>
#include <optional>

#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {
namespace detail {

inline std::optional<i64> number_for(const extent_expr& e, const symbol_values& values) {
  for (const std::string& n : e.names())
    if (!values.contains(n)) return std::nullopt;
  return e.evaluate([&](const std::string& n) { return values.find(n)->second; });
}

inline std::optional<type> bound_type(const module& m, const type& t, const symbol_values& values) {
  type r = t;
  for (dim& d : r.shape)
    if (d.is_symbol())
      if (const auto n = number_for(expression_of(m, d), values)) d = dim(std::max<i64>(*n, 0));
  if (r == t) return std::nullopt;
  return r;
}

}  // namespace detail

TENON_INLINE symbol_values symbols_of(const module& m, function_id f, std::span<const tenon::tensor> inputs) {
  symbol_values r;
  const auto& arguments = m[m[f].body].arguments;
  for (size_t i = 0; i < inputs.size() && i < arguments.size(); ++i) {
    const type& t = m.type_of(arguments[i]);
    if (!t.ranked || t.shape.size() != inputs[i].shape().size()) continue;
    for (size_t d = 0; d < t.shape.size(); ++d) {
      if (!t.shape[d].is_symbol()) continue;
      const extent_expr e = expression_of(m, t.shape[d]);
      const i64 n = inputs[i].shape()[d];
      if (e.terms().size() != 1 || e.names().size() != 1 || e.text() != e.names()[0]) continue;
      const auto [at, fresh] = r.emplace(e.text(), n);
      if (!fresh && at->second != n)
        throw error("ir.symbols", "dimension " + std::to_string(d) + " of argument " + std::to_string(i) + " is " + std::to_string(n) +
                                      ", and '" + e.text() + "' is " + std::to_string(at->second) + " elsewhere");
    }
  }
  return r;
}

TENON_INLINE void bind_symbols(module& m, const symbol_values& values) {
  for (size_t i = 0; i < m.value_count(); ++i) {
    const value_id v(i);
    if (!m[v].type) continue;
    if (const auto t = detail::bound_type(m, m.type_of(v), values)) m.set_type(v, m.intern(*t));
  }
  for (function_id f : m.functions()) {
    for (type_id& t : m[f].result_types)
      if (const auto b = detail::bound_type(m, m[t], values)) t = m.intern(*b);
    for_each_op(m, m[f].body, [&](op_id op) {
      const op_view v = m.view(op);
      if (const auto* e = v.get_if<loop::extent>()) {
        const auto parsed = extent_expr::parse(e->expression);
        const auto n = parsed ? detail::number_for(*parsed, values) : std::nullopt;
        if (!n) return;
        builder<> b(m, m[op].parent);
        b.before(op);
        const type_id t[1] = {m[v.result()].type};
        m.replace_uses(v.result(), m.result(b.make_op(loop::literal{dtype::index, 0.0, *n}, {}, t)));
        m.erase(op);
      } else if (const auto* l = v.get_if<op::extents_of>()) {
        op::extents_of made = *l;
        for (std::string& s : made.values)
          if (const auto parsed = extent_expr::parse(s))
            if (const auto n = detail::number_for(*parsed, values)) s = std::to_string(*n);
        m.set_attributes(op, m.intern_attributes(info_of<op::extents_of>, &made));
      }
    });
  }
}

TENON_INLINE bool asks_for_symbols(const module& m) {
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
