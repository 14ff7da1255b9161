/// @file variant: entries for the sizes that another entry refuses.
///
/// Type rules take two symbols that meet as equal, and a slice as staying inside, since code is simpler then; a program
/// checks it before it runs. In a general entry nothing of that is taken for granted: extents are what numpy's rules
/// make of them, and its code finds out which. And where a question of sizes decides what a graph is (an ONNX If whose
/// branches have different ranks), there is a graph for each answer. As the variant of another entry such a one serves
/// the sizes that that one refuses though they are right (program::run), and is no entry to anybody else. Both notes
/// are discardable: who drops one has code that is right for fewer sizes, or two entries in place of one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

inline constexpr const char* general_attribute = "tenon.general";     ///< of a function: true
inline constexpr const char* variant_attribute = "tenon.variant_of";  ///< of a function: the name of an entry

/// Of an entry: true where sizes decide in more ways what its graph is than it has variants for.
inline constexpr const char* more_graphs_attribute = "tenon.more_graphs";

/// Does a function take nothing for granted that a right run need not meet?
inline bool is_general(const function& f) {
  const bool* said = f.discardable.empty() ? nullptr : f.discardable.get<bool>(general_attribute);
  return said != nullptr && *said;
}
/// The entry that a function is a variant of; null for any other function.
inline const std::string* variant_of(const function& f) {
  return f.discardable.empty() ? nullptr : f.discardable.get<std::string>(variant_attribute);
}

/// Gives a module names of its own for extents, in types, ops and conditions: `n` becomes `n.suffix`. Conditions are
/// asked of whose names they are in.
void rename_extents(module& m, std::string_view suffix);

/// Adds the only entry of a module, made with `rename_extents`, as `entry.suffix`, a variant of an entry
/// (ir/entries.hpp); of a variant, it is one of the same entry. Errors: those of `add_entry`.
void add_variant(module& m, const module& from, std::string_view entry, std::string_view suffix);

/// The conditions on extents of an entry, in the names that another one with the same inputs has for them.
condition_list conditions_of(const module& m, function_id entry, function_id in_names_of);

/// The conditions of a module's entries by who asks for them: type rules, as they do when types are inferred anew; or
/// an importer, such as for the answer of an If that it took.
struct asked_conditions {
  condition_list of_types, of_importer;
};
asked_conditions conditions_by_origin(const module& m);

/// Infers the types of entries anew, for a module with these conditions.
void infer_anew(module& m, condition_list asked);

/// Gives unknown extents of an entry's arguments names, and infers the rest anew: what was cut out of another function
/// finds its sizes in what it is given. Nothing is known of what they may equal: the entry is general then.
void name_unknown_extents(module& m, function_id f);

/// A variant, or another entry, as the only entry of a module, with its conditions.
module variant_alone(const module& m, function_id f);

/// Of a module with one entry: that without variants, then each variant alone.
std::vector<module> each_variant_alone(const module& m);

/// Leaves entries alone, without their variants and what only these need.
void drop_variants(module& m);

/// What an entry gives, whichever of its variants serves: unranked where they differ in ranks.
std::vector<type> any_outputs(const module& m, function_id entry);

/// The entry where inputs of these sizes meet its conditions, else the first of its variants of which they do, else the
/// entry.
function_id serving(const module& m, function_id entry, std::span<const tenon::tensor> inputs);
/// What is wrong with inputs of these sizes for an entry and all its variants, in words of them.
std::optional<error> refusal_of(const module& m, function_id entry, std::span<const tenon::tensor> inputs);

}  // namespace tenon::ir
