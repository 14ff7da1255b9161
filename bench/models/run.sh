#!/bin/sh
# run.sh TOOL [THREADS] [MODEL...]: the latency of each public model with tenon and, where it is installed, with ONNX
# Runtime, measured alternately in one run: least and median of three rounds of a second each, and their ratio. Beside
# them the least time of the target xsimd (kernels without LLVM), as a multiple of cpu's: at most 5 on convolution models;
# and of code that is specialized on the shapes, as a fraction of cpu's: 1 where the model's shapes are static anyway. Last
# C of the target c_source by the system's compiler, on one thread always, as a multiple of cpu's; - for run-time shapes.
# TENON_BENCH_OTHERS=0 in the environment leaves these three out. charts.py --take FILE makes the page and the charts of
# docs/benchmarks.md of what this prints.
#
# TENON_ONNX_DIR is where the models are; TENON_ORT_DIR is a folder in which
#   npm install --ignore-scripts onnxruntime-node@1.30.0
# was run. Without the peer only tenon's times are printed.
set -u
tool=${1:?usage: run.sh TOOL [THREADS] [MODEL...]}
threads=${2:-1}
[ $# -gt 1 ] && shift 2 || shift 1
models=${TENON_ONNX_DIR:-}/models
if [ ! -d "$models" ]; then
  echo "SKIPPED: TENON_ONNX_DIR does not name a folder with models"
  exit 77
fi
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- light_squeezenet light_resnet50 light_shufflenet light_inception_v1 face_landmark mobilefacenet_embed \
  blazeface_back mlsd_320_tiny ppocr_cls magika_v3_3 tv_nn_transformer_enc tv_llama_gqa_tiny ppocrv4_det \
  tv_lstm_gru_tagger silero_vad_v5 oww_melspec

ours() { "$tool" check --target "${2:-cpu}" ${3:-} --threads "$threads" --bench "$models/$1" | sed -n 's/.*latency: median \([0-9.]*\) ms, least \([0-9.]*\).*/\1 \2/p' | head -n 1; }
peer() { [ -n "${TENON_ORT_DIR:-}" ] && node "$here/peer.js" "$TENON_ORT_DIR" "$models/$1" "$threads" 2> /dev/null; }
least() { printf '%s\n' "$@" | sort -n | head -n 1; }

printf '%-24s %10s %10s %10s %10s %7s %10s %7s %11s %7s %10s %7s   (ms, %s thread%s)\n' model tenon least peer least ratio xsimd /cpu specialized /cpu c_source /cpu "$threads" "$([ "$threads" = 1 ] || echo s)"
for m in "$@"; do
  a=''; b=''; c=''; d=''; e=''
  for round in 1 2 3; do
    a="$a
$(ours "$m")"
    b="$b
$(peer "$m")"
    [ "${TENON_BENCH_OTHERS:-1}" != 0 ] || continue
    c="$c
$(ours "$m" xsimd)"
    d="$d
$(ours "$m" cpu --specialize)"
    e="$e
$(ours "$m" c_source)"
  done
  pick() { printf '%s\n' "$1" | grep . | sort -n | head -n 1; }
  t=$(pick "$a"); p=$(pick "$b"); x=$(pick "$c"); s=$(pick "$d"); k=$(pick "$e")
  printf '%-24s %10s %10s %10s %10s %7s %10s %7s %11s %7s %10s %7s\n' "$m" ${t:-- -} ${p:-- -} \
    "$(echo "${t:-0 0} ${p:-0 0}" | awk '{ if ($1 > 0 && $3 > 0) printf "%.2f", $1 / $3; else printf "-" }')" "${x:+${x#* }}" \
    "$(echo "${t:-0 0} ${x:-0 0}" | awk '{ if ($2 > 0 && $4 > 0) printf "%.2f", $4 / $2; else printf "-" }')" \
    "${s:+${s#* }}" "$(echo "${t:-0 0} ${s:-0 0}" | awk '{ if ($2 > 0 && $4 > 0) printf "%.2f", $4 / $2; else printf "-" }')" \
    "${k:+${k#* }}" "$(echo "${t:-0 0} ${k:-0 0}" | awk '{ if ($2 > 0 && $4 > 0) printf "%.2f", $4 / $2; else printf "-" }')"
done
