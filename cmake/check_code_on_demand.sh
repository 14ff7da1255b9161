#!/bin/sh
# check_code_on_demand.sh TENON CODEGEN MODEL: the command line has no LLVM linked, and opens it, with CODEGEN, when it
# makes code; it exports all that CODEGEN calls; alone it does everything else, and says what is missing.
set -u
export TENON_CACHE=off
tenon=$1 codegen=$2 model=$3
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
bad=0
fail() { echo "$*"; bad=1; }

readelf -d "$tenon" > "$scratch/needed" || { echo "there is no readelf"; exit 77; }
if grep NEEDED "$scratch/needed" | grep -qi llvm; then fail "$tenon has LLVM linked:" && cat "$scratch/needed"; fi
# A symbol that is missing is found when it is called, or here: all are looked up when the file is opened.
LD_BIND_NOW=1 "$tenon" run "$model" --target cpu > "$scratch/out" 2>&1 ||
  { fail "code is not made:"; cat "$scratch/out"; }

mkdir -p "$scratch/bin" && cp "$tenon" "$scratch/bin/tenon" || exit 1
alone=$scratch/bin/tenon
for command in --version "info $model" "run $model --target interpreter" "pipeline cpu"; do
  # shellcheck disable=SC2086  # words
  "$alone" $command > "$scratch/out" 2>&1 || { fail "alone, '$command' fails:"; cat "$scratch/out"; }
done
"$alone" run "$model" --target cpu > "$scratch/out" 2>&1
[ $? = 1 ] || fail "alone it makes code"
grep -q "^error: .*the code generator cannot be opened: .*$(basename "$codegen")" "$scratch/out" &&
  grep -q "^  install tenon whole, with LLVM 22" "$scratch/out" || { fail "the error is:"; cat "$scratch/out"; }
[ $bad = 0 ] && echo "LLVM is opened when code is made"
exit $bad
