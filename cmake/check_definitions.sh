#!/bin/sh
# check_definitions.sh [--self-test | ROOT]: each definition stands in a program once: every .ipp under include/ is reached, through the .ipp files
# that it includes, from exactly one file of include/tenon/definitions/, and every part of these is in a header for users.
set -u
cd "$(dirname "$0")/.." || exit 1

check() (
cd "$1" || exit 1
{ find include -name '*.ipp'; find include/tenon/definitions* -name '*.hpp'; } | sort | awk '
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
      print files[i] ": defined " times " times" (times ? ":" reached[files[i]] : ": include it in a file of include/tenon/definitions/parts")
      bad = 1
    }
    if (!bad) print "each definition stands in a program once"
    exit bad
  }'
)

if [ "${1-}" != --self-test ]; then
  check "${1-.}"
  exit
fi

# The control: a tree with each mistake is reported, and the same tree without is not.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
parts="$scratch/include/tenon/definitions/parts"
mkdir -p "$parts" "$scratch/include/tenon/core"
include() { for file in "$@"; do echo "#include <tenon/$file>"; done; }
include definitions/parts/low.hpp definitions/parts/high.hpp > "$scratch/include/tenon/definitions.hpp"
include core/a.ipp > "$parts/low.hpp"
include core/b.ipp > "$parts/high.hpp"
include core/inner.ipp > "$scratch/include/tenon/core/a.ipp"
: > "$scratch/include/tenon/core/b.ipp"
: > "$scratch/include/tenon/core/inner.ipp"
check "$scratch" > /dev/null || { echo "control: a right tree is rejected"; exit 1; }
rejects() {  # the mistake, what is said of it
  said=$(check "$scratch") && { echo "control: accepted: $1"; exit 1; }
  case $said in *"$2"*) ;; *) echo "control: unexpected report: $said"; exit 1 ;; esac
}
: > "$scratch/include/tenon/core/c.ipp"
rejects "a file in no part" "core/c.ipp: defined 0 times"
include core/a.ipp > "$scratch/include/tenon/core/c.ipp"
rejects "a file that only one in no part includes" "core/c.ipp: defined 0 times"
rm "$scratch/include/tenon/core/c.ipp"
include core/b.ipp core/inner.ipp > "$parts/high.hpp"
rejects "a file in two parts, in one of them through another" "core/inner.ipp: defined 2 times"
include core/b.ipp > "$parts/high.hpp"
include definitions/parts/low.hpp > "$scratch/include/tenon/definitions.hpp"
rejects "a part that no header for users includes" "parts/high.hpp: no header for users includes it"
echo "control: each mistake is reported"
