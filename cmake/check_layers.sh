#!/bin/sh
# check_layers.sh [--self-test | ROOT]: holds docs/layers.txt, the table of who may include whom.
#
# A row is "layer | files | may include". Files are patterns under include/tenon; of those that match, the longest
# decides. A layer may include itself and the layers that its row names, each of which stands in a row above: so there
# is no cycle. `*` is every layer above. Definitions (.ipp) may be included from anywhere, as they are no part of what a
# header declares (in compiled mode it does not include them); what they include is held like the rest.
set -u
cd "$(dirname "$0")/.." || exit 1

check() {  # the root of a tree
  (cd "$1" && { find include/tenon -name '*.hpp' -o -name '*.ipp'; } | sort | awk '
    function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
    function layer(path,   i, best) {
      for (i = 1; i <= rows; i++)
        if (path ~ expression[i] && (!best || length(expression[i]) > length(expression[best]))) best = i
      return best ? owner[best] : ""
    }
    function complain(text) { print text; bad = 1 }
    FILENAME == "docs/layers.txt" {
      sub(/#.*/, "")
      if (split($0, column, "|") != 3) next
      name = trim(column[1])
      count = split(trim(column[2]), word, /[ \t]+/)
      for (i = 1; i <= count; i++) {
        text = word[i]
        gsub(/\./, "[.]", text); gsub(/\*/, ".*", text)
        expression[++rows] = "^" text "$"; owner[rows] = name
      }
      count = split(trim(column[3]), word, /[ \t]+/)
      for (i = 1; i <= count; i++) {
        if (word[i] == "-") continue
        if (word[i] == "*") { for (above in known) may[name, above] = 1; continue }
        if (!(word[i] in known)) complain("docs/layers.txt: " name " may include " word[i] ", which is in no row above")
        may[name, word[i]] = 1
      }
      known[name] = 1
      next
    }
    {
      file = $0
      from = layer(substr(file, length("include/tenon/") + 1))
      if (from == "") { complain(file ": no row of docs/layers.txt has it"); next }
      line = 0
      while ((getline text < file) > 0) {
        line++
        if (text !~ /^[ \t]*#[ \t]*include[ \t]*[<"]tenon\//) continue
        sub(/^[^<"]*[<"]tenon\//, "", text); sub(/[>"].*/, "", text)
        if (text ~ /[.]ipp$/) continue
        to = layer(text)
        if (to != from && !((from, to) in may))
          complain(file ":" line ": layer " from " may not include " (to == "" ? "a file of no layer" : to) " (" text ")")
      }
      close(file)
    }
    END { exit bad }' docs/layers.txt -)
}

if [ "${1-}" != --self-test ]; then
  check "${1-.}" && echo "layers hold"
  exit
fi

# The control: a tree with one wrong include is reported, and without it is not.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/include/tenon/core" "$scratch/include/tenon/ir" "$scratch/docs"
printf 'core | core/* | -\nlow | ir/low.hpp | core\nir | ir/* | low core\n' > "$scratch/docs/layers.txt"
printf '#include <tenon/ir/low.hpp>\n#include <tenon/core/a.hpp>\n' > "$scratch/include/tenon/ir/b.hpp"
: > "$scratch/include/tenon/core/a.hpp"
: > "$scratch/include/tenon/ir/low.hpp"
check "$scratch" || { echo "control: a right tree is rejected"; exit 1; }
rejects() {  # file, what is said of it
  said=$(check "$scratch") && { echo "control: accepted: $1"; exit 1; }
  case $said in *"$1:1: layer $2"*) ;; *) echo "control: unexpected report: $said"; exit 1 ;; esac
  : > "$scratch/include/tenon/$1"
}
echo '#  include <tenon/ir/b.hpp>' > "$scratch/include/tenon/core/a.hpp"
rejects core/a.hpp "core may not include ir"
echo '#include <tenon/ir/b.hpp>' > "$scratch/include/tenon/ir/low.hpp"
rejects ir/low.hpp "low may not include ir"
printf 'core | core/* | ir\nir | ir/* | core\n' > "$scratch/docs/layers.txt"
said=$(check "$scratch") && { echo "control: a cycle is accepted"; exit 1; }
echo "control: each mistake is reported"
