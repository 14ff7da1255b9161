/// @file entries.ipp: definitions of ir/entries.hpp, but for what adds entries (add_entry.ipp).
#pragma once

#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/variant.hpp>

namespace tenon::ir {
namespace detail {
inline std::string names_of(const module& m, const std::vector<function_id>& functions) {
  std::string names;
  for (function_id f : functions) names += (names.empty() ? "'" : ", '") + m[f].name + "'";
  return names;
}
}  // namespace detail

std::vector<function_id> entries_of(const module& m) {
  std::vector<function_id> all;
  for (function_id f : m.functions())
    if (m[f].entry && m[f].kind == function_kind::graph) all.push_back(f);
  return all;
}

function_id single_entry(const module& m) {
  std::vector<function_id> all = entries_of(m);
  std::erase_if(all, [&](function_id f) { return variant_of(m[f]) != nullptr; });
  if (all.empty())
    throw error("program.entry", "the module has no entry function", {}, "mark one graph function as entry");
  if (all.size() > 1)
    throw error("program.entries",
                "the module has " + std::to_string(all.size()) + " entries, " + detail::names_of(m, all) +
                    ", and this takes one",
                {}, "take one of them by itself: alone(module, name), tenon build --function NAME");
  return all.front();
}

}  // namespace tenon::ir
