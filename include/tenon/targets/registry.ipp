/// @file registry.ipp: definitions of targets/registry.hpp.
#pragma once

#include <algorithm>
#include <mutex>

#include <tenon/facts/extents_folded.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/targets/all.hpp>  // declares what is instantiated here
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {
namespace passes { struct legalize_ops; }
template const target_entry& entry_of<targets::interpreter>();
namespace detail {

struct entry_list {
  std::mutex mutex;
  std::vector<const target_entry*> entries;
};
inline entry_list& entries() {
  static entry_list list;
  return list;
}

void add_entry(const target_entry& entry) {
  entry_list& list = entries();
  const std::lock_guard lock(list.mutex);
  for (const target_entry*& e : list.entries)
    if (e->name == entry.name) return void(e = &entry);
  list.entries.push_back(&entry);
}

void read_passes(target_entry& entry) {
  const auto leaves_graphs = [](const pass_desc& p) {
    return p.is_transition() && p.from->key == phase_desc_of<phases::optimization>.key;
  };
  const passes_view& all = entry.passes;
  const auto gives = [&](size_t i, const fact_desc& fact) { return all[i]->gives().contains(&fact); };
  const auto& numbers = fact_desc_of<fact::static_shapes>;
  const auto& known = fact_desc_of<fact::extents_known>;
  size_t i = 0;
  while (i < all.size() && !leaves_graphs(*all[i]) && !gives(i, numbers) && !gives(i, known) &&
         !gives(i, fact_desc_of<fact::extents_folded>))
    ++i;
  entry.general = entry.proven = i;
  for (; i < all.size() && !leaves_graphs(*all[i]); ++i) {
    if (!gives(i, numbers) && !gives(i, known)) continue;
    if (entry.extents == extents_asked::nothing) entry.proven = i;
    if (entry.extents != extents_asked::numbers)
      entry.extents = gives(i, numbers) ? extents_asked::numbers : extents_asked::known;
  }
  for (i = entry.proven; i < all.size(); ++i)
    entry.makes_kernels = entry.makes_kernels || all[i]->type == &pass_tag_of<passes::legalize_ops>;
}

}  // namespace detail

std::vector<const target_entry*> registered_entries() {
  const auto interpreter = [](const target_entry* e) {
    return e->name == std::string_view(targets::interpreter::name);
  };
  detail::entry_list& list = detail::entries();
  const std::lock_guard lock(list.mutex);
  std::vector<const target_entry*> all = list.entries;
  if (std::none_of(all.begin(), all.end(), interpreter)) all.push_back(&entry_of<targets::interpreter>());
  return all;
}

std::vector<std::string> registered_targets() {
  std::vector<std::string> names;
  for (const target_entry* e : registered_entries()) names.emplace_back(e->name);
  return names;
}

const target_entry* lookup_entry(std::string_view name) {
  for (const target_entry* e : registered_entries())
    if (e->name == name) return e;
  return nullptr;
}

const target_entry& find_entry(std::string_view name) {
  if (const target_entry* e = lookup_entry(name)) return *e;
  throw usage_error("target.unknown", "there is no target '" + std::string(name) + "'", {},
                    nearest_target(name, registered_targets()));
}

std::vector<const ir::op_info*> ops_on_the_way(const target_entry& entry) {
  const auto built_in = ir::built_in_op_table();
  std::vector<const ir::op_info*> ops(built_in.begin(), built_in.end());
  ops.insert(ops.end(), entry.ops.begin(), entry.ops.end());
  return ops;
}

}  // namespace tenon
