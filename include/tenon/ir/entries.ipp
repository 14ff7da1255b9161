/// @file entries.ipp: definitions of ir/entries.hpp.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include <tenon/core/error.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/transplant.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>

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

void share_equal_constants(module& m) {
  const auto bytes_of = [](const tensor& t) {
    return std::string_view(static_cast<const char*>(t.data()), static_cast<size_t>(t.bytes()));
  };
  std::unordered_multimap<u64, constant_id> known;  // by checksum
  std::unordered_map<u32, constant_id> shared;      // what a constant is the same as, maybe itself
  const auto first_of = [&](constant_id c) {
    if (const auto it = shared.find(c.index); it != shared.end()) return it->second;
    const tensor& t = m[c].value;
    if (t.type() == dtype::string) return shared[c.index] = c;
    const u64 sum = checksum_of(bytes_of(t));
    const auto [begin, end] = known.equal_range(sum);
    for (auto it = begin; it != end; ++it)
      if (const tensor& other = m[it->second].value;
          other.type() == t.type() && other.shape() == t.shape() && bytes_of(other) == bytes_of(t))
        return shared[c.index] = it->second;
    known.emplace(sum, c);
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

void add_entry(module& m, const module& from, std::string_view name) {
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

}  // namespace tenon::ir
