#!/bin/sh
# run_program.sh TENON ONNX_DIR MODEL THREADS [OUTLIERS]: the model becomes one program file, without any shape given, and that
# program gives the stored outputs of every set: all batches, lengths and images.
set -u
export TENON_CACHE=off
tenon=$1 dir=${TENON_ONNX_DIR:-$2} model=$3 threads=$4
if [ -z "$dir" ] || [ ! -f "$dir/models/$model/model.onnx" ]; then
  echo "SKIPPED: no model: set TENON_ONNX_DIR to a folder that has models/$model/ (now: '${dir:-}')"
  exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
"$tenon" build "$dir/models/$model/model.onnx" -o "$scratch/model.tenon" > "$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
sets=$(ls -d "$dir/models/$model"/set* | wc -l)
[ "$sets" -gt 1 ] || { echo "$model has $sets set: nothing is shown of other sizes"; exit 1; }
"$tenon" check "$dir/models/$model" --program "$scratch/model.tenon" --threads "$threads" --outliers "${5:-0}"
