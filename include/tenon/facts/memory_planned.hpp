/// @file memory_planned: every buffer has a place in the arena, and no two that live at once overlap.
#pragma once

#include <tenon/fact.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::fact {

struct memory_planned {
  static constexpr fixed_string name = "memory_planned";
  static void check(const ir::module& m);
};

}  // namespace tenon::fact
