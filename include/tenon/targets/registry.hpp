/// @file registry: targets by name: what a command line, a module or a program file says becomes a target again.
///
///     register_target<my_board>();                       // known to sessions and to the command line by its name
///     register_target_tag({"my_board-2", "my_board:lanes=16", "the second revision"});
///     using all = target_registry<targets::cpu, targets::interpreter>;
///     all::match(parse_target("cpu:threads=2"), [](const auto& target) { … });   // the type again, with its options
///
/// There is one registry in a program: sessions, composites, bundles and command lines ask it. `interpreter` is always
/// there, and `cpu` where `tenon::llvm` is linked. Safe to use from several threads. Errors: "target.unknown" for a
/// name that no target has, with those that are nearest.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <memory>

#include <tenon/artifact.hpp>
#include <tenon/compile/build.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/judge/questions.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/targets/device.hpp>
#include <tenon/targets/linked.hpp>
#include <tenon/targets/parts.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

/// What a target's code asks of the extents of a module's tensors.
enum class extents_asked : u8 { nothing, known, numbers };

/// A target, erased: what sessions, composites and people need of it.
struct target_entry {
  std::string_view name, device, generator, format, abi, runtime;
  std::vector<option_info> options;
  std::vector<memory_space> spaces;
  passes_view passes;
  std::span<const detail::tuned_pass> tuned;  ///< those that have options
  std::vector<const ir::op_info*> ops;        ///< beyond the built-in ones
  const phase_desc* end = nullptr;

  // Where its passes ask what becomes of a module (targets/compilation_plan.hpp); follows from what they give.
  size_t general = 0;  ///< so many passes serve any module
  size_t proven = 0;   ///< behind so many, what `extents` says is taken for granted
  extents_asked extents = extents_asked::nothing;
  bool makes_kernels = false;  ///< of every op that is left
  bool runs_variants = false;  ///< its runtime runs a variant of an entry (ir/variant.hpp) where that alone serves
  bool divisible = false;      ///< a host may run what there is no code for, and call code of regions
  bool saved = true;           ///< false: its format has abilities, and being saved is none of them

  /// Says in a context what the passes are to make code for; `threads` counts where the spec leaves it open.
  void (*configure)(const target_spec& spec, int threads, context& cx) = nullptr;
  /// Runs passes [from, to) of the list on a module that the passes before left.
  std::unique_ptr<ir::module> (*run)(std::unique_ptr<ir::module> m, context& cx, size_t from, size_t to) = nullptr;
  std::unique_ptr<executable> (*load)(const ir::module& built) = nullptr;
  std::unique_ptr<device_driver> (*open_device)() = nullptr;
  /// Does the target have the op? Null: all. What it does not have runs on the first member of a composite that has it.
  bool (*has)(const ir::op_view& op) = nullptr;
  /// The bytes of a program file of a built module. Null: a file holds the module, which the target's runtime loads.
  std::string (*program_file)(const ir::module& built) = nullptr;
  /// Writes them, without having them all in memory. Null: as `program_file` gives them.
  void (*save_program)(const std::string& path, const ir::module& built) = nullptr;
};

namespace detail {

template <class T, class... Ps>
struct erased {
  using goal = typename decltype(end_phase<T>(0))::type;
  using start = root_phase_t<phase_before_t<meta::nth_t<0, pass_list<Ps...>>>>;
  using way = way_to<goal, T, ir_module<start>, pass_list<Ps...>>;

  static void configure(const target_spec& spec, int threads, context& cx) {
    T target = target_from<T>(spec);
    if constexpr (requires { target.threads = 1; })
      if (target.threads == 0) target.threads = threads;
    cx.target = spec;
    say_memory<typename T::device>(cx);
    if constexpr (requires { target.configure(cx); }) target.configure(cx);
  }
  static std::unique_ptr<ir::module> run(std::unique_ptr<ir::module> m, context& cx, size_t from, size_t to) {
    static_assert(way::way::begin == 0 && way::way::end == sizeof...(Ps));
    check_function_options<T>(*m, cx);
    settle(*m, cx, {}, passes_within<T>::tuned(false));
    way::record(*m, cx);
    way::prepare(cx);
    return execute(way::list, std::move(m), cx, from, to);
  }
  static std::unique_ptr<device_driver> open_device() { return std::make_unique<driver_of<typename T::device>>(); }
  static bool has(const ir::op_view& op) {
    if constexpr (requires {
                    { T::has(op) } -> std::same_as<bool>;
                  })
      return T::has(op);
    else return true;
  }
  static constexpr bool says_what_it_has = requires(const ir::op_view& op) { T::has(op); };
};
template <class T, class List>
struct erased_target;
template <class T, class... Ps>
struct erased_target<T, pass_list<Ps...>> : erased<T, Ps...> {};

template <class Part>
constexpr std::string_view name_of_part() {
  if constexpr (requires { label(Part::name); })
    return std::string_view(label(Part::name).data(), label(Part::name).length);
  else return std::string_view(meta::unqualified_name<Part>().data(), meta::unqualified_name<Part>().length);
}

/// What these list is built in, and need not be compared with the hundreds of ops that are.
using library_phases =
    phase_list<phases::ingestion, phases::optimization, phases::lowering, phases::build, phases::built>;
template <class Phase>
struct own_ops_of {
  using type = meta::without_t<typename Phase::op_list, built_in_ops>;
};
template <class Phase>
  requires meta::contains_v<Phase, library_phases>
struct own_ops_of<Phase> {
  using type = ops<>;
};

template <class T, class... Phases>
std::vector<const ir::op_info*> own_ops(meta::detail::box<phase_list<Phases...>>) {
  using own = meta::unique_t<meta::concat_t<ops<>, meta::without_t<typename T::pipeline::added_ops, built_in_ops>,
                                            typename own_ops_of<Phases>::type...>>;
  const auto table = ir::op_table_of<own>();
  return {table.begin(), table.end()};
}
template <class List>
struct phases_after;
template <class... Ps>
struct phases_after<pass_list<Ps...>> {
  using type = meta::unique_t<phase_list<root_phase_t<phase_after_t<Ps>>...>>;
};

/// What the passes of an entry say of where modules are divided.
void read_passes(target_entry& entry);

template <class T>
target_entry make_entry() {
  using e = erased_target<T, pipeline_of<T>>;
  target_entry r;
  r.name = name_of_part<T>(), r.device = name_of_part<typename T::device>(),
  r.generator = name_of_part<typename T::code_generator>();
  r.format = name_of_part<typename T::format>(), r.abi = name_of_part<typename T::abi>(),
  r.runtime = name_of_part<typename T::runtime>();
  r.options = options_of<T>();
  for (const memory_space& s : T::device::spaces) r.spaces.push_back(s);
  r.passes = tenon::passes_of<pipeline_of<T>>();
  r.tuned = tuned_passes<pipeline_of<T>>::value;
  r.ops = own_ops<T>(meta::detail::box<typename phases_after<pipeline_of<T>>::type>{});
  r.end = &phase_desc_of<typename e::goal>;
  static_assert(
      e::says_what_it_has || !requires { &T::has; },
      "tenon-E008: a target's 'has' is 'static bool has(const ir::op_view&)': nobody calls another one");
  r.configure = &e::configure, r.run = &e::run, r.load = &T::runtime::load, r.open_device = &e::open_device;
  if constexpr (e::says_what_it_has) r.has = &e::has;
  if constexpr (requires { T::divisible; }) r.divisible = T::divisible;
  if constexpr (requires { T::runtime::runs_variants; }) r.runs_variants = T::runtime::runs_variants;
  if constexpr (requires { T::runtime::program_file; }) r.program_file = &T::runtime::program_file;
  if constexpr (requires { T::runtime::save_program; }) r.save_program = &T::runtime::save_program;
  if constexpr (requires { typename T::format::abilities; })
    r.saved = r.program_file != nullptr || can_be<typename T::format, can::save>;
  read_passes(r);
  return r;
}

void add_entry(const target_entry& entry);
}  // namespace detail

/// A target as an entry. It lives as long as the program.
template <complete_target T>
const target_entry& entry_of() {
  static const target_entry entry = detail::make_entry<T>();
  return entry;
}

/// Makes a target known by its name to sessions and to the command line; the last one of a name counts.
template <complete_target T>
void register_target() {
  detail::add_entry(entry_of<T>());
}
/// Those that were registered, in their order.
std::vector<const target_entry*> registered_entries();
std::vector<std::string> registered_targets();
/// By a target's own name; null if there is none.
const target_entry* lookup_entry(std::string_view name);
const target_entry& find_entry(std::string_view name);
/// All ops that a module on its way to the target may hold: the built-in ones, and the target's.
std::vector<const ir::op_info*> ops_on_the_way(const target_entry& entry);

/// A list of targets, for whoever takes several: what a command line knows (`tenon_main`, targets/all.hpp).
template <class... Targets>
struct target_list {};

/// A closed list of targets: data is matched back to a type.
template <class... Targets>
struct target_registry {
  static_assert(
      [] {
        const std::string_view names[] = {detail::name_of_part<Targets>()..., {}};
        for (size_t i = 0; i < sizeof...(Targets); ++i)
          for (size_t k = 0; k < i; ++k)
            if (names[i] == names[k]) return false;
        return true;
      }(),
      "tenon-E009: two targets of a registry have one name, so that the second would never be found: rename one of "
      "them");
  /// Calls `f` with the target that the spec names. Returns what `f` returns.
  template <class F>
  static void match(const target_spec& spec, F&& f) {
    if (!((name_is<Targets>(spec) && (f(target_from<Targets>(spec)), true)) || ...)) unknown(spec.name);
  }
  static std::vector<std::string> names() { return {std::string(detail::name_of_part<Targets>())...}; }

 private:
  template <class T>
  static bool name_is(const target_spec& spec) {
    return spec.name == detail::name_of_part<T>();
  }
  [[noreturn]] static void unknown(const std::string& name) {
    std::string known;
    for (const std::string& n : names()) known += (known.empty() ? "" : ", ") + n;
    throw usage_error("target.unknown", "there is no target '" + name + "'", {}, "there are: " + known);
  }
};

}  // namespace tenon
