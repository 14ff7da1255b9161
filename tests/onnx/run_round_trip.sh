#!/bin/sh
# run_round_trip.sh TENON ONNX_DIR MODEL [PHASE…]: the model as it leaves each phase, binary and text, comes back bit for bit,
# and can be finished from there by another process. A phase that a model with open shapes, or a divided one, does not reach is named.
set -u
export TENON_CACHE=off
tenon=$1 dir=${TENON_ONNX_DIR:-$2} model=$3
shift 3
[ $# -gt 0 ] || set -- ingestion optimization lowering build built
if [ -z "$dir" ] || [ ! -f "$dir/models/$model/model.onnx" ]; then
  echo "SKIPPED: no model: set TENON_ONNX_DIR to a folder that has models/$model/ (now: '${dir:-}')"
  exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$model: $1"; exit 1; }
cd "$scratch" || exit 1
for phase in "$@"; do
  if ! "$tenon" build "$dir/models/$model/model.onnx" --stop-at "$phase" -o a.tmod > log 2>&1; then
    if grep -qF '[build.divided]' log; then
      echo "$model: not in phase $phase: it is divided between a host and regions"
    else
      grep -q 'static_shapes\|--shape' log || { cat log; fail "tenon build --stop-at $phase"; }
      echo "$model: not in phase $phase: its inputs' shapes are open"
    fi
    continue
  fi
  "$tenon" opt a.tmod -o a.tir || fail "$phase: binary to text"
  "$tenon" opt a.tir --binary -o b.tmod || fail "$phase: text to binary"
  cmp a.tmod b.tmod || fail "$phase: text lost something"
  "$tenon" opt b.tmod --binary -o c.tmod || fail "$phase: binary to binary"
  cmp b.tmod c.tmod || fail "$phase: binary lost something"
  echo "$model: $phase comes back bit for bit, $(wc -c < a.tmod) bytes, $(wc -c < a.tir) as text"
done
