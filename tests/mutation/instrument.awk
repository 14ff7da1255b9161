# instrument.awk: gives each rule of a source file a switch. Reads C++ of the house's layout, writes it with
#   if (c)               ->  if (tenon_rule(N, c))            mutant N: the condition never holds
#   if (const T x = e)   ->  if (const T x = e; tenon_rule(N, bool(x)))
#   require(c, …)        ->  require(tenon_kept(N, c), …)     mutant N: what is required always holds
# numbered from `first` on, and a line "N FILE:LINE: text" a rule to the file `list`. Conditions over several lines are left alone.
function closing(s, at,   depth, i, c, quoted) {  # of the parenthesis at `at`; 0: not on this line
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
function first_comma(s,   depth, i, c) {  # outside of all brackets
  depth = 0
  for (i = 1; i <= length(s); ++i) {
    c = substr(s, i, 1)
    if (c ~ /[({[]/) ++depth
    if (c ~ /[)}\]]/) --depth
    if (c == "," && depth == 0) return i
  }
  return 0
}
# Does the statement that the condition guards refuse something? Others are courses of the code, not rules.
function refuses(rest, next_line) {
  if (rest ~ /^ *\{? *$/) rest = next_line
  return rest ~ /fail|throw|return (false|no|\{[0-9]|error|"|std::string|problem|what)|code = [0-9]|bad/
}
{ lines[FNR] = $0 }
END {
  number = first
  for (n = 1; n <= FNR; ++n) {
    if (n == 2) print "#include <tenon_mutant.hpp>"
    line = lines[n]; out = ""
    if (line ~ /^[ \t]*(\/\/|#)/) { print line; continue }
    while (match(line, /(^|[^A-Za-z0-9_])(if|require) ?\(/)) {
      at = RSTART + RLENGTH - 1
      word = substr(line, RSTART, RLENGTH) ~ /require/ ? "require" : "if"
      end = closing(line, at)
      condition = end ? substr(line, at + 1, end - at - 1) : ""
      made = ""
      if (word == "require" && end) {
        comma = first_comma(condition)
        if (comma && line !~ /void require\(/) made = "tenon_kept(" number ", bool(" substr(condition, 1, comma - 1) "))" substr(condition, comma)
      } else if (end && refuses(substr(line, end + 1), lines[n + 1])) {
        if (match(condition, /^(const )?[a-z_:]+(<[^=;]*>)?[*& ]+[a-z_]+ = /) && condition !~ /;/) {
          name = substr(condition, 1, RLENGTH - 3); sub(/.*[*& ]/, "", name)
          made = condition "; tenon_rule(" number ", bool(" name "))"
        } else if (match(condition, /; /)) {
          made = substr(condition, 1, RSTART + 1) "tenon_rule(" number ", bool(" substr(condition, RSTART + 2) "))"
        } else if (condition != "") {
          made = "tenon_rule(" number ", bool(" condition "))"
        }
      }
      if (made == "") { out = out substr(line, 1, at); line = substr(line, at + 1); continue }
      out = out substr(line, 1, at) made ")"
      line = substr(line, end + 1)
      text = lines[n]; sub(/^ */, "", text)
      print number " " FILENAME ":" n ": " text > list
      ++number
    }
    print out line
  }
  print number > next_number
}
