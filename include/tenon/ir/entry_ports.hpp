/// @file entry_ports: what an entry takes and gives, in any phase: in phases of buffers its results are its last
/// arguments.
#pragma once

#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Buffers as the tensors that they hold.
inline type tensor_of(const type& t) { return t.is_buffer() ? type::tensor(t.elem, t.shape) : t; }

inline std::vector<type> entry_inputs(const module& m, function_id f) {
  const std::vector<value_id>& arguments = m[m[f].body].arguments;
  size_t count = arguments.size();
  if (count >= m[f].result_types.size() && !m[f].result_types.empty() && m[m[f].result_types[0]].is_buffer())
    count -= m[f].result_types.size();
  std::vector<type> all;
  for (size_t i = 0; i < count; ++i) all.push_back(tensor_of(m.type_of(arguments[i])));
  return all;
}
inline std::vector<type> entry_outputs(const module& m, function_id f) {
  std::vector<type> all;
  for (type_id t : m[f].result_types) all.push_back(tensor_of(m[t]));
  return all;
}

}  // namespace tenon::ir
