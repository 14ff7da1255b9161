/// @file add_entry.ipp: definitions of ir/entries.hpp: entries and their variants are added to a module.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/transplant.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>

namespace tenon::ir {

void share_equal_constants(module& m) {
  const auto bytes_of = [](const tensor& t) {
    return std::string_view(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  };
  struct seen {
    constant_id constant;
    std::optional<u64> sum;  ///< where another one of this size asked for it
  };
  std::unordered_map<std::string, std::vector<seen>> known;  // by type and shape
  std::unordered_map<u32, constant_id> shared;               // what a constant is the same as, maybe itself
  const auto first_of = [&](constant_id c) {
    if (const auto it = shared.find(c.index); it != shared.end()) return it->second;
    const tensor& t = m[c].value;
    if (t.type() == dtype::string) return shared[c.index] = c;
    std::vector<seen>& alike = known[t.describe()];
    for (const seen& s : alike)  // a file's elements, mapped once
      if (t.bytes() != 0 && m[s.constant].value.data() == t.data()) return shared[c.index] = s.constant;
    seen own{c, {}};
    for (seen& s : alike) {
      const tensor& other = m[s.constant].value;
      if (!own.sum) own.sum = checksum_of(bytes_of(t));
      if (!s.sum) s.sum = checksum_of(bytes_of(other));
      if (s.sum == own.sum && other.type() == t.type() && bytes_of(other) == bytes_of(t))
        return shared[c.index] = s.constant;
    }
    alike.push_back(own);
    return shared[c.index] = c;
  };
  for_each_op(m, [&](op_id op) {
    const op_node& n = m[op];
    bool changes = false;
    for (const attribute& a : n.info->attributes())
      a.visit(m.attributes(n.attributes), [&](const constant_id& c) { changes = changes || (c && first_of(c) != c); });
    if (!changes) return;
    const std::unique_ptr<void, void (*)(void*)> made{n.info->copy(m.attributes(n.attributes)), n.info->destroy};
    for (const attribute& a : n.info->attributes())
      a.visit(made.get(), [&](constant_id& c) { c = c ? first_of(c) : c; });
    m.set_attributes(op, m.intern_attributes(*n.info, made.get()));
  });
}

namespace detail {
/// Without variants.
inline void add_one_entry(module& m, const module& from, std::string_view name) {
  const function_id f = single_entry(from);
  if (m.find_function(name))
    throw error("program.entries", "the module has a function '" + std::string(name) + "' already", {},
                "give the entry another name");
  for (function_id g : from.functions())
    if (g != f && m.find_function(from[g].name))
      throw error(
          "program.entries",
          "'" + from[g].name + "' is a function of both modules, and comes along with '" + std::string(name) + "'", {},
          "rename it in one of them");
  transplanter copy(from, m);
  const function& old = from[f];
  std::vector<type_id> arguments;
  for (value_id a : from[old.body].arguments) arguments.push_back(copy.type(from[a].type));
  const function_id made = m.add_function(name, function_kind::graph, arguments);
  for (size_t i = 0; i < arguments.size(); ++i)
    copy.map_copy(from[old.body].arguments[i], m[m[made].body].arguments[i]);
  m[made].entry = true, m[made].discardable = old.discardable, m[made].target = old.target;
  m[made].purity = old.purity;
  m[made].argument_names = old.argument_names, m[made].result_names = old.result_names;
  std::vector<type_id> results;
  for (type_id t : old.result_types) results.push_back(copy.type(t));
  m[made].result_types = std::move(results);
  const auto keep = [](const std::string& constraint) { return constraint; };
  for (op_id op : from[old.body].ops) copy.copy(op, m[made].body, keep);
  for (function_id g : from.functions())
    if (const function_id there = g != f ? m.find_function(from[g].name) : function_id{})
      m[there].target = from[g].target;
  for (const extent_condition& c : from.conditions.items())
    if (!m.conditions.add(c))
      throw error("program.entries", "'" + std::string(name) + "' relies on " + c.text() + ", which never holds");
  share_equal_constants(m);
}
}  // namespace detail

void add_entry(module& m, const module& from, std::string_view name) {
  const auto is_variant = [](const module& of) {
    const std::vector<function_id> all = entries_of(of);
    return std::any_of(all.begin(), all.end(), [&](function_id g) { return variant_of(of[g]) != nullptr; });
  };
  if (!is_variant(m) && !is_variant(from)) return detail::add_one_entry(m, from, name);
  // What decides which variant runs is asked of nobody else.
  module own = from;
  rename_extents(own, name);
  std::vector<module> all = each_variant_alone(own);
  detail::add_one_entry(m, all[0], name);
  for (size_t i = 1; i < all.size(); ++i) add_variant(m, all[i], name, std::to_string(i + 1));
}

}  // namespace tenon::ir
