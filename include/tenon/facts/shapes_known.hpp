/// @file shapes_known: every type of a graph is as precise as the type rules of its ops allow.
///
/// It does not say that shapes are static: that depends on the inputs (see static_shapes).
#pragma once

#include <tenon/fact.hpp>

namespace tenon {
namespace ir { class module; }
namespace fact {

struct shapes_known {
  static constexpr fixed_string name = "shapes_known";
  /// Runs the rules again on a copy. Throws "fact.shapes_known" naming the first op that changes.
  static void check(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
