#!/bin/sh
# check_near_names.sh [--write]: what is made of the words in cmake/near_names.txt is what the awk files make of them:
# the two headers of names that are nearly right, all names at edit distance 1, and the words of the closed form of a
# pass.
set -u
cd "$(dirname "$0")/.." || exit 1
mode=${1-} bad=0
made_by() {  # the header, what makes it
  header=include/tenon/$1
  shift
  if [ "$mode" = --write ]; then awk "$@" cmake/near_names.txt > "$header"
  else awk "$@" cmake/near_names.txt | diff "$header" - || bad=1; fi
}
made_by meta/near_names.hpp -v targets=0 -f cmake/cpp_keywords.awk -f cmake/near_names.awk
made_by meta/near_target_names.hpp -v targets=1 -f cmake/cpp_keywords.awk -f cmake/near_names.awk
made_by testing/slip_names.hpp -f cmake/cpp_keywords.awk -f cmake/slip_names.awk
made_by judge/pass_words.hpp -f cmake/pass_words.awk
[ "$bad" = 0 ] || { echo "run sh cmake/check_near_names.sh --write"; exit 1; }
[ "$mode" = --write ] || echo "the names that are nearly right are those of cmake/near_names.txt"
