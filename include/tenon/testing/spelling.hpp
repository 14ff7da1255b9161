/// @file spelling: members at edit distance 1 of those that mean something, any letter of the alphabet; for tests.
///
///     laws::check_spelling<mine::fold, mine::lower>();  // the passes, their phases, the facts that they need and give
///
/// A pipeline asks for the usual slips of the pen alone (near_names.hpp), since it asks each time it is compiled; this
/// asks for 37,000 names, of all structs at once. `tenon_main` does so for its parts. A member is reported if it also
/// has the form of what is meant: `using chanfes = ops<...>`, but not `int chanfes`. Cost: 0.9 s, and for each
/// struct of your own 0.6 s with g++ 12, 0.2 s with clang++ 22, on one Zen 3 core.
#pragma once

#include <tenon/pass.hpp>
#include <tenon/testing/slip_names.hpp>

namespace tenon::near::slips {

namespace detail {
template <class T>
inline constexpr bool is_facts_or_all = __is_same(T, all_facts) || fact_list_of<T>.is_list();
}  // namespace detail

// Has `T` a member of that name, in the form in which it would mean something?

#define TENON_SLIP_facts(name) requires { requires detail::is_facts_or_all<typename T::name>; },
#define TENON_SLIP_ops(name) requires { requires tenon::detail::is_ops_or_any<typename T::name>; },
#define TENON_SLIP_effects(name) requires { requires tenon::detail::is_effects_or_any<typename T::name>; },
#define TENON_SLIP_one(name) requires { typename T::name; },
#define TENON_SLIP_type(name) TENON_SLIP_one(name)
#define TENON_SLIP_phases(name) TENON_SLIP_one(name)
#define TENON_SLIP_operands(name) TENON_SLIP_one(name)
#define TENON_SLIP_interval(name) TENON_SLIP_one(name)
#define TENON_SLIP_caps(name) TENON_SLIP_one(name)
#define TENON_SLIP_value(name) requires { *&T::name; },  // static, or a function
#define TENON_SLIP_flag(name) TENON_SLIP_value(name)
#define TENON_SLIP_number(name) TENON_SLIP_value(name)
#define TENON_SLIP_either(name) requires { typename T::name; } || requires { *&T::name; },
#define TENON_SLIP_NAME(name) name,
#define TENON_SLIP_FREE(name) Probe::name;
#define TENON_SLIP_TEXT(name) #name ","
/// A word with its slips, as near::misnomer_of has all words of a kind.
#define TENON_SLIP_WORD(whose, form, word)                                                   \
  struct whose##_##word {                                                                    \
    struct names {                                                                           \
      enum : unsigned short { TENON_SLIPS_##whose##_##word(TENON_SLIP_NAME) };               \
    };                                                                                       \
    template <class Probe>                                                                   \
    static constexpr bool free = requires { TENON_SLIPS_##whose##_##word(TENON_SLIP_FREE) }; \
    template <class T>                                                                       \
    static constexpr misnomer found() {                                                      \
      const bool said[] = {TENON_SLIPS_##whose##_##word(TENON_SLIP_##form) true};            \
      const size_t at = first_true(said);                                                    \
      if (at + 1 == sizeof said) return {};                                                  \
      return name_at(";" #word ":" TENON_SLIPS_##whose##_##word(TENON_SLIP_TEXT) ";", at);   \
    }                                                                                        \
  };

TENON_WORDS_OF_pass(TENON_SLIP_WORD) TENON_WORDS_OF_phase(TENON_SLIP_WORD) TENON_WORDS_OF_fact(TENON_SLIP_WORD)
    TENON_WORDS_OF_proof(TENON_SLIP_WORD) TENON_WORDS_OF_op(TENON_SLIP_WORD) TENON_WORDS_OF_target(TENON_SLIP_WORD)
        TENON_WORDS_OF_maker(TENON_SLIP_WORD) TENON_WORDS_OF_device(TENON_SLIP_WORD)

    /// A member that is a slip, and whose it is.
    struct found_slip {
  misnomer miss;
  label name;
  const char* whose = "";
};
template <class T, class Word>
constexpr misnomer slip_in() {
  if constexpr (!__is_final(T))
    if constexpr (Word::template free<tenon::detail::probe<T, typename Word::names>>) return {};
  return Word::template found<T>();
}
template <class T>
constexpr label name_of() {
  if constexpr (requires { label(T::name); }) return T::name;
  else return meta::unqualified_name<T>();
}
/// All at once, since a name that is asked for costs the same of one class as of many; then, where there is one, each.
template <class Word, class... Ts>
constexpr void ask(found_slip& found, const char* whose) {
  if constexpr (tenon::detail::derivable<Ts...>)
    if constexpr (Word::template free<tenon::detail::probe_at_once<typename Word::names, Ts...>>) return;
  [[maybe_unused]] const auto one = [&](const misnomer& miss, label name) {
    if (found.miss.said.length == 0 && miss.said.length != 0) found = {miss, name, whose};
  };
  (one(slip_in<Ts, Word>(), name_of<Ts>()), ...);
}
#define TENON_SLIP_ASK(whose, form, word) ask<whose##_##word, Ts...>(found, said);
#define TENON_SLIP_KIND(whose)                                                                             \
  template <template <class...> class List, class... Ts>                                                   \
  constexpr void ask_##whose(found_slip& found, const char* said, tenon::meta::detail::box<List<Ts...>>) { \
    TENON_WORDS_OF_##whose(TENON_SLIP_ASK)                                                                 \
  }
TENON_SLIP_KIND(pass)
TENON_SLIP_KIND(phase)
TENON_SLIP_KIND(fact)
TENON_SLIP_KIND(proof)
TENON_SLIP_KIND(op)
TENON_SLIP_KIND(target)
TENON_SLIP_KIND(maker)
TENON_SLIP_KIND(device)

/// Of some structs each once, without those that are built in.
template <class List>
struct own;
template <template <class...> class List, class... Ts>
struct own<List<Ts...>> {
  using type = meta::detail::box<meta::unique_t<meta::filter_t<List<Ts...>, !meta::is_built_in<Ts>()...>>>;
};
template <class List>
using own_t = typename own<List>::type;

template <class... Ps, class... Ops, class... Ts>
constexpr found_slip first_of(meta::detail::box<pass_list<Ps...>>, meta::detail::box<ops<Ops...>>,
                              meta::detail::box<pass_list<Ts...>>) {
  using phases = own_t<phase_list<root_phase_t<phase_before_t<Ps>>..., root_phase_t<phase_after_t<Ps>>...>>;
  using facts = own_t<meta::concat_t<facts<>, typename Ps::needs..., gives_of_t<Ps>...>>;
  found_slip found;
  ask_pass(found, "pass", own_t<pass_list<Ps...>>{});
  ask_phase(found, "phase", phases{});
  ask_fact(found, "fact", facts{});
  ask_proof(found, "fact", facts{});
  ask_op(found, "op", own_t<ops<Ops...>>{});
  ask_target(found, "target", own_t<pass_list<Ts...>>{});
  ask_maker(found, "code generator", own_t<pass_list<typename Ts::code_generator...>>{});
  ask_device(found, "device", own_t<pass_list<typename Ts::device...>>{});
  return found;
}

}  // namespace tenon::near::slips

namespace tenon::laws {

/// Is each member spelled as it is meant: of passes, their phases, and the facts that they need and give; of ops; of
/// targets, their code generators and devices? `::ok` asks softly. What is built in is not asked.
template <class Passes, class Ops = ops<>, class... Targets>
struct spelling {
  static constexpr near::slips::found_slip found = near::slips::first_of(
      meta::detail::box<Passes>{}, meta::detail::box<Ops>{}, meta::detail::box<pass_list<Targets...>>{});
  static constexpr bool ok = found.miss.said.length == 0;
  static consteval meta::phrase say() {
    meta::phrase s;
    (s << "tenon-E008: " << found.whose << " ").quoted(found.name) << " has a member ";
    return s.quoted(found.miss.said) << ", which means nothing to the judge: write '" << found.miss.meant << "'";
  }
};

/// Does not compile where a member of these passes, of their phases, or of the facts that they need or give is misspelt
/// (E008).
template <class... Ps>
constexpr void check_spelling() {
  meta::answer_t<spelling<pass_list<Ps...>>>::accept();
}

}  // namespace tenon::laws

#undef TENON_SLIP_facts
#undef TENON_SLIP_ops
#undef TENON_SLIP_effects
#undef TENON_SLIP_one
#undef TENON_SLIP_type
#undef TENON_SLIP_phases
#undef TENON_SLIP_operands
#undef TENON_SLIP_interval
#undef TENON_SLIP_caps
#undef TENON_SLIP_value
#undef TENON_SLIP_flag
#undef TENON_SLIP_number
#undef TENON_SLIP_either
#undef TENON_SLIP_NAME
#undef TENON_SLIP_FREE
#undef TENON_SLIP_TEXT
#undef TENON_SLIP_WORD
#undef TENON_SLIP_ASK
#undef TENON_SLIP_KIND
