#!/bin/sh
# check_onnx_table.sh TENON [--write CPU_RESULTS INTERPRETER_RESULTS XSIMD_RESULTS DIR...]: docs/onnx.md lists the operators that TENON imports.
# Results are what `tenon test-onnx DIR --target T` printed; their counts are not compared: they need the test data.
set -u
cd "$(dirname "$0")/.." || exit 1
tenon=$1
table=docs/onnx.md
if [ "${2-}" = --write ]; then
  cpu=$3 interpreter=$4 xsimd=$5
  shift 5
  rows=$("$tenon" onnx-table "$@" --results "cpu=$cpu" --results "interpreter=$interpreter" --results "xsimd=$xsimd") || exit 1
  kept=$(awk '/^## /{on = /^## The same/} on' "$table")  # this section is written by hand
  cat > "$table" <<END
# ONNX operators

Made by \`sh cmake/check_onnx_table.sh TENON --write CPU_RESULTS INTERPRETER_RESULTS XSIMD_RESULTS DIR\`; a test
compares the list of operators.

Columns: the first version of the domain's operator set that has it, of those that are imported; the operator sets of
the public backend tests that use it; the element types of its tensors in those that pass; and for each target how many
of these tests pass, of how many. A test counts for each operator in its graph. What no kernel computes (extents that
depend on elements, control flow, sequences, optionals, strings) is run by the host between native regions. All tests:
cpu $(tail -n 1 "$cpu");
interpreter $(tail -n 1 "$interpreter");
xsimd $(tail -n 1 "$xsimd").

$kept

$rows
END
  exit
fi
[ -f "$table" ] || { echo "there is no $table"; exit 1; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
names() { sed -n '/^## The same/d; s/^## //p; s/^| \([A-Za-z0-9]*\) | \([0-9]*\) |.*/\1 \2/p'; }
names < "$table" > "$scratch/have"
"$tenon" onnx-table | names > "$scratch/want" || exit 1
[ -s "$scratch/want" ] || { echo "$tenon lists no operators"; exit 1; }
diff -u "$scratch/have" "$scratch/want" && { echo "$table lists what is imported"; exit 0; }
echo "$table differs from what is imported: run 'sh cmake/check_onnx_table.sh TENON --write …'"
exit 1
