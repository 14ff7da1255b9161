#!/bin/sh
# run_how_to.sh FOLDER FILECHECK SCRIPT MODEL GRAPH: the commands of a page of docs/how_to, one after the other, with the
# programs in FOLDER; what they print is what the script's CHECK lines say. One that ends with 77 says what it lacks.
set -u
filecheck=$2 script=$3
[ -x "$filecheck" ] || { echo "SKIPPED: FileCheck was not found (Debian: llvm-22-tools)"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/here"
cp "$4" "$scratch/here/model.onnx"
cp "$5" "$scratch/here/graph.tir"
(cd "$scratch/here" && PATH="$1:$PATH" TENON_CACHE=off sh -e "$script") > "$scratch/out" 2>&1 < /dev/null
rc=$?
if [ $rc = 77 ]; then cat "$scratch/out"; exit 77; fi
[ $rc = 0 ] && "$filecheck" "$script" < "$scratch/out" && exit 0
echo "--- $script: exit status $rc, output:"
cat "$scratch/out"
exit 1
