/// @file general_variant.ipp: definitions of targets/general_variant.hpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tenon/core/attempt.hpp>
#include <tenon/core/sizes_outside.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/inline_calls.hpp>
#include <tenon/passes/lift_lambdas.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/general_variant.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {
namespace detail {

inline constexpr const char* general_name = "general";  ///< of variants and their extents, behind the entry's name

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
  ir::asked_conditions asked = ir::conditions_by_origin(general);
  ir::module as_it_is = general;
  as_it_is.conditions = std::move(asked.of_types);
  for (const extent_condition& c : asked.of_importer) static_cast<void>(as_it_is.conditions.add(c));
  for (function_id f : entries) general[f].discardable.set(ir::general_attribute, true);
  ir::infer_anew(general, std::move(asked.of_importer));  // these hold for general entries as well
  for (function_id f : entries) {
    const condition_list now = ir::conditions_of(as_it_is, f, f);
    if (sizes_outside(ir::conditions_of(general, f, f), {&now, 1}).may_be()) made.entries.push_back(general[f].name);
  }
  return made;
}

/// Makes of a plan one that is as good and takes less for granted, if there is one.
inline void make_general(planned_module& p, general_module general, const target_spec& target, context& cx) {
  const target_entry& e = find_entry(target.name);
  const bool whole = p.plan.becomes == compilation_form::whole;
  if (whole && !e.runs_variants) return;
  if (whole) ir::rename_extents(*general.module, general_name);
  planned_module g = plan_module(std::move(general.module), target, cx, first_in_optimization(e));
  if (g.plan.becomes != p.plan.becomes || g.plan.divisible != p.plan.divisible || g.next != p.next) return;
  if (!whole) return static_cast<void>(p = std::move(g));  // regions that refuse sizes are evaluated
  if (g.module->functions().size() != ir::entries_of(*g.module).size()) return;
  auto both = std::make_unique<ir::module>(*p.module);
  for (const std::string& entry : general.entries)
    ir::add_variant(*both, ir::variant_alone(*g.module, g.module->find_function(entry)), entry, general_name);
  p.module = std::move(both);
}

/// Runs what makes general code. An op that breaks its rule where sizes may be others has none; whatever else goes
/// wrong is no reason against the code that there is, but somebody's mistake.
template <class F>
void unless_ruled_out(context& cx, const F& make) {
  const failure why = attempt(make);
  if (!why || why.as<rule_error>()) return;
  if (cx.verify_each) why.rethrow();
  cx.report({severity::warning,
             "program.no_general_variant",
             "there is no code for the sizes that only make this model's code simpler: " + std::string(why->what()),
             {},
             "such sizes are refused when the program runs; please report this"});
}

inline void warn_of_more_answers(const ir::module& m, context& cx) {
  for (function_id f : ir::entries_of(m))
    if (const auto& notes = m[f].discardable; !notes.empty() && notes.get<bool>(ir::more_graphs_attribute) != nullptr)
      cx.report({severity::warning,
                 "program.more_answers",
                 "sizes decide in more ways what '" + m[f].name + "' computes than there is code for",
                 {},
                 "the others are refused when the program runs; give the sizes that they depend on (--shape), or let "
                 "the importer make more graphs (import_options::graphs)"});
}

/// Calls `make` with a module whose entries are general, and a context for it, where a right run need not meet all that
/// they take for granted.
template <class F>
void if_general(general_module general, context& cx, const F& make) {
  if (general.entries.empty()) return;
  context apart(&cx);  // it says nothing of passes and ops that the entries did not
  apart.diagnostics = nullptr, apart.instruments.clear();
  unless_ruled_out(cx, [&] { make(std::move(general), apart); });
}

/// What a module's entries are when they take less for granted; of one that passes left, nothing.
inline general_module general_of(const ir::module& m, size_t from, context& cx) {
  general_module general;
  if (from == 0) unless_ruled_out(cx, [&] { general = with_general_entries(m); });
  return general;
}

}  // namespace detail

planned_module plan_for_all_sizes(std::unique_ptr<ir::module> m, const target_spec& target, context& cx, size_t from) {
  detail::general_module general = detail::general_of(*m, from, cx);
  if (from == 0) detail::warn_of_more_answers(*m, cx);
  planned_module p = plan_module(std::move(m), target, cx, from);
  detail::if_general(std::move(general), cx, [&](detail::general_module g, context& apart) {
    detail::make_general(p, std::move(g), target, apart);
  });
  return p;
}

std::vector<std::unique_ptr<ir::module>> link_for_all_sizes(std::unique_ptr<ir::module> m, const target_spec& composite,
                                                            context& cx, size_t from) {
  if (from == 0) detail::warn_of_more_answers(*m, cx);
  std::vector<std::unique_ptr<ir::module>> programs;
  for (ir::module& one : ir::each_variant_alone(*m)) {
    detail::general_module general = detail::general_of(one, from, cx);
    planned_module p = plan_module(std::make_unique<ir::module>(std::move(one)), composite, cx, from);
    programs.push_back(link_planned(std::move(p), composite, cx));
    detail::if_general(std::move(general), cx, [&](detail::general_module g, context& apart) {
      planned_module planned = plan_module(std::move(g.module), composite, apart);
      if (!planned.plan.why) programs.push_back(link_planned(std::move(planned), composite, apart));
    });
  }
  return programs;
}

}  // namespace tenon
