#!/bin/sh
# check_first.sh CMAKE PREFIX CXX: README's first program in a project of its own, as README says it: with tenon as a
# subfolder it is configured; with the tenon that is installed under PREFIX it is built, and runs models natively.
set -u
cd "$(dirname "$0")/.." || exit 1
source=$(pwd) cmake=$1 prefix=$2 cxx=$3
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; cat "$scratch/log"; exit 1; }
cp examples/00_overview.cpp "$scratch/first.cpp"
cp examples/consume/first/CMakeLists.txt "$scratch"
configure() {  # FOLDER [OPTION…]
  folder=$1
  shift
  "$cmake" -S "$scratch" -B "$scratch/$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$cxx" "$@" > "$scratch/log" 2>&1
}
ln -s "$source" "$scratch/tenon"
configure as_folder || fail "with tenon as a folder, the project is not configured"
"$cmake" --build "$scratch/as_folder" -- -t commands all > "$scratch/log" 2>&1 || fail "with tenon as a folder, there is nothing to build"
grep -q -- "-o first .*libtenon_llvm" "$scratch/log" || fail "with tenon as a folder, the program is not linked to tenon::llvm"
grep -qE "/(tests|tools)/[a-z_/]*[.]cpp" "$scratch/log" && fail "with tenon as a folder, more is built than what is linked"
rm "$scratch/tenon"
# What the comment behind the line says, in place of the line.
sed -i 's/^add_subdirectory(tenon) .*: \(find_package.*\)$/\1/' "$scratch/CMakeLists.txt"
grep -q "^find_package(tenon .*llvm" "$scratch/CMakeLists.txt" || fail "the project does not say how an installed tenon is found"
configure build "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror" || fail "tenon::llvm is not found where tenon is installed"
"$cmake" --build "$scratch/build" > "$scratch/log" 2>&1 || fail "with an installed tenon, the program is not built"
sh cmake/check_overview.sh "$scratch/build/first" "$source/tests/text/tools/data"
