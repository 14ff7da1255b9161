/// @file target_spec: a target as a value: its name, its options, and the members of a composite one. What it is as
/// text is said in targets/spec.hpp.
#pragma once

#include <string>
#include <vector>

#include <tenon/core/named_option.hpp>

namespace tenon {

using target_option = named_option;

struct target_spec {
  std::string label;                    ///< a member's own name; empty: that of its target
  std::string name;                     ///< of the target
  std::vector<target_option> options;   ///< those that are not left to their defaults
  std::vector<target_spec> members;     ///< of a composite: the host first
  static constexpr int max_depth = 16;  ///< of composites in composites
  friend bool operator==(const target_spec&, const target_spec&) = default;
};

}  // namespace tenon
