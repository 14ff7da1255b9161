#!/bin/sh
# check_error_pages.sh: every error code of the type layer has a page, and README of the pages lists it. A page has a wrong
# program, what the compiler says, a right program, and why the rule exists; both are the programs of the fail test that it names, line by line
# (which compiles the right one, and not the wrong one, on both compilers), and the message is what that test expects.
set -u
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
bad=0
codes=$(grep -rhoE 'tenon-E[0-9]{3}' include src tools 2>/dev/null | sort -u | sed 's/tenon-//')
codes="$codes $(grep -rhoE 'case [0-9]+:( return .*)?$' include/tenon/judge/verdict.hpp include/tenon/judge/declaration_said.hpp | sed 's/case //; s/:.*//' |
  while read -r n; do printf 'E%03d\n' "$n"; done | sort -u)"
for code in $codes; do
  [ -f "docs/errors/$code.md" ] || { echo "docs/errors/$code.md is missing"; bad=1; }
  grep -q "($code.md)" docs/errors/README.md || { echo "docs/errors/README.md does not list $code"; bad=1; }
done

# program FILE TWIN: a fail test as the compiler sees it, less comments, blank lines, and what keeps variables used.
program() {
  awk -v twin="$2" '
    /^#ifdef TENON_TWIN/ { inside = 1; on = twin; next }
    /^#ifndef TENON_TWIN/ { inside = 1; on = !twin; next }
    inside && /^#else/ { on = !on; next }
    inside && /^#endif/ { inside = 0; next }
    inside && !on { next }
    /^[ \t]*\/\// || /^[ \t]*$/ || /^  static_cast<void>\(.*\);$/ { next }
    { print }' "$1"
}
# block PAGE N: its Nth program.
block() { awk -v n="$2" '/^```cpp/ { k++; on = k == n; next } /^```/ { on = 0 } on && !/^[ \t]*$/ && !/^[ \t]*\/\//' "$1"; }

for page in docs/errors/E*.md; do
  test=$(sed -n 's|.*\](../../\(tests/[a-z_/0-9]*\.cpp\)).*|\1|p' "$page" | head -1)
  [ -n "$test" ] || { echo "$page names no test"; bad=1; continue; }
  [ -f "$test" ] || { echo "$page names $test, which is not there"; bad=1; continue; }
  [ "$(grep -c '^```cpp' "$page")" -ge 2 ] && grep -q '^```text' "$page" ||
    { echo "$page lacks a wrong program, a message or a right program"; bad=1; }
  grep -q '^Why this rule exists: ' "$page" || { echo "$page does not say why the rule exists"; bad=1; }
  case $test in tests/fail/*)
    for twin in 0 1; do
      program "$test" "$twin" > "$scratch/test"
      block "$page" $((twin + 1)) > "$scratch/page"
      diff "$scratch/page" "$scratch/test" > "$scratch/diff" && continue
      echo "$page: program $((twin + 1)) is not that of $test:"; cat "$scratch/diff"; bad=1
    done ;;
  esac
  awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on && !/^[ \t]*$/' "$page" > "$scratch/said"
  while IFS= read -r line; do
    grep -qF -- "$line" "$test" || { echo "$page quotes what $test does not say: $line"; bad=1; }
  done < "$scratch/said"
done
[ "$bad" = 0 ] && echo "every code has its page, and the pages quote the tests"
exit $bad
