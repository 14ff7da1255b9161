# instrument.awk: gives each rule of a source file a switch. Reads C++ of the house's layout, writes it with
#   if (a || b) fail            ->  if (tenon_rule(N, a) || tenon_rule(N + 1, b)) fail      mutant N: `a` never holds
#   if (const T x = e) fail     ->  if (const T x = e; tenon_rule(N, bool(x))) fail
#   require(a && b, …)          ->  require(tenon_kept(N, a) && tenon_kept(N + 1, b), …)    mutant N: `a` always holds
#   return a && b;              ->  return tenon_kept(N, a) && tenon_kept(N + 1, b);
#   all = all && a;             ->  all = all && tenon_kept(N, a);                          mutant N: `a` always holds
#   throw error(…               ->  if (tenon_rule(N, true)) throw error(…                  where no condition stands before it
#   types_match(…)              ->  (tenon_is_off(N) ? void() : types_match(…))             and other calls of a checker
# numbered from `first` on, and a line "N FILE:LINE: text" a rule to the file `list`.
function closing(s, at,   depth, i, c, quoted) {  # of the parenthesis at `at`; 0: not in this text
  depth = 0; quoted = ""
  for (i = at; i <= length(s); ++i) {
    c = substr(s, i, 1)
    if (quoted != "") { if (c == "\\") ++i; else if (c == quoted) quoted = ""; continue }
    if (c == "\"" || (c == "'" && substr(s, i - 1, 1) !~ /[0-9]/)) { quoted = c; continue }
    if (c == "(") ++depth
    if (c == ")" && --depth == 0) return i
  }
  return 0
}
# Splits `s` at `mark` where it stands outside of all brackets and quotes; the parts are in `part`.
function split_outside(s, mark, part,   depth, i, c, n, from, quoted) {
  depth = 0; n = 0; from = 1; quoted = ""
  for (i = 1; i <= length(s); ++i) {
    c = substr(s, i, 1)
    if (quoted != "") { if (c == "\\") ++i; else if (c == quoted) quoted = ""; continue }
    if (c == "\"" || c == "'") { quoted = c; continue }
    if (c ~ /[({[]/) ++depth
    if (c ~ /[)}\]]/) --depth
    if (depth == 0 && substr(s, i, length(mark)) == mark) {
      part[++n] = substr(s, from, i - from)
      from = i + length(mark); i = from - 1
    }
  }
  part[++n] = substr(s, from)
  return n
}
function trimmed(s) { sub(/^ +/, "", s); sub(/ +$/, "", s); return s }
function noted(what) { print number " " FILENAME ":" at_line ": " what > list; return number++ }
# `s` with a switch for each of its parts; `word` is the switch's function.
function switched(s, mark, word,   part, n, i, made) {
  n = split_outside(s, mark, part)
  made = ""
  for (i = 1; i <= n; ++i)
    made = made (i == 1 ? "" : " " mark " ") word "(" noted(trimmed(part[i]) (n == 1 ? "" : "   of: " shown)) ", bool(" trimmed(part[i]) "))"
  return made
}
function kept(s,   part) { return split_outside(s, "||", part) > 1 ? switched(s, "@", "tenon_kept") : switched(s, "&&", "tenon_kept") }
# Does the statement that the condition guards refuse something? Others are courses of the code, not rules.
function refuses(rest, next_line) {
  if (rest ~ /^ *\{? *$/) rest = next_line
  if (rest ~ /fail|fault\.|malformed|throw|code = [0-9]|bad/) return 1
  if (rest ~ /return (false|no|\{[0-9]|\{fact_end::|error|"|std::string|problem|what)/) return 1
  return (rest ~ /return (true|most)/ && FILENAME ~ /quick_walk/) || (rest ~ /return [1-9]/ && FILENAME ~ /place/)
}
BEGIN {
  checkers = "types_match|count|results_follow|call_is_allowed|accesses_stay_inside|fail_if|in_phase|scan_fact|scan_ops|watch_all|[a-z_]+_(is|are)_right"
}
{ lines[FNR] = $0 }
END {
  number = first
  guarded = 0  # does a condition stand right before this line?
  for (n = 1; n <= FNR; ++n) {
    if (n == 2) print "#include <tenon_mutant.hpp>"
    line = lines[n]; out = ""; at_line = n; shown = trimmed(line)
    if (line ~ /^[ \t]*(\/\/|#)/) { print line; continue }
    for (joined = 0; joined < 6 && n < FNR && line !~ /\/\// && lines[n + 1] !~ /\/\//; ++joined) {  # a condition over several lines
      if (!match(line, /(^|[^A-Za-z0-9_])(if|if constexpr|require|[a-z_]+_(is|are)_right|types_match) ?\(|^ *return .*[&|][&|]/)) break
      if (substr(line, RSTART, RLENGTH) ~ /return/ ? line ~ /; *\}*$/ : closing(line, RSTART + RLENGTH - 1)) break
      line = line " " trimmed(lines[++n])
    }
    if (line ~ /\[\[noreturn\]\]|void require\(/) machinery = 1  # how rules refuse is not a rule
    if (machinery) { machinery = line !~ /^ *}$/ || line ~ /^    /; print line; continue }
    was_guarded = guarded
    if (line !~ /^ *$/) guarded = line ~ /(^|[^A-Za-z0-9_])(if|for|while) ?\(.*\) *$/ || line ~ /(^| )else *$/ || (guarded && line !~ /[;{}] *$/)
    any = 0
    while (match(line, /(^|[^A-Za-z0-9_])(if|if constexpr|require) ?\(/)) {
      at = RSTART + RLENGTH - 1
      word = substr(line, RSTART, RLENGTH) ~ /require/ ? "require" : "if"
      end = closing(line, at)
      condition = end ? substr(line, at + 1, end - at - 1) : ""
      made = ""
      if (word == "require" && end) {
        split_outside(condition, ",", part)
        made = kept(part[1]) substr(condition, length(part[1]) + 1)
      } else if (end && (condition ~ /; fault\.code$/ || refuses(substr(line, end + 1), lines[n + 1]))) {
        parts = split_outside(condition, ";", part)
        if (match(condition, /^(const )?[a-z_:]+(<[^=;]*>)?[*& ]+(const )?[a-z_]+ = /) && parts == 1) {
          name = substr(condition, 1, RLENGTH - 3); sub(/.*[*& ]/, "", name)
          made = condition "; tenon_rule(" noted(condition) ", bool(" name "))"
        } else if (condition != "") {
          init = parts > 1 ? part[1] "; " : ""
          condition = part[parts]
          made = init switched(condition, condition ~ / \? / ? "@" : "||", "tenon_rule")
        }
      }
      if (made == "") { out = out substr(line, 1, at); line = substr(line, at + 1); continue }
      any = 1
      out = out substr(line, 1, at) made ")"
      line = substr(line, end + 1)
    }
    line = out line
    if (!any && match(line, /(^ *|\{ )return [^;"]*&&[^;"]*;/)) {
      head = substr(line, 1, RSTART - 1); returned = substr(line, RSTART, RLENGTH); tail = substr(line, RSTART + RLENGTH)
      match(returned, /return /)
      head = head substr(returned, 1, RSTART + 6)
      returned = substr(returned, RSTART + 7); sub(/;$/, "", returned)
      if (split_outside(returned, "||", part) == 1 && split_outside(returned, "&&", part) > 1 && returned !~ /\{| \? | = /) {
        any = 1
        line = head kept(returned) ";" tail
      }
    }
    if (!any && match(line, /[a-z_]+ = [a-z_]+ && [^;"]*;/)) {
      returned = substr(line, RSTART, RLENGTH - 1)
      head = substr(line, 1, RSTART - 1); tail = substr(line, RSTART + RLENGTH)
      split(returned, word_of, " ")
      if (word_of[1] == word_of[3]) {
        any = 1
        at = length(word_of[1]) * 2 + 7
        line = head substr(returned, 1, at) kept(substr(returned, at + 1)) ";" tail
      }
    }
    if (!any && line ~ /^ *throw error\(/ && !was_guarded && lines[at_line - 1] !~ /(if|for) \(.*\) *$/) {
      any = 1
      sub(/throw/, "if (tenon_rule(" noted(shown) ", true)) throw", line)
    }
    out = ""
    while (!any && line !~ /(void|auto) / && match(line, "(^|[^A-Za-z0-9_:.])(" checkers ")\\(")) {
      start = RSTART; at = RSTART + RLENGTH - 1
      end = closing(line, at)
      if (!end) break
      if (substr(line, start, 1) ~ /[a-z_]/) --start
      out = out substr(line, 1, start) "(tenon_is_off(" noted(shown) ") ? void() : " substr(line, start + 1, end - start) ")"
      line = substr(line, end + 1)
    }
    print out line
  }
  print number > next_number
}
