/// @file options: a struct's attributes as options: text to values and back, for targets and passes.
///
/// An option is a bool, an integer, a number, text or an enumeration; attributes of other kinds are none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/named_option.hpp>
#include <tenon/ir/attribute.hpp>

namespace tenon::ir {

/// An option as data: what it takes, and what it is initially.
struct option_info {
  std::string name, kind, initial;
};

std::vector<option_info> list_options(std::span<const attribute> list, const void* of);
/// Those that differ from the initial ones.
std::vector<named_option> read_options(std::span<const attribute> list, const void* of, const void* initial);
/// Gives options their values. `kind` and `name`: of what has them ("target", "cpu"). Errors: "target.option" for one
/// that it does not have, with those that are nearest; "target.value" for a value that the option cannot have.
void write_options(std::span<const attribute> list, void* of, std::span<const named_option> said, std::string_view kind,
                   std::string_view name);
/// A value as it is written: in double quotes where it would end too early.
std::string option_text(const std::string& value);
/// What `option_text` put in quotes: the value of the one that opens at `at`, which is behind it then. Nothing where it
/// does not end.
std::optional<std::string> quoted_option(std::string_view text, size_t& at);

}  // namespace tenon::ir
