#!/bin/bash
# run.sh COMPILER INCLUDE_FOLDER: measures what bench/budgets.txt lists, the least of three runs of a cheap line and one
# of an expensive one, in seconds of CPU. Prints each beside its budget, and the bytes of code of an object file; time
# never fails a benchmark.
compiler=$1 include=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$here" || exit 1
TIMEFORMAT='%U %S'
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
object="$scratch/object"
"$here/../../scripts/judge-header" "$scratch/tenon_judge.hpp"  # {judge} in budgets.txt
printf '%-28s %8s %8s %8s %8s\n' "CPU seconds, $($compiler -dumpversion)" measured budget aim bytes
grep -v '^#' ../budgets.txt | while read -r name budget aim arguments; do
  least=
  arguments=$(printf '%s' "$arguments" | sed "s|{judge}|$scratch|")
  rounds=3; case $name in definitions*) rounds=1 ;; esac
  for _ in $(seq $rounds); do
    # shellcheck disable=SC2086
    t=$({ time $compiler -std=c++20 -I"$include" -I. $arguments -o "$object" 2> /dev/null || echo failed; } 2>&1 | awk '{ print $1 + $2 }')
    least=$(printf '%s\n%s\n' "$t" "$least" | grep . | sort -n | head -n 1)
  done
  bytes=
  case $arguments in *-c\ *) bytes=$(size "$object" | awk 'NR == 2 { print $1 }') ;; esac
  printf '%-28s %8.2f %8s %8s %8s\n' "$name" "$least" "$budget" "$aim" "$bytes"
done
