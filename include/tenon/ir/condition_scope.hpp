/// @file condition_scope: what an op of a branch or of a loop's body takes for granted is not asked of the whole module.
///
/// The region may not run, or run for other sizes than those at hand. Its code, once it is a function of its own
/// (passes/outline_regions.hpp), is made with the conditions that its ops need.
#pragma once

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Conditions (ir/dims.hpp) that arise while it lives, for an op of region `r`, are not noted if `r` belongs to an op other
/// than a fused group.
class condition_scope : condition_list::suspension {
 public:
  condition_scope(module& m, region_id r) : condition_scope(m, m[r].parent && m.view(m[r].parent).name() != "fused") {}
  condition_scope(module& m, bool inside) : suspension(m.conditions, inside) {}
};

}  // namespace tenon::ir
