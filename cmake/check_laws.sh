#!/bin/sh
# check_laws.sh: every built-in fact has a module that was mutated to break it, every built-in pass the laws of passes: a new
# one that tests/laws does not name is an error.
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
    grep -q "fact::$fact[,>]" tests/laws/laws.hpp || { echo "tests/laws/laws.hpp does not know '$fact' ($header)"; bad=1; }
  done
done
pipelines="include/tenon/targets/cpu.hpp"  # each of its passes, at its place
for header in $(grep -lE '^  using needs = ' include/tenon/passes/*.hpp); do
  for pass in $(awk '/^struct [a-z_0-9]+( |:|$)/ { name = $2; is_pass = 0 } /^  static constexpr .* name = / { is_pass = 1 } /^  using needs = / { if (is_pass) print name }' "$header"); do
    grep -qE "passes::$pass\b" tests/laws/*.cpp $pipelines || { echo "tests/laws does not hold '$pass' to the laws of passes ($header)"; bad=1; }
  done
done
[ "$bad" = 0 ] && echo "every fact is broken, every pass is held to the laws"
exit $bad
