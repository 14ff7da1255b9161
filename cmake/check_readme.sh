#!/bin/sh
# check_readme.sh [--write]: README's first C++ program is examples/00_overview.cpp without its lines for the tests (CHECK, needs).
# --write puts it there.
set -u
cd "$(dirname "$0")/.." || exit 1
example=examples/00_overview.cpp
[ -f "$example" ] || { echo "SKIPPED: there is no $example"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# Blank lines at the end go too: they stood before the CHECK lines.
grep -vE '^// (CHECK|needs:)' "$example" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' > "$scratch/want"
awk '/^```cpp/ && !seen { seen = inside = 1; next } /^```/ { inside = 0 } inside' README.md > "$scratch/have"
if [ "${1-}" = --write ]; then
  awk -v program="$scratch/want" '
    /^```cpp/ && !seen { print; while ((getline line < program) > 0) print line; seen = inside = 1; next }
    /^```/ { inside = 0 }
    !inside' README.md > "$scratch/new" && cat "$scratch/new" > README.md
  exit
fi
diff -u "$scratch/have" "$scratch/want" && { echo "README's program is $example"; exit 0; }
echo "README.md differs from $example: run 'sh cmake/check_readme.sh --write'"
exit 1
