#!/bin/sh
# check_terminal.sh TENON: on a terminal (of `script`), a compilation that takes a moment shows a line of progress,
# which is gone at the end; in a pipe nothing of a terminal is printed; NO_COLOR is honoured.
set -u
tenon=$1
command -v script > /dev/null || { echo "SKIPPED: script was not found (Debian: bsdutils)"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
bad=0
fail() { echo "$1"; bad=1; }
escape=$(printf '\033')
export TENON_CACHE=off TERM=xterm
unset NO_COLOR
# What takes a moment on any machine: a long chain of ops, verified after each pass.
{
  echo 'tenon.module phase=ingestion'
  echo 'func entry @main(%x0: tensor<64x64xf32>) -> (tensor<64x64xf32>) inputs("x") outputs("y") {'
  i=0
  while [ $i -lt 30000 ]; do echo "  %x$((i + 1)) = sqrt(%x$i) : tensor<64x64xf32>"; i=$((i + 1)); done
  echo '  return(%x30000)'; echo '}'
} > "$scratch/chain.tir"
on_terminal() { script -qec "$*" /dev/null < /dev/null; }

on_terminal "'$tenon' build '$scratch/chain.tir' -o '$scratch/chain' --verify-each" > "$scratch/shown" || fail "the build"
grep -q "$escape\[2m.* % compiled: [a-z_]* ([a-z]*, pass [0-9]* of [0-9]*), [0-9.]* s" "$scratch/shown" || fail "no progress"
# Behind the last line of progress it is erased, and what follows stands alone.
tr '\r' '\n' < "$scratch/shown" | grep -a "run it with" | grep -q "^$escape\[K" || fail "the line is still there"
# Of code, how much is made, and which kernel takes long: products, each of a size of its own.
{
  echo 'tenon.module phase=ingestion'
  printf 'func entry @main(%%x0: tensor<4x16xf32>'
  i=0
  while [ $i -lt 120 ]; do printf ', %%w%d: tensor<%dx%dxf32>' $i $((16 + i)) $((17 + i)); i=$((i + 1)); done
  echo ') -> (tensor<4x136xf32>) {'
  i=0
  while [ $i -lt 120 ]; do echo "  %x$((i + 1)) = matmul(%x$i, %w$i) : tensor<4x$((17 + i))xf32>"; i=$((i + 1)); done
  echo '  return(%x120)'; echo '}'
} > "$scratch/products.tir"
on_terminal "'$tenon' build '$scratch/products.tir' -o '$scratch/products' --target cpu" > "$scratch/shown"
if ! grep -q "run it with" "$scratch/shown"; then grep -q "no target 'cpu'" "$scratch/shown" || fail "the products"
else grep -q " % compiled: generate_code (built), [0-9.]* s; code [0-9]* %, matmul" "$scratch/shown" || fail "no progress of code"
fi
NO_COLOR=1 on_terminal "'$tenon' build '$scratch/chain.tir' -o '$scratch/chain' --verify-each" > "$scratch/shown"
grep -q "% compiled: " "$scratch/shown" || fail "NO_COLOR: no progress"
grep -q "$escape\[[0-9;]*m" "$scratch/shown" && fail "NO_COLOR: there is colour"
on_terminal "'$tenon' build '$scratch/chain.tir' -o '$scratch/chain' --quiet" > "$scratch/shown"
[ -s "$scratch/shown" ] && fail "--quiet: something is shown"
TERM=dumb on_terminal "'$tenon' build '$scratch/chain.tir' -o '$scratch/chain'; '$tenon' info /nowhere" > "$scratch/shown"
grep -q "$escape" "$scratch/shown" && fail "TERM=dumb: there are control characters"
on_terminal "'$tenon' info /nowhere" | grep -q "$escape\[1;31merror:$escape\[0m there is no file" || fail "an error has no colour"
{ "$tenon" build "$scratch/chain.tir" -o "$scratch/chain"; "$tenon" info /nowhere; } > "$scratch/shown" 2>&1
grep -q "$escape" "$scratch/shown" && fail "in a pipe there are control characters"
grep -q "^error: there is no file" "$scratch/shown" || fail "in a pipe an error is plain"
[ "$bad" = 0 ] && echo "progress is shown on a terminal, and nowhere else"
exit $bad
