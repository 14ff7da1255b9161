#!/bin/sh
# compile.sh TOOL [MODEL...]: how long `tenon build` takes, in milliseconds: the least of seven, on one processor and on
# all that there are. Code is made in parts on threads, so the second is less where there are several kernels.
#
# TENON_ONNX_DIR is where the models are.
set -u
tool=${1:?usage: compile.sh TOOL [MODEL...]}
shift
models=${TENON_ONNX_DIR:-}/models
if [ ! -d "$models" ]; then
  echo "SKIPPED: TENON_ONNX_DIR does not name a folder with models"
  exit 77
fi
[ $# -gt 0 ] || set -- light_squeezenet light_resnet50 light_inception_v1 tv_mobilenet_v2 tv_vit_tiny_16 ppocrv4_det
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

least() { # least COMMAND...
  for round in 1 2 3 4 5 6 7; do
    begin=$(date +%s%N)
    "$@" > "$scratch/said" 2>&1 || { echo -; return; }
    echo $((($(date +%s%N) - begin) / 1000000))
  done | sort -n | head -n 1
}
printf '%-24s %12s %12s   (ms)\n' model 'one thread' "$(nproc) threads"
for m in "$@"; do
  file=$models/$m/model.onnx
  printf '%-24s %12s %12s\n' "$m" "$(TENON_CACHE=off least taskset -c 0 "$tool" build "$file" -o "$scratch/program")" \
    "$(TENON_CACHE=off least "$tool" build "$file" -o "$scratch/program")"
done
