/// @file options: members that a text gives values: the options of targets and of passes, as data.
///
///     struct fuse { i64 max_outputs = 4, max_ops = 64;  TENON_ATTRIBUTES(max_outputs, max_ops) … };
///
/// An option is a bool, an i64, a double, a std::string or an enumeration. Errors name who has the option:
/// "target.option" and "pass.option" for one that it does not have, with those that are nearest; "target.value",
/// "pass.value".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/ir/attribute.hpp>

namespace tenon::ir {

/// An option with its value, as text.
struct option_value {
  std::string name, value;
  friend bool operator==(const option_value&, const option_value&) = default;
};

/// What an option takes, and what it is initially.
struct option_info {
  std::string name, kind, initial;
};

/// Who has options: "target" or "pass", and its name.
struct option_owner {
  std::string_view kind, name;
};

std::vector<option_info> list_options(std::span<const attribute> list, const void* of);
/// Options that differ from the initial ones.
std::vector<option_value> read_options(std::span<const attribute> list, const void* of, const void* initial);
void write_options(std::span<const attribute> list, void* to, std::span<const option_value> given,
                   const option_owner& owner);

}  // namespace tenon::ir
