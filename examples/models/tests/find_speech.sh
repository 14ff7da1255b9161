#!/bin/sh
# find_speech.sh PROGRAM: two sentences by espeak-ng with silence around them are found, and nothing is found in noise.
. "$(dirname "$0")/common.sh"
command -v espeak-ng > /dev/null || skip "espeak-ng was not found (Debian: espeak-ng), which speaks the test's sentences"
command -v sox > /dev/null || skip "sox was not found (Debian: sox), which puts the recording together"
model=${TENON_ONNX_DIR:-/nowhere}/models/silero_vad_v5/model.onnx
[ -f "$model" ] || { model=$models/silero_vad_v5.onnx; fetch @ricky0123/vad-web dist/silero_vad_v5.onnx silero_vad_v5.onnx; }
espeak-ng -w "$scratch/a.wav" "The carpenter cuts the tenon first." || fail "espeak-ng"
espeak-ng -w "$scratch/b.wav" "Then the mortise is made to fit." || fail "espeak-ng"
# Two seconds of silence in front of each sentence, and one at the end.
for name in a b; do sox "$scratch/$name.wav" -r 16000 -c 1 -b 16 "$scratch/$name-16k.wav" pad 2 0 || fail "sox"; done
sox "$scratch/a-16k.wav" "$scratch/b-16k.wav" "$scratch/talk.wav" pad 0 1 || fail "sox"
"$program" "$model" "$scratch/talk.wav" > "$scratch/said" || fail "the program"
cat "$scratch/said"
length() { soxi -D "$1"; }
# Of each piece of speech: it lies where a sentence is, by a quarter of a second; and both sentences have one.
awk -v a="$(length "$scratch/a-16k.wav")" -v all="$(length "$scratch/talk.wav")" '
  /^speech from/ {
    in_a = $3 > 1.75 && $6 < a + 0.25; in_b = $3 > a + 1.75 && $6 < all - 0.75
    if (in_a) first += $6 - $3; else if (in_b) second += $6 - $3; else bad = 1
  }
  END { exit bad || first < 1 || second < 1 }' "$scratch/said" || fail "speech is not where the sentences are"
sox -n -r 16000 -c 1 -b 16 "$scratch/noise.wav" synth 3 whitenoise vol 0.02 2> /dev/null || fail "sox"
"$program" "$model" "$scratch/noise.wav" > "$scratch/said" || fail "the program"
grep -q "^0.00 s of speech in 3.00 s" "$scratch/said" || fail "noise is no speech"
"$program" "$model" "$0" > "$scratch/said" && fail "this is no recording"
grep -q "is no WAV file" "$scratch/said" || fail "the error does not say that this is no WAV file"
echo "speech is found where it is"
