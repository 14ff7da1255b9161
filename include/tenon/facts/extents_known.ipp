/// @file extents_known.ipp: the checker of facts/extents_known.hpp.
#pragma once

#include <algorithm>

#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/static_shapes.ipp>
#include <tenon/ir/called_extents.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/call.hpp>

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
  const auto fits = [&](function_id f, value_id v) {
    if (f != bound_of) {
      bound_of = f, bound.clear();
      if (!m[f].entry) bound = of_entry;
      bind(f, bound);
    }
    const ir::type& t = m.type_of(v);
    if (!t.is_tensor() || !ir::is_known(t)) return false;
    for (ir::dim d : t.shape)
      for (const std::string& n : ir::expression_of(m, d).names())
        if (std::find(bound.begin(), bound.end(), n) == bound.end()) return false;
    return true;
  };
  return detail::first_obstacle(
      m, [&](function_id f, value_id v) { return std::string(fits(f, v) ? "" : "which no input's extents say"); },
      [&](function_id f, op_id op) -> std::optional<ir::obstacle> {
        if (const auto* call = m.view(op).get_if<op::call>())
          if (const function_id callee = m.find_function(call->callee.name);
              callee && m[callee].here(ir::function_kind::graph) && m.view(op).result_count() > 0 &&
              ir::called_extents(m, m[callee].body, m.operands(op)).renames())
            return detail::open_result(m, f, op, m.result(op), "whose function has names of its own for its extents");
        for (value_id v : m.results(op))
          if (!fits(f, v)) return detail::open_result(m, f, op, v, "which the inputs' extents do not say");
        return std::nullopt;
      });
}

void extents_known::check(const ir::module& m) {
  if (const auto found = obstacle(m)) throw found->why;
}

}  // namespace tenon::fact
