/// @file variant.ipp: definitions of ir/variant.hpp.
#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include <tenon/core/extent_names.hpp>
#include <tenon/core/fitting_extents.hpp>
#include <tenon/ir/add_entry.ipp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/references.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/movement.hpp>

namespace tenon::ir {
namespace detail {

/// An entry, then its variants.
inline std::vector<function_id> with_variants(const module& m, function_id entry) {
  std::vector<function_id> all{entry};
  for (function_id f : entries_of(m))
    if (const std::string* of = variant_of(m[f]); of != nullptr && *of == m[entry].name) all.push_back(f);
  return all;
}

}  // namespace detail

condition_list conditions_of(const module& m, function_id f, function_id entry) {
  extent_names names;
  const auto &own = m[m[f].body].arguments, &other = m[m[entry].body].arguments;
  for (size_t i = 0; i < own.size() && i < other.size(); ++i) {
    const type &a = m.type_of(own[i]), &b = m.type_of(other[i]);
    for (size_t d = 0; d < a.shape.size() && d < b.shape.size(); ++d)
      if (a.shape[d].is_symbol() && !b.shape[d].is_unknown())
        names.try_emplace(m.name(a.shape[d].symbol()), expression_of(m, b.shape[d]));
  }
  condition_list r;
  for (const extent_condition& c : m.conditions) {
    const std::vector<std::string> of = c.value.names();
    if (!std::all_of(of.begin(), of.end(), [&](const std::string& n) { return names.contains(n); })) continue;
    static_cast<void>(r.add({*with_names(c.value, names), c.kind}));
  }
  return r;
}

void infer_anew(module& m, condition_list asked) {
  m.conditions = std::move(asked);
  for (function_id f : entries_of(m)) forget_extents(m, f);
  refine_types(m);
}

asked_conditions conditions_by_origin(const module& m) {
  module anew = m;
  infer_anew(anew, {});
  asked_conditions r{std::move(anew.conditions), {}};
  for (const extent_condition& c : m.conditions)
    if (std::find(r.of_types.begin(), r.of_types.end(), c) == r.of_types.end()) static_cast<void>(r.of_importer.add(c));
  return r;
}

void name_unknown_extents(module& m, function_id f) {
  const std::set<std::string> taken = names_spoken_of(m);
  size_t count = 0;
  const auto next = [&] {
    std::string name;
    do name = "own." + std::to_string(count++);
    while (taken.contains(extent_expr::name(name).text()));
    return dim::symbol(m.symbol(extent_expr::name(name).text()));
  };
  for (value_id a : std::vector<value_id>(m[m[f].body].arguments)) {
    type t = m.type_of(a);
    if (!t.is_tensor() || !t.ranked || is_known(t)) continue;
    for (dim& d : t.shape)
      if (d.is_unknown()) d = next();
    m.set_type(a, m.intern(t));
  }
  if (count == 0) return;
  m[f].discardable.set(general_attribute, true);
  refine_types(m);
}

void rename_extents(module& m, std::string_view suffix) {
  std::set<std::string> old;
  for (size_t i = 0; i < m.symbol_count(); ++i)
    if (const std::optional<extent_expr> e = extent_expr::parse(m.name(symbol_id(i))))
      for (std::string& n : e->names()) old.insert(std::move(n));
  extent_names names;
  for (const std::string& n : old) {
    std::string own = n + "." + std::string(suffix);
    while (old.contains(extent_expr::name(own).text())) own += "_";
    names.emplace(n, extent_expr::name(own));
  }
  const auto rename = [&](const extent_expr& e) { return *with_names(e, names); };
  const auto renamed = [&](const std::string& text) {
    const std::optional<extent_expr> e = extent_expr::parse(text);
    return e ? rename(*e).text() : text;
  };
  std::vector<std::string> symbols;
  for (size_t i = 0; i < m.symbol_count(); ++i) symbols.push_back(renamed(m.name(symbol_id(i))));
  m.rename_symbols(std::move(symbols));
  for (const extent_condition& c : std::exchange(m.conditions, {}))
    static_cast<void>(m.conditions.add({rename(c.value), c.kind}));  // as true of these names as of the others
  for (function_id f : m.functions())
    for_each_op(m, m[f].body, [&](op_id op) {
      const auto* list = m.view(op).get_if<op::extents_of>();
      if (list == nullptr) return;
      op::extents_of made = *list;
      for (std::string& s : made.values) s = renamed(s);
      m.set_attributes(op, m.intern_attributes(info_of<op::extents_of>, &made));
    });
}

void add_variant(module& m, const module& from, std::string_view entry, std::string_view suffix) {
  const std::string* const of = variant_of(m[m.find_function(entry)]);
  const std::string name = std::string(entry) + "." + std::string(suffix),
                    root = of != nullptr ? *of : std::string(entry);
  detail::add_one_entry(m, from, name);
  m[m.find_function(name)].discardable.set(variant_attribute, root);
}

module variant_alone(const module& m, function_id f) {
  module alone = m.extract(f);
  alone[alone.find_function(m[f].name)].discardable.erase(variant_attribute);
  alone.conditions = conditions_of(m, f, f);
  return alone;
}

std::vector<module> each_variant_alone(const module& m) {
  std::vector<module> all{m};
  drop_variants(all[0]);
  for (function_id f : entries_of(m))
    if (variant_of(m[f]) != nullptr) all.push_back(variant_alone(m, f));
  return all;
}

void drop_variants(module& m) {
  bool any = false;
  for (function_id f : entries_of(m))
    if (variant_of(m[f]) != nullptr) {
      const condition_list own = conditions_of(m, f, f);
      for (const extent_condition& c : std::exchange(m.conditions, {}))
        if (std::find(own.begin(), own.end(), c) == own.end()) static_cast<void>(m.conditions.add(c));
      m.erase_function(f), any = true;
    }
  if (any) erase_unreachable_functions(m);
}

std::vector<type> any_outputs(const module& m, function_id entry) {
  std::vector<type> all = entry_outputs(m, entry);
  for (function_id f : detail::with_variants(m, entry)) {
    const std::vector<type> other = entry_outputs(m, f);
    for (size_t i = 0; i < all.size() && i < other.size(); ++i)
      if (all[i].is_tensor() && other[i].is_tensor() &&
          (!other[i].ranked || all[i].shape.size() != other[i].shape.size()))
        all[i] = type::unranked_tensor(all[i].elem);
  }
  return all;
}

function_id serving(const module& m, function_id entry, std::span<const tenon::tensor> inputs) {
  for (function_id f : detail::with_variants(m, entry))
    if (!unmet_condition(m, f, inputs)) return f;
  return entry;
}

std::optional<error> refusal_of(const module& m, function_id entry, std::span<const tenon::tensor> inputs) {
  std::vector<condition_list> each;
  std::optional<error> why;
  for (function_id f : detail::with_variants(m, entry)) {
    std::optional<error> one = unmet_condition(m, f, inputs);
    if (!one) return std::nullopt;
    each.push_back(conditions_of(m, f, entry));
    if (!why) why = std::move(one);
  }
  if (each.size() == 1) return why;
  return error(why->code(), unmet_sentence(each, extent_places(m, entry, inputs)), {}, why->hint());
}

}  // namespace tenon::ir
