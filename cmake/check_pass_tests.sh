#!/bin/sh
# check_pass_tests.sh [--self-test | ROOT]: each pass of include/tenon/passes is named in the --passes of a RUN line of
# tests/text/passes, where its before → after stands. A pass that is made for a target, `fixed_string("partition_for_") +
# T::name`, is named with some target behind. One whose name no order of text can have, since a type of the user's is in
# it, says so in its header: `// No text names it: …`. And each rule by which an op is simplified, `r.apply<…>` in
# include/tenon/ops/graph/*.simplify.ipp, is a function of its name in tests/text/passes/simplify.tir.
set -u
cd "$(dirname "$0")/.." || exit 1

check() (
  cd "$1" || exit 1
  bad=0 count=0 rules=0
  for header in include/tenon/passes/*.hpp; do
    grep -q '^// No text names it: ' "$header" && continue
    # What is a pass says which phase it is for.
    for pass in $(awk '
        /^struct [a-z_0-9]+/ { name = "" }
        /static constexpr (fixed_string|auto) name = / {
          text = $0; made = text ~ / \+ /
          sub(/^[^"]*"/, "", text); sub(/".*/, "", text); name = text (made ? "[a-z_0-9]+" : "")
        }
        /^  using (runs_in|from) = / { if (name != "") print name; name = "" }' "$header"); do
      count=$((count + 1))
      cat tests/text/passes/*.tir 2> /dev/null | sed -n 's|^// RUN: .*--passes "\([^"]*\)".*|\1|p' | tr -s ', ' '\n\n' |
        grep -qxE "$pass" || { echo "$header: no text in tests/text/passes has '$pass' in its --passes"; bad=1; }
    done
  done
  for rule in $(cat include/tenon/ops/graph/*.simplify.ipp 2> /dev/null | tr -d ' \n' | grep -o 'r\.apply<[^>]*>' |
    sed 's/^r\.apply<//; s/>$//' | tr ',' '\n' | sed 's/.*:://'); do
    rules=$((rules + 1))
    grep -q "^func @$rule(" tests/text/passes/simplify.tir ||
      { echo "tests/text/passes/simplify.tir has no function '$rule', the before → after of a rule"; bad=1; }
  done
  [ "$count" -gt 0 ] || { echo "no pass was found under include/tenon/passes"; bad=1; }
  [ "$bad" = 0 ] && echo "each of $count passes and $rules rules has a text"
  exit $bad
)

if [ "${1-}" != --self-test ]; then
  check "${1-.}"
  exit
fi

# The control: a pass without a text is reported, and with one is not.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/include/tenon/passes" "$scratch/tests/text/passes"
check "$scratch" > /dev/null 2>&1 && { echo "control: a tree without passes is accepted"; exit 1; }
printf 'struct fold {\n  static constexpr fixed_string name = "fold";\n  using runs_in = phases::optimization;\n};\n' \
  > "$scratch/include/tenon/passes/fold.hpp"
printf 'struct rule {\n  static constexpr fixed_string name = "rule";\n};\n' > "$scratch/include/tenon/passes/rules.hpp"
text="$scratch/tests/text/passes/some.tir"
rejects() {  # what is wrong, the pass
  said=$(check "$scratch") && { echo "control: accepted: $1"; exit 1; }
  case $said in *"has '$2' in its --passes"*) ;; *) echo "control: unexpected report: $said"; exit 1 ;; esac
}
rejects "no text at all" fold
printf '// RUN: tenon opt %%s --passes "unfold, fold_more"\n// fold\n' > "$text"
rejects "a pass that only looks like it" fold
printf '// RUN: tenon opt %%s --passes "unfold, fold"\n' > "$text"
check "$scratch" > /dev/null || { echo "control: a right tree is rejected"; exit 1; }
printf 'template <class T>\nstruct part_for {\n  static constexpr auto name = fixed_string("part_for_") + T::name;\n  using from = phases::optimization;\n};\n' \
  > "$scratch/include/tenon/passes/part_for.hpp"
rejects "a pass for a target" 'part_for_[a-z_0-9]+'
printf '// RUN: tenon opt %%s --passes "part_for_npu"\n' > "$scratch/tests/text/passes/part.tir"
check "$scratch" > /dev/null || { echo "control: a pass for a target with its text is rejected"; exit 1; }
mkdir -p "$scratch/include/tenon/ops/graph"
printf 'bool simplify(const a&, simplification& r) {\n  return r.apply<d::first, d::second>();\n}\n' \
  > "$scratch/include/tenon/ops/graph/some.simplify.ipp"
printf 'func @first() -> () {\n' > "$scratch/tests/text/passes/simplify.tir"
said=$(check "$scratch") && { echo "control: accepted: a rule without a text"; exit 1; }
case $said in *"no function 'second'"*) ;; *) echo "control: unexpected report: $said"; exit 1 ;; esac
printf 'func @second() -> () {\n' >> "$scratch/tests/text/passes/simplify.tir"
check "$scratch" > /dev/null || { echo "control: rules with their texts are rejected"; exit 1; }
echo "control: each mistake is reported"
