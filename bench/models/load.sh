#!/bin/sh
# load.sh TENON RUNNER ONNX_DIR [MODEL…]: how large program files are, and how long the runner takes to load one from a warm
# page cache (the median of 50 times): mapping, checksum, and putting the code into the process.
set -eu
tenon=$1 runner=$2 dir=$3
shift 3
[ $# -gt 0 ] || set -- light_squeezenet
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "runner: $(wc -c < "$runner") bytes"
for model in "$@"; do
  "$tenon" build "$dir/models/$model/model.onnx" -o "$scratch/p" > /dev/null
  echo "$model: $(wc -c < "$scratch/p") bytes, $("$runner" "$scratch/p" --load-times 50 | head -n 1)"
done
