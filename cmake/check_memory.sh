#!/bin/sh
# check_memory.sh TENON MODEL: with little memory (ulimit -v), ever more until it is enough, each command gives its result or
# an error: no signal, no abort, and no output file that is not whole. Below what the loader needs to start the program,
# the loader says so (127), or the libraries that it loads end it before `main` (134): the sweep begins above that.
set -u
export TENON_CACHE=off
tenon=$1 model=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# Where stack and libraries are put is the same each time, where that can be asked for.
same_place="setarch -R"
$same_place true 2> /dev/null || same_place=
limited() { (ulimit -c 0; ulimit -v "$1" 2> /dev/null || exit 1; shift; exec $same_place "$@") > "$scratch/out" 2>&1; }

# The least with which it starts, to 16 KB: what goes wrong may do so in a narrow window above it.
low=1000 high=4000000
limited $high "$tenon" --version || { echo "it does not start with 4 GB"; cat "$scratch/out"; exit 77; }  # sanitizers take more
while [ $((high - low)) -gt 16 ]; do
  middle=$(((low + high) / 2))
  if limited $middle "$tenon" --version; then high=$middle; else low=$middle; fi
done
# Where it differs from start to start, so does what they take, by a few pages.
starts=0
while [ $starts -lt 20 ]; do
  if limited $high "$tenon" --version; then starts=$((starts + 1)); else starts=0 high=$((high + 4)); fi
done

bad=0
sweep() {  # name, file that is written, command
  name=$1 file=$2
  shift 2
  failed=0 at=$high status=1
  while [ $at -lt $((high + 4000000)) ]; do
    rm -f "$scratch/result"
    limited $at "$@"
    status=$?
    case $status in
      0) break ;;
      1) failed=$((failed + 1))
         grep -q '^error: ' "$scratch/out" || { echo "$name with $at KB: status 1 without an error"; cat "$scratch/out"; bad=1; } ;;
      *) echo "$name with $at KB: status $status"; cat "$scratch/out"; bad=1 ;;
    esac
    [ ! -e "$scratch/result" ] || { echo "$name with $at KB: a file is left, though it failed"; bad=1; }
    at=$((at + 16 + (at - high) / 8))
  done
  [ $status = 0 ] || { echo "$name: never enough memory"; cat "$scratch/out"; bad=1; }
  [ -z "$file" ] || [ -s "$file" ] || { echo "$name: no file"; bad=1; }
  echo "$name: $failed times an error, then enough: $((at / 1000)) MB, of which it starts with $((high / 1000))"
}
sweep info "" "$tenon" info "$model"
sweep build "$scratch/result" "$tenon" build "$model" -o "$scratch/result"
mv "$scratch/result" "$scratch/program"
sweep inspect "" "$tenon" inspect "$scratch/program"
sweep program "" "$tenon" run "$scratch/program"
for target in cpu interpreter xsimd; do
  "$tenon" targets | grep -q "^$target " && sweep "run --target $target" "" "$tenon" run "$model" --target $target
done
exit $bad
