# slip_names.awk: include/tenon/testing/slip_names.hpp from near_names.txt: for each word all names at edit distance 1.
function fits(s) { return !(s in keyword) && !((whose, s) in known) }
function name(s) {
  if (!fits(s)) return 0
  code = code " X(" s ")"
  return 1
}
# Between `before` and `behind`, any letter but `c`: one macro, unless one of these names is taken.
function letters(before, behind, c,  i, l, all, some) {
  all = 1
  for (i = 1; i <= length(abc); ++i) {
    l = substr(abc, i, 1)
    if (l == c) continue
    if (fits(before l behind)) some = some " X(" before l behind ")"
    else all = 0
  }
  code = code (all ? " TENON_LETTERS_" c "(X, " before ", " behind ")" : some)
  return all
}
# Each name once: a letter is put before another one, or at the end; of two that are alike the first is left out. What
# is put before, in place of and without a letter is mostly one macro.
function slips(s,  j, c, before, behind, usual, whole) {
  code = ""
  for (j = 1; j <= length(s); ++j) {
    c = substr(s, j, 1); before = substr(s, 1, j - 1); behind = substr(s, j + 1)
    usual = code " TENON_AT_" c "(X, " before ", " behind ")"
    whole = letters(before, c behind, c)
    if (!letters(before, behind, c)) whole = 0
    if (substr(before, j - 1) == c || !name(before behind)) whole = 0
    if (whole) code = usual
    if (behind != "" && substr(behind, 1, 1) != c) name(before substr(behind, 1, 1) c substr(behind, 2))
  }
  letters(s, "", "any")
  return code
}
# A macro, in lines of at most 120 columns.
function define(head, body,  n, part, i, line, item) {
  line = "#define " head
  n = split(body, part, " ")
  for (i = 1; i <= n; ++i) {
    item = part[i]
    while (item ~ /^TENON_(AT|LETTERS)/ && item !~ /\)$/) item = item " " part[++i]
    if (length(line) + length(item) > 117) { print line " \\"; line = " " }
    line = line " " item
  }
  print line
}
BEGIN {
  abc = "abcdefghijklmnopqrstuvwxyz_"
}
/^#/ || NF == 0 { next }
{ row[++rows] = $1 " " $2 " " $3; known[$1, $3] = 1 }
END {
  print "/// @file slip_names: all names at edit distance 1 of those that mean something. See spelling.hpp."
  print "/// Long because it is made by cmake/slip_names.awk from the words of cmake/near_names.txt."
  print "#pragma once\n\n// clang-format off"
  for (i = 0; i <= length(abc); ++i) {
    body = ""
    c = i ? substr(abc, i, 1) : "any"
    for (j = 1; j <= length(abc); ++j)
      if (j != i) body = body " X(B##" substr(abc, j, 1) "##E)"
    define("TENON_LETTERS_" c "(X, B, E)", body)
    if (i) define("TENON_AT_" c "(X, B, E)", "TENON_LETTERS_" c "(X, B, " c "##E) TENON_LETTERS_" c "(X, B, E) X(B##E)")
  }
  for (i = 1; i <= rows; ++i) {
    split(row[i], part, " ")
    whose = part[1]; word = part[3]
    # What is as short as `from` and may be any type is a user's own.
    if (part[2] == "macro" || length(word) < 4 || (part[2] ~ /^(one|type)$/ && length(word) == 4)) continue
    if ((whose, word) in form) { form[whose, word] = "either"; continue }
    form[whose, word] = part[2]
    if (!(whose in words)) order[++kinds] = whose
    words[whose] = words[whose] " " word
    code = slips(word)
    if (code == made[word]) code = "TENON_SLIPS_" first[word] "_" word "(X)"  # of another kind of struct, the same
    else { made[word] = code; first[word] = whose }
    define("TENON_SLIPS_" whose "_" word "(X)", code)
  }
  for (i = 1; i <= kinds; ++i) {
    whose = order[i]
    n = split(words[whose], part, " ")
    body = ""
    for (j = 1; j <= n; ++j) body = body " X(" whose "," form[whose, part[j]] "," part[j] ")"
    define("TENON_WORDS_OF_" whose "(X)", body)
  }
  print "// clang-format on"
}
