/// @file compilation_plan: what becomes of a module for a target: code in one piece, or a host that calls code of
/// regions; or what must be known of its inputs first.
///
///     const compilation_plan p = plan_of(module, parse_target("cpu"));
///     if (p.becomes == compilation_form::divided) std::puts(p.reason().c_str());
///
/// It is decided once, from the graph that the target's first passes leave, by the same function for sessions, program
/// files and command lines: `plan_module` goes to that place, and `make_executable` on from there. Cost of the
/// decision: of the passes that lead there, and of one kernel for each op that is not plainly elementwise.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/phases/ingestion.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/targets/linked.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

class region_compiler;  // targets/host_program.hpp
struct target_entry;    // targets/registry.hpp

enum class compilation_form : u8 {
  whole,    ///< one piece of code, for all sizes that its conditions allow
  divided,  ///< a host, which evaluates what there is no code for, and calls code of regions
  open,     ///< code could be made if more were known of the inputs
  none,     ///< the target has no code for it, whatever is known of the inputs
};

struct compilation_plan {
  compilation_form becomes = compilation_form::whole;
  std::optional<ir::obstacle> why;    ///< why it is not whole: the first op or input that is in the way
  std::vector<ir::input_need> needs;  ///< of `open`: what would have to be known
  bool divisible = false;             ///< of `open`: while that is not known, it can be divided
  std::string reason() const { return why ? why->why.what() : std::string(); }
};

/// What a compilation is for, and what its context is to have.
struct compilation_request {
  target_spec target;
  int threads = 0;          ///< counts where the target leaves it open; 0: the process's default
  bool specialize = false;  ///< regions are compiled for given sizes only
  bool verify_each = false;
  /// Called with the context before each compilation: for hooks, and options of passes.
  void (*prepare)(context&, void* user) = nullptr;
  void* prepare_user = nullptr;

  /// Makes a context's options those of the request.
  void configure(context& cx) const;
};

/// A module at the place where it is decided what becomes of it.
struct planned_module {
  compilation_plan plan;
  std::unique_ptr<ir::module> module;  ///< whole: what pass `next` of the target goes on with; else what is divided
  size_t next = 0;
};

namespace detail {
/// Which of a target's passes is the first that takes a module in `optimization`.
size_t first_in_optimization(const target_entry& e);
}  // namespace detail

/// The body of a module on its way to a target. It may hold the ops that the target's passes add
/// (`pipeline::with_ops`). Throws what the verifier throws, of what no pass left and nobody verified yet.
std::unique_ptr<ir::module> enter(ir_module<phases::ingestion> m, const target_spec& target);

/// Runs the passes [from, …) of a target that lead to the decision. The context was configured for the target. Error
/// "target.unknown" for a name that no target has.
planned_module plan_module(std::unique_ptr<ir::module> m, const target_spec& target, context& cx, size_t from = 0);
/// What would become of a module in phase `ingestion`, which stays as it is.
compilation_plan plan_of(const ir::module& m, const target_spec& target);

/// The host's graph, with what can be native code outlined, of the graph of a plan that divides it.
std::unique_ptr<ir::module> divide(std::unique_ptr<ir::module> graph, context& cx);
/// Joins the parts of what was planned for a composite (targets/composite.hpp). Throws the plan's reason where it is
/// not whole.
std::unique_ptr<ir::module> link_planned(planned_module p, const target_spec& composite, context& cx);
/// Compiles what was planned, and loads it: a plan that is `open` is divided where it can be. Throws the plan's reason
/// where there is no code for it.
std::unique_ptr<executable> make_executable(planned_module p, const compilation_request& r, context& cx);

/// What a region's code is, as a program file's bytes.
struct region_file {
  std::string bytes;  ///< empty: there is no code
  std::string why;    ///< … since
};
/// A region's code for operands of any extents. `whole`: the context that is configured for the target.
region_file make_region_file(const ir::module& host, function_id region, const target_entry& target, context& whole);
/// Makes regions' code when they are called.
std::unique_ptr<region_compiler> compile_regions(compilation_request r);

}  // namespace tenon
