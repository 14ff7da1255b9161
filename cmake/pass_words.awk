# pass_words.awk: include/tenon/judge/pass_words.hpp from near_names.txt.
function said(i, what) { return " TENON_WORD(" (i - 1) ", " what ")" }
$1 != "pass" || $2 == "value" || $2 == "macro" { next }
{ word[++n] = $3; is[n] = $2 }
END {
  print "/// @file pass_words: what a pass may say of itself, as types, for its closed form (judge/pass_of.hpp)."
  print "/// Made by cmake/pass_words.awk from the words of cmake/near_names.txt."
  print "#pragma once\n"
  print "#include <tenon/judge/pass_desc.hpp>\n"
  print "namespace tenon {"
  print "template <class...>"
  print "struct capabilities;  // targets/capability.hpp\n"
  print "namespace detail {"
  print "/// A list of its items, or the list itself."
  print "template <template <class...> class List, class... Ts>"
  print "struct said_list {\n  using type = List<Ts...>;\n};"
  print "template <template <class...> class List, class... Ts>"
  print "struct said_list<List, List<Ts...>> {\n  using type = List<Ts...>;\n};"
  print "template <>\nstruct said_list<facts, all_facts> {\n  using type = all_facts;\n};"
  print "template <>\nstruct said_list<ops, any_ops> {\n  using type = any_ops;\n};"
  print "template <>\nstruct said_list<effects, any_effects> {\n  using type = any_effects;\n};"
  print "template <fixed_string Reason>\nstruct said_list<ops, handled_by_default<Reason>> {\n  using type = handled_by_default<Reason>;\n};"
  print "}  // namespace detail\n"
  print "// clang-format off\n// The place of a word, and what a pass says by it."
  print "#define TENON_WORD(place, ...) \\\n  {                            \\\n    enum : unsigned long long { word = 1ull << place }; \\"
  print "    struct said {              \\\n      __VA_ARGS__;             \\\n    };                         \\\n  };"
  print "namespace words {"
  for (i = 1; i <= n; ++i) {
    w = word[i]
    if (is[i] == "flag") {
      print "struct " w said(i, "static constexpr bool " w " = true")
      continue
    }
    if (is[i] == "number") {
      print "template <int Number>\nstruct " w said(i, "static constexpr int " w " = Number")
      continue
    }
    if (is[i] == "one") { head = "class T"; type = "T" }
    else if (is[i] == "interval") { head = "class A, class B"; type = "interval<A, B>" }
    else { head = "class... Ts"; type = "typename detail::said_list<" (is[i] == "caps" ? "capabilities" : is[i]) ", Ts...>::type" }
    print "template <" head ">\nstruct " w said(i, "using " w " = " type)
  }
  print "}  // namespace words\n// clang-format on\n#undef TENON_WORD"
  print "}  // namespace tenon"
}
