# near_names.awk: include/tenon/meta/near_names.hpp from near_names.txt; with -v targets=1, near_target_names.hpp.
function fresh(whose, s) { return !((whose, s) in seen) && !((whose, s) in known) && !(s in keyword) }
function word(whose, meant, s, is) {
  if (!fresh(whose, s)) return
  seen[whose, s] = 1; words[whose] = words[whose] " " s; of[whose, s] = meant; kind[whose, s] = is
}
# works_on: worksOn
function camel(s,  n, part, i, out) {
  n = split(s, part, "_"); out = part[1]
  for (i = 2; i <= n; ++i) out = out toupper(substr(part[i], 1, 1)) substr(part[i], 2)
  return out
}
function slip(whose, meant, s) {
  if (length(s) < 4 || !fresh(whose, s)) return
  seen[whose, s] = 1; slips[whose] = slips[whose] " " s; of[whose, s] = meant
}
# Items, in lines of at most 120 columns.
function lines(items, n, indent,  i, line, out) {
  line = indent
  for (i = 1; i <= n; ++i) {
    if (length(line) + length(items[i]) > 119) { out = out line "\n"; line = indent }
    line = line (line == indent ? "" : " ") items[i]
  }
  return out line
}
# What each of them says, of the `n` names in `part`: before and behind a name.
function each(part, n, before, behind, indent,  i, items) {
  for (i = 1; i <= n; ++i) items[i] = before part[i] behind
  return lines(items, n, indent)
}
# Does `T` say a word as a value? Of one that means a value, data of each object is reported, too.
function as_value(whose, s,  value) {
  value = kind[whose, s] ~ /^(value|number|flag)$/
  return "requires { " (value ? "" : "*") "&T::" s "; },"
}
# The names, with what they mean: ";gives:give,provides,;keeps:keep,".
function meanings(whose, part, n,  i, last, items, text) {
  for (i = 1; i <= n; ++i) {
    text = of[whose, part[i]] == last ? "" : ";" of[whose, part[i]] ":"
    last = of[whose, part[i]]
    items[i] = "\"" text part[i] ",\"" (i == n ? ";" : "")
  }
  return lines(items, n, "      ")
}
function list(whose,  n, part, w, word_list, x, slip_list, i, items) {
  w = split(words[whose], word_list, " "); x = split(slips[whose], slip_list, " ")
  n = split(words[whose] slips[whose], part, " ")
  print "struct " whose "_names {\n  enum : unsigned short {\n" each(part, n, "", ",", "    ") "\n  };\n};"
  print "struct " whose " {\n  using names = " whose "_names;"
  print "  template <class Probe>\n  static constexpr bool free = requires {"
  print each(part, n, "Probe::", ";", "    ") "\n  };"
  for (i = 1; i <= w; ++i) {
    items[2 * i - 1] = "requires { requires member_of<T, typename T::" word_list[i] ">; } ||"
    items[2 * i] = as_value(whose, word_list[i])
  }
  items[2 * w + 1] = "true"
  print "  template <class T>\n  static constexpr size_t found_word() {\n    const bool said[] = {"
  print lines(items, 2 * w + 1, "        ") "};\n    return first_true(said);\n  }"
  print "  template <class Probe>\n  static constexpr size_t found_slip() {\n    const bool free[] = {"
  print (x ? each(slip_list, x, "requires { Probe::", "; },", "        ") " " : "        ") "false};"
  print "    return words + first_false(free);\n  }"
  print "  static constexpr size_t words = " w ", count = " n ";"
  print "  static constexpr const char* meanings =\n" meanings(whose, part, n) "\n};\n"
}
BEGIN {
  # The keys to the left and right of a letter.
  n = split("qwertyuiop asdfghjkl zxcvbnm", keys, " ")
  for (i = 1; i <= n; ++i)
    for (j = 1; j <= length(keys[i]); ++j) beside[substr(keys[i], j, 1)] = (j > 1 ? substr(keys[i], j - 1, 1) : "") substr(keys[i], j + 1, 1)
  typed["facts"] = "facts<...>"; typed["ops"] = "ops<...>"; typed["effects"] = "effects<...>"
  typed["caps"] = "capabilities<...>"; typed["interval"] = "interval<...>"; typed["one"] = "..."; typed["phases"] = "phase_list<...>"; typed["operands"] = "operands<...>"
}
/^#/ || NF == 0 { next }
{
  if (($1 ~ /^(target|maker|device)$/) != (targets == 1)) next
  if (!($1 in rows)) order[++kinds] = $1
  rows[$1] = rows[$1] " " (++row); is[row] = $2; member[row] = $3; asked[row] = $4; known[$1, $3] = 1
  for (i = 5; i <= NF; ++i) { other[row, ++others[row]] = $i }
}
END {
  print "/// @file near_" (targets ? "target_" : "") "names: members that nobody reads, and whose names are nearly those of members that mean something."
  print "/// Long because it is made by cmake/near_names.awk from the words of cmake/near_names.txt."
  print "#pragma once\n"
  print "#include <tenon/meta/near.hpp>\n"
  print "// clang-format off\nnamespace tenon::near {\n"
  for (o = 1; o <= kinds; ++o) {
    w = order[o]; n = split(rows[w], r, " ")
    for (a = 1; a <= n; ++a) for (i = 1; i <= others[r[a]]; ++i) word(w, member[r[a]], other[r[a], i], is[r[a]])
    for (a = 1; a <= n && w == "pass"; ++a) {  # no word of English: whatever it is, it is no one's own
      if (is[r[a]] == "macro") continue
      slip(w, member[r[a]], camel(member[r[a]]))
      for (i = 1; i <= others[r[a]]; ++i) slip(w, member[r[a]], camel(other[r[a], i]))
    }
    for (a = 1; a <= n; ++a) {
      every = asked[r[a]] == "all"
      if (asked[r[a]] != "yes" && !every) continue
      s = member[r[a]]; L = length(s)
      for (j = 1; j <= L; ++j) {
        c = substr(s, j, 1)
        slip(w, s, substr(s, 1, j - 1) substr(s, j + 1))
        if (j < L && c != "_" && substr(s, j + 1, 1) != "_") slip(w, s, substr(s, 1, j - 1) substr(s, j + 1, 1) c substr(s, j + 2))
        if (every || (j > 1 && index("lmnrst", c) && L <= 12)) slip(w, s, substr(s, 1, j) substr(s, j))
        for (i = 1; every && i <= length(beside[c]); ++i) {
          key = substr(beside[c], i, 1)
          slip(w, s, substr(s, 1, j - 1) key substr(s, j + 1))
        }
      }
    }
    list(w)
  }
  if (targets != 1) print "// A word that is a type, said as a value: nobody reads it. Asked where what is not read would let wrong orders pass."
  for (o = 1; o <= kinds && targets != 1; ++o) {
    w = order[o]
    if (w == "proof") continue
    print "template <class T>\nconstexpr misnomer value_for_type(" w ") {"
    n = split(rows[w], r, " ")
    for (a = 1; a <= n; ++a) {
      s = member[r[a]]
      if (!(is[r[a]] in typed) || s ~ /^(needs|runs_in|from|to|gives|keeps|breaks|emits|handles|leaves|keeps_inside|emits_outside|encloses)$/ ||
          s ~ /^(makes_functions_in|needs_of_.*|op_list|side_of|calls_into|early_ops|begins_with)$/) continue
      text = "using " s " = " typed[is[r[a]]]
      printf "  if constexpr (requires { *&T::%s; })\n", s
      printf "    return {{\"%s\", %d}, {\"%s\", %d}};\n", s, length(s), text, length(text)
    }
    print "  return {};\n}"
  }
  print "}  // namespace tenon::near\n// clang-format on"
}
