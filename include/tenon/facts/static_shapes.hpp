/// @file static_shapes: every tensor and buffer of every graph function and kernel has a static shape: tensors as far
/// as graphs go, from there on the buffers that they became.
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
  /// Throws "passes.dynamic_shape" naming the first input or op that has another type, and its location; of a kernel,
  /// a buffer, or an op that asks for a size.
  static void check(const ir::module& m);
  /// The same as a value.
  static std::optional<ir::obstacle> obstacle(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
