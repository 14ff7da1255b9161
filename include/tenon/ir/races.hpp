/// @file races: do two iterations of a loop touch one element, of which one writes it?
///
/// Found where it is sure: indices that are sums of loop indices, in code that surely runs, over loops whose bounds are
/// numbers. Where it is not sure nothing is said; the interpreter finds what happens (`interpret_options::find_races`).
#pragma once

#include <optional>
#include <string>

#include <tenon/ir/bounds.hpp>

namespace tenon::ir {

/// Two iterations, what they do, and to which buffer, as text; nothing when no two are known.
std::optional<std::string> race_of(const module& m, op_id loop, bounds& b);

}  // namespace tenon::ir
