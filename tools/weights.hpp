/// @file weights: what is said of weights that are narrower than the model has them.
#pragma once

#include <tenon/passes/narrow_weights.hpp>

#include "words.hpp"

namespace tenon::tool {

/// All that became of them; without `all`, only what rounding did.
inline void print_weights(const words& talk, const context& cx, bool all) {
  const auto* r = cx.find<passes::narrowing_report>();
  if (r != nullptr && (all || r->rounded + r->too_large > 0)) talk.say("{}\n", r->text());
}

}  // namespace tenon::tool
