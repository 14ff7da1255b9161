#!/bin/sh
# check_near_names.sh [--write]: the two headers of names that are nearly right are what cmake/near_names.awk makes of the words,
# and those of the closed form of a pass what cmake/pass_words.awk does.
set -u
cd "$(dirname "$0")/.." || exit 1
bad=0
for targets in 0 1; do
  made=include/tenon/meta/near_names.hpp
  [ "$targets" = 0 ] || made=include/tenon/meta/near_target_names.hpp
  if [ "${1-}" = --write ]; then awk -v targets="$targets" -f cmake/near_names.awk cmake/near_names.txt > "$made"; continue; fi
  awk -v targets="$targets" -f cmake/near_names.awk cmake/near_names.txt | diff "$made" - || bad=1
done
words=include/tenon/judge/pass_words.hpp
if [ "${1-}" = --write ]; then awk -f cmake/pass_words.awk cmake/near_names.txt > "$words"
else awk -f cmake/pass_words.awk cmake/near_names.txt | diff "$words" - || bad=1; fi
[ "$bad" = 0 ] || { echo "run sh cmake/check_near_names.sh --write"; exit 1; }
[ "${1-}" = --write ] || echo "the names that are nearly right are those of cmake/near_names.txt"
