/// @file regions_outlined: a function that names a target holds only ops that become native code.
///
/// What the host runs stands in functions without a target, which call the others.
#pragma once

#include <tenon/fact.hpp>

namespace tenon {
namespace ir { class module; }
namespace fact {

struct regions_outlined {
  static constexpr fixed_string name = "regions_outlined";
  /// Throws "fact.regions_outlined" naming the first op that has no kernels, and why.
  static void check(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
