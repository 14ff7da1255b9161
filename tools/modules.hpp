/// @file modules: modules that the command line reads and writes: ONNX models, text, and the binary form.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/compile/context.hpp>
#include <tenon/compile/size_advice.hpp>
#include <tenon/importers/onnx/budget.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/targets/spec.hpp>
#include <tenon/text/print.hpp>

namespace tenon::tool {

/// Where a module was made for sizes that the user gave: what errors about them need.
struct given_sizes {
  std::unique_ptr<module_source> source;
  known_inputs given;
};

struct module_on_its_way {
  std::unique_ptr<ir::module> body;
  std::string phase;
  std::vector<std::string> facts;  ///< that the file notes
  text_run run = {};               ///< what a text says is to be run on it
  std::shared_ptr<const given_sizes> sizes = {};
};

/// Calls `run`, with advice on the sizes that the module was made for where these break rules.
template <class F>
auto advising(const std::shared_ptr<const given_sizes>& sizes, const target_spec& target, F&& run) {
  if (sizes == nullptr) return run();
  advice_time left = usual_advice_time;
  return with_size_advice(*sizes->source, sizes->given, target, left, std::forward<F>(run));
}

/// By what the file is. `phase`: the one that it must be in, or is in if it does not say; may be empty. `shapes`:
/// "NAME=1x3x224x224" for the inputs of an ONNX model. `values`: "NAME=0,2" (integers) or "NAME=FILE": inputs that are
/// known now, and no inputs of the module.
module_on_its_way read_module(const std::string& path, const std::string& phase, const std::vector<std::string>& shapes,
                              const std::vector<std::string>& values = {}, std::optional<u32> random_seed = {},
                              const importers::onnx::read_options& limits = {});

struct module_style {
  bool binary = false, elide = false;
  const text_run* run = nullptr;  ///< what is to be run on it; only text says it
};
/// As a file of its own, complete or not at all. It notes the facts that hold.
void write_module(const std::string& path, const ir::module& m, std::string_view phase, const module_style& style,
                  std::span<const std::string> facts = {});

/// What files end in where nobody says otherwise: modules as text, modules as binary, programs. What a file is, its
/// content says.
inline constexpr std::string_view text_ending = ".tir", module_ending = ".tmod", program_ending = ".tenon";

/// Does the file begin as the text form of a module does, comments aside, or is it called so, and has to be one?
bool is_text_module(const std::string& path);
/// Whether a file holds a module, as text or binary.
bool holds_module(const std::string& path);

/// What a module goes on for: what it was begun for, as it says itself, and what is asked beyond that. An asked name
/// that is empty asks for no target in particular. Throws "build.target" where something else is asked.
target_spec target_to_go_on(const ir::module& m, target_spec asked);
/// Constrains functions and nodes of a module, each said as "NODE=TARGET" (ir::constrain_named; TARGET may have
/// options, and for a composite names a member). Errors: "usage" behind the phases in which there are nodes;
/// "target.no_node", "target.unknown", "target.option", "target.no_member", "target.elsewhere", "target.conflict".
void constrain_nodes(module_on_its_way& m, std::span<const std::string> said, const target_spec& target);
/// With all said that is left to this machine, so that another one can go on as if it were this one.
target_spec on_this_machine(target_spec spec);

/// Compiles a module as `tenon build` does, and writes a program file. For the target cpu, a module that cannot be one
/// piece of native code is divided between a host and native regions. Returns why; empty: it is in one piece.
std::string write_program(const std::string& path, module_on_its_way m, const std::string& target, context& configured);
/// A module that went its way, or why it cannot be one piece of native code.
struct whole_module {
  module_on_its_way built;
  std::optional<error> why;  ///< "library.no_code"
};
/// Compiles a module to one piece of native code, or to the end of the phase `stop` on the way there.
whole_module try_whole(module_on_its_way m, const std::string& target, context& configured, const std::string& stop);
/// The same where nothing else will do: throws `why`.
module_on_its_way build_whole(module_on_its_way m, const std::string& target, context& configured,
                              const std::string& stop = "built");
/// A module of open extents at the place where its conditions for one piece of native code are known; null where it is
/// none, or where something else is wrong with it, which whoever compiles it says.
std::unique_ptr<ir::module> module_with_conditions(module_on_its_way m);
/// Compiles a module to the end of phase `stop`, and writes it. One that must be divided stops at `optimization`,
/// divided; returns why. Errors: "build.divided" for later phases of such a module.
std::string write_stopped(const std::string& path, module_on_its_way m, const std::string& target,
                          const std::string& stop, const module_style& style, context& configured);
/// Says in a context what a target, given as text, makes code for.
void configure_target(const std::string& target, context& cx);

}  // namespace tenon::tool
