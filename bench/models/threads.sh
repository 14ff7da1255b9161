#!/bin/sh
# threads.sh TOOL [MODEL...]: each public model on one thread and on two, in turns: least and median in milliseconds of
# three rounds of a second each, and how many times as fast two are. A program measures which of its loops to divide
# (docs/decisions/010-threads.md), so none is to be slower on two threads, but for noise.
#
# TENON_ONNX_DIR is where the models are.
set -u
tool=${1:?usage: threads.sh TOOL [MODEL...]}
shift
models=${TENON_ONNX_DIR:-}/models
if [ ! -d "$models" ]; then
  echo "SKIPPED: TENON_ONNX_DIR does not name a folder with models"
  exit 77
fi
[ $# -gt 0 ] || set -- ppocr_cls light_shufflenet tv_conv_tasnet_small face_landmark silero_vad_v5 mobilefacenet_embed \
  tv_mobilenet_v2 light_resnet50

took() { # MODEL THREADS: median and least
  "$tool" check --target cpu --threads "$2" --bench "$models/$1" |
    sed -n 's/.*latency: median \([0-9.]*\) ms, least \([0-9.]*\).*/\1 \2/p' | head -n 1
}
fastest() { printf '%s\n' "$1" | grep . | sort -n | head -n 1; }

printf '%-24s %10s %10s %10s %10s %7s   (ms)\n' model 'one thread' least 'two' least ratio
for m in "$@"; do
  one=''; two=''
  for round in 1 2 3; do
    one="$one
$(took "$m" 1)"
    two="$two
$(took "$m" 2)"
  done
  a=$(fastest "$one"); b=$(fastest "$two")
  printf '%-24s %10s %10s %10s %10s %7s\n' "$m" ${a:-- -} ${b:-- -} \
    "$(echo "${a:-0 0} ${b:-0 0}" | awk '{ if ($1 > 0 && $3 > 0) printf "%.2f", $1 / $3; else printf "-" }')"
done
