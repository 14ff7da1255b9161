#!/bin/sh
# run_example.sh PROGRAM FILECHECK SOURCE: the program succeeds and prints what the CHECK lines of its source say.
set -u
program=$1 filecheck=$2 source=$3
[ -x "$filecheck" ] || { echo "SKIPPED: FileCheck was not found (Debian: llvm-22-tools)"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/here"
(cd "$scratch/here" && "$program") > "$scratch/out" 2>&1 < /dev/null
rc=$?
if [ $rc = 0 ] && "$filecheck" "$source" < "$scratch/out"; then exit 0; fi
echo "--- $program: exit status $rc, output:"
cat "$scratch/out"
exit 1
