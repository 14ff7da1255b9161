#!/bin/sh
# check_pkg_config.sh PREFIX CXX CC MODEL: programs of examples/ compiled with nothing but what pkg-config says of the tenon
# that is installed under PREFIX, and run.
set -u
cd "$(dirname "$0")/.." || exit 1
prefix=$1 cxx=$2 cc=$3 model=$4
command -v pkg-config > /dev/null || { echo "SKIPPED: there is no pkg-config"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name tenon-judge.pc | head -n 1)")
export PKG_CONFIG_PATH
fail() { echo "$1"; [ -f "$scratch/log" ] && cat "$scratch/log"; exit 1; }
# build PACKAGE SOURCE PROGRAM COMPILER...: and nothing that is not in the installed files
build() {
  package=$1 source=$2 output=$3
  shift 3
  flags=$(pkg-config --cflags --libs "$package") || fail "pkg-config does not know $package"
  # shellcheck disable=SC2086
  "$@" "$source" $flags -o "$scratch/$output" > "$scratch/log" 2>&1 || fail "$source does not compile with '$flags'"
}
said() { printf '%s' "$1" | grep -qE "$2" || fail "$3 printed: $1"; }
strict="-Wall -Wextra -Wpedantic -Werror"

# shellcheck disable=SC2086
build tenon-judge examples/consume/judge_header/main.cpp judge "$cxx" -std=c++20 -O3 $strict
said "$("$scratch/judge")" loop "a compiler of another kind"
if pkg-config --exists tenon-c-compiler; then
  # shellcheck disable=SC2086
  build tenon-c-compiler examples/consume/c_api/main.c c_api "$cc" -std=c11 $strict
  said "$(LD_LIBRARY_PATH=$(pkg-config --variable=libdir tenon-c-compiler) "$scratch/c_api" "$model")" "output y begins with 2" "a program in C"
fi
if pkg-config --exists tenon-llvm; then program=tenon-llvm; else program=tenon; fi
# shellcheck disable=SC2086
build $program examples/consume/program/main.cpp consumer "$cxx" -std=c++20 -O3 $strict
said "$("$scratch/consumer")" "3 ops are left, and twice 3 is 6" "a program in C++"
pkg-config --cflags tenon-headers | grep -q "tenon_linked" && fail "tenon-headers says that the definitions are linked"
echo "programs with tenon-judge, tenon-c-compiler and $program compile and run"
