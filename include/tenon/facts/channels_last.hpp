/// @file channels_last: every convolution reads its image with the channels last.
///
/// What packs weights relies on it: rows of such a convolution are products of whole panels. Convolutions whose
/// operands' ranks nobody knows are left out.
#pragma once

#include <tenon/fact.hpp>

namespace tenon {
namespace ir { class module; }
namespace fact {

struct channels_last {
  static constexpr fixed_string name = "channels_last";
  /// Throws "fact.channels_last" naming the location of the first convolution that has its channels first.
  static void check(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
