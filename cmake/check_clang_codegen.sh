#!/bin/sh
# check_clang_codegen.sh CLANG TENON CODE_GENERATOR LLVM_INCLUDE LIBRARY...: the code generator, compiled by clang++ without
# a warning, makes code that computes what the interpreter computes. A copy of TENON opens it where TENON opens its own.
set -u
clang=$1 tenon=$2 own=$3 llvm=$4
shift 4
export TENON_CACHE=off
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
made="$scratch/a/b/$(realpath --relative-to="$(dirname "$tenon")" "$own")"
mkdir -p "$scratch/a/b" "$(dirname "$made")"
cp "$tenon" "$scratch/a/b/tenon" || exit 1

for file in src/codegen/*.cpp; do echo "#include \"$PWD/$file\""; done > "$scratch/all.cpp"
"$clang" -std=c++20 -O0 -DNDEBUG -DTENON_HAS_LLVM=1 -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -fPIC -shared \
  -Iinclude -Isrc/native -Isrc/codegen -isystem "$llvm" "$scratch/all.cpp" "$@" \
  -o "$made" || exit 1

cat > "$scratch/model.tir" <<'END'
tenon.module phase=ingestion
constant #0 "w" : tensor<4x3xf32> = [1, 2.5, -0, 4, 5, 6, -1, 0.5, 0.25, 2, 3, -4]
func entry @main(%x: tensor<nx4xf32>) -> (tensor<3xnxf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<4x3xf32>
  %m = matmul(%x, %w) : tensor<nx3xf32>
  %t = tanh(%m) : tensor<nx3xf32>
  %y = transpose(%t) {permutation = [1, 0]} : tensor<3xnxf32>
  return(%y)
}
END
for shape in 1x4 7x4 64x4; do
  "$scratch/a/b/tenon" compare "$scratch/model.tir" --target cpu,interpreter --shape "x=$shape" > "$scratch/said" 2>&1 ||
    { cat "$scratch/said"; echo "FAILED: x=$shape"; exit 1; }
done
"$scratch/a/b/tenon" demo > "$scratch/said" 2>&1 && grep -q 'the stroke is falling' "$scratch/said" ||
  { cat "$scratch/said"; echo "FAILED: tenon demo"; exit 1; }
echo "code of a code generator that $("$clang" -dumpversion | sed 's/^/clang /') compiled is right"
