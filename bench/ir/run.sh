#!/bin/sh
# run.sh TOOL [OPS]: a module of 200,000 ops beside MLIR: what reading and printing it takes, and what common
# subexpressions and simplification (with dead code; MLIR's canonicalize) take: the least of five runs in turns, and how
# many times as fast tenon is. Reading and printing: seconds of user time, less what a module without ops takes. Passes:
# seconds by the clocks of both tools. Neither verifies between passes.
#
# MLIR_OPT names mlir-opt: of Debian's mlir-22-tools, if it is not given.
set -u
tool=${1:?usage: run.sh TOOL [OPS]}
ops=${2:-200000}
opt=${MLIR_OPT:-/usr/lib/llvm-22/bin/mlir-opt}
if [ ! -x "$opt" ]; then
  echo "SKIPPED: no mlir-opt ($opt); MLIR_OPT names another"
  exit 77
fi
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
for form in mlir tenon; do
  awk -v form=$form -v n="$ops" -f "$here/module.awk" > "$scratch/large.$form"
  awk -v form=$form -v n=1 -f "$here/module.awk" > "$scratch/small.$form"
done

mlir() { "$opt" --verify-each=0 --mlir-disable-threading "$@" -o "$scratch/out.mlir"; }
tenon() { "$tool" opt "$@" -o "$scratch/out.tir"; }
user() { # COMMAND...: user seconds
  (
    trap - EXIT
    "$@" > "$scratch/said" 2>&1 || cat "$scratch/said" >&2
    times
  ) | awk 'NR == 2 { sub("m", " "); sub("s", ""); print $1 * 60 + $2 }'
}
least() { printf '%s\n' "$@" | sort -n | head -n 1; }
row() { # NAME, MLIR's seconds, tenon's
  echo "$2 $3" | awk -v what="$1" '{
    printf "%-36s %8.3f %8.3f %8s\n", what, $1, $2, ($2 > 0 ? sprintf("%.2f", $1 / $2) : "-") }'
}
passes() { # NAME, MLIR's pass, what MLIR's clock calls it, tenon's passes
  m=''; t=''
  for round in 1 2 3 4 5; do
    m="$m $(mlir "$2" --mlir-timing --mlir-timing-display=list "$scratch/large.mlir" 2>&1 |
      awk -v name="$3" '$NF == name { print $1 }')"
    t="$t $(tenon "$scratch/large.tenon" --passes "$4" --times 2>&1 |
      awk '$3 == "ms" { s += $2 } END { print s / 1000 }')"
  done
  row "$1" "$(least $m)" "$(least $t)"
}

bm=''; bt=''; m=''; t=''
for round in 1 2 3 4 5; do
  bm="$bm $(user mlir "$scratch/small.mlir")"; bt="$bt $(user tenon "$scratch/small.tenon")"
  m="$m $(user mlir "$scratch/large.mlir")"; t="$t $(user tenon "$scratch/large.tenon")"
done
printf '%-36s %8s %8s %8s   (seconds, %s ops)\n' what MLIR tenon ratio "$ops"
row 'parse and print' "$(echo "$(least $m) $(least $bm)" | awk '{ print $1 - $2 }')" \
  "$(echo "$(least $t) $(least $bt)" | awk '{ print $1 - $2 }')"
passes 'common subexpressions' --cse CSE eliminate_common
passes 'canonicalize' --canonicalize Canonicalizer 'infer_shapes, simplify, eliminate_dead'
