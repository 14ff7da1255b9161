/// @file called_extents: a function speaks of extents by names of its own: what its types are where it is called.
///
/// Of `f(%x: tensor<nx8xf32>) -> tensor<nx4xf32>`, called with a tensor<Nx8xf32>, the result is a tensor<Nx4xf32>. What
/// names stand for follows from arguments that have them as an extent; names that no argument has are the module's.
#pragma once

#include <span>

#include <tenon/core/extent_names.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

class called_extents {
 public:
  /// Of the function or closure with this body, called with `given`. Cost: O(dimensions).
  called_extents(const module& m, region_id body, std::span<const value_id> given);
  /// What a type of the function is for this call. Cost: O(dimensions).
  type_id at_call(module& m, type_id t) const;
  /// Is there a name of the function's that stands for something else?
  bool renames() const { return !names_.empty(); }

 private:
  extent_names names_;  ///< without those that stand for themselves
};

}  // namespace tenon::ir
