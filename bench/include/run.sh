#!/bin/bash
# run.sh COMPILER INCLUDE_FOLDER: measures what bench/budgets.txt lists, the least of three runs of a cheap line and one
# of a dear one, in seconds of CPU. Prints each beside its budget; time never fails a benchmark.
compiler=$1 include=$2
here=$(cd "$(dirname "$0")" && pwd)
cd "$here" || exit 1
TIMEFORMAT='%U %S'
printf '%-28s %8s %8s %8s\n' "CPU seconds, $($compiler -dumpversion)" measured budget aim
grep -v '^#' ../budgets.txt | while read -r name budget aim arguments; do
  least=
  rounds=3; case $name in build_cpu_header*) rounds=1 ;; esac
  for _ in $(seq $rounds); do
    # shellcheck disable=SC2086
    t=$({ time $compiler -std=c++20 -I"$include" -I. $arguments -o /dev/null 2> /dev/null || echo failed; } 2>&1 | awk '{ print $1 + $2 }')
    least=$(printf '%s\n%s\n' "$t" "$least" | grep . | sort -n | head -n 1)
  done
  printf '%-28s %8.2f %8s %8s\n' "$name" "$least" "$budget" "$aim"
done
