/// @file built: artifacts and the entry table.
///
/// Entered by a target's code generation. Invariant: every symbol is defined exactly once.
#pragma once

#include <tenon/ops/fwd.hpp>
#include <tenon/phase.hpp>

namespace tenon::phases {

struct built {
  static constexpr fixed_string name = "built";
  using op_list = ops<>;
};

}  // namespace tenon::phases
