/// @file target: what code is made for: device, code generator and pipeline, joined in a type.
///
///     struct my_npu {
///       static constexpr fixed_string name = "my_npu";
///       using device         = my_npu_device;
///       using code_generator = my_npu_codegen;       // optional: `using requires_facts = facts<…>;`
///       using pipeline       = targets::cpu::pipeline::edit<insert_after<passes::legalize_ops, tile_for_npu>>;
///     };
///
/// The code generator may itself be a pass (from `build` to `built`): then it is the pipeline's last pass, and need not be
/// listed. What it requires must hold where the pipeline enters `built`. A target that stops earlier says `ends_in`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/phases/build.hpp>
#include <tenon/phases/built.hpp>
#include <tenon/pipeline.hpp>

namespace tenon {
namespace detail {

template <class T>
auto end_phase(int) -> meta::detail::box<typename T::ends_in>;
template <class T>
auto end_phase(...) -> meta::detail::box<phases::built>;
template <class T>
auto required_facts(int) -> meta::detail::box<typename T::code_generator::requires_facts>;
template <class T>
auto required_facts(...) -> meta::detail::box<facts<>>;

template <class G>
concept pass_shaped = requires {
  typename G::needs;
  label(G::name);
};

template <class T>
constexpr auto all_passes() {
  using listed = typename T::pipeline::passes;
  if constexpr (requires { requires pass_shaped<typename T::code_generator>; }) {
    if constexpr (!meta::contains_v<typename T::code_generator, listed>)
      return meta::detail::box<meta::concat_t<listed, pass_list<typename T::code_generator>>>{};
    else return meta::detail::box<listed>{};
  } else {
    return meta::detail::box<listed>{};
  }
}

/// Passes of a target up to where its requirements must hold.
template <class T, class... Ps>
struct goal_input {
  using end = typename decltype(end_phase<T>(0))::type;
  using required = typename decltype(required_facts<T>(0))::type;
  static constexpr judge_input value = [] {
    judge_input in;
    in.passes = pass_array<Ps...>::data;
    in.count = sizeof...(Ps);
    // The transition into the last phase is judged by itself; what the code generator requires holds before it.
    if (meta::size_v<required> != 0 && in.count && in.passes[in.count - 1]->to->key == phase_desc_of<end>.key &&
        in.passes[in.count - 1]->is_transition())
      --in.count;
    else in.goal_phase = &phase_desc_of<end>;
    in.added = op_set_of<typename T::pipeline::added_ops>;
    in.lowered = lowered_array<typename T::pipeline::added_ops, Ps...>::data;
    in.goal = fact_list_of<required>;
    in.goal_owner = T::name;
    return in;
  }();
};

template <class T, class List>
struct target_verdict;
template <class T, class... Ps>
struct target_verdict<T, pass_list<Ps...>> {
  using order = judged<typename T::pipeline::added_ops, Ps...>;
  static constexpr verdict value = [] {
    if constexpr (!order::ok) return order::value;
    else return hearing<goal_input<T, Ps...>>::value;
  }();
};
}  // namespace detail

/// All passes from the front end to code; the code generator is the last one if it is a pass.
template <class T>
using pipeline_of = typename decltype(detail::all_passes<T>())::type;

/// Is `T` a target, with a pipeline that gives its code generator what it requires?
template <class T>
struct target_check {
  static constexpr label missing = [] {
    if constexpr (!requires { label(T::name); }) return detail::label_of("static constexpr tenon::fixed_string name");
    else if constexpr (!requires { typename T::device; }) return detail::label_of("using device");
    else if constexpr (!requires { typename T::code_generator; }) return detail::label_of("using code_generator");
    else if constexpr (!requires { typename T::pipeline::passes; }) return detail::label_of("using pipeline");
    else return label{};
  }();
  /// The classic confusion: "llvm" given where a device is meant.
  static constexpr bool confused = [] {
    if constexpr (missing.length != 0) return false;
    else
      return meta::same<typename T::device, typename T::code_generator> ||
             requires { typename T::device::requires_facts; } || detail::pass_shaped<typename T::device>;
  }();
  static constexpr verdict value = [] {
    verdict v;
    if constexpr (missing.length != 0 || confused) return v.code = 22, v;
    else return detail::target_verdict<T, pipeline_of<T>>::value;
  }();
  static constexpr bool ok = value.ok();
  static consteval meta::phrase say() {
    if constexpr (confused) {
      meta::phrase s;
      s << "tenon-E022: ";
      return s.quoted(meta::unqualified_name<T>())
             << " is no target, since its device is a code generator: 'device' is where code runs, 'code_generator' is what "
                "makes it";
    } else if constexpr (missing.length == 0) {
      if constexpr (!detail::target_verdict<T, pipeline_of<T>>::order::ok)
        return detail::target_verdict<T, pipeline_of<T>>::order::say();
      else return sentence_of(value);
    } else {
      meta::phrase s;
      s << "tenon-E022: ";
      s.quoted(meta::unqualified_name<T>()) << " is no target, since it has no '" << missing
                                            << "': a target has a name, a device, a code generator and a pipeline";
      return s;
    }
  }
};

/// Softly.
template <class T>
concept target = target_check<T>::ok;
/// Loudly: the constraint of `build<T>` and its like.
template <class T>
concept sound_target = meta::accepted<meta::told_t<target_check<T>>>;

}  // namespace tenon
