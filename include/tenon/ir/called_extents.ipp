/// @file called_extents.ipp: definitions of ir/called_extents.hpp.
#pragma once

#include <tenon/ir/called_extents.hpp>
#include <tenon/ir/dims.hpp>

namespace tenon::ir {

called_extents::called_extents(const module& m, region_id body, std::span<const value_id> given) {
  const std::vector<value_id>& arguments = m[body].arguments;
  for (size_t i = 0; i < arguments.size() && i < given.size(); ++i) {
    if (!given[i]) continue;
    const type &said = m.type_of(arguments[i]), &is = m.type_of(given[i]);
    if (!said.is_tensor() || !said.ranked) continue;
    for (size_t d = 0; d < said.shape.size(); ++d) {
      if (said.shape[d].is_static() || said.shape[d].is_unknown()) continue;
      const extent_expr name = expression_of(m, said.shape[d]);
      const auto names = name.names();
      if (names.size() != 1 || name.text() != names[0]) continue;  // 2*n does not say what n is
      const bool known = is.is_tensor() && is.ranked && d < is.shape.size() && !is.shape[d].is_unknown();
      std::optional<extent_expr>& to = names_[names[0]];
      if (!to && known) to = expression_of(m, is.shape[d]);
    }
  }
  std::erase_if(names_, [](const auto& n) { return n.second && n.second->text() == n.first; });
}

type_id called_extents::at_call(module& m, type_id t) const {
  if (names_.empty()) return t;
  type r = m[t];
  for (dim& d : r.shape) {
    if (d.is_static() || d.is_unknown()) continue;
    const auto e = with_names(expression_of(m, d), names_);
    d = e ? dim_of(m, *e) : dim::unknown();
  }
  for (type_id& part : r.parts) part = at_call(m, part);
  return m.intern(r);
}

}  // namespace tenon::ir
