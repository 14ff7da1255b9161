/// @file host_functions.ipp: definitions of runtime/host_functions.hpp.
#pragma once

#include <map>
#include <mutex>

#include <tenon/core/error.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/runtime/host_functions.hpp>

namespace tenon {
namespace detail {
struct host_function_table {
  std::mutex guard;
  std::map<std::string, host_function, std::less<>> functions;
};
inline host_function_table& host_functions() {
  static host_function_table table;
  return table;
}
}  // namespace detail

void add_host_function(std::string name, host_function f) {
  if (name.empty()) throw error("host_function.name", "a function of the host has no name");
  auto& table = detail::host_functions();
  const std::scoped_lock lock(table.guard);
  if (const auto [at, fresh] = table.functions.try_emplace(std::move(name), std::move(f)); !fresh)
    throw error("host_function.taken", "a function of the host is registered as '" + at->first + "' already", {},
                "remove_host_function takes it away");
}

bool remove_host_function(std::string_view name) {
  auto& table = detail::host_functions();
  const std::scoped_lock lock(table.guard);
  const auto at = table.functions.find(name);
  if (at == table.functions.end()) return false;
  table.functions.erase(at);
  return true;
}

host_function find_host_function(std::string_view name) {
  auto& table = detail::host_functions();
  const std::scoped_lock lock(table.guard);
  if (const auto at = table.functions.find(name); at != table.functions.end()) return at->second;
  std::vector<std::string> known;
  for (const auto& [other, f] : table.functions) known.push_back(other);
  std::string hint = nearest(name, known);
  if (!hint.starts_with("did you mean"))
    hint = "register it before the model runs: tenon::add_host_function(\"" + std::string(name) + "\", f)";
  throw error("host_function.absent", "no function of the host is registered as '" + std::string(name) + "'", {},
              std::move(hint));
}

}  // namespace tenon
