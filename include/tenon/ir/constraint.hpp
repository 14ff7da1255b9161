/// @file constraint: which target a function or an op is to run on, as data of the module.
///
/// Constraints form a lattice: unconstrained <= T <= T with options <= conflict. A constraint is a target's text
/// (`cpu:threads=2`) or the name of a member of a composite, with options or without; the empty one says nothing. An op
/// has one of its own, beside its location; what is around it (ops whose region it is in, its function) is joined to
/// that. Passes that keep locations keep constraints.
///
/// Options are what the function or op is compiled with. A composite compiles each part with its own
/// (targets/composite.hpp); one target takes those that it lists as `function_options`, and refuses others
/// (targets/function_options.hpp).
#pragma once

#include <string>
#include <string_view>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// A constraint, and who said it, for the message.
struct constraint {
  std::string_view target;
  std::string origin;
};

/// The least constraint that is both. Error: "target.conflict", which names both origins.
std::string join(const constraint& a, const constraint& b);

/// An op or a function as the origin of a constraint: "op 'conv' (node_3)".
std::string origin_of(const module& m, op_id op);
std::string origin_of(const module& m, function_id f);

/// What an op is constrained to, by itself or by what is around it. Error: "target.conflict".
std::string constraint_of(const module& m, op_id op);

/// Joins a constraint to that of a function, of one op, or of the calls of a function in all graph functions.
/// Errors: "target.conflict"; "target.no_function" with the name that is nearest.
void constrain(module& m, std::string_view function, std::string_view target);
void constrain(module& m, op_id op, std::string_view target);
void constrain_calls(module& m, std::string_view callee, std::string_view target);

/// What a user calls an op: what its location names in quotes, as that of an ONNX node does ("node 'conv_3' (Conv)"),
/// else its location, else its kind.
std::string_view called(const module& m, op_id op);
/// Constrains the graph function that is named so, and the ops of graph functions that are called so, of which `*` in
/// the name stands for any characters, and `?` for one. Constants and terminators run nowhere. Returns how many it
/// found. Errors: "target.no_node" with the names that are nearest; "target.conflict".
size_t constrain_named(module& m, std::string_view name, std::string_view target);

/// Says no more where anything runs.
void remove_constraints(module& m);

}  // namespace tenon::ir
