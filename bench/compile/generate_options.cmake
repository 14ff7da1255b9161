# Writes a program that judges 60 passes over 24 facts with 12 flags, so in 4,096 combinations: cmake -DOUT= -P …
#
# 24 passes always run. For each flag two passes give the same fact, one when it is on, one when it is off, and a third needs
# it. -DJUDGE, -DWRONG (a fact is given only when its flag is on) and OUT_others.cpp as generate.cmake says; the others try one
# combination after another, as many as -DCOMBINATIONS says.
include("${CMAKE_CURRENT_LIST_DIR}/others.cmake")
set(text "struct middle {\n  static constexpr fixed_string name = \"middle\";\n  using op_list = ops<struct op_0>;\n};\n")
foreach(f RANGE 23)
  string(APPEND text "struct f${f} {\n  static constexpr fixed_string name = \"fact_${f}\";\n};\n")
endforeach()
function(add_pass name needs gives change)
  set(text "${text}struct ${name} {\n  static constexpr fixed_string name = \"${name}\";\n  using runs_in = middle;\n  using needs = facts<${needs}>;\n  using gives = facts<${gives}>;\n  ${change}\n  using emits = ops<>;\n};\n" PARENT_SCOPE)
endfunction()
set(optional_names "")
set(wrong_names "")
set(plain_names "")
set(wrong_plain_names "")
foreach(p RANGE 23)
  math(EXPR own "${p} % 12")
  math(EXPR next "(${own} + 1) % 12")
  set(needs "")
  foreach(back RANGE 1 3)
    if(p GREATER_EQUAL back)
      math(EXPR n "(${p} - ${back}) % 12")
      list(APPEND needs f${n})
    endif()
  endforeach()
  list(JOIN needs ", " needs)
  math(EXPR odd "${p} % 2")
  set(change "using keeps = all_facts;")
  if(odd)
    set(change "using breaks = facts<f${next}>;")
  endif()
  add_pass(always_${p} "${needs}" f${own} "${change}")
  list(APPEND optional_names always_${p})
  list(APPEND wrong_names always_${p})
  list(APPEND plain_names "run<always_${p}>")
  list(APPEND wrong_plain_names "run<always_${p}>")
endforeach()
foreach(k RANGE 11)
  math(EXPR own "12 + ${k}")
  math(EXPR a "1 + ${k} % 9")
  math(EXPR b "${a} + 1")
  math(EXPR c "${a} + 2")
  add_pass(on_${k} "f${a}, f${b}, f${c}" f${own} "using keeps = all_facts;")
  add_pass(off_${k} "f${a}, f${b}, f${c}" f${own} "using keeps = all_facts;")
  add_pass(user_${k} "f${own}, f${a}, f${b}" "" "using breaks = facts<f${own}>;")
  set(on "optional<on_${k}, when<\"flag_${k}\">>")
  set(off "optional<off_${k}, unless<\"flag_${k}\">>")
  list(APPEND optional_names "${on}" "${off}" user_${k})
  list(APPEND plain_names "run<on_${k}, ${k}, true>" "run<off_${k}, ${k}, false>" "run<user_${k}>")
  if(k EQUAL 11)
    list(APPEND wrong_names "${on}" user_${k})
    list(APPEND wrong_plain_names "run<on_${k}, ${k}, true>" "run<user_${k}>")
  else()
    list(APPEND wrong_names "${on}" "${off}" user_${k})
    list(APPEND wrong_plain_names "run<on_${k}, ${k}, true>" "run<off_${k}, ${k}, false>" "run<user_${k}>")
  endif()
endforeach()
foreach(list optional_names wrong_names plain_names wrong_plain_names)
  list(JOIN ${list} ",\n" ${list})
endforeach()
file(WRITE "${OUT}" "#include <tenon/pipeline.hpp>
namespace generated {
using namespace tenon;
${text}
#ifdef JUDGE
using all = pipeline<\n${optional_names}>;
static_assert(all::size == 60);
#ifdef WRONG
using wrong = pipeline<\n${wrong_names}>;
#endif
#endif
}  // namespace generated
")
string(REGEX REPLACE "\\.cpp$" "_others.cpp" others "${OUT}")
file(WRITE "${others}" "#include <tenon/pipeline.hpp>
#ifdef MP11
#include <boost/mp11.hpp>
#else
#include <boost/hana.hpp>
#endif
#include <utility>
namespace generated {
using namespace tenon;
${text}
#ifdef JUDGE
template <class Pass, int Flag = -1, bool On = true>
struct run {
  using pass = Pass;
  static constexpr bool in(unsigned combination) { return Flag < 0 || ((combination >> Flag & 1) == 0) == On; }
};
template <class T>
concept breaks_some = requires { typename T::breaks; };
#ifdef MP11
${facts_with_mp11}template <unsigned Combination>
struct after_in {
  template <class State, class Run>
  static auto step() {
    if constexpr (Run::in(Combination)) return typename after<State, typename Run::pass>::type();
    else return State();
  }
  template <class State, class Run>
  using fn = decltype(step<State, Run>());
};
template <unsigned Combination, class... Runs>
constexpr bool right = mp::mp_size<mp::mp_fold_q<mp::mp_list<Runs...>, facts<>, after_in<Combination>>>::value != 0;
#else
${facts_with_hana}template <unsigned Combination>
constexpr auto after = [](auto state, auto run) {
  using type = typename decltype(run)::type;
  if constexpr (!type::in(Combination)) {
    return state;
  } else {
    using pass = typename type::pass;
    static_assert(decltype(hana::is_subset(set_of(typename pass::needs()), state))::value);
    return hana::union_(hana::difference(state, breaks_of<pass>()), set_of(typename pass::gives()));
  }
};
template <unsigned Combination, class... Runs>
constexpr bool right = decltype(hana::length(hana::fold_left(hana::tuple_t<Runs...>, hana::make_set(), after<Combination>)))::value != 0;
#endif
template <class... Runs, unsigned... I>
constexpr bool always(std::integer_sequence<unsigned, I...>) {
  const bool each[] = {right<I * (4096 / COMBINATIONS), Runs...>...};
  for (bool r : each)
    if (!r) return false;
  return true;
}
static_assert(always<\n${plain_names}>(std::make_integer_sequence<unsigned, COMBINATIONS>()));
#ifdef WRONG
static_assert(always<\n${wrong_plain_names}>(std::make_integer_sequence<unsigned, COMBINATIONS>()));
#endif
#endif
}  // namespace generated
")
