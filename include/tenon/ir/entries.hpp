/// @file entries: the functions of a module that are callable from outside.
///
///     program p = load(build<targets::cpu>(std::move(m)));                       // p["encode"], p["decode"]
/// One of them by itself: compile/alone.hpp.
///
/// A module may have several; native code is made of all of them at once, with constants that are there once. Names of
/// extents are one for all entries: what one of them relies on is asked of each whose inputs have that extent.
#pragma once

#include <string_view>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// The graph functions that are callable from outside, in order, with variants of others (ir/variant.hpp).
std::vector<function_id> entries_of(const module& m);
/// The only one that is no variant. Errors: "program.entry" where there is none, "program.entries" where there are
/// several.
function_id single_entry(const module& m);

/// Adds the entry of another module, in the same phase, as an entry of this name, with what it refers to, and its
/// variants. Where one of them has variants, its extents get names of their own (`rename_extents`): sizes decide which
/// runs. A constant with the same elements as one that is there is shared. Constraints come along, but not those of ops
/// in functions that it calls. Errors: "program.entries" where a function has the name, or where one that comes along
/// is called as one that is there.
void add_entry(module& m, const module& from, std::string_view name);

/// Lets ops whose constants have the same type, shape and elements refer to one of them. The others are gone when the
/// module is compacted. Cost: O(bytes of all constants).
void share_equal_constants(module& m);

}  // namespace tenon::ir
