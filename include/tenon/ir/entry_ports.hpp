/// @file entry_ports: what an entry takes and gives, in any phase: in phases of buffers its results are its last
/// arguments.
#pragma once

#include <algorithm>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Buffers as the tensors that they hold.
inline type tensor_of(const type& t) { return t.is_buffer() ? type::tensor(t.elem, t.shape) : t; }

/// Does a function write its results to buffers that it is given?
inline bool writes_to_arguments(const module& m, function_id f) {
  return std::ranges::any_of(m[m[f].body].arguments, [&](value_id a) { return m.type_of(a).is_buffer(); });
}
/// How many arguments are inputs; those behind them are where results go. The verifier refuses more results than that.
inline size_t input_count(const module& m, function_id f) {
  const size_t arguments = m[m[f].body].arguments.size(), results = m[f].result_types.size();
  return writes_to_arguments(m, f) && results <= arguments ? arguments - results : arguments;
}
inline std::vector<type> entry_inputs(const module& m, function_id f) {
  std::vector<type> all;
  for (size_t i = 0; i < input_count(m, f); ++i) all.push_back(tensor_of(m.type_of(m[m[f].body].arguments[i])));
  return all;
}
inline std::vector<type> entry_outputs(const module& m, function_id f) {
  std::vector<type> all;
  for (type_id t : m[f].result_types) all.push_back(tensor_of(m[t]));
  return all;
}

}  // namespace tenon::ir
