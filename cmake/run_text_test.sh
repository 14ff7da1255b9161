#!/bin/sh
# run_text_test.sh TENON FILECHECK FILE [NAME]: see tenon_text_test.cmake. NAME: what RUN lines call the program; `tenon`.
set -u
tenon=$1 filecheck=$2 file=$3 name=${4:-tenon}
[ -x "$filecheck" ] || { echo "SKIPPED: FileCheck was not found (Debian: llvm-22-tools)"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; echo "--- output of $file"; cat "$scratch/out"; exit 1; }

export TENON_CACHE=off  # a test that wants one says --cache
eval "$name() { \"\$tenon\" \"\$@\"; }"
: > "$scratch/out"
sed -n 's|^// RUN: *||p' "$file" > "$scratch/commands"
[ -s "$scratch/commands" ] || fail "$file: no line '// RUN: $name …'"
while IFS= read -r command; do
  expect=success
  case $command in
    "not $name "*) expect=error; command=${command#not } ;;
    "$name "*) ;;
    *) fail "$file: a RUN line starts with '$name' or 'not $name': $command" ;;
  esac
  # %s is this file; it goes through a variable, so that a space in its path does no harm.
  eval "$(printf '%s' "$command" | sed 's|%s|"$file"|g')" >> "$scratch/out" 2>&1 < /dev/null
  rc=$?
  # From 126 up the command was not found, or was ended by a signal: a crash, which nobody expects.
  if [ $rc -ge 126 ]; then fail "$command: crashed with exit status $rc"; fi
  case $expect,$rc in
    success,0) ;;
    success,*) fail "$command: exit status $rc" ;;
    error,0) fail "$command: should have been an error" ;;
  esac
done < "$scratch/commands"
"$filecheck" --allow-empty "$file" < "$scratch/out" || fail "$file: the output is not what the CHECK lines say"
