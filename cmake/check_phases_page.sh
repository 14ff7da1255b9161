#!/bin/sh
# check_phases_page.sh TENON: the drawing in docs/phases.md is what the command line draws.
set -u
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
"$1" pipeline cpu --diagram mermaid > "$scratch/drawn" || exit 1
sed -n '/^```mermaid$/,/^```$/p' docs/phases.md | sed '1d;$d' > "$scratch/page"
if diff -u "$scratch/page" "$scratch/drawn"; then exit 0; fi
echo "docs/phases.md is not what 'tenon pipeline cpu --diagram mermaid' prints: put that into the page"
exit 1
