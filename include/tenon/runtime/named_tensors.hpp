/// @file named_tensors: inputs and outputs by name.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

struct named_tensors : std::map<std::string, tensor, std::less<>> {
  using map::map;
  /// Errors: "program.name" for one that there is not, with the nearest.
  tensor& at(std::string_view name) {
    const auto it = find(name);
    if (it == end()) throw_unknown(name);
    return it->second;
  }
  const tensor& at(std::string_view name) const { return const_cast<named_tensors&>(*this).at(name); }

 private:
  [[noreturn]] void throw_unknown(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& [known, value] : *this) names.push_back(known);
    throw error("program.name", "there is no tensor '" + std::string(name) + "'", {}, nearest(name, names));
  }
};

namespace detail {

/// In the order of `names`. Errors: "program.name" for one that there is not, with the nearest; "program.count" with
/// all that are missing.
inline std::vector<tensor> in_order_of(const std::vector<std::string>& names, const named_tensors& given) {
  for (const auto& [name, value] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw error("program.name", "there is no input '" + name + "'", {}, nearest(name, names));
  std::vector<tensor> r;
  std::string missing;
  for (const std::string& n : names) {
    const auto it = given.find(n);
    if (it == given.end()) missing += (missing.empty() ? "'" : ", '") + n + "'";
    else r.push_back(it->second);
  }
  if (!missing.empty()) throw error("program.count", "no tensor is given for " + missing, {}, "give all inputs");
  return r;
}

inline named_tensors by_name(const std::vector<std::string>& names, std::vector<tensor> values) {
  named_tensors r;
  for (size_t i = 0; i < values.size(); ++i)
    r.emplace(i < names.size() ? names[i] : std::to_string(i), std::move(values[i]));
  return r;
}

}  // namespace detail
}  // namespace tenon
