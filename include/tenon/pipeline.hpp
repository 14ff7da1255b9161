/// @file pipeline: a typelist of passes whose order is judged when it is named.
///
///     using pipeline = tenon::pipeline<lift_lambdas, infer_shapes, fuse, legalize_ops, to_lowering>;
///
/// An order that cannot work does not compile, and the compiler prints why and what would. Ask softly with
/// `is_valid<pass_list<…>>` and `verdict_of<…>`. Other pipelines are cut from it: `edit`, `with_ops`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that compilers print above a sentence is short

#include <tenon/judge/effect.hpp>  // second, for the same reason

#include <tenon/judge/judged.hpp>
#include <tenon/judge/optional.hpp>
#include <tenon/judge/surgery.hpp>
#include <tenon/pass.hpp>

namespace tenon {

template <class... Passes>
  requires meta::answer_t<judged<ops<>, Passes...>>::accepted
class pipeline {
 public:
  using passes = pass_list<Passes...>;
  using added_ops = ops<>;
  static constexpr size_t size = sizeof...(Passes);

  /// This pipeline with all edits made, in their order; judged once, at the end.
  template <class... Edits>
    requires edited<pipeline, Edits...>::answer::accepted
  using edit = edited_t<pipeline, Edits...>;

  /// This pipeline for modules that hold more ops: passes that must eliminate them need a `lower_with`, passes that
  /// delete, merge or move ops must treat their effects.
  template <class... Op>
    requires meta::answer_t<judged<ops<Op...>, Passes...>>::accepted
  using with_ops = pipeline_with_ops<ops<Op...>, Passes...>;
};

/// A pipeline for modules that hold ops which no phase lists.
template <class Added, class... Passes>
  requires meta::answer_t<judged<Added, Passes...>>::accepted
class pipeline_with_ops {
 public:
  using passes = pass_list<Passes...>;
  using added_ops = Added;
  static constexpr size_t size = sizeof...(Passes);

  template <class... Edits>
    requires edited<pipeline_with_ops, Edits...>::answer::accepted
  using edit = edited_t<pipeline_with_ops, Edits...>;

  template <class... Op>
    requires meta::answer_t<judged<typename Added::template with<Op...>, Passes...>>::accepted
  using with_ops = pipeline_with_ops<typename Added::template with<Op...>, Passes...>;
};

}  // namespace tenon
