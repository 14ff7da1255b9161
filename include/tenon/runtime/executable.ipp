/// @file executable.ipp: definition of runtime/executable.hpp.
#pragma once

#include <tenon/runtime/executable.hpp>

namespace tenon {

std::vector<value> executable::run_values(std::span<const value> inputs, int threads) const {
  std::vector<tensor> given;
  for (const value& v : inputs) given.push_back(v.as_tensor());
  std::vector<value> r;
  for (tensor& t : run(given, threads)) r.emplace_back(std::move(t));
  return r;
}

}  // namespace tenon
