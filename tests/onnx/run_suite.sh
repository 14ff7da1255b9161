#!/bin/sh
# run_suite.sh TENON ONNX_DIR SUITE TARGET MIN_PASSED MAX_FAILED [OPTION]: runs a folder of ONNX backend tests and holds it to
# the numbers of expected.txt. The last line of `tenon test-onnx` is "N passed, M failed, K skipped".
set -u
tenon=$1 dir=${TENON_ONNX_DIR:-$2} suite=$3 target=$4 min=$5 max=$6
if [ -z "$dir" ] || [ ! -d "$dir/$suite" ]; then
  echo "SKIPPED: no ONNX backend tests: set TENON_ONNX_DIR to a folder that has $suite/ (now: '${dir:-}')"
  exit 77
fi
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
"$tenon" test-onnx "$dir/$suite" --target "$target" ${7:-} --quiet --jobs "$(nproc)" > "$out" 2>&1
rc=$?
tail -n 60 "$out"
# The command itself exits 1 when a test failed; 126 and up means that it crashed.
[ "$rc" -lt 126 ] || { echo "tenon test-onnx crashed: exit status $rc"; exit 1; }
counts=$(sed -nE 's/.*([^0-9]|^)([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped.*/\2 \3 \4/p' "$out" | tail -n 1)
[ -n "$counts" ] || { echo "no line 'N passed, M failed, K skipped'"; exit 1; }
set -- $counts
echo "passed $1 (at least $min), failed $2 (at most $max), skipped $3"
[ "$1" -ge "$min" ] && [ "$2" -le "$max" ]
