/// @file bind_symbols: gives a module's symbols numbers: the same module for one set of sizes.
///
/// Before: %a: f32[batch,8], %n = loop.extent {expression = "8*batch"}     After: %a: f32[3,8], %n = loop.literal 24
/// The interpreter runs modules of symbolic shapes so, and a compiler specializes on given sizes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include <tenon/core/fitting_extents.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

using symbol_values = std::map<std::string, i64, std::less<>>;

/// What the symbols are that stand as extents of a function's first arguments. Throws "ir.symbols" where two of them
/// disagree, or an extent that is a number is another one.
symbol_values symbols_of(const module& m, function_id f, std::span<const tenon::tensor> inputs);
/// The same with where each symbol stands first, so that conditions can be spoken of in words of the inputs.
std::vector<extent_place> extent_places(const module& m, function_id f, std::span<const tenon::tensor> inputs);
/// The names that stand as extents of a function's arguments, whatever it is given.
std::set<std::string> names_of_extents(const module& m, function_id f);
/// The names in what types, lists of extents and loops of a module say of extents.
std::set<std::string> names_spoken_of(const module& m);
/// What is wrong with inputs of these sizes, in words of them: the module's conditions that they do not meet.
std::optional<error> unmet_condition(const module& m, function_id f, std::span<const tenon::tensor> inputs);
/// What an extent is with these numbers; nothing where it has a name without one, or is not known.
std::optional<i64> extent_with(const module& m, dim d, const symbol_values& values);
/// Says it everywhere in one function: in types, lists of extents and sizes of loops. Expressions with a name that has
/// no value stay as they are.
void bind_symbols(module& m, function_id f, const symbol_values& values);
/// In all functions. Conditions stay: who runs the module for these numbers alone need not ask.
void bind_symbols(module& m, const symbol_values& values);
/// Conditions that these numbers meet are gone. Throws "program.condition" for one that they do not meet.
void bind_conditions(module& m, const symbol_values& values);
/// Makes each expression of a `loop.extent` a symbol of the module, as generated code finds sizes by symbols' numbers.
void number_extents(module& m);
/// Does anything in the module ask what a symbol is: a buffer's size, an index, a list of extents?
bool asks_for_symbols(const module& m);

}  // namespace tenon::ir
