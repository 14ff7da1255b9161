/// @file open_extents.ipp: definitions of ir/open_extents.hpp.
#pragma once

#include <algorithm>

#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/open_extents.hpp>

namespace tenon::ir {

std::string open_extents_sentence(const module& m, function_id f, std::span<const value> inputs) {
  std::vector<std::optional<std::vector<i64>>> shapes;
  for (const value& v : inputs) shapes.push_back(v.is_tensor() ? std::optional(v.as_tensor().shape()) : std::nullopt);
  return open_extents_sentence(m, f, shapes);
}

std::string open_extents_sentence(const module& m, function_id f,
                                  std::span<const std::optional<std::vector<i64>>> shapes) {
  std::string s;
  const auto& arguments = m[m[f].body].arguments;
  for (size_t i = 0; i < shapes.size() && i < arguments.size(); ++i) {
    const type& t = m.type_of(arguments[i]);
    if (!t.is_tensor() || !shapes[i]) continue;
    std::vector<std::string> open;
    for (size_t d = 0; d < t.shape.size(); ++d)
      if (!t.shape[d].is_static()) open.push_back(std::to_string(d));
    if (t.ranked && open.empty()) continue;
    s += (s.empty() ? "" : "; ") + std::string("input '") + input_name(m[f], i) + "' is " +
         std::string(name_of(t.elem)) + shape_text(*shapes[i]) + ", of which ";
    if (!t.ranked) s += "the shape may be another";
    else if (open.size() == 1) s += "dimension " + open[0] + " may be another";
    else {
      s += "dimensions ";
      for (size_t k = 0; k < open.size(); ++k) s += (k == 0 ? "" : k + 1 == open.size() ? " and " : ", ") + open[k];
      s += " may be others";
    }
  }
  return s;
}

}  // namespace tenon::ir
