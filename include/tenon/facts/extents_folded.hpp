/// @file extents_folded: lists of integers that follow from the inputs' extents are constants or `extents_of`.
///
/// What reads such a list later (the shape of a reshape, the bounds of a slice) need not look through the ops that
/// computed it, which may be code by then.
#pragma once

#include <tenon/fact.hpp>

namespace tenon {
namespace ir { class module; }
namespace fact {

struct extents_folded {
  static constexpr fixed_string name = "extents_folded";
  /// Throws "fact.extents_folded" naming the first op that computes such a list, and its location.
  static void check(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
