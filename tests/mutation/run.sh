#!/bin/sh
# run.sh [WORK_FOLDER]: takes away each rule of the judge, the verifier and the checkers of facts and phases, one at a time,
# and says which of them no test misses. A mutant is killed by a test that fails, crashes, or does not end.
#
# It builds the tests of some folders once, from a copy of the sources in which each rule has a switch (instrument.awk), and
# runs those of their files that come by a rule with that rule off. The judge is asked by the compiler as well: the soft tests
# and the fail tests are compiled without those of its rules that are left. `equivalent.txt` names conditions that cannot be
# missed, with the reason. A second call with the same folder builds what changed, and asks only for the mutants that were not
# killed, as long as the rules are the same. It needs g++ and FileCheck, and takes about ten minutes on two cores.
#
# run.sh --configure: only makes the copy of the sources and configures it, in a folder of its own, and says what in
# equivalent.txt names no rule. CI does so: what this script takes for granted changes beside it.
#
# With DECLARATIONS=1 the rules of what a pass may declare (judge/declaration.hpp), too: only the compiler asks most of them, which takes an
# hour more.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folders="ir judge soft laws text"
left_out="laws.passes_test laws.constraints_test"  # they take long, and only ask of right modules whether they are right
jobs=${JOBS:-$(nproc)}
cxx=${CXX:-g++}
filecheck=$(command -v FileCheck-22 || command -v FileCheck)

# --- workers, called by xargs: run.sh --one WORK N, run.sh --compile WORK FILE
if [ "${1:-}" = --one ]; then
  cd "$2/build"
  while read -r ms case; do
    grep -qx "$3" "$2/reached/$case" || continue
    TENON_MUTANT=$3 timeout $((10 + ms / 100)) "bin/tenon_test_${case%%.*}" "-sf=*tests/$(echo "$case" | tr . /).cpp" -aa=1 > /dev/null 2>&1 || [ $? -eq 77 ] ||
      { echo "$3 $case" >> "$2/killed"; exit 0; }
  done < "$2/cases"
  exit 0
fi
compile() (
  ulimit -t 90
  LC_ALL=C "$cxx" -std=c++20 -fsyntax-only -w -fconstexpr-ops-limit=100000000 -Iinclude -Itests "$@"
)
# WORK N,… FILE: does this test hold, compiled without rules N? A fail test: not for another reason either
still_right() {
  case $3 in
    tests/fail/*)
      ! compile "-DTENON_COMPILED_MUTANT=$2" -fno-diagnostics-show-caret "$3" > "$1/said.$$" 2>&1 &&
        sed "s/\\\\\\([\"']\\)/\\1/g" "$1/said.$$" |
        "$filecheck" "$3" --check-prefixes=CHECK,GCC --allow-unused-prefixes > /dev/null 2>&1 ;;
    *) compile "-DTENON_COMPILED_MUTANT=$2" "$3" > /dev/null 2>&1 ;;
  esac
}
right_otherwise() {  # WORK FILE: does this test hold with all rules?
  mark=$1/right/$(basename "$2")
  [ "$mark" -nt "$2" ] && return 0
  [ "$mark.wrong" -nt "$2" ] && return 1
  if still_right "$1" 0 "$2"; then touch "$mark"; else touch "$mark.wrong"; echo "run.sh: $2 fails without a mutant"; return 1; fi
}
ask() (  # WORK FILE RULE…: which of these rules does this test miss? All of them at once, then halves of them.
  work=$1 file=$2
  shift 2
  [ $# -gt 0 ] || exit 0
  ! still_right "$work" "$(echo "$*" | tr ' ' ',')" "$file" && right_otherwise "$work" "$file" || exit 0
  [ $# -gt 1 ] || { echo "$1 $file" >> "$work/killed"; exit 0; }
  half=
  for rule in "$@"; do
    [ "$(echo $half | wc -w)" -lt $(($# / 2)) ] || break
    half="$half $rule"
  done
  shift $(($# / 2))
  # shellcheck disable=SC2086
  ask "$work" "$file" $half
  ask "$work" "$file" "$@"
)
if [ "${1:-}" = --compile ]; then
  cd "$2/source"
  # shellcheck disable=SC2046
  ask "$2" "$3" $(cut -d ' ' -f 1 "$2/killed" | sort -u | grep -vxFf - "$2/to_compile")
  rm -f "$2/said.$$"
  exit 0
fi

configure=
if [ "${1:-}" = --configure ]; then
  git -C "$root" rev-parse > /dev/null 2>&1 || { echo "SKIPPED: the sources are no git repository"; exit 77; }
  configure=yes
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
else
  work=${1:-$root/build/mutation}
fi
mkdir -p "$work/source"
work=$(cd "$work" && pwd)

# --- the sources, with switches
cd "$root"
rules_in() {
  ls include/tenon/ir/verify*.ipp include/tenon/facts/*.?pp include/tenon/phases/*.?pp
  # Of the judge all but what searches for orders, reads or describes them, and what words sentences: so new files are
  # asked.
  ls include/tenon/judge/*.?pp |
    grep -vE '/(declaration.*|describe|near_miss|order_text|plan|questions|search.*)\.[hi]pp$'
  [ -z "${DECLARATIONS:-}" ] || echo include/tenon/judge/declaration.hpp
}
rules_in > "$work/with_rules"
git ls-files -co --exclude-standard | grep -vxFf "$work/with_rules" |
  while read -r f; do [ ! -f "$f" ] || echo "$f"; done | tr '\n' '\0' | xargs -0 cp --parents -pu -t "$work/source"
cp -pu tests/mutation/tenon_mutant.hpp "$work/source/include/"
number=1
: > "$work/new_rules"
while read -r file; do
  mkdir -p "$work/source/$(dirname "$file")"
  : > "$work/list"
  awk -v first="$number" -v list="$work/list" -v next_number="$work/next" -f tests/mutation/instrument.awk "$file" > "$work/file"
  cmp -s "$work/file" "$work/source/$file" || cp "$work/file" "$work/source/$file"
  cat "$work/list" >> "$work/new_rules"
  number=$(cat "$work/next")
done < "$work/with_rules"
if ! cmp -s "$work/new_rules" "$work/rules"; then
  cp "$work/new_rules" "$work/rules"
  : > "$work/killed"
  rm -rf "$work/right"
fi

# --- the tests, built once
programs=
for f in $folders; do programs="$programs tenon_test_$f"; done
if [ ! -f "$work/build/build.ninja" ]; then
  cmake -S "$work/source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx" \
        -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DTENON_TEST_OPT="-O0;-fconstexpr-ops-limit=1000000000" -DTENON_LLVM=OFF -DTENON_XSIMD_INCLUDE= \
        -DTENON_TOOLS=OFF -DTENON_EXAMPLES=OFF -DTENON_TEST_DIRS="$(echo "$folders" | tr ' ' ';')" > "$work/configure.log"
fi
if [ -n "$configure" ]; then
  failed=0
  for p in $programs; do ninja -C "$work/build" -t query "$p" > "$work/out" 2>&1 || { cat "$work/out"; failed=1; }; done
  awk '
    FILENAME ~ /equivalent/ {
      if (!/^#/ && (at = index($0, ": "))) { line[++n] = $0; file[n] = substr($0, 1, at - 1); text[n] = substr($0, at) }
      next
    }
    { for (i = 1; i <= n; ++i) if (index($2, file[i]) && index($0, text[i])) seen[i] }
    END {
      for (i = 1; i <= n; ++i) if (!(i in seen)) { print "equivalent.txt: no such rule: " line[i]; bad = 1 }
      exit bad
    }
  ' tests/mutation/equivalent.txt "$work/rules" || failed=1
  echo "$(wc -l < "$work/rules") rules in $(wc -l < "$work/with_rules") files"
  exit "$failed"
fi
ninja -C "$work/build" -j "$jobs" $programs > "$work/build.log" 2>&1 || { tail -30 "$work/build.log"; exit 1; }

# --- what each of their files comes by, and how long it takes
mkdir -p "$work/reached"
for folder in $folders; do
  for file in tests/"$folder"/*.cpp; do
    case=$folder.$(basename "$file" .cpp)
    case " $left_out " in *" $case "*) continue ;; esac
    [ "$work/reached/$case" -nt "$work/build/bin/tenon_test_$folder" ] && continue
    rm -f "$work/reached/$case"
    begin=$(date +%s%N)
    (cd "$work/build" && TENON_MUTANTS_REACHED="$work/reached/$case" "bin/tenon_test_$folder" "-sf=*tests/$folder/$(basename "$file")") > "$work/out" 2>&1 || [ $? -eq 77 ] ||
      { tail -20 "$work/out"; echo "run.sh: $file fails without a mutant"; exit 1; }
    touch "$work/reached/$case"
    echo $((($(date +%s%N) - begin) / 1000000)) > "$work/reached/$case.ms"
  done
done
(cd "$work/reached" && for f in *.ms; do echo "$(cat "$f") ${f%.ms}"; done) | sort -n > "$work/cases"

# --- the mutants
left() {  # which rules of the files whose names have $1 in them is nothing known to miss?
  awk -v part="$1" 'FILENAME ~ /killed$/ { dead[$1]; next } index($2, part) && !($1 in dead) { print $1 }' "$work/killed" "$work/rules"
}
left "" | xargs -P "$jobs" -I N sh "$0" --one "$work" N
mkdir -p "$work/right"
(cd "$work/source" && ls -S tests/judge/walks_test.cpp tests/soft/*_test.cpp && grep -l house.hpp tests/fail/*.cpp | grep -v control_) \
  > "$work/compiled_cases"
missable() {  # the numbers of rules that equivalent.txt names
  awk 'FILENAME ~ /equivalent/ { if (!/^#/ && (at = index($0, ": "))) { file[++n] = substr($0, 1, at - 1); text[n] = substr($0, at) } next }
    { for (i = 1; i <= n; ++i) if (index($2, file[i]) && index($0, text[i])) print $1 }' "$root/tests/mutation/equivalent.txt" "$work/rules"
}
missable > "$work/missable"
{ left judge/; left judge/declaration.hpp; } | sort -u | grep -vxFf "$work/missable" > "$work/to_compile" || true
xargs -P "$jobs" -I FILE sh "$0" --compile "$work" FILE < "$work/compiled_cases"

# --- the score
awk '
  FILENAME ~ /killed$/ { dead[$1]; next }
  FILENAME ~ /missable$/ { missable[$1]; next }
  {
    group = $2 ~ /declaration/ ? "what passes declare" : $2 ~ /judge\// ? "judge" : $2 ~ /verify/ ? "verifier" : "facts and phases"
    if ($1 in missable) {
      if ($1 in dead) print "run.sh: killed, and yet in equivalent.txt: " $0
      next
    }
    ++total[group]
    if ($1 in dead) ++killed[group]
    else { sub(/^[0-9]+ /, ""); print "survives: " $0 }
  }
  END {
    for (g in total) printf "%s: killed %d of %d: %.1f %%\n", g, killed[g], total[g], 100 * killed[g] / total[g]
  }' "$work/killed" "$work/missable" "$work/rules"
