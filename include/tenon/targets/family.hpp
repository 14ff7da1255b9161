/// @file family: an edit of what several targets have in common, judged for each of them.
///
///     using family = target_family<targets::cpu, my_npu>;
///     using edited = family::edit<insert_after<passes::infer_shapes, check_quantization>>;
///     using npu    = edited::target<1>;                        // my_npu with its pipeline edited
///
/// If the edit breaks one of them, the error names the target, and says what the judge says of its pipeline.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/target.hpp>

namespace tenon {

/// A target with another pipeline: what its own becomes by edits. The edits were judged with the target.
template <class Target, class... Edits>
struct edited_target {
  static constexpr auto name = Target::name;
  using device = typename Target::device;
  using code_generator = typename Target::code_generator;
  using ends_in = typename decltype(detail::end_phase<Target>(0))::type;
  using pipeline = edited_t<typename Target::pipeline, Edits...>;
};

namespace detail {

template <class Target, class... Edits>
struct one_edit {
  using change = edited<typename Target::pipeline, Edits...>;
  static constexpr bool sound = change::ok;
  static constexpr bool ok = [] {
    if constexpr (sound) return target_check<edited_target<Target, Edits...>>::ok;
    else return false;
  }();
  static consteval meta::phrase say() {
    if constexpr (!sound) return change::say();
    else return target_check<edited_target<Target, Edits...>>::say();
  }
};

template <class Edits, class... Targets>
struct family_check;
template <class... Edits, class... Targets>
struct family_check<meta::detail::box<pass_list<Edits...>>, Targets...> {
  static constexpr bool ok = (one_edit<Targets, Edits...>::ok && ...);
  template <class T>
  static consteval void say_one(meta::phrase& s, bool& said) {
    if constexpr (!one_edit<T, Edits...>::ok) {
      if (said) return;
      said = true;
      constexpr meta::phrase why = one_edit<T, Edits...>::say();
      const label all = why;
      (s << "tenon-E073: the edit breaks target ").quoted(T::name) << ", by " << label{all.first + 6, 4} << ": ";
      s << label{all.first + 12, all.length - 12};
    }
  }
  static consteval meta::phrase say() {
    meta::phrase s;
    bool said = false;
    (say_one<Targets>(s, said), ...);
    return s;
  }
};

template <class List, class... Targets>
struct edited_family;
template <class... Edits, class... Targets>
struct edited_family<meta::detail::box<pass_list<Edits...>>, Targets...> {
  template <size_t I>
  using target = meta::nth_t<I, pass_list<edited_target<Targets, Edits...>...>>;
};

}  // namespace detail

template <class... Targets>
struct target_family {
  /// All targets with the edits; does not compile if one of them breaks.
  template <class... Edits>
    requires meta::answer_t<detail::family_check<meta::detail::box<pass_list<Edits...>>, Targets...>>::accepted
  using edit = detail::edited_family<meta::detail::box<pass_list<Edits...>>, Targets...>;
  /// Softly.
  template <class... Edits>
  static constexpr bool allows = detail::family_check<meta::detail::box<pass_list<Edits...>>, Targets...>::ok;
};

}  // namespace tenon
