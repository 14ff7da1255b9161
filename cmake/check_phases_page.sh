#!/bin/sh
# check_phases_page.sh TENON phases|pipelines|--write: the drawing in docs/phases.md is what the command line draws;
# docs/pipelines.md is what it explains of each pass. `--write` puts both into the pages.
set -u
tenon=$1 page=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
"$tenon" pipeline cpu --diagram mermaid > "$scratch/drawn" || exit 1

compare() {  # what the page has, and what it should have
  diff -u "$1" "$2" && return
  echo "docs/$page.md is not what the command line prints: sh cmake/check_phases_page.sh TENON --write"
  exit 1
}
if [ "$page" = phases ]; then
  sed -n '/^```mermaid$/,/^```$/p' docs/phases.md | sed '1d;$d' > "$scratch/page"
  compare "$scratch/page" "$scratch/drawn"
  exit
fi
"$tenon" pipeline xsimd --quiet > /dev/null 2>&1 || { echo "SKIPPED: this tenon has no target xsimd, which docs/pipelines.md explains"; exit 77; }

explained() {  # what is to be known of each pass of a target, in their order
  for pass in $("$tenon" pipeline "$1" --quiet | awk '!seen[$0]++'); do
    "$tenon" pipeline "$1" --explain "$pass" || exit 1
  done
}
{
  sed '/^## /,$d' docs/pipelines.md
  for target in cpu xsimd interpreter; do
    printf '## `%s`\n\n```text\n' "$target"
    explained "$target"
    printf '```\n\n'
  done
  printf '## `c_source`\n\nWhat it does otherwise than `cpu`.\n\n```text\n'
  "$tenon" pipeline --diff cpu c_source
  printf '```\n'
} > "$scratch/pipelines" || exit 1

if [ "$page" = --write ]; then
  awk -v drawn="$scratch/drawn" '
    /^```mermaid$/ { print; while ((getline line < drawn) > 0) print line; inside = 1; next }
    /^```$/ { inside = 0 }
    !inside' docs/phases.md > "$scratch/phases" && cp "$scratch/phases" docs/phases.md && cp "$scratch/pipelines" docs/pipelines.md
  exit
fi
compare docs/pipelines.md "$scratch/pipelines"
