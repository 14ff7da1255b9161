/// @file outline: slices a chosen set of ops out of a graph into a function of its own.
///
/// Before: main(%x) { %a = exp(%x); %b = neg(%a); %c = sqrt(%b); return %c }        outline(m, {exp, neg}, "encoder")
/// After:  main(%x) { %b = call(%x) {callee = @encoder}; %c = sqrt(%b); return %c }
///         encoder(%x) { %a = exp(%x); %b = neg(%a); return %b }
/// A pass chooses ops, slices them out, constrains the function to a device, and the rest of the pipeline goes on:
///
///     passes::outline(m.body(), chosen, "encoder");
///     ir::constrain(m.body(), "encoder", "npu");
///
/// What the ops take from outside are the function's arguments, also what their regions take; results that others use
/// are its results, each in the order of the program. Constants go along. Ops with effects keep their order.
#pragma once

#include <span>
#include <string>

#include <tenon/ir/module.hpp>

namespace tenon::passes {

/// Returns the call. Ops that need a result of the set move behind it. Errors: "outline.ops" for no ops, ops of several
/// blocks, or a terminator; "outline.convex" where another op stands between two of them, with that op;
/// "outline.name" where a function has the name. Cost: O(ops of the block).
op_id outline(ir::module& m, std::span<const op_id> ops, const std::string& name);

/// What slicing is made of, for passes that choose the ops and find their order themselves: copies `ops`, in the order
/// given, into a graph function that returns `outputs`, lets the users of these use a call of it, and returns the call,
/// which is in no block yet. The originals stay, and what they take from outside becomes the arguments.
op_id copy_into_function(ir::module& m, const std::string& name, std::span<const op_id> ops,
                         std::span<const value_id> outputs, location_id where);

}  // namespace tenon::passes
