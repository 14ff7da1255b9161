/// @file bounds_checks: whose accesses generated code checks before it makes them.
///
/// A module that was read from text or a file may hold kernels that no pass of this process made. What is surely wrong
/// in them the verifier refuses; of the rest, code checks each access that is not proven to stay inside
/// (ir/bounds.hpp), if its target's option `check_bounds` does not say otherwise. Kernels that were lowered in this
/// process are trusted.
#pragma once

#include <span>
#include <string_view>

#include <tenon/ir/module.hpp>

namespace tenon {

/// Of the accesses that are not proven to stay inside of their buffers, code checks none, all, or all of a module whose
/// kernels were read.
enum class bounds_checks : u8 { untrusted, on, off };
inline std::span<const std::string_view> enumerator_names(bounds_checks) {
  static constexpr std::string_view names[] = {"untrusted", "on", "off"};
  return names;
}

namespace ir {

/// Called by who reads modules.
void mark_untrusted(module& m);
inline bool needs_checks(const module& m, bounds_checks how) {
  return how == bounds_checks::on || (how == bounds_checks::untrusted && m.build.kernels_are_untrusted);
}

/// Before code is made of a module in phase `build`: places of buffers are inside of the arena; and in an untrusted
/// module, kernels see buffers as large as they are given, which becomes a condition where sizes are symbols. Error:
/// "ir.verify".
void require_places(module& m);

}  // namespace ir
}  // namespace tenon
