/// @file note_purity: functions say what their effects are: whoever said nothing says what follows from its body.
///
/// Before: func @f(%x) { return neg(%x) }        After: func @f(%x) pure { return neg(%x) }
/// What a function says already stays. Ops and values are as they were. Cost: O(ops), times the depth of calls where
/// callees come first. Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/purity_said.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon {
namespace passes {

struct note_purity {
  static constexpr fixed_string name = "note_purity";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using gives = facts<fact::purity_said>;
  using keeps = all_facts;
  using emits = ops<>;
  static constexpr bool changes_functions = true;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace passes

template <>
struct givers_of<fact::purity_said> {
  using type = pass_list<passes::note_purity>;
};

}  // namespace tenon
