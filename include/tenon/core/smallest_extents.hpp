/// @file smallest_extents: the smallest extents of inputs that meet the conditions of code: what to run a model on of
/// which nothing else is known.
///
///     n-33>=0, m-n==0, floor((k+3)/4)-2>=0     ->     n = 33, m = 33, k = 5
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/extent_condition.hpp>

namespace tenon {

/// Extents of 1 or more for the names, in their order, with which all conditions hold: none of them could be less while
/// the others stay. A condition with another name is left aside. They are found by raising one extent after the other,
/// each time the one of a condition that has the least way to go. Nothing where that leads nowhere, which says that
/// there are no such extents only where each condition has one name. Cost: that of `fitting_extents`, a few times for
/// each condition.
std::optional<std::vector<i64>> smallest_extents(std::span<const extent_condition> conditions,
                                                 std::span<const std::string> names);

/// An input whose shape is to be chosen.
struct open_shape {
  std::vector<std::optional<extent_expr>> extents;  ///< of names and numbers; nothing: no condition speaks of it
  std::optional<std::vector<i64>> given;            ///< the shape, where it is no longer to be chosen
};
/// Shapes for all inputs: the given ones, and the smallest that meet the conditions. An extent of which nothing is
/// known becomes 1. Nothing where none were found.
std::optional<std::vector<std::vector<i64>>> smallest_shapes(std::span<const open_shape> inputs,
                                                             std::span<const extent_condition> conditions);

}  // namespace tenon
