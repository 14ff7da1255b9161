#!/bin/sh
# check_runner.sh RUNNER TENON SOURCES: the runner is small, knows no LLVM, and runs what `tenon build` makes, as fast as a
# mapped file can be loaded. What it loads needs from the outside only what its artifact names.
set -u
export TENON_CACHE=off
runner=$1 tenon=$2 sources=$3
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; exit 1; }
size=$(wc -c < "$runner")
[ "$size" -lt 1000000 ] || fail "the runner has $size bytes: a million is the limit"
ldd "$runner" > "$scratch/libraries" || fail "ldd does not read the runner"
if grep -iE 'llvm|lld|clang|protobuf|fmt' "$scratch/libraries"; then fail "the runner is linked with what only compiling needs"; fi
command -v cc > /dev/null || { echo "SKIPPED: there is no C compiler to make a program with"; exit 77; }
"$tenon" build "$sources/tests/text/tools/data/relu.onnx" -o "$scratch/relu.tenon" --target c_source > "$scratch/log" ||
  { cat "$scratch/log"; fail "tenon build"; }
"$runner" "$scratch/relu.tenon" --load-times 20 > "$scratch/out" || fail "the runner does not run the program"
cat "$scratch/out"
grep -q '^output y f32\[2,2\], sum 0$' "$scratch/out" || fail "another output was expected"
ms=$(sed -n 's/^loaded in \([0-9]*\)\..*/\1/p' "$scratch/out")
[ "${ms:-99}" -lt 5 ] || fail "loading took $ms ms: five are the limit"
"$tenon" inspect "$scratch/relu.tenon" --json > "$scratch/json" || fail "tenon inspect"
for symbol in $(sed -n '/"builtins"/,/]/p' "$scratch/json" | grep -oE '"[a-zA-Z_]+"' | tr -d '"' | grep -v '^builtins$'); do
  case $symbol in _*|mem*|exp*|log*|tanh*|erf*|fm*) ;; *) fail "the program needs '$symbol'" ;; esac
done
"$tenon" opt "$sources/tests/text/tools/data/relu.onnx" --passes lift_lambdas --binary -o "$scratch/half.tmod" || fail "tenon opt"
"$runner" "$scratch/half.tmod" 2> "$scratch/error" && fail "a module was taken for a program"
grep -q 'this is a partly compiled module' "$scratch/error" || { cat "$scratch/error"; fail "another error was expected"; }

# Sizes that are open are those of arrays; words that are no option are no files.
"$tenon" build "$sources/tests/text/tools/data/batch.onnx" -o "$scratch/open.tenon" --target c_source > "$scratch/log" ||
  { cat "$scratch/log"; fail "tenon build"; }
"$runner" "$scratch/open.tenon" > "$scratch/out" 2> "$scratch/error" && fail "open sizes were made up"
grep -q "input 'a' is f32\[rows,2\], and nothing says its open sizes" "$scratch/error" ||
  { cat "$scratch/error"; fail "another error was expected"; }
"$runner" --help | grep -q '^usage: tenon-runner PROGRAM' || fail "--help says something else"
"$runner" "$scratch/relu.tenon" --thread 1 > "$scratch/out" 2> "$scratch/error"
[ $? = 2 ] && grep -q "what is '--thread'" "$scratch/error" || { cat "$scratch/error"; fail "--thread was taken for a file"; }
"$runner" "$scratch/relu.tenon" --threads two > "$scratch/out" 2> "$scratch/error"
[ $? = 2 ] && grep -q "error: --threads takes a number, and 'two' was given" "$scratch/error" ||
  { cat "$scratch/error"; fail "'two' was taken for a number"; }
"$runner" "$scratch/relu.tenon" -o > "$scratch/out" 2> "$scratch/error"
[ $? = 2 ] && grep -q "error: -o takes a folder, and none was given" "$scratch/error" ||
  { cat "$scratch/error"; fail "-o without a folder was taken"; }

# Code for another processor (none has both features) is refused, and does not die of it.
if "$tenon" build "$sources/tests/text/tools/data/relu.onnx" -o "$scratch/other.tenon" --target cpu --features +xop,+amx-tile \
     > "$scratch/log" 2>&1; then
  for opener in "$runner" "$tenon run"; do
    $opener "$scratch/other.tenon" > "$scratch/log" 2> "$scratch/error"
    [ $? = 1 ] || { cat "$scratch/error"; fail "$opener: an error was expected"; }
    grep -q 'program.processor' "$scratch/error" || { cat "$scratch/error"; fail "$opener: another error was expected"; }
  done
elif ! grep -q 'target.unknown\|no target' "$scratch/log"; then
  cat "$scratch/log"; fail "tenon build --features"
fi
echo "the runner has $size bytes"
