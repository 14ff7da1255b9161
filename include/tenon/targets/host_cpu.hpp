/// @file host_cpu: a host that calls native code: modules whose shapes or course depend on values.
///
///     auto m = build<targets::host_cpu>(importers::onnx::load("model.onnx"));   // in `optimization`, regions outlined
///     save_bundle("model.tenon", build_host_bundle(m.body(), cx));                // a program file
///
/// `targets/bundle.hpp` says what is in that file. Its pipeline ends where the host's part is a graph of few ops and
/// calls; targets/host_program.hpp runs that, and `targets::cpu` makes each region's code once the shapes of its
/// operands are known. The interpreter runs it as it is.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/build.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/targets/graph_level.hpp>

namespace tenon::targets {

struct host_cpu {
  static constexpr fixed_string name = "host_cpu";
  static constexpr fixed_string on_the_way_to = "cpu";
  using device = host_memory;
  struct code_generator {
    using requires_facts = facts<fact::regions_outlined>;
  };
  using ends_in = phases::optimization;
  using pipeline = graph_level::pipeline::edit<append<passes::eliminate_dead, passes::outline_regions>>;
};

}  // namespace tenon::targets

namespace tenon {
struct bundle;  // targets/bundle.hpp

/// Native code for each region of a module that `outline_regions` left, for operands of any extents, made for what the
/// context says; a region that cannot have it is evaluated, and the bundle says why. Link `tenon::llvm`.
bundle build_host_bundle(ir::module split, context& configured);
/// The bytes of the program file of a module that was built for `targets::cpu`.
std::string program_file(const ir::module& built);

}  // namespace tenon
