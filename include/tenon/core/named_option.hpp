/// @file named_option: an option of a target or a pass that is said: its name and its value as text (ir/options.hpp).
#pragma once

#include <string>

namespace tenon {

struct named_option {
  std::string name, value;
  friend bool operator==(const named_option&, const named_option&) = default;
};

}  // namespace tenon
