/// @file main: the whole command line (`opt`, `run`, `build`, `check`, `pipeline` …) for the parts of a program.
///
///     #include <tenon/tool/built_in.hpp>
///     int main(int argc, char** argv) {
///       using namespace tenon;
///       return tenon_main<built_in, pass_list<my_pass>, target_list<my_target>, ops<my_op>,
///                         importer_list<my_importer>>(argc, argv);
///     }
///
/// Passes of the targets' pipelines are known by themselves, and so are phases. Ops are read and printed as text and in
/// files, and evaluated. Members of all parts are asked for every name at edit distance 1 (testing/spelling.hpp). Link
/// `tenon::tool`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/testing/spelling.hpp>
#include "importers.hpp"  // beside this header, wherever that is

namespace tenon {

/// Lists of parts, as one part.
template <class... Lists>
struct part_list {};

namespace tool {

/// What a command line knows, as data; it lives as long as the program.
struct parts {
  const registry* passes = nullptr;
  std::span<const phase_desc* const> phases;
  std::span<const ir::op_info* const> ops;  ///< beyond the built-in ones
  std::span<const known_importer> importers = {};
};

/// Parses the arguments and does what they say; errors become one line and an exit status: 1 the model, the data or a
/// test is at fault; 2 the command line is.
int run_command_line(int argc, char** argv, const parts& known);

namespace joining {
template <class Part>
inline constexpr bool is_part = false;
template <template <class...> class List, class... Ts>
inline constexpr bool is_part<List<Ts...>> =
    meta::same<List<>, pass_list<>> || meta::same<List<>, target_list<>> || meta::same<List<>, ops<>>;
template <class... Is>
inline constexpr bool is_part<importer_list<Is...>> = (importer<Is> && ...);
template <class... Lists>
inline constexpr bool is_part<part_list<Lists...>> = (is_part<Lists> && ...);

template <class Part>
inline constexpr bool is_importer_list = false;
template <class... Is>
inline constexpr bool is_importer_list<importer_list<Is...>> = true;

template <class... Parts>
struct parts_check {
  static constexpr bool ok = (is_part<Parts> && ...);
  static consteval meta::phrase say() {
    constexpr size_t odd = [] {
      const bool right[] = {is_part<Parts>..., false};
      size_t i = 0;
      while (right[i]) ++i;
      return i;
    }();
    using Part = meta::nth_t<odd, part_list<Parts...>>;
    constexpr label name = meta::unqualified_name<Part>();
    meta::phrase s;
    (s << "tenon-E075: ").quoted(name) << " stands where a list of parts of a command line is meant: ";
    if constexpr (is_importer_list<Part>)
      return s << "it holds what is no importer: one has a 'name', an 'extension' (.toy) and 'static model "
                  "load(const std::string& path)', which gives a module in phase 'ingestion', or a model with a "
                  "'source_of'";
    constexpr bool an_importer = requires { Part::extension; };
    if constexpr (an_importer) return s << "write importer_list<" << name << ">";
    constexpr bool a_pass = requires { typename Part::runs_in; } || requires { typename Part::from; };
    constexpr bool a_target = requires { typename Part::pipeline; };
    if constexpr (a_pass || a_target) return s << "write " << (a_pass ? "pass_list<" : "target_list<") << name << ">";
    else return s << "a part is a pass_list<...>, a target_list<...>, an ops<...>, an importer_list<...>, or built_in";
  }
};

/// Of some parts, what stands in lists of one kind.
template <class Empty, class Part>
struct of_kind {
  using type = Empty;
};
template <template <class...> class List, class... Ts>
struct of_kind<List<>, List<Ts...>> {
  using type = List<Ts...>;
};
template <class Empty, class... Lists>
struct of_kind<Empty, part_list<Lists...>> {
  using type = meta::concat_t<Empty, typename of_kind<Empty, Lists>::type...>;
};
template <class Empty, class... Parts>
using kind_t = meta::unique_t<typename of_kind<Empty, part_list<Parts...>>::type>;

template <class Passes, class Targets>
struct passes_of_parts;
template <class... Ps, class... Ts>
struct passes_of_parts<pass_list<Ps...>, target_list<Ts...>> {
  template <class... Qs>
  static auto bare(meta::detail::box<pass_list<Qs...>>) -> pass_list<bare_pass_t<Qs>...>;
  using type =
      meta::unique_t<meta::concat_t<pass_list<Ps...>, decltype(bare(meta::detail::box<pipeline_of<Ts>>{}))...>>;
};
template <class Passes, class Ops, class Targets>
struct spelling_of;
template <class Passes, class Ops, class... Ts>
struct spelling_of<Passes, Ops, target_list<Ts...>> : laws::spelling<Passes, Ops, Ts...> {};
template <class... Ps>
std::span<const phase_desc* const> phases_of(meta::detail::box<pass_list<Ps...>>) {
  static constexpr auto list =
      []<class... Phases>(meta::detail::box<phase_list<Phases...>>) {
        struct {
          const phase_desc* all[sizeof...(Phases) + 1];
        } r{{&phase_desc_of<Phases>..., nullptr}};
        return r;
      }(meta::detail::box<
          meta::unique_t<phase_list<root_phase_t<phase_before_t<Ps>>..., root_phase_t<phase_after_t<Ps>>...>>>{});
  return {list.all, sizeof list.all / sizeof *list.all - 1};
}
template <class... Is>
std::span<const known_importer> importers_of(meta::detail::box<importer_list<Is...>>) {
  static constexpr known_importer list[] = {importer_as_data<Is>..., {}};
  return {list, sizeof...(Is)};
}
template <class... Ts>
void register_all(meta::detail::box<target_list<Ts...>>) {
  (register_target<Ts>(), ...);
}
}  // namespace joining

/// The parts as data; registers their targets and the evaluations of their ops.
template <class... Parts>
parts parts_of() {
  using targets = joining::kind_t<target_list<>, Parts...>;
  using passes = typename joining::passes_of_parts<joining::kind_t<pass_list<>, Parts...>, targets>::type;
  using own_ops = joining::kind_t<ops<>, Parts...>;
  meta::answer_t<joining::spelling_of<passes, own_ops, targets>>::accept();
  joining::register_all(meta::detail::box<targets>{});
  if constexpr (own_ops::size != 0) register_evaluations(eval_table_of<own_ops>());
  return {&registry_of<passes, own_ops>, joining::phases_of(meta::detail::box<passes>{}), ir::op_table_of<own_ops>(),
          joining::importers_of(meta::detail::box<joining::kind_t<importer_list<>, Parts...>>{})};
}
}  // namespace tool

/// The command line for these parts: lists of passes, targets, ops and importers, and `built_in`, in any order.
template <class... Parts>
int tenon_main(int argc, char** argv) {
  using check = tool::joining::parts_check<Parts...>;
  meta::answer_t<check>::accept();
  if constexpr (!check::ok) return 2;
  else return tool::run_command_line(argc, argv, tool::parts_of<Parts...>());
}

}  // namespace tenon
