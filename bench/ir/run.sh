#!/bin/sh
# run.sh TOOL [OPS]: a module of 200,000 ops beside MLIR: what reading and printing it takes, and what common
# subexpressions and simplification (with dead code; MLIR's canonicalize) take besides. Seconds of user time, the least
# of five runs in turns, less what a module without ops takes, and how many times as fast tenon is. Neither verifies
# between passes.
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
row() { # NAME; MLIR's options and tenon's passes are in $a and $b
  m=''; t=''
  for round in 1 2 3 4 5; do
    m="$m $(user mlir $a "$scratch/large.mlir")"
    t="$t $(user tenon "$scratch/large.tenon" ${b:+--passes "$b"})"
  done
  m=$(least $m); t=$(least $t)
  echo "$m $t $base_m $base_t" | awk -v what="$1" '{
    m = $1 - $3; t = $2 - $4; printf "%-36s %8.3f %8.3f %8s\n", what, m, t, (t > 0 ? sprintf("%.2f", m / t) : "-") }'
}

m=''; t=''
for round in 1 2 3 4 5; do
  m="$m $(user mlir "$scratch/small.mlir")"; t="$t $(user tenon "$scratch/small.tenon")"
done
base_m=$(least $m); base_t=$(least $t)
printf '%-36s %8s %8s %8s   (seconds, %s ops)\n' what MLIR tenon ratio "$ops"
a=''; b=''; row 'parse and print'
base_m=$m; base_t=$t
a='--cse'; b='eliminate_common'; row 'common subexpressions'
a='--canonicalize'; b='infer_shapes, simplify, eliminate_dead'; row 'canonicalize'
