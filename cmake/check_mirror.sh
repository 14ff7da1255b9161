#!/bin/sh
# check_mirror.sh: tests/ mirrors include/tenon: a folder of tests is named as the folder it tests, or is of a known kind.
set -u
cd "$(dirname "$0")/.." || exit 1
kinds=" bench c_api cmake codegen data fail faults fuzz fuzzers hostile how_to laws mutation onnx random_onnx scenarios soft support text tools "
bad=0
for dir in tests/*/; do
  [ -d "$dir" ] || continue
  name=$(basename "$dir")
  case $kinds in *" $name "*) continue ;; esac
  [ -d "include/tenon/$name" ] || [ -f "include/tenon/$name.hpp" ] ||
    { echo "tests/$name mirrors nothing under include/tenon"; bad=1; }
done
[ "$bad" = 0 ] && echo "tests mirror the library"
exit $bad
