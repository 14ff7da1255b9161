#!/bin/sh
# check_error_pages.sh: every error code of the type layer has a page; what a page quotes stands in the test it names.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
codes=$(grep -rhoE 'tenon-E[0-9]{3}' include src tools 2>/dev/null | sort -u | sed 's/tenon-//')
codes="$codes $(grep -rhoE 'case [0-9]+:$' include/tenon/pipeline/verdict.hpp include/tenon/pass.hpp | sed 's/case //; s/://' |
  while read -r n; do printf 'E%03d\n' "$n"; done | sort -u)"
for code in $codes; do
  [ -f "docs/errors/$code.md" ] || { echo "docs/errors/$code.md is missing"; bad=1; }
done
for page in docs/errors/E*.md; do
  test=$(sed -n 's|.*\](../../\(tests/fail/[a-z_0-9]*\.cpp\)).*|\1|p' "$page" | head -1)
  [ -n "$test" ] || continue
  [ -f "$test" ] || { echo "$page names $test, which is not there"; bad=1; continue; }
  # Quoted lines, of programs and messages, must occur in the test as they are.
  sed -n '/^```/,/^```/p' "$page" | grep -v '^```' | grep -v '^[[:space:]]*$' | while IFS= read -r line; do
    grep -qF -- "$line" "$test" || echo "$page quotes what $test does not say: $line"
  done >"${TMPDIR:-/tmp}/tenon_pages.$$"
  if [ -s "${TMPDIR:-/tmp}/tenon_pages.$$" ]; then cat "${TMPDIR:-/tmp}/tenon_pages.$$"; bad=1; fi
  rm -f "${TMPDIR:-/tmp}/tenon_pages.$$"
done
[ "$bad" = 0 ] && echo "every code has its page, and the pages quote the tests"
exit $bad
