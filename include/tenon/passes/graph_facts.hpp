/// @file graph_facts: what this library knows graphs by.
///
/// Passes that replace values by others keep these facts, and no others: what else somebody may say of values ("each is
/// used once", "no constant is wider than 16 bits") they have never heard of. Whoever declares such a fact runs its
/// giver behind them, or answers for a pass: `struct my_simplify : passes::simplify { using keeps = all_facts; };`.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/facts/channels_last.hpp>
#include <tenon/facts/extents_folded.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/purity_said.hpp>
#include <tenon/facts/regions_outlined.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/facts/static_shapes.hpp>

namespace tenon::passes {
using facts_of_extents = facts<fact::shapes_known, fact::static_shapes, fact::extents_known, fact::extents_folded>;
using graph_facts =
    meta::concat_t<facts_of_extents, facts<fact::channels_last, fact::regions_outlined, fact::purity_said>>;
/// Of passes that make functions, too: these say nothing of their effects.
using graph_facts_of_new_functions = meta::without_t<graph_facts, facts<fact::purity_said>>;
}  // namespace tenon::passes
