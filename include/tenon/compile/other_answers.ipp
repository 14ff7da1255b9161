/// @file other_answers.ipp: definitions of compile/other_answers.hpp.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tenon/compile/other_answers.hpp>
#include <tenon/core/attempt.hpp>
#include <tenon/core/sizes_outside.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/variant.hpp>

namespace tenon {
namespace detail {

/// Do the sizes for which a module was asked fit the answers that it is for? What is wrong with a graph may have
/// changed them.
inline bool fit(const condition_list& assumed, const std::map<std::string, i64>& sizes) {
  return std::all_of(assumed.begin(), assumed.end(),
                     [&](const extent_condition& c) { return c.holds_with(sizes).value_or(true); });
}

inline std::optional<sourced_module> made_for(const module_maker& again, const std::map<std::string, i64>& sizes) {
  known_inputs known;
  known.likely = sizes, known.asks_in_branches = true;
  std::optional<sourced_module> made;
  if (attempt([&] { made = again.make(known); })) return std::nullopt;  // these sizes are none that the model has
  return made->module && fit(made->assumed, sizes) ? std::move(made) : std::nullopt;
}

}  // namespace detail

ir_module<phases::ingestion> with_other_answers(sourced_module first, const module_maker& again, int most) {
  if (!first.module) throw *first.why;
  if (first.assumed.empty() || most <= 1) return std::move(*first.module);
  ir::module all = std::move(std::move(*first.module).edit().body());
  const function_id entry = ir::single_entry(all);
  const std::string name = all[entry].name;
  std::vector<condition_list> answered{first.assumed}, served{all.conditions};
  constexpr int most_failures = 4;
  for (int graphs = 1, failures = 0;;) {
    const sizes_found next = sizes_outside({}, answered);
    if (!next.sizes && next.complete) break;
    if (graphs == most || failures == most_failures || !next.sizes) {
      all[entry].discardable.set(ir::more_graphs_attribute, true);
      break;
    }
    std::optional<sourced_module> m = detail::made_for(again, *next.sizes);
    condition_list cell;
    if (m) cell = m->assumed;
    else
      for (const auto& [n, size] : *next.sizes)  // nothing for these; there may be for others
        static_cast<void>(cell.add({*extent_expr::parse(n) - size, extent_condition::is_zero}));
    answered.push_back(std::move(cell));
    failures += m ? 0 : 1;
    if (!m) continue;
    ir::module other = std::move(std::move(*m->module).edit().body());
    if (!sizes_outside(other.conditions, served).may_be()) continue;  // its rules leave none of them
    served.push_back(other.conditions);
    const std::string suffix = std::to_string(++graphs);
    ir::rename_extents(other, suffix);
    ir::add_variant(all, other, name, suffix);
  }
  return ir_module<phases::ingestion>::adopt(std::move(all));
}

}  // namespace tenon
