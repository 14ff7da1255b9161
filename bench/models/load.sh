#!/bin/sh
# load.sh TENON RUNNER ONNX_DIR [MODEL…]: how large an executable is that runs program files, how large those are, and how
# long it takes to load one from a warm page cache (the median of 50 times): mapping, checksum, and putting the code into the
# process. Asked of light_squeezenet: an executable of less than 1 MB, 5 ms. Prints; a slow machine is no failure.
set -eu
export TENON_CACHE=off
tenon=$1 runner=$2 dir=${TENON_ONNX_DIR:-$3}
shift 3
[ $# -gt 0 ] || set -- light_squeezenet
if [ -z "$dir" ] || [ ! -d "$dir/models" ]; then
  echo "SKIPPED: no models: set TENON_ONNX_DIR to a folder that has models/ (now: '${dir:-}')"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$runner" "$scratch/runner"
strip "$scratch/runner" 2> /dev/null || true
size=$(wc -c < "$scratch/runner")
echo "an executable that runs program files: $size bytes (asked: less than 1000000)"
for model in "$@"; do
  "$tenon" build "$dir/models/$model/model.onnx" -o "$scratch/p" > /dev/null
  "$runner" "$scratch/p" --load-times 50 > "$scratch/out"
  ms=$(sed -n 's/^loaded in \([0-9.]*\) ms.*/\1/p' "$scratch/out")
  echo "$model: a file of $(wc -c < "$scratch/p") bytes, loaded in $ms ms (asked: less than 5): $(awk -v m="$ms" 'BEGIN { print m < 5 ? "met" : "MISSED" }')"
done
