/// @file registry.ipp: definitions of targets/registry.hpp.
#pragma once

#include <tenon/targets/registry.hpp>

namespace tenon {
namespace detail {
inline std::vector<const target_entry*>& entries() {
  static std::vector<const target_entry*> list;
  return list;
}

void add_entry(const target_entry& entry) {
  for (const target_entry*& e : entries())
    if (e->name == entry.name) return void(e = &entry);
  entries().push_back(&entry);
}
}  // namespace detail

std::vector<const target_entry*> registered_entries() { return detail::entries(); }

const target_entry& find_entry(std::string_view name) {
  std::vector<std::string> known;
  for (const target_entry* e : detail::entries()) {
    if (e->name == name) return *e;
    known.emplace_back(e->name);
  }
  throw error("target.unknown", "there is no target '" + std::string(name) + "'", {}, nearest_target(name, known));
}

std::vector<const ir::op_info*> ops_on_the_way(const target_entry& entry) {
  const auto built_in = ir::op_table_of<meta::unique_t<detail::built_in_op_list>>();
  std::vector<const ir::op_info*> ops(built_in.begin(), built_in.end());
  ops.insert(ops.end(), entry.ops.begin(), entry.ops.end());
  return ops;
}

}  // namespace tenon
