/// @file analysis: facts that have a value: what passes compute of a module to decide something, kept while it is true.
///
///     struct trip_counts_known {                                            // an analysis is a fact …
///       static constexpr fixed_string name = "trip_counts_known";
///       using rests_on = facts<fact::shapes_known>;                         // what it is computed from
///       static trip_counts compute(const ir::module&);                      // … with a value, which has ==
///     };
///
///     void unroll::run(ir_module<runs_in>& m, context& cx) const {
///       const trip_counts& counts = cx.analysis<trip_counts_known>(*this, m);
///
/// The value is computed when it is first asked for, and gone when the fact is broken. A pass that names itself
/// (`*this`) needs what the analysis rests on, or the analysis: else it does not compile ("tenon-E044"), and no
/// pipeline in which that is broken before it does. Without `*this`, and outside of passes, what it rests on is proved
/// by its checkers when the value is computed, unless the type of the module knows it.
///
/// It holds behind a pass as any fact does: where the pass names it in `keeps`, or keeps all facts and does nothing
/// that ends it. One that says neither `of_each` nor `of_all` is ended by any op that may be emitted, eliminated,
/// deleted, merged or moved. A pass that found nothing to do says `cx.changed_nothing()`, and everything is kept.
/// `verify_each` computes what is kept once more behind each pass, and compares ("tenon-E030").
///
/// In a pass the value is that of the module when it was first asked for: who changes what it speaks of and asks again
/// says `m.analyses().clear()` before. It lives until another pass ends. Outside of passes it is computed anew as long
/// as the module can be edited.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>

namespace tenon {

template <class A>
using analysis_value_t = std::remove_cvref_t<decltype(A::compute(std::declval<const ir::module&>()))>;

/// Softly: is it a fact that has a value?
template <class A>
concept analysis = fact_type<A> && requires(const analysis_value_t<A>& a) { static_cast<bool>(a == a); };

namespace detail {
template <class A>
constexpr ir::analysis_info describe_analysis() {
  using value = analysis_value_t<A>;
  return {&fact_desc_of<A>, [](const ir::module& m) -> void* { return new value(A::compute(m)); },
          [](const void* a, const void* b) -> bool {
            return *static_cast<const value*>(a) == *static_cast<const value*>(b);
          },
          [](void* a) { delete static_cast<value*>(a); }};
}
template <class A>
inline constexpr ir::analysis_info analysis_info_of = describe_analysis<A>();

template <class A>
constexpr auto base_of() {
  if constexpr (requires { typename A::rests_on; }) return meta::detail::box<typename A::rests_on>{};
  else return meta::detail::box<facts<>>{};
}
/// What is known where an analysis is asked for: of a pass, what it needs; of a module, what its type says.
template <class Asker>
struct known_to {
  static constexpr label pass = {};
  using type = facts<>;
};
template <class Phase, class... Fs>
struct known_to<ir_module<Phase, Fs...>> {
  static constexpr label pass = {};
  using type = facts<Fs...>;
};
template <class P>
  requires requires { typename P::needs; }
struct known_to<P> {
  static constexpr label pass = P::name;
  using type = typename P::needs;
};

template <class A, class Asker>
struct analysis_check {
  static constexpr bool is_one = analysis<A>;
  static constexpr label pass = known_to<Asker>::pass;
  /// The first fact that it rests on, and that is neither known nor can be proved here; an empty name: none.
  static constexpr label missing = [] {
    label first;
    constexpr fact_list known = fact_list_of<typename known_to<Asker>::type>;
    const auto ask = [&]<class... Fs>(meta::detail::box<facts<Fs...>>) {
      const bool there[] = {(known.contains(&fact_desc_of<Fs>) || (pass.length == 0 && is_provable<Fs>))..., true};
      const label names[] = {label(Fs::name)..., {}};
      for (size_t i = sizeof...(Fs); i-- > 0;)
        if (!there[i]) first = names[i];
    };
    if constexpr (is_one)
      if (pass.length == 0 || !known.contains(&fact_desc_of<A>)) ask(base_of<A>());
    return first;
  }();
  static constexpr bool ok = is_one && missing.length == 0;
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E044: ";
    if constexpr (!is_one) {
      if (pass.length) (s << "pass ").quoted(pass) << " asks for analysis ";
      s.quoted(meta::unqualified_name<A>()) << (pass.length ? ", which" : "");
      return s << " is no analysis: that is a fact with a name and 'static T compute(const ir::module&)', whose values "
                  "can be compared by '=='";
    }
    if constexpr (pass.length != 0) {
      (s << "pass ").quoted(pass) << " asks for ";
      (s.quoted(label(A::name)) << ", which rests on ").quoted(missing);
      return s << ", and does not need that: add '" << missing << "' to its 'needs'";
    }
    (s.quoted(label(A::name)) << " rests on ").quoted(missing);
    return s << ", which is not known of this module, and has no checker: run a pass that gives it first, and do not "
                "edit() in between";
  }
};

/// What `known` does not have of what an analysis rests on is proved.
template <class A, class Known>
void prove_base(const ir::module& m) {
  const auto all = [&]<class... Fs>(meta::detail::box<facts<Fs...>>) {
    ((fact_list_of<Known>.contains(&fact_desc_of<Fs>) ? void() : prove<Fs>(m)), ...);
  };
  all(base_of<A>());
}
template <class A, class Known>
const analysis_value_t<A>& analysis_of(const ir::module& m, bool is_current) {
  constexpr const ir::analysis_info& what = analysis_info_of<A>;
  if (!is_current) m.analyses().clear();
  const void* value = m.analyses().find(what);
  if (value == nullptr) {
    prove_base<A, Known>(m);
    value = m.analyses().compute(what, m);
  }
  return *static_cast<const analysis_value_t<A>*>(value);
}
}  // namespace detail

// What `context::analysis` finds by the types of its arguments.
template <class A, class Asker>
const auto& find_analysis(const context&, const ir::module& m, bool in_pass) {
  return detail::analysis_of<A, typename detail::known_to<Asker>::type>(m, in_pass);
}
template <class A, class Asker, class Phase, class... Fs>
const auto& find_analysis(const context&, const ir_module<Phase, Fs...>& m, bool in_pass) {
  using known = typename detail::known_to<Asker>::type;
  return detail::analysis_of<A, known>(m.body(), in_pass || detail::module_door::is_sound(m));
}

}  // namespace tenon
