/// @file check_constraints: holds what is compiled for one target to the module's constraints (ir/constraint.hpp).
#pragma once

#include <tenon/ir/constraint.hpp>

namespace tenon::ir {

/// Does a constraint leave what has it to `target`? It says nothing, or names that target, with whatever options.
bool is_constraint_for(std::string_view constraint, std::string_view target);
/// Holds a module to its constraints, where all of it runs on one target: the one that it was built for, else `target`.
/// Error: "target.elsewhere", with the function or the op.
void check_constraints(const module& m, std::string_view target);

}  // namespace tenon::ir
