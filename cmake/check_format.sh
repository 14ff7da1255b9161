#!/bin/sh
# check_format.sh [--write]: every C and C++ file is as clang-format 22 lays it out by .clang-format (120 columns).
set -u
cd "$(dirname "$0")/.." || exit 1
format=clang-format-22
command -v $format > /dev/null || { echo "SKIPPED: $format is not installed"; exit 77; }
files() { find include src tools tests examples bench \( -name '*.[hc]' -o -name '*.[hic]pp' \) -print0; }
if [ "${1-}" = --write ]; then files | xargs -0 -P 2 -n 40 $format -i; exit; fi
bad=$(files | xargs -0 -P 2 -n 40 $format --dry-run 2>&1 | grep -oE '^[^:]+: ?[0-9]+.*warning' | cut -d: -f1 | sort -u)
[ -z "$bad" ] || { printf 'not formatted:\n%s\nrun sh cmake/check_format.sh --write\n' "$bad"; exit 1; }
echo "every file is formatted"
