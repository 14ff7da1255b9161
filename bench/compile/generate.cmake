# Writes a program that judges PASSES passes over FACTS facts, three needs a pass: cmake -DPASSES= -DFACTS= -DOUT= -P …
# With -DJUDGE in the compiler's flags the pipeline is named; without, the program has its parts only, as the base line. With
# -DWRONG too, the order is wrong. The second file, OUT_others.cpp, checks facts with -DMP11, or else with Hana.
include("${CMAKE_CURRENT_LIST_DIR}/others.cmake")
set(text "#include <tenon/pipeline.hpp>\nnamespace generated {\nusing namespace tenon;\n")
foreach(op RANGE 23)
  string(APPEND text "struct op_${op};\n")
endforeach()
set(list "op_0")
foreach(op RANGE 1 23)
  string(APPEND list ", op_${op}")
endforeach()
string(APPEND text "struct middle {\n  static constexpr fixed_string name = \"middle\";\n  using op_list = ops<${list}>;\n};\n")
string(APPEND text "struct last {\n  static constexpr fixed_string name = \"last\";\n  using op_list = ops<op_0, op_1>;\n};\n")
math(EXPR last_fact "${FACTS} - 1")
foreach(f RANGE ${last_fact})
  string(APPEND text "struct f${f} {\n  static constexpr fixed_string name = \"fact_${f}\";\n};\n")
endforeach()
math(EXPR last_pass "${PASSES} - 2")
set(names "")
foreach(p RANGE ${last_pass})
  math(EXPR own "${p} % ${FACTS}")
  set(needs "")
  foreach(back RANGE 1 3)
    if(p GREATER_EQUAL back)
      math(EXPR n "(${p} - ${back}) % ${FACTS}")
      list(APPEND needs f${n})
    endif()
  endforeach()
  list(JOIN needs ", " needs)
  math(EXPR next "(${own} + 1) % ${FACTS}")
  math(EXPR odd "${p} % 2")
  if(odd)
    set(change "using breaks = facts<f${next}>;")
  else()
    set(change "using keeps = all_facts;")
  endif()
  math(EXPR fifth "${p} % 5")
  set(emits "using emits = ops<op_2, op_3>;")
  if(fifth EQUAL 0)
    set(emits "")
  endif()
  string(APPEND text "struct p${p} {\n  static constexpr fixed_string name = \"pass_${p}\";\n  using runs_in = middle;\n"
                     "  using needs = facts<${needs}>;\n  using gives = facts<f${own}>;\n  ${change}\n  ${emits}\n};\n")
  string(APPEND names "p${p},\n")
endforeach()
string(APPEND text "struct finish {\n  static constexpr fixed_string name = \"finish\";\n  using from = middle;\n"
                   "  using to = last;\n  using needs = facts<f0>;\n  using eliminates = ops<${list}>;\n"
                   "  using handles = handled_by_default<\"a measurement\">;\n  using emits = ops<op_0>;\n};\n"
                   "#ifdef JUDGE\nusing all = pipeline<\n${names}finish>;\nstatic_assert(all::size == ${PASSES});\n"
                   "#ifdef WRONG\nusing wrong = pipeline<\np3,\n${names}finish>;\n#endif\n#endif\n}  // namespace generated\n")
file(WRITE "${OUT}" "${text}")

# The same check, of facts only, as one writes it with other libraries: a fold over the passes whose state is the set of
# known facts. No culprit, no repair, no ops, no phases.
string(REGEX REPLACE ",\n$" "" names "${names}")
string(REGEX REPLACE "#ifdef JUDGE.*" "}\n" passes "${text}")
string(PREPEND passes "#ifdef MP11\n#include <boost/mp11.hpp>\n#else\n#include <boost/hana.hpp>\n#endif\n")
string(APPEND passes "
#ifdef JUDGE
namespace generated {
template <class T>
concept breaks_some = requires { typename T::breaks; };
#ifdef MP11
${facts_with_mp11}template <class State, class Pass>
using after_t = typename after<State, Pass>::type;
using all = mp::mp_fold<mp::mp_list<\n${names}>, facts<>, after_t>;
static_assert(mp::mp_size<all>::value != 0);
#ifdef WRONG
using wrong = mp::mp_fold<mp::mp_list<\np3,\n${names}>, facts<>, after_t>;
static_assert(mp::mp_size<wrong>::value != 0);
#endif
#else
${facts_with_hana}constexpr auto after = [](auto state, auto pass) {
  using type = typename decltype(pass)::type;
  static_assert(decltype(hana::is_subset(set_of(typename type::needs()), state))::value);
  return hana::union_(hana::difference(state, breaks_of<type>()), set_of(typename type::gives()));
};
using all = decltype(hana::fold_left(hana::tuple_t<\n${names}>, hana::make_set(), after));
static_assert(decltype(hana::length(all()))::value != 0);
#ifdef WRONG
using wrong = decltype(hana::fold_left(hana::tuple_t<\np3,\n${names}>, hana::make_set(), after));
static_assert(decltype(hana::length(wrong()))::value != 0);
#endif
#endif
}  // namespace generated
#endif
")
string(REGEX REPLACE "\\.cpp$" "_others.cpp" others "${OUT}")
file(WRITE "${others}" "${passes}")
