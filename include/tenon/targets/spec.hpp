/// @file spec: a target as data: its name, its options, and the members of a composite one.
///
///     cpu                                     every option has its default
///     cpu:arch=znver4,threads=2               options; a value with commas or brackets stands in double quotes
///     composite(cpu,npu@my_npu:lanes=8)       members; a member may be given a name of its own
///     zen4:threads=2                          a tag (`target_tags`) stands for a target with options
///
/// The text is what modules, artifacts and programs record and what command lines take; `to_json` (targets/json.hpp) is
/// the same for machines. `parse_target(to_text(s)) == s`. Errors: "target.syntax", with the text and the position.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/core/target_spec.hpp>
#include <tenon/ir/options.hpp>
#include <tenon/meta/fixed_string.hpp>

namespace tenon {
class context;

/// A name for a target with options.
struct target_tag {
  std::string name, target, meaning;
};
/// The tags that there are: those of the library, then those that were registered. Safe to call from several threads.
std::vector<target_tag> target_tags();
/// The last one of a name counts. Error "target.syntax" where `target` is none, or `name` is no word.
void register_target_tag(target_tag tag);
/// The hint of an unknown name: the targets and tags that are nearest, else the targets.
std::string nearest_target(std::string_view name, const std::vector<std::string>& targets);

std::string to_text(const target_spec& spec);
target_spec parse_target(std::string_view text);

/// What a module was begun for, with what is asked of it now: a name, and options that were left open then. Error
/// "build.target", which names both, where something else is asked.
target_spec agreed_target(const target_spec& begun, const target_spec& asked);

/// How many threads the target's code is to run on, as its option `threads` says, or that of a composite's host; 0: it
/// does not.
int threads_of(const target_spec& spec);

using option_info = ir::option_info;

namespace detail {
/// Is the text what a target, a member or an option may be called: letters, digits, '_', '-', '.', '+'?
bool is_target_word(std::string_view text);
/// Gives an option its value, the last one where it is given twice.
void set_option(target_spec& s, target_option o);
/// Replaces a tag by the target that it stands for; the spec's own options override the tag's.
void resolve_tag(target_spec& s);

/// Holds a context to what a module was begun for: one that says less is configured for it.
void agree(const std::string& begun, const target_spec& target, context& cx,
           void (*configure)(const target_spec&, context&));
}  // namespace detail

/// The options that a target has, with what they are initially.
template <class T>
std::vector<option_info> options_of() {
  T target{};
  return ir::list_options(ir::detail::attributes_of<T>(), &target);
}

/// A target as data.
template <class T>
target_spec spec_of(T target) {
  T initial{};
  if constexpr (requires {
                  { T::spec(target) } -> std::same_as<target_spec>;
                })
    return T::spec(target);
  else
    return {{},
            std::string(label(T::name).data(), label(T::name).length),
            ir::read_options(ir::detail::attributes_of<T>(), &target, &initial),
            {}};
}

/// The target that a spec says, with its options. Errors: "target.option" for one that it does not have, with those
/// that are nearest; "target.value" for a value that the option cannot have.
template <class T>
T target_from(const target_spec& spec) {
  if constexpr (requires {
                  { T::from_spec(spec) } -> std::same_as<T>;
                })
    return T::from_spec(spec);
  T target{};
  ir::write_options(ir::detail::attributes_of<T>(), &target, spec.options, "target", spec.name);
  return target;
}

namespace detail {
template <class Target>
struct target_text {
  static std::string of(const Target& t) { return to_text(spec_of(t)); }
};
}  // namespace detail

}  // namespace tenon
