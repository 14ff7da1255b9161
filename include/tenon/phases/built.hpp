/// @file built: artifacts and the entry table.
///
/// Entered by a target's code generation. What the artifacts were made from stays, as their source and for the entry
/// table, so the ops are those of `build`. Invariant: every symbol is defined exactly once (`add_artifact` holds it).
/// In a program for several devices the entry says which part runs where, and what is copied between them.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>

namespace tenon::phases {

struct built {
  static constexpr fixed_string name = "built";
  using op_list = meta::concat_t<build_ops, link_ops>;
  using op_effects = effects<effect::reads, effect::writes, effect::allocates, effect::random, effect::sync>;
};

}  // namespace tenon::phases
