#!/bin/sh
# check_report.sh TENON [FOLDER]: a report of 5,000 nodes is one file that asks for no other, and a browser opens it, light
# and dark, without an error and in less than two seconds. Without Chromium (Debian: chromium) the browser's part is
# skipped. FOLDER keeps what was made.
set -u
tenon=$1
scratch=${2:-}
if [ -z "$scratch" ]; then
  scratch=$(mktemp -d) || exit 1
  trap 'rm -rf "$scratch"' EXIT
fi
fail() { echo "$1"; exit 1; }
awk 'BEGIN {
  print "tenon.module phase=ingestion\nfunc entry @main(%x0: tensor<4xf32>) -> (tensor<4xf32>) inputs(\"x\") outputs(\"y\") {"
  for (i = 1; i < 5000; ++i)
    printf "  %%x%d = %s(%%x%d) : tensor<4xf32> loc(\"node '"'"'block%d/op<%d>'"'"' (Op)\")\n", i, i % 3 ? "tanh" : "sin", i - (i > 9 && i % 7 == 0 ? 3 : 1), i / 50, i
  print "  return(%x4999)\n}"
}' > "$scratch/model.tir"
"$tenon" report "$scratch/model.tir" --target interpreter -o "$scratch/report.html" --quiet > "$scratch/said" 2>&1 ||
  { cat "$scratch/said"; fail "no report was made"; }
page=$scratch/report.html
grep -qE '(src|href)=|url\(|@import|fetch\(|XMLHttpRequest' "$page" && fail "the page asks for another file"
for part in 'id="data"' '"graphs":' '"as imported"' '"passes":' '"facts":' '"memory":' '"steps":' 'role="tablist"' 'data-theme="dark"'; do
  grep -qF -- "$part" "$page" || fail "the page lacks $part"
done
grep -q 'block3/op<' "$page" && fail "a name of the model is markup"
browser=
for name in chromium chromium-headless-shell; do
  command -v $name > /dev/null && { browser=$name; break; }
done
[ -n "$browser" ] || { echo "SKIPPED: Chromium was not found (Debian: chromium); the page itself is as it should be"; exit 77; }
open_page() {
  timeout 60 $browser --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/browser" \
    --enable-logging=stderr --window-size=1280,820 "$@" 2> "$scratch/errors"
  grep -a 'CONSOLE' "$scratch/errors" && fail "the page's script has an error"
}
# data-ready: milliseconds from when the browser begins to load the file until the page is read, its data parsed, and the
# graph laid out and drawn; not the browser's own start. The machine may be busy with other tests: the best of three counts.
ready=
for try in 1 2 3; do
  open_page --dump-dom "file://$page" > "$scratch/opened"
  took=$(sed -n 's/.*data-ready="\([0-9]*\)".*/\1/p' "$scratch/opened" | head -1)
  [ -n "$took" ] || fail "the page did not open"
  [ -n "$ready" ] && [ "$ready" -le "$took" ] || ready=$took
  [ "$ready" -lt 2000 ] && break
done
[ "$ready" -lt 2000 ] || fail "the page opens in $ready ms, the best of $try times: 2000 are too many"
# The drawing is there when the page is, and not a frame later.
drawn=$(sed -n 's/.*data-drawn="\([0-9]*\)".*/\1/p' "$scratch/opened" | head -1)
[ "${drawn:-0}" -ge 10 ] || fail "the graph is not drawn"
grep -q 'as imported (500[0-9])' "$scratch/opened" || fail "the graph is not there"
for theme in light dark; do
  open_page --virtual-time-budget=2000 --screenshot="$scratch/$theme.png" "file://$page#theme=$theme"
  [ -s "$scratch/$theme.png" ] || fail "no picture of the page"
done
cmp -s "$scratch/light.png" "$scratch/dark.png" && fail "light and dark are the same"
echo "a report of 5,000 nodes opens in $ready ms"
