#!/bin/sh
# check_laws.sh: every built-in fact has a module that was mutated to break it, and every pass is held to the laws of passes: those
# of built_in_passes are, others tests/laws names.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
for header in include/tenon/facts/*.hpp; do
  for fact in $(awk '/^struct [a-z_0-9]+ {$/ { name = $2 } /^  static constexpr fixed_string name = / { print name }' "$header"); do
    if grep -q '  static .* compute(const ir::module' "$header"; then  # an analysis has no checker
      grep -q "fact::$fact[,>]" tests/laws/laws.hpp || { echo "tests/laws/laws.hpp does not compute '$fact' ($header)"; bad=1; }
      continue
    fi
    grep -qE "fires<fact::$fact[<>]" tests/laws/facts_test.cpp || { echo "tests/laws/facts_test.cpp breaks no module of '$fact' ($header)"; bad=1; }
    case $fact in partitioned_for) continue ;; esac  # made for a target
    # The laws of passes ask for the facts that built-in passes give.
    grep -q "^  using gives = .*fact::$fact[,>]" include/tenon/passes/*.hpp || { echo "no pass gives '$fact' ($header)"; bad=1; }
  done
done
built_in="include/tenon/passes/all.hpp"  # the list that tests/laws/passes_test.cpp goes through
for header in $(grep -lE '^  using needs = ' include/tenon/passes/*.hpp); do
  for pass in $(awk '/^struct [a-z_0-9]+( |:|$)/ { name = $2; is_pass = 0 } /^  static constexpr .* name = / { is_pass = 1 } /^  using needs = / { if (is_pass) print name }' "$header"); do
    grep -qE "passes::$pass[,<>]" tests/laws/*.cpp $built_in || { echo "tests/laws does not hold '$pass' to the laws of passes ($header)"; bad=1; }
  done
done
[ "$bad" = 0 ] && echo "every fact is broken, every pass is held to the laws"
exit $bad
