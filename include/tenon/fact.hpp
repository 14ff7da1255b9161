/// @file fact: something true of a module that a pass establishes and another may invalidate.
///
///     struct shapes_known {
///       static constexpr fixed_string name = "shapes_known";
///       static void check(const ir::module&);      // throws if it does not hold; the proof behind the claim
///     };
///     struct ops_legalized {                       // an op-set fact: holds if and only if none of these ops is left
///       static constexpr fixed_string name = "ops_legalized";
///       using absent_ops = graph_ops;              // computed from what passes eliminate and emit, never remembered
///     };
///
/// What ends a fact besides passes that say so (docs/facts.md: how to choose):
///
///     using of_each = ops<op::conv>;               // true of each of these ops (any_ops: of all there are): who may
///                                                  // emit one ends it, unless it gives it or names it in its `keeps`
///     using of_all = ops<op::conv>;                // true of them together (their number, order, where they stand):
///                                                  // who eliminates one, or deletes, merges, moves or copies ops,
///                                                  // ends it too
///     using of_each = any_functions;               // true of each function: who adds or changes some ends it
///     using of_all = any_functions;                // of them together (their number, their names): who removes some
///                                                  // ends it, too
///     using of_all = ops<op::call, any_functions>;  // of both together (who calls whom)
///     using rests_on = facts<fact::cycles_known>;  // who breaks one of these breaks it
///     using same_as = theirs::shapes_inferred;     // another library's name for it: the two are one fact
///
/// A fact may be true of each function, and some functions have it while others have not:
///
///     static void check(const ir::module&, function_id);    // of one function
///     using gives = facts<of_some<fact::bound>>;            // a pass: of the functions that it could
///     using needs = facts<of_some<fact::bound>>;            // takes those of which it holds (`functions_with`)
///     using needs = facts<fact::bound>;                     // takes all: refused while it holds of some only
///
/// A fact that has a value, `static T compute(const ir::module&)`, is an analysis: compile/analysis.hpp.
#pragma once

#include <tenon/judge/effect.hpp>
#include <tenon/judge/function_check.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon {

template <class... Fs>
struct facts {};

/// That somebody established `F` of the functions that can have it, and nobody broke it since of those that had it. A
/// module of both kinds of functions is right; where `F` holds of all, this holds too.
template <class F>
struct of_some final {
  static constexpr auto name = F::name + fixed_string("_of_some");
};

namespace detail {
template <class F>
inline constexpr bool is_of_some = false;
template <class F>
inline constexpr bool is_of_some<of_some<F>> = true;
}  // namespace detail

/// In `keeps` or `breaks`: every fact, also those of other libraries.
struct all_facts {};

template <class T>
concept fact_type = requires { label(T::name); };

template <class T>
inline constexpr bool is_op_set_fact = requires { typename T::absent_ops; };

/// The passes that give a fact, for repairs: specialize it beside the pass.
template <class Fact>
struct givers_of {};

/// The passes that eliminate an op, for repairs: specialize it beside the pass.
///
///     template <> struct tenon::eliminators_of<mine::swish> { using type = pass_list<mine::expand_swish>; };
template <class Op>
struct eliminators_of {};

inline constexpr size_t fact_marks = 512;

namespace detail {
/// A cheap hash: the end and the middle of a name tell most names apart, numbered ones too (the factors were tried on
/// such).
constexpr size_t mark_of(label name) {
  const size_t n = name.length;
  if (n < 3) return n;
  const char* const end = name.first + n;
  return n * 7 + static_cast<unsigned char>(end[-1]) * size_t{3} + static_cast<unsigned char>(end[-2]) * size_t{23} +
         static_cast<unsigned char>(end[-3]) * size_t{37} + static_cast<unsigned char>(name.first[n / 2]) * size_t{53};
}
/// (A function, since clang looks for overflow in what initializes a member, and computes it once more for that.)
constexpr size_t fact_mark_of(label name) { return mark_of(name) % fact_marks; }
}  // namespace detail

struct fact_desc;
/// What ends a fact besides passes that say so.
struct fact_bounds {
  const op_set *of_each = nullptr, *of_all = nullptr;  ///< null: not said; without data: of any op
  const fact_desc* const* rests_on = nullptr;          ///< with a null behind them; null: not said
  unsigned effects = 0;  ///< as bits, those that each of the ops of `of_all` has: who leaves one alone leaves them
};

/// A fact as the judge sees it; its address is its identity.
struct fact_desc {
  label name;
  bool op_set_fact = false;
  op_set absent{};
  bool misnamed = false;  ///< it has a member that nobody reads
  const fact_bounds* bounds = nullptr;
  size_t mark = detail::fact_mark_of(name);
  const fact_desc* whole = nullptr;  ///< of `of_some<F>`: F

  constexpr bool flawed() const { return misnamed || name.length == 0; }
};

namespace detail {
/// No member of the pass says it.
struct unsaid {};
inline constexpr fact_desc no_fact{{}, false, {}, true};
/// The facts of a list, and a null behind them; `no_fact` for what is no list, which would say nothing, and is reported
/// (`using breaks = fact::x` for `facts<fact::x>`), and for all facts: nobody can list them, so nobody may need, or
/// give, them.
template <class List>
inline constexpr const fact_desc* fact_items[] = {&no_fact, nullptr};
template <>
inline constexpr const fact_desc* fact_items<unsaid>[] = {nullptr};
}  // namespace detail
inline constexpr const fact_desc* no_facts[] = {nullptr};

/// A list of facts as the judge sees it: where its items stand, which says what kind of list it is, too.
struct fact_list {
  const fact_desc* const* data = no_facts;

  constexpr bool all() const { return data == detail::fact_items<all_facts>; }
  constexpr bool said() const {
    return data != detail::fact_items<detail::unsaid>;
  }  ///< false: the pass has no such member
  constexpr bool is_list() const { return *data != &detail::no_fact; }  ///< false: anything else, or all facts
  constexpr const fact_desc* const* begin() const { return all() ? no_facts : data; }
  constexpr const fact_desc* const* end() const {
    const fact_desc* const* at = begin();
    while (*at) ++at;
    return at;
  }
  constexpr size_t size() const { return static_cast<size_t>(end() - begin()); }
  constexpr bool contains(const fact_desc* fact) const {
    for (const fact_desc* const* at = data; *at; ++at)
      if (*at == fact) return true;
    return all();
  }
};

namespace detail {
/// A member that a struct may have: `said<requires { typename T::gives; }>::template gives<T>`. An alias is the
/// cheapest question on both compilers; a variable template a member costs three times as much.
template <bool Said>
struct said {
  struct nameless {
    static constexpr fixed_string name = "";
  };
  template <class T>
  using with_name = nameless;
  template <class T>
  using absent_ops = ops<>;
  template <class T>
  using gives = facts<>;
  template <class T>
  using keeps = unsaid;
  template <class T>
  using breaks = unsaid;
  template <class T>
  using emits = any_ops;
};
template <>
struct said<true> {
  template <class T>
  using with_name = T;
  template <class T>
  using absent_ops = typename T::absent_ops;
  template <class T>
  using gives = typename T::gives;
  template <class T>
  using keeps = typename T::keeps;
  template <class T>
  using breaks = typename T::breaks;
  template <class T>
  using emits = typename T::emits;
};
}  // namespace detail

namespace detail {
template <class F>
concept named_fact = requires { (&F::name)->characters; };
template <class F>
concept computed_fact = requires { &F::compute; };
template <class F>
concept bounded_fact = requires { typename F::of_each; } || requires { typename F::of_all; } ||
                       requires { typename F::rests_on; } || computed_fact<F>;
template <class F>
concept renamed_fact = requires { typename F::same_as; };
/// What a fact says it is true of: ops, or functions, which no list of ops has.
template <class List>
inline constexpr const op_set* bound_of = &op_set_of<List>;
inline constexpr op_set bound_to_functions{all_functions, 0};
template <>
inline constexpr const op_set* bound_of<any_functions> = &bound_to_functions;
template <class List>
inline constexpr bool is_bound = is_ops_or_any<List> || __is_same(List, any_functions);
/// A bound that is no list, or stands where it would say nothing.
template <class F>
constexpr misnomer odd_bound() {
  constexpr misnomer bound = [] {
    if constexpr (requires { typename F::of_each; }) return misnomer{{"of_each", 7}, {}};
    else if constexpr (requires { typename F::of_all; }) return misnomer{{"of_all", 6}, {}};
    else if constexpr (requires { typename F::rests_on; }) return misnomer{{"rests_on", 8}, {}};
    else if constexpr (computed_fact<F>) return misnomer{{"compute", 7}, {}};
    else return misnomer{};
  }();
  if constexpr (renamed_fact<F> && (is_op_set_fact<F> || bounded_fact<F>))
    return {is_op_set_fact<F> ? label{"absent_ops", 10} : bound.said, {"it in the fact that is named by 'same_as", 40}};
  else if constexpr (is_op_set_fact<F> && bounded_fact<F>)
    return {bound.said, {"absent_ops' alone, from which it follows when it ends, or a 'check", 66}};
  if constexpr (renamed_fact<F>)
    if constexpr (!named_fact<typename F::same_as>) return {{"same_as", 7}, {"using same_as = another_fact", 28}};
  if constexpr (requires { typename F::of_each; })
    if (!is_bound<typename F::of_each>) return {{"of_each", 7}, {"using of_each = ops<...>", 24}};
  if constexpr (requires { typename F::of_all; })
    if (!is_bound<typename F::of_all>) return {{"of_all", 6}, {"using of_all = ops<...>", 23}};
  if constexpr (requires { typename F::rests_on; })
    if (*fact_items<typename F::rests_on> == &no_fact) return {{"rests_on", 8}, {"using rests_on = facts<...>", 27}};
  return {};
}
/// A pass where a fact is meant, or a set that nobody reads: near misses of `absent_ops`, and a `check`
/// besides them. Near misses of `check` are asked where facts are proved.
template <class F>
constexpr bool is_whole_only();
template <class F>
struct function_fact_form {
  static constexpr bool ok = true;
};
template <class F>
struct function_fact_form<of_some<F>> {
  static constexpr bool ok = !is_whole_only<F>();
};
template <class F>
constexpr misnomer fact_misnomer() {
  if constexpr (!function_fact_form<F>::ok)
    return {{"of_some", 7}, {"static void check(const ir::module&, function_id)' in that fact, beside its 'name", 81}};
  else if constexpr (is_op_set_fact<F> && requires { &F::check; }) return {{"check", 5}, {"absent_ops", 10}};
  else if constexpr (constexpr misnomer odd = odd_bound<F>(); odd.said.length != 0) return odd;
  else if constexpr (constexpr misnomer miss = near::misnomer_of<F, near::fact>(); miss.said.length != 0) return miss;
  else if constexpr (constexpr misnomer odd = near::value_for_type<F>(near::fact{}); odd.said.length != 0) return odd;
  else if constexpr (is_op_set_fact<F> && !is_ops_or_any<typename said<is_op_set_fact<F>>::template absent_ops<F>>)
    return {{"absent_ops", 10},
            is_no_list(op_set_of<typename said<is_op_set_fact<F>>::template absent_ops<F>>)
                ? label{"using absent_ops = ops<...>", 27}
                : label{"using absent_ops = these_ops::with<...>", 39}};
  else return {};
}
template <class F>
concept flawed_fact = requires { typename F::runs_in; } || fact_misnomer<F>().said.length != 0;
}  // namespace detail

namespace detail {
/// Members that few facts have.
struct unusual_fact_members : near::fact::names {
  enum : unsigned char { absent_ops, runs_in, of_each, of_all, rests_on, same_as, compute, check };
};
template <class Probe>
concept no_unusual_fact_members = near::fact::free<Probe> && requires {
  Probe::absent_ops;
  Probe::runs_in;
  Probe::of_each;
  Probe::of_all;
  Probe::rests_on;
  Probe::same_as;
  Probe::compute;
};
/// A fact with a name, and nothing else that the judge reads.
template <class F>
concept usual_fact = requires {
  sizeof(F);
  requires __is_class(F) && !__is_final(F);
  requires no_unusual_fact_members<probe<F, unusual_fact_members>>;
  requires usual_check<F, probe<F, unusual_fact_members>>;
  (&F::name)->characters;
};

/// The built-in effects that each of these ops has; of one that is only declared, nobody knows.
template <class List>
inline constexpr unsigned effects_shared = 0;
template <class First, class... Op>
inline constexpr unsigned effects_shared<ops<First, Op...>> = [] {
  const auto of = []<class O>(meta::detail::box<O>) {
    if constexpr (requires { sizeof(O); }) {
      if constexpr (sound_op<O>) return bits_of_effects<effects_of_t<O>>;
      else return 0u;
    } else {
      return 0u;
    }
  };
  unsigned all = of(meta::detail::box<First>{});
  ((all &= of(meta::detail::box<Op>{})), ...);
  return all & ~effect_bit<void>;
}();

template <class F>
constexpr fact_bounds bounds_of() {
  fact_bounds b;
  if constexpr (requires { typename F::of_each; }) b.of_each = bound_of<typename F::of_each>;
  if constexpr (requires { typename F::of_all; })
    b.of_all = bound_of<typename F::of_all>, b.effects = effects_shared<typename F::of_all>;
  else if constexpr (computed_fact<F> && !requires { typename F::of_each; }) b.of_all = &op_set_of<any_ops>;
  if constexpr (requires { typename F::rests_on; }) b.rests_on = fact_items<typename F::rests_on>;
  if constexpr (checks_each_function<F>)  // what is asked of one function at a time is true of each
    if (!b.of_each && !b.of_all) b.of_each = &bound_to_functions;
  return b;
}
template <class F>
inline constexpr fact_bounds bounds_said = bounds_of<F>();
template <class F>
constexpr const fact_bounds* bounds_if_any() {
  if constexpr (bounded_fact<F> || checks_each_function<F>) return &bounds_said<F>;
  else return nullptr;
}
template <class F>
inline constexpr fact_desc unusual_fact{
    as_label(said<requires { (&F::name)->characters; }>::template with_name<F>::name),
    requires { typename F::absent_ops; },
    op_set_of<typename said<requires { typename F::absent_ops; }>::template absent_ops<F>>, flawed_fact<F>,
    bounds_if_any<F>()};
template <class F, bool Usual>
constexpr const fact_desc& fact_meant();
template <class F, bool Usual>
inline constexpr const fact_desc& described_fact = fact_meant<F, Usual>();
template <class F>
inline constexpr fact_desc described_fact<F, true>{{F::name.characters, sizeof(F::name.characters) - 1}};
/// What cannot be said of some functions: that ops are absent, and what is checked of a module as a whole.
template <class F>
constexpr bool is_whole_only() {
  if constexpr (is_op_set_fact<F> || is_of_some<F>) return true;
  else return requires(const ir::module& m) { F::check(m); };
}
template <class F>
inline constexpr fact_desc some_fact{};
template <class F>
inline constexpr fact_desc some_fact<of_some<F>> = [] {
  fact_desc d{of_some<F>::name, false, {}, is_whole_only<F>() || flawed_fact<F>, bounds_if_any<F>()};
  d.whole = &described_fact<F, usual_fact<F>>;
  return d;
}();
/// Of a circle of facts from `Start` on, where the walk has come to `F`.
template <class Start, class Best, class F>
constexpr auto least_of() {
  using best = meta::nth_t<(meta::type_key<F> < meta::type_key<Best>), facts<Best, F>>;
  if constexpr (__is_same(F, Start)) return meta::detail::box<Best>{};
  else return least_of<Start, best, typename F::same_as>();
}
/// The fact that `F` is, by one name or several. Facts that name each other, as libraries may that know of each other,
/// are one: that of them with the least key.
template <class F, class... Seen>
constexpr auto meant_by() {
  if constexpr (!renamed_fact<F>) return meta::detail::box<F>{};
  else if constexpr (flawed_fact<F>) return meta::detail::box<F>{};
  else if constexpr ((__is_same(F, Seen) || ...)) return least_of<F, F, typename F::same_as>();
  else return meant_by<typename F::same_as, Seen..., F>();
}
template <class F>
using meant_t = typename decltype(meant_by<F>())::type;
template <class F>
struct some_meant;
template <class F>
struct some_meant<of_some<F>> {
  static constexpr const fact_desc& pick() { return some_fact<of_some<meant_t<F>>>; }
};
template <class F, bool Usual>
constexpr const fact_desc& fact_meant() {
  if constexpr (is_of_some<F>) return some_meant<F>::pick();
  else if constexpr (meta::same<meant_t<F>, F>) return unusual_fact<F>;
  else return static_cast<void>(F::name), described_fact<meant_t<F>, usual_fact<meant_t<F>>>;
}
}  // namespace detail

template <class F>
inline constexpr const fact_desc& fact_desc_of = detail::described_fact<F, detail::usual_fact<F>>;

namespace detail {
constexpr bool is_flawed(const fact_desc* const* at) {
  for (; *at; ++at)
    if ((*at)->flawed()) return true;
  return false;
}
constexpr bool is_flawed(const fact_list& list) { return is_flawed(list.begin()); }
template <class... Fs>
inline constexpr const fact_desc* fact_items<facts<Fs...>>[] = {&described_fact<Fs, usual_fact<Fs>>..., nullptr};
}  // namespace detail

template <class List>
inline constexpr fact_list fact_list_of{detail::fact_items<List>};

}  // namespace tenon
