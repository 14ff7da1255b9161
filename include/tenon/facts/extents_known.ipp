/// @file extents_known.ipp: the checker of facts/extents_known.hpp.
#pragma once

#include <algorithm>

#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/static_shapes.ipp>
#include <tenon/ir/called_extents.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/movement.hpp>

namespace tenon::fact {

std::optional<ir::obstacle> extents_known::obstacle(const ir::module& m) {
  // The symbols that are an input's extent as it stands. Names that no argument of a function has are the entry's
  // (ir/called_extents.hpp): of parts that were cut out of it, say.
  const auto bind = [&m](function_id f, std::vector<std::string>& bound) {
    for (value_id a : m[m[f].body].arguments)
      for (ir::dim d : m.type_of(a).shape)
        if (d.is_symbol()) bound.push_back(m.name(d.symbol()));
  };
  std::vector<std::string> of_entry, bound;
  for (function_id f : m.functions())
    if (m[f].entry && m[f].here(ir::function_kind::graph)) bind(f, of_entry);
  function_id bound_of;
  const auto is_said = [&](function_id f, const extent_expr& e) {
    if (f != bound_of) {
      bound_of = f, bound.clear();
      if (!m[f].entry) bound = of_entry;
      bind(f, bound);
    }
    for (const std::string& n : e.names())
      if (std::find(bound.begin(), bound.end(), n) == bound.end()) return false;
    return true;
  };
  const auto fits = [&](function_id f, value_id v) {
    const ir::type& t = m.type_of(v);
    return t.is_tensor() && ir::is_known(t) &&
           std::all_of(t.shape.begin(), t.shape.end(), [&](ir::dim d) { return is_said(f, ir::expression_of(m, d)); });
  };
  return detail::first_obstacle(
      m, [&](function_id f, value_id v) { return std::string(fits(f, v) ? "" : "which no input's extents say"); },
      [&](function_id f, op_id op) -> std::optional<ir::obstacle> {
        if (const auto* call = m.view(op).get_if<op::call>())
          if (const function_id callee = m.find_function(call->callee.name);
              callee && m[callee].here(ir::function_kind::graph) && m.view(op).result_count() > 0 &&
              ir::called_extents(m, m[callee].body, m.operands(op)).renames())
            return detail::open_result(m, f, op, m.result(op), "whose function has names of its own for its extents");
        if (const auto* list = m.view(op).get_if<op::extents_of>())
          for (const std::string& text : list->values)
            if (const auto e = extent_expr::parse(text); e && !is_said(f, *e))
              return detail::open_result(m, f, op, m.result(op), "whose elements the inputs' extents do not say");
        for (value_id v : m.results(op))
          if (!fits(f, v)) return detail::open_result(m, f, op, v, "which the inputs' extents do not say");
        return std::nullopt;
      });
}

void extents_known::check(const ir::module& m) {
  if (const auto found = obstacle(m)) throw found->why;
}

}  // namespace tenon::fact
