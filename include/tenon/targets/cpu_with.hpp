/// @file cpu_with: native code beside external code: libraries take what their patterns match, LLVM compiles the rest,
/// and both are one program.
///
///     using fast = targets::cpu_with<"cpu_xsimd", targets::xsimd>;               // xsimd's patterns, then cpu
///     auto built = build<fast>(importers::onnx::load("model.onnx"));
///     auto code = fast::runtime::load(built.body());                             // code->run({x}, 2)
/// The pipeline is that of `cpu` with `partition_for<L>` and `run_external_codegen<L>` in it for each library, the
/// first one's patterns first, and `lower_external_calls` behind them. Native code calls an artifact with its buffers
/// where they are: in the arena, among the constants, or the caller's (compile/external/native_calls.hpp). Besides its
/// patterns and its code generator (compile/external/code_generator.hpp) a library may say
///     using beside_native = my_library;                         // whose patterns and generator count here
///     using cut_before = passes::fuse;                          // where its patterns are looked for
///     static constexpr passes::partition_options parts{…};      // how its parts are cut
///     static void configure_host(context&);                     // what the host's passes must know for its patterns
/// By default it is asked before `use_winograd`: images have channels last, weights are as they were. Extents may be
/// symbols, which the buffers of a run have values for, unless the generator of a library needs
/// `fact::static_shapes`: then all shapes must be known. What cannot be one piece of native code is divided, as for
/// `cpu`. A program file holds the module, is opened by programs that have registered the target, and says elsewhere
/// what it needs (targets/bundle.hpp).
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <type_traits>

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/lower_external_calls.hpp>
#include <tenon/passes/require_static_shapes.hpp>
#include <tenon/passes/run_external_codegen.hpp>
#include <tenon/targets/cpu.hpp>

namespace tenon {

namespace detail {
template <class Library>
auto place_of_cut(int) -> meta::detail::box<typename Library::cut_before>;
template <class Library>
auto place_of_cut(...) -> meta::detail::box<passes::use_winograd>;
template <class Library>
using place_of_cut_t = typename decltype(place_of_cut<Library>(0))::type;

template <class Library>
auto library_beside_native(int) -> meta::detail::box<typename Library::beside_native>;
template <class Library>
auto library_beside_native(...) -> meta::detail::box<Library>;
/// Whose patterns and code generator are used.
template <class Library>
using beside_native_t = typename decltype(library_beside_native<Library>(0))::type;

/// What proves that extents are as the libraries need them.
template <class... Libraries>
using require_extents_t = std::conditional_t<
    (meta::contains_v<fact::static_shapes,
                      typename decltype(facts_for<typename Libraries::external_code_generator>(0))::type> ||
     ...),
    passes::require_static_shapes, passes::require_known_extents>;

template <class... Libraries>
using pipeline_with = targets::cpu::pipeline::edit<
    replace<passes::require_known_extents, require_extents_t<Libraries...>>,
    insert_before<place_of_cut_t<Libraries>, passes::partition_for<beside_native_t<Libraries>>,
                  passes::run_external_codegen<beside_native_t<Libraries>>>...,
    insert_before<passes::fuse, passes::lower_external_calls>, add_ops<op::call_external>>;
}  // namespace detail

namespace targets {

/// Native code, and the external code that it calls.
template <external_target... Libraries>
struct native_runtime_with {
  static constexpr fixed_string name = "native_with";
  using code_format = formats::elf_object;
  using abi = abis::c_entry;
  static constexpr bool runs_variants = true;
  static std::unique_ptr<executable> load(const ir::module& built) {
    return executable_of(tenon::load(built, external_formats<Libraries...>()));
  }
  static std::string program_file(const ir::module& built) { return native_runtime::program_file(built); }
};

/// A target of its own, by the name that it is given.
template <fixed_string Name, class... Libraries>
  requires(sound_external_target<Libraries> && ...)
struct cpu_with : cpu {
  static constexpr auto name = Name;
  using runtime = native_runtime_with<Libraries...>;
  using pipeline = tenon::detail::pipeline_with<Libraries...>;

  void configure(context& cx) const {
    if (!cx.target) cx.target = spec_of(*this);
    cpu::configure(cx);
    passes::kernel_options o = cx.get<passes::kernel_options>();
    o.target = label(name).data();
    cx.set(o);
    const auto configure_for = [&]<class L>(meta::detail::box<L>) {
      if constexpr (requires { L::configure_host(cx); }) L::configure_host(cx);
    };
    (configure_for(meta::detail::box<Libraries>{}), ...);
  }
};

}  // namespace targets
}  // namespace tenon
