#!/bin/sh
# run_hostile.sh TENON DIR TARGETS: every file under DIR, however broken, is read, compiled and run on every target without a
# signal, within 20 seconds of processor time and 4 GB, and ends with a result or with an error of one code in brackets.
# The sanitizers' and the C library's own words of a crash are failures too, since exit statuses alone could hide them.
set -u
export TENON_CACHE=off
tenon=$1 dir=${TENON_HOSTILE_DIR:-$2} targets=$3
if [ -z "$dir" ] || [ ! -d "$dir" ]; then
  echo "SKIPPED: no hostile inputs: set TENON_HOSTILE_DIR to a folder of models, modules and programs (now: '${dir:-}')"
  exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0 ran=0

long=  # a target for which a run may take more than its time, if only the program is made in time
attempt() {  # what to say, command
  said=$1; shift
  ran=$((ran + 1))
  (ulimit -v 4194304; ulimit -t 20; exec timeout -s KILL 200 "$@") > "$scratch/out" 2>&1
  rc=$?
  problem=
  if [ "$rc" -eq 137 ] && [ -n "$long" ]; then
    (ulimit -v 4194304; ulimit -t 20; exec timeout -s KILL 200 "$tenon" build "$file" -o "$scratch/long" --target "$long") > "$scratch/out" 2>&1
    rc=$?
  fi
  if [ "$rc" -ge 124 ]; then problem="exit status $rc (137: more than 20 seconds; others: a signal)"
  elif grep -qE 'Sanitizer|runtime error:|terminate called|double free|corrupted' "$scratch/out"; then problem="crashed"
  elif [ "$rc" -ne 0 ] && ! grep -qE '\[[a-zA-Z_]+[.-][a-zA-Z0-9_.-]+\]|^error: ' "$scratch/out"; then problem="exit status $rc without an error"
  fi
  [ -z "$problem" ] && return
  failed=$((failed + 1))
  echo "FAILED: $said: $problem"
  tail -n 3 "$scratch/out"
}

find "$dir" -type f | LC_ALL=C sort > "$scratch/files"
while IFS= read -r file; do
  case $file in
    *.npy | *.md | */o.txt) continue ;;
    *.tenon) attempt "run $file" "$tenon" run "$file"; continue ;;
    *.txt)
      for target in $targets; do
        rm -f "$scratch/program"
        attempt "build --target $target $file" "$tenon" build "$file" -o "$scratch/program" --target "$target" --verify-each
        [ -f "$scratch/program" ] && attempt "run the program of $file for $target" "$tenon" run "$scratch/program"
      done
      continue ;;
  esac
  for target in $targets; do
    long=$target
    attempt "run --target $target $file" "$tenon" run "$file" --target "$target"
    long=
  done
done < "$scratch/files"
echo "$ran runs of $(wc -l < "$scratch/files") files on $targets: $failed failed"
[ "$failed" -eq 0 ]
