#!/bin/sh
# run.sh TOOL [OTHER]: one operator a program, on one thread: the least time of three rounds of a second each, and with
# OTHER, a tool built from another commit, its time in the same run and how many times as fast TOOL's code is.
set -eu
tool=${1:?usage: run.sh TOOL [OTHER]}
other=${2:-}
sizes='' # of a program that leaves some open
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

least() { # least PROGRAM-TOOL PROGRAM
  for round in 1 2 3; do "$1" run "$2" --bench --threads 1 $sizes; done 2> /dev/null |
    sed -n 's/.*latency: .* least \([0-9.]*\) ms.*/\1/p' | sort -n | head -n 1
}
# measure NAME ARGUMENTS RESULTS BODY [CONSTANTS]: the module's text, with the results %y (and %i).
measure() {
  outputs='"y"'; returned='%y'
  case $3 in *,\ tensor*) outputs='"y", "i"'; returned='%y, %i' ;; esac
  inputs='"a"'
  case $2 in *%b*) inputs='"a", "b"' ;; esac
  printf 'tenon.module phase=ingestion\n%s\nfunc entry @main(%s) -> (%s) inputs(%s) outputs(%s) {\n%s\nreturn(%s)\n}\n' \
    "${5:-}" "$2" "$3" "$inputs" "$outputs" "$4" "$returned" > "$scratch/m.tir"
  for t in "$tool" $other; do
    rm -f "$scratch/p"
    "$t" build "$scratch/m.tir" -o "$scratch/p" > /dev/null && least "$t" "$scratch/p" || echo -
  done | tr '\n' ' ' | {
    read -r mine theirs || true
    printf '%-28s %10s' "$1" "$mine"
    [ -z "$other" ] || printf ' %10s %7s' "$theirs" "$(awk -v a="$mine" -v b="$theirs" 'BEGIN { if (a > 0 && b > 0) printf "%.2f", b / a; else printf "-" }')"
    echo
  }
}
pool() { # pool NAME OP CHANNELS EXTENT RESULT ATTRIBUTES
  measure "$1" "%a: tensor<1x$3x$4x$4xf32>" "tensor<1x$3x$5x$5xf32>" "%y = $2(%a) {$6} : tensor<1x$3x$5x$5xf32>"
}
top_k() { # top_k NAME ROWS ELEMENTS K
  measure "$1" "%a: tensor<$2x$3xf32>" "tensor<$2x$4xf32>, tensor<$2x$4xi64>" \
    "%y, %i = top_k(%a) {k = $4} : (tensor<$2x$4xf32>, tensor<$2x$4xi64>)"
}

printf '%-28s %10s' operator ms
[ -z "$other" ] || printf ' %10s %7s' other ratio
echo
top_k top_k_64_of_50257 1 50257 64
top_k top_k_sort_8400 1 8400 8400
top_k top_k_2_of_32_rows_512 512 32 2
top_k top_k_8_of_768_rows_128 128 768 8
pool max_pool_13 max_pool 256 20 20 'kernel = [13, 13], pads = [6, 6, 6, 6]'
pool max_pool_5 max_pool 64 40 40 'kernel = [5, 5], pads = [2, 2, 2, 2]'
pool max_pool_3_stride_2 max_pool 64 112 56 'kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]'
pool max_pool_2_stride_2 max_pool 64 56 28 'kernel = [2, 2], strides = [2, 2]'
pool average_pool_3 average_pool 64 56 56 'kernel = [3, 3], pads = [1, 1, 1, 1]'
pool average_pool_5 average_pool 64 40 40 'kernel = [5, 5], pads = [2, 2, 2, 2]'
measure grid_sample_64_channels '%a: tensor<1x64x32x32xf32>, %b: tensor<1x32x32x2xf32>' 'tensor<1x64x32x32xf32>' \
  '%y = grid_sample(%a, %b) {mode = linear} : tensor<1x64x32x32xf32>'
measure non_max_suppression_8400 '%a: tensor<1x8400x4xf32>, %b: tensor<1x1x8400xf32>' 'tensor<?x3xi64>' \
  '%k = constant() {value = #0} : tensor<i64>
%y = non_max_suppression(%a, %b, %k) : tensor<?x3xi64>' 'constant #0 : tensor<i64> = [100]'
measure conv_1_tap_64_to_128 '%a: tensor<1x64x1000xf32>, %b: tensor<128x64x1xf32>' 'tensor<1x128x1000xf32>' \
  '%y = conv(%a, %b) : tensor<1x128x1000xf32>'
measure transpose_1024 '%a: tensor<1024x1024xf32>' 'tensor<1024x1024xf32>' \
  '%y = transpose(%a) {permutation = [1, 0]} : tensor<1024x1024xf32>'
measure transpose_image_256 '%a: tensor<1x56x56x256xf32>' 'tensor<1x256x56x56xf32>' \
  '%y = transpose(%a) {permutation = [0, 3, 1, 2]} : tensor<1x256x56x56xf32>'
measure tile_columns_3 '%a: tensor<128x768xf32>' 'tensor<128x2304xf32>' \
  '%y = tile(%a) {repeats = [1, 3]} : tensor<128x2304xf32>'
measure resize_linear_2 '%a: tensor<1x64x56x56xf32>' 'tensor<1x64x112x112xf32>' \
  '%y = resize(%a) {mode = linear, sizes = [1, 64, 112, 112]} : tensor<1x64x112x112xf32>'
measure resize_cubic_2 '%a: tensor<1x64x56x56xf32>' 'tensor<1x64x112x112xf32>' \
  '%y = resize(%a) {mode = cubic, sizes = [1, 64, 112, 112]} : tensor<1x64x112x112xf32>'
sizes='--shape a=1x64x56x56'
measure resize_linear_2_any_size '%a: tensor<bx64xnxmxf32>' 'tensor<?x?x?x?xf32>' \
  '%y = resize(%a) {mode = linear, scales = [1.0, 1.0, 2.0, 2.0]} : tensor<?x?x?x?xf32>'
measure to_channels_last_any_size '%a: tensor<bx64xnxmxf32>' 'tensor<bxnxmx64xf32>' \
  '%y = transpose(%a) {permutation = [0, 2, 3, 1]} : tensor<bxnxmx64xf32>'
