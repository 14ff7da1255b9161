/// @file general_variant.ipp: definitions of targets/general_variant.hpp.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/extent_names.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/general_variant.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {
namespace detail {

inline bool has(const condition_list& l, const extent_condition& c) {
  return std::find(l.begin(), l.end(), c) != l.end();
}

/// Are there sizes that meet one list of conditions, and not all of the other? Tried with the numbers about those where
/// conditions change: the ones that they name. Too many names to try them: there may be.
inline bool serves_more(const condition_list& general, const condition_list& other) {
  std::set<std::string> all;
  std::set<i64> pool{0, 1, 2, 3};
  for (const condition_list* list : {&general, &other})
    for (const extent_condition& c : *list) {
      for (std::string& n : c.value.names()) all.insert(std::move(n));
      const std::string text = c.text();
      for (size_t at = 0; at < text.size();) {
        i64 n = 0;
        size_t end = at;
        for (; end < text.size() && text[end] >= '0' && text[end] <= '9' && n < (i64{1} << 40); ++end)
          n = n * 10 + (text[end] - '0');
        if (end != at) pool.insert({std::max<i64>(n - 1, 0), n, n + 1});
        at = end + 1;
      }
    }
  const std::vector<std::string> names(all.begin(), all.end());
  const std::vector<i64> sizes(pool.begin(), pool.end());
  const auto meets = [&](const condition_list& list, const std::vector<size_t>& at) {
    try {
      return std::all_of(list.begin(), list.end(), [&](const extent_condition& c) {
        return c.holds(c.value.evaluate([&](const std::string& n) {
          return sizes[at[static_cast<size_t>(std::find(names.begin(), names.end(), n) - names.begin())]];
        }));
      });
    } catch (const error&) { return false; }  // too large
  };
  std::vector<size_t> at(names.size());
  for (int tries = 0; tries < 20000; ++tries) {
    if (meets(general, at) && !meets(other, at)) return true;
    size_t i = 0;
    while (i < at.size() && ++at[i] == sizes.size()) at[i++] = 0;
    if (i == at.size()) return false;
  }
  return true;
}

/// A module whose entries are general, in phase `optimization`.
struct general_module {
  std::unique_ptr<ir::module> module;
  std::vector<std::string> entries;  ///< those that took something for granted that a right run need not meet
};
inline general_module with_general_entries(const ir::module& m) {
  if (m.conditions.empty()) return {};
  context cx;
  auto lifted = run<passes::lift_lambdas>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  general_module made{
      std::make_unique<ir::module>(std::move(run<passes::inline_calls>(std::move(lifted), cx).edit().body())), {}};
  ir::module& general = *made.module;
  const std::vector<function_id> entries = ir::entries_of(general);
  const auto infer = [&](ir::module& r, condition_list asked) {
    r.conditions = std::move(asked);
    for (function_id f : entries) ir::forget_extents(r, f);
    ir::refine_types(r);
  };
  ir::module as_it_is = general;
  infer(as_it_is, {});
  // What importers asked for, such as the answer of an If that they took, holds for general entries as well.
  condition_list of_importer;
  for (const extent_condition& c : general.conditions)
    if (!has(as_it_is.conditions, c)) static_cast<void>(of_importer.add(c));
  for (function_id f : entries) general[f].discardable.set(ir::general_attribute, true);
  infer(general, of_importer);
  for (const extent_condition& c : of_importer) static_cast<void>(as_it_is.conditions.add(c));
  if (!serves_more(general.conditions, as_it_is.conditions)) return {};
  for (function_id f : entries) {
    const std::set<std::string> named = ir::names_of_extents(general, f);
    const auto is_of_it = [&](const extent_condition& c) {
      const std::vector<std::string> names = c.value.names();
      return std::all_of(names.begin(), names.end(), [&](const std::string& n) { return named.contains(n); });
    };
    if (std::any_of(as_it_is.conditions.begin(), as_it_is.conditions.end(),
                    [&](const extent_condition& c) { return is_of_it(c) && !has(general.conditions, c); }))
      made.entries.push_back(general[f].name);
  }
  return made;
}

/// Gives entries names of their own for extents, beside others: conditions are asked of whose names they are in. False
/// where ops have regions: what stands there may name extents, too.
inline bool rename_extents(ir::module& m) {
  const std::vector<function_id> entries = ir::entries_of(m);
  std::set<std::string> old;
  for (function_id f : entries) {
    for (op_id op : m[m[f].body].ops)
      if (m.view(op).region_count() != 0) return false;
    old.merge(ir::names_of_extents(m, f));
  }
  extent_names names;
  for (const std::string& n : old) {
    std::string own = n + ".general";
    while (old.contains(extent_expr::name(own).text())) own += "_";
    names.emplace(n, extent_expr::name(own));
  }
  for (const extent_condition& c : std::exchange(m.conditions, {}))
    if (!m.conditions.add({*with_names(c.value, names), c.kind})) return false;
  for (function_id f : entries) {
    for (value_id a : std::vector<value_id>(m[m[f].body].arguments)) {
      ir::type t = m.type_of(a);
      for (ir::dim& d : t.shape)
        if (d.is_symbol()) d = ir::dim_of(m, *with_names(ir::expression_of(m, d), names));
      m.set_type(a, m.intern(t));
    }
    ir::forget_extents(m, f);
  }
  ir::refine_types(m);
  return true;
}

/// Makes of a plan one that is as good and takes less for granted, if there is one.
inline void make_general(planned_module& p, general_module general, const target_spec& target, context& cx) {
  const target_entry& e = find_entry(target.name);
  const bool whole = p.plan.becomes == compilation_form::whole;
  if (whole && !(e.runs_variants && rename_extents(*general.module))) return;
  planned_module g = plan_module(std::move(general.module), target, cx, first_in_optimization(e));
  if (g.plan.becomes != p.plan.becomes || g.plan.divisible != p.plan.divisible || g.next != p.next) return;
  if (!whole) return static_cast<void>(p = std::move(g));  // regions that refuse sizes are evaluated
  if (g.module->functions().size() != ir::entries_of(*g.module).size()) return;
  auto both = std::make_unique<ir::module>(*p.module);
  for (const std::string& entry : general.entries) {
    ir::module alone = g.module->extract(g.module->find_function(entry));
    alone.conditions = g.module->conditions;
    ir::add_entry(*both, alone, entry + ".general");
    (*both)[both->find_function(entry + ".general")].discardable.set(ir::variant_attribute, entry);
  }
  p.module = std::move(both);
}

}  // namespace detail

planned_module plan_for_all_sizes(std::unique_ptr<ir::module> m, const target_spec& target, context& cx, size_t from) {
  if (from != 0 || !target.members.empty()) return plan_module(std::move(m), target, cx, from);
  detail::general_module general;
  try {
    general = detail::with_general_entries(*m);
  } catch (const error&) {}  // an op breaks its rule where sizes may be others: there is none
  planned_module p = plan_module(std::move(m), target, cx);
  if (general.entries.empty()) return p;
  context apart(&cx);  // it says nothing of passes and ops that the entries did not
  apart.diagnostics = nullptr, apart.instruments.clear();
  try {
    detail::make_general(p, std::move(general), target, apart);
  } catch (const error&) {}
  return p;
}

}  // namespace tenon
