/// @file condition_scope: whose conditions on extents a module asks before it runs: those of its entries' own ops.
///
/// A branch or a loop's body may not run, or run for other sizes than those at hand; a function that is called speaks
/// of extents by names of its own, and its ops are asked again when they are inlined. What is outlined
/// (passes/outline_regions.hpp) becomes an entry of another module, with the conditions that its ops need.
/// What follows around it sees none of the extents that rest on conditions that nobody asks: they are unknown there
/// (infer_context::may_assume_not_negative, broadcast_symbolic). A general entry (ir/variant.hpp) asks for what a right
/// run meets, and for nothing that would only make its code simpler.
#pragma once

#include <tenon/ir/module.hpp>
#include <tenon/ir/variant.hpp>

namespace tenon::ir {

/// While it lives, conditions (ir/dims.hpp) that an op of region `r` asks for are noted if that is the body of an
/// entry, or of a fused group in one.
class condition_scope : condition_list::limit {
 public:
  condition_scope(module& m, region_id r) : limit(m.conditions, asked(m, r)) {}

 private:
  static condition_list::noting asked(const module& m, region_id r) {
    for (; m[r].parent; r = m[m[r].parent].parent)
      if (m.view(m[r].parent).name() != "fused") return condition_list::noting::nothing;
    const function& f = m[m.function_of(r)];
    if (!f.entry) return condition_list::noting::nothing;
    return is_general(f) ? condition_list::noting::needed : condition_list::noting::all;
  }
};

}  // namespace tenon::ir
