#!/bin/sh
# check_headers.sh CXX FOLDER: every header in include/tenon/FOLDER ('.': the top; folders in it have tests of their own)
# compiles alone without a warning: with TENON_COMPILED, and where definitions stand beside it (.ipp) header-only too.
# check_headers.sh CXX --together: all of them in one file, header-only, in alphabetical order and in reverse.
set -u
cxx=$1 folder=$2
cd "$(dirname "$0")/../include" || exit 1
failed=0 count=0
compile() {  # header, flags
  count=$((count + 1))
  header=$1; shift
  printf '#include <%s>\n' "$header" |
    "$cxx" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I. "$@" -x c++ - ||
    { echo "FAILED: $header $*"; failed=$((failed + 1)); }
}
if [ "$folder" = --together ]; then
  for order in sort "sort -r"; do
    count=$((count + 1))
    find tenon -name '*.hpp' | $order | sed 's|.*|#include <&>|' |
      "$cxx" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Werror -I. -x c++ - || failed=$((failed + 1))
  done
  echo "$count compilations of all headers, $failed failed"
  [ "$failed" = 0 ]
  exit
fi
for header in $(find "tenon/$folder" -maxdepth 1 -name '*.hpp' | sed 's|/\./|/|' | sort); do
  compile "$header" -DTENON_COMPILED
  if [ -f "${header%.hpp}.ipp" ]; then compile "$header"; fi
done
echo "$count compilations of the headers in $folder, $failed failed"
[ "$failed" = 0 ]
