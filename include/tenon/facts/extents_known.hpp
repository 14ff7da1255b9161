/// @file extents_known: every tensor of every graph function has extents that are numbers or expressions of the
/// extents of the entry's inputs: code for them can be made once, whatever the inputs' sizes are.
#pragma once

#include <optional>

#include <tenon/fact.hpp>

namespace tenon {
namespace ir {
class module;
struct obstacle;  // ir/obstacle.hpp
}  // namespace ir
namespace fact {

struct extents_known {
  static constexpr fixed_string name = "extents_known";
  /// Throws "passes.dynamic_shape" naming the first input or op that has another type, and its location.
  static void check(const ir::module& m);
  /// The same as a value.
  static std::optional<ir::obstacle> obstacle(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
