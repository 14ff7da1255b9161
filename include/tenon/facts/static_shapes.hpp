/// @file static_shapes: every tensor of every graph function has a static shape.
#pragma once

#include <optional>

#include <tenon/fact.hpp>

namespace tenon {
namespace ir {
class module;
struct obstacle;  // ir/obstacle.hpp
}  // namespace ir
namespace fact {

struct static_shapes {
  static constexpr fixed_string name = "static_shapes";
  /// Throws "passes.dynamic_shape" naming the first input or op that has another type, and its location.
  static void check(const ir::module& m);
  /// The same as a value.
  static std::optional<ir::obstacle> obstacle(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
