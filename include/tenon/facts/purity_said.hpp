/// @file purity_said: every graph function says whether it is pure, impure or forced pure (ir/purity.hpp).
///
/// What it says can be read without a look at the body: `m[f].purity`.
#pragma once

#include <tenon/fact.hpp>

namespace tenon {
namespace ir { class module; }
namespace fact {

struct purity_said {
  static constexpr fixed_string name = "purity_said";
  /// Throws "fact.purity_said" naming the first function that says nothing.
  static void check(const ir::module& m);
};

}  // namespace fact
}  // namespace tenon
