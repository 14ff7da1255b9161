#!/bin/sh
# check_definitions.sh [--write] [--self-test | ROOT]: each definition stands in a program once: every .ipp under include/ is reached,
# through the .ipp files that it includes, from exactly one file of include/tenon/definitions/, and every part of these is in a header
# for users. The parts are what cmake/definitions.txt says; --write makes them.
set -u
cd "$(dirname "$0")/.." || exit 1

sources() { { find include -name '*.ipp'; find include/tenon/definitions* -name '*.hpp'; } | LC_ALL=C sort; }

# The parts of the tree in the working directory, each as a file of a folder.
make_parts() {  # the folder
  sources | awk -v folder="$1" '
    function complain(text) { print text; bad = 1 }
    FILENAME == "cmake/definitions.txt" {
      if (/^#/ || /^$/) next
      if (/^[a-z_0-9]+: /) { part = $1; sub(/:$/, "", part); title[part] = $0; sub(/^[^:]*: /, "", title[part]); next }
      for (i = 1; i <= NF; i++) {
        text = $i; gsub(/\./, "[.]", text); gsub(/\*/, ".*", text)
        pattern[++rows] = $i; expression[rows] = "^include/tenon/" text "$"; owner[rows] = part
      }
      next
    }
    { files[++n] = $0 }
    END {
      for (i = 1; i <= n; i++) {
        if (files[i] !~ /[.]hpp$/ || files[i] ~ /\/parts\//) continue
        while ((getline text < files[i]) > 0)
          if (text ~ /^[ ]*#[ ]*include[ ]*<tenon\/.*[.]ipp>/) {
            sub(/^[^<]*</, "", text); sub(/>.*/, "", text); named["include/" text] = 1
          }
        close(files[i])
      }
      for (i = 1; i <= n; i++) {
        if (files[i] !~ /[.]ipp$/) continue
        best = 0
        for (r = 1; r <= rows; r++)
          if (files[i] ~ expression[r]) {
            matched[r] = 1
            if (!best || length(pattern[r]) > length(pattern[best])) best = r
          }
        if (files[i] in named) continue
        if (!best) { complain(files[i] ": no pattern of cmake/definitions.txt has it"); continue }
        part = owner[best]; text = files[i]; sub(/^include\//, "", text)
        if (!(part in lines))
          lines[part] = "/// @file " part ": definitions of " title[part] ".\n" \
            "/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.\n#pragma once\n\n"
        lines[part] = lines[part] "#include <" text ">\n"
      }
      for (r = 1; r <= rows; r++)
        if (!(r in matched)) complain("cmake/definitions.txt: no definitions match " pattern[r] " (" owner[r] ")")
      for (part in title)
        if (!(part in lines)) complain("cmake/definitions.txt: part " part " has no definitions")
      for (part in lines) printf "%s", lines[part] > (folder "/" part ".hpp")
      exit bad
    }' cmake/definitions.txt -
}

# The parts are made anew, and compared with those that are there.
check_parts() {
  made=$(mktemp -d) || return 1
  make_parts "$made"; bad=$?
  diff -r include/tenon/definitions/parts "$made" > "$made.diff" || {
    echo "include/tenon/definitions/parts is not what cmake/definitions.txt says: run cmake/check_definitions.sh --write"
    cat "$made.diff"
    bad=1
  }
  rm -rf "$made" "$made.diff"
  return $bad
}

write_parts() {
  made=$(mktemp -d) || return 1
  if make_parts "$made"; then
    mkdir -p include/tenon/definitions/parts
    for file in include/tenon/definitions/parts/*.hpp; do [ -f "$made/${file##*/}" ] || rm -f "$file"; done
    for file in "$made"/*.hpp; do  # what has not changed keeps its time: nothing is compiled again
      cmp -s "$file" "include/tenon/definitions/parts/${file##*/}" || cp "$file" include/tenon/definitions/parts/
    done
    rm -rf "$made"
  else
    rm -rf "$made"
    return 1
  fi
}

check_once() {
  sources | awk '
  { files[++n] = $0 }
  END {
    for (i = 1; i <= n; i++) {
      file = files[i]
      while ((getline text < file) > 0) {
        if (text !~ /^[ ]*#[ ]*include[ ]*<tenon\//) continue
        sub(/^[^<]*</, "", text); sub(/>.*/, "", text); text = "include/" text
        if (text ~ /[.]ipp$/) includes[file] = includes[file] " " text
        if (text ~ /\/parts\//) offered[text] = 1
      }
      close(file)
    }
    for (i = 1; i <= n; i++) {
      if (files[i] !~ /[.]hpp$/) continue
      if (files[i] ~ /\/parts\// && !(files[i] in offered)) { print files[i] ": no header for users includes it"; bad = 1 }
      split("", seen); count = split(includes[files[i]], queue, " ")
      for (k = 1; k <= count; k++) {
        if (queue[k] in seen) continue
        seen[queue[k]] = 1; reached[queue[k]] = reached[queue[k]] " " files[i]
        more = split(includes[queue[k]], next_ones, " ")
        for (j = 1; j <= more; j++) queue[++count] = next_ones[j]
      }
    }
    for (i = 1; i <= n; i++) {
      if (files[i] !~ /[.]ipp$/) continue
      times = split(reached[files[i]], where, " ")
      if (times == 1) continue
      print files[i] ": defined " times " times" (times ? ":" reached[files[i]] : "")
      bad = 1
    }
    if (!bad) print "each definition stands in a program once"
    exit bad
  }'
}

check() (cd "$1" && check_parts && check_once)
write() (cd "$1" && write_parts)

case ${1-} in
--write) write "${2-.}" && check "${2-.}"; exit ;;
--self-test) ;;
*) check "${1-.}"; exit ;;
esac

# The control: a tree with each mistake is reported, and the same tree without is not.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
tenon="$scratch/include/tenon" table="$scratch/cmake/definitions.txt"
parts="$tenon/definitions/parts"
mkdir -p "$parts" "$tenon/core" "$tenon/ir" "$scratch/cmake"
include() { for file in "$@"; do echo "#include <tenon/$file>"; done; }
right_tree() {
  rm -f "$tenon"/*/*.ipp
  printf '%s\n' '# a table' '' 'low: all that is simple' '  core/* ir/*' 'high: the rest' '  core/b.*' > "$table"
  include definitions/parts/low.hpp definitions/parts/high.hpp > "$tenon/definitions.hpp"
  include core/inner.ipp > "$tenon/core/a.ipp"
  : > "$tenon/core/b.ipp"; : > "$tenon/core/inner.ipp"; : > "$tenon/ir/c.ipp"
  write "$scratch"
}
rejects() {  # the mistake, what is said of it
  said=$(check "$scratch" 2>&1) && { echo "control: accepted: $1"; exit 1; }
  case $said in *"$2"*) ;; *) echo "control: unexpected report: $said"; exit 1 ;; esac
  right_tree
}
right_tree
check "$scratch" > /dev/null || { echo "control: a right tree is rejected"; exit 1; }
grep -q 'definitions of the rest[.]$' "$parts/high.hpp" && [ "$(grep -c include "$parts/low.hpp")" = 3 ] ||
  { echo "control: the parts are not what the table says"; exit 1; }
: > "$tenon/core/d.ipp"
rejects "a file that is not in its part yet" "run cmake/check_definitions.sh --write"
include core/a.ipp >> "$parts/high.hpp"
rejects "a part that was changed by hand" "run cmake/check_definitions.sh --write"
: > "$parts/old.hpp"
rejects "a part that the table does not name" "Only in include/tenon/definitions/parts: old.hpp"
mkdir "$tenon/text"; : > "$tenon/text/print.ipp"
rejects "a file that no pattern has" "text/print.ipp: no pattern of cmake/definitions.txt has it"
echo '  core/none.*' >> "$table"
rejects "a pattern that nothing matches" "no definitions match core/none.* (high)"
include core/inner.ipp > "$tenon/core/b.ipp"
rejects "a file in two parts, in one of them through another" "core/inner.ipp: defined 2 times"
include core/inner.ipp >> "$tenon/definitions.hpp"; write "$scratch"
rejects "a file in a part, through another, and in a header for users" "core/inner.ipp: defined 2 times"
include definitions/parts/low.hpp > "$tenon/definitions.hpp"
rejects "a part that no header for users includes" "parts/high.hpp: no header for users includes it"
echo "control: each mistake is reported"
