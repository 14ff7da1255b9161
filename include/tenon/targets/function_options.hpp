/// @file function_options: the options that constraints give functions of a program for one target.
///
///     e.constrain("encoder", targets::cpu{.threads = 1});       // text: target("cpu:threads=1")
///     auto built = build<targets::cpu>(std::move(e), {.threads = 8});
/// The target lists as `function_options` those that its code may have function by function; the others are of the
/// whole program, and may only be said as the program says them.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon::detail {

/// A target's options, erased.
struct erased_options {
  std::span<const ir::attribute> list;
  std::span<const std::string_view> of_functions;
  const void* program;  ///< the target that is compiled for
  void* said;           ///< a copy of it, to read a constraint's options into
  void (*reset)(void* said, const void* program);
};

/// Holds the constraints of a module's functions and ops to what a target can do for single functions. Constraints for
/// other targets are none of its business. Errors, each with what is constrained so: "target.option", "target.value",
/// "target.function_option".
void check_function_options(const ir::module& m, const target_spec& program, const erased_options& options);

/// The same for a target as a type, where `cx` or the module says that it is compiled for.
template <class Target>
void check_function_options(const ir::module& m, const context& cx) {
  if constexpr (!requires { Target::spec(Target{}); }) {
    const std::string name(label(Target::name).data(), label(Target::name).length);
    const target_spec program = cx.target                ? *cx.target
                                : m.build.target.empty() ? target_spec{{}, name, {}, {}}
                                                         : parse_target(m.build.target);
    if (program.name != name || !program.members.empty()) return;  // a composite's, which serves each part as it asks
    const Target target = target_from<Target>(program);
    Target said = target;
    erased_options options{ir::detail::attributes_of<Target>(), {}, &target, &said, [](void* to, const void* from) {
                             *static_cast<Target*>(to) = *static_cast<const Target*>(from);
                           }};
    if constexpr (requires { Target::function_options; }) options.of_functions = Target::function_options;
    check_function_options(m, program, options);
  }
}

}  // namespace tenon::detail
