#!/bin/sh
# run.sh [WORK_FOLDER]: takes away each rule of the judge, the verifier and the checkers of facts and phases, one at a time, and
# says which of them no test misses. By hand: it builds the tests of some folders once (about ten minutes on two cores) and runs
# them once a rule. The last line is "killed K of N: P %". A mutant is killed by a test that fails, crashes, or does not end.
#
# The judge is asked at compile time as well, which mutants cannot reach: rules that no program asks at run time are listed apart.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${1:-$root/build/mutation}
folders="ir text pipeline soft laws passes binary"
jobs=${JOBS:-$(nproc)}
mkdir -p "$work/source"
(cd "$root" && git ls-files -z | xargs -0 cp --parents -u -t "$work/source" 2> /dev/null) || true
cp "$root/tests/mutation/tenon_mutant.hpp" "$work/source/include/"

number=1
: > "$work/rules"
cd "$work/source"
for file in include/tenon/ir/verify.ipp include/tenon/ir/verify_loops.ipp include/tenon/facts/*.hpp include/tenon/facts/*.ipp \
            include/tenon/phases/*.hpp include/tenon/phases/*.ipp \
            include/tenon/pipeline/walk.hpp include/tenon/pipeline/conditions.hpp include/tenon/pipeline/numbering.hpp \
            include/tenon/pipeline/left_behind.hpp include/tenon/pipeline/order.ipp; do
  [ -f "$root/$file" ] || continue
  : > "$work/list"
  awk -v first="$number" -v list="$work/list" -v next_number="$work/next" -f "$root/tests/mutation/instrument.awk" "$root/$file" > "$work/file"
  cmp -s "$work/file" "$file" || cp "$work/file" "$file"
  sed "s|$root/||" "$work/list" >> "$work/rules"
  number=$(cat "$work/next")
done
cmake -S . -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTENON_LLVM=OFF -DTENON_TOOLS=OFF -DTENON_EXAMPLES=OFF \
      -DTENON_TEST_DIRS="$(echo "$folders" | tr ' ' ';')" > "$work/configure.log"
programs=
for f in $folders; do programs="$programs tenon_test_$f"; done
ninja -C "$work/build" -j "$jobs" $programs > "$work/build.log" || { tail -30 "$work/build.log"; exit 1; }

cd "$work/build"
for p in $programs; do
  rm -f "$work/reached.$p"
  TENON_MUTANTS_REACHED="$work/reached.$p" "bin/$p" > "$work/out" 2>&1 || { tail -20 "$work/out"; echo "run.sh: $p fails without a mutant"; exit 1; }
  touch "$work/reached.$p"
done

one() {  # is the mutant of this number killed?
  for p in $programs; do
    grep -qx "$1" "$work/reached.$p" || continue
    TENON_MUTANT=$1 timeout 60 "bin/$p" > /dev/null 2>&1 || return 0
  done
  return 1
}
killed=0 total=0
: > "$work/survivors" ; : > "$work/not_reached"
while read -r n text; do
  if ! cat "$work"/reached.* | grep -qx "$n"; then
    echo "$text" >> "$work/not_reached"
    continue
  fi
  total=$((total + 1))
  if one "$n"; then killed=$((killed + 1)); else echo "$text" | tee -a "$work/survivors"; fi
done < "$work/rules"
echo "asked by no test at run time: $(wc -l < "$work/not_reached") (see $work/not_reached)"
echo "killed $killed of $total: $((killed * 100 / (total > 0 ? total : 1))) %"
