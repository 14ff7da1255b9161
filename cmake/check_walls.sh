#!/bin/sh
# check_walls.sh [--self-test | ROOT]: what may not stand in this project's files.
#   include/   no LLVM, none of the headers whose cost every user would pay, no std::function
#   everywhere no std::stable_sort and its like: with libstdc++ 12 clang++ warns in whoever includes us
#   sizes      a header has at most 400 lines (or says "Long because" in line 2), a .cpp 500, a lesson 100
#   examples/  README names every lesson
set -u
cd "$(dirname "$0")/.." || exit 1

# Of the files named on input, those of more lines that do not say why in line 2.
longer_than() {
  sort | xargs -r awk -v most="$1" '
    function judge() { if (lines > most && !said) print "  " lines, name }
    FNR == 1 { judge(); name = FILENAME; said = 0 }
    FNR == 2 && /Long because/ { said = 1 }
    { lines = FNR }
    END { judge() }'
}

check() (
  cd "$1" || exit 1
  bad=0
  report() { if [ -n "$2" ]; then printf '%s:\n%s\n' "$1" "$2"; bad=1; fi; }
  report "LLVM reaches the public headers" "$(grep -rnE '#[ ]*include[ ]*[<"]llvm(-c)?/' include)"
  report "headers that cost every user too much" \
    "$(grep -rnE '#[ ]*include[ ]*<(iostream|regex|ranges|functional|sstream|format)>' include)"
  report "clang++ warns of a deprecated function in libstdc++'s (sort by a total order instead)" \
    "$(grep -rsnE 'std::(stable_sort|stable_partition|inplace_merge)\b' include src tools tests examples)"
  report "std::function" "$(grep -rnE 'std::function\b' include)"
  report "longer than a header may be (400 lines)" "$(find include -name '*.hpp' | longer_than 400)"
  report "longer than a source may be (500 lines)" \
    "$(find src tools tests examples -name '*.cpp' 2>/dev/null | longer_than 500)"
  report "longer than a lesson may be (100 lines)" \
    "$(find examples -maxdepth 2 -name '*.cpp' 2>/dev/null | longer_than 100)"
  report "lessons that README does not name" "$(find examples -maxdepth 2 -name '*.cpp' 2>/dev/null | sort |
    while read -r file; do grep -qsF "($file)" README.md || echo "  $file"; done)"
  report "headers that do not start with '/// @file'" "$(find include -name '*.hpp' -empty
    find include -name '*.hpp' | xargs -r awk 'FNR == 1 && !/^\/\/\/ @file / { print "  " FILENAME }')"
  exit $bad
)

if [ "${1-}" != --self-test ]; then
  check "${1-.}" && echo "walls hold"
  exit
fi

# The control: a tree with each mistake is reported, and the same tree without is not.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/include" "$scratch/src"
header="$scratch/include/a.hpp"
echo '/// @file a: a header.' > "$header"
check "$scratch" || { echo "control: a right tree is rejected"; exit 1; }
for mistake in '#include "llvm/IR/Module.h"' '#include <iostream>' 'std::function<void()> f;' 'std::stable_sort(a, b);' \
               "$(yes '// x' | head -n 401)"; do
  printf '/// @file a: a header.\n%s\n' "$mistake" > "$header"
  check "$scratch" > /dev/null && { echo "control: accepted: $mistake" | head -n 1; exit 1; }
done
echo '/// @file a: a header.' > "$header"
mkdir -p "$scratch/examples/custom"
echo 'int main() {}' > "$scratch/examples/custom/my.cpp"
check "$scratch" > /dev/null && { echo "control: accepted: a lesson that README does not name"; exit 1; }
echo '[my](examples/custom/my.cpp)' > "$scratch/README.md"
check "$scratch" || { echo "control: a right lesson is rejected"; exit 1; }
yes '// x' | head -n 101 > "$scratch/examples/custom/my.cpp"
check "$scratch" > /dev/null && { echo "control: accepted: a long lesson"; exit 1; }
rm "$scratch/examples/custom/my.cpp"
echo '#pragma once' > "$header"
check "$scratch" > /dev/null && { echo "control: accepted: no @file"; exit 1; }
echo "control: each mistake is reported"
