# check_headers.awk -v folder=tenon/ir -v bases="small.hpp large.hpp": the compilations that prove that each header and
# each file of definitions (.ipp) of a folder stands alone. Reads the names of all of them from standard input, and the
# files below the working directory. Prints one compilation a line: `BASE file...`; BASE is `-` where there is none.
#
# Whatever stands before a text in a compilation can hide that the text lacks an include. Hence: a base that is parsed before
# a file must be among those that the file itself includes, at its top and unconditionally: then it hides nothing. Bases are
# precompiled, which saves most of a compilation; of those that fit, the last is taken, so they are named by what they
# cost, the cheapest first. Definitions stand behind their header, which they include first. Fail tests choose their bases
# by the same rule.
{ file[$0] = 1; names[++name_count] = $0 }

# Of each file: its unconditional includes before any text.
function read_includes(f,   line, depth, path, beside) {
  while ((getline line < f) > 0) {
    sub(/^[ \t]+/, "", line); sub(/^#[ \t]+/, "#", line)
    if (line == "" || line ~ /^\/\// || line ~ /^#pragma once/) continue
    if (line !~ /^#/) break
    if (line ~ /^#if/) depth++
    if (line ~ /^#endif/) depth--
    if (line !~ /^#include/ || depth) continue
    path = line
    sub(/^#include[ \t]*[<"]/, "", path); sub(/[>"].*/, "", path)
    beside = f
    sub(/[^\/]*$/, path, beside)
    if (line ~ /"/ && beside in file) path = beside
    includes[f, ++include_count[f]] = path
  }
  close(f)
}

# All that a file includes at its top, unconditionally, and what these do.
function close_over(f, owner,   i) {
  if ((owner, f) in closure || !(f in file)) return
  closure[owner, f] = 1
  for (i = 1; i <= include_count[f]; i++) close_over(includes[f, i], owner)
}
function base_of(f,   i) {
  close_over(f, f)
  for (i = base_count; i > 0; i--)
    if (base[i] != f && (f, base[i]) in closure) return base[i]
  return "-"
}

END {
  for (n = 1; n <= name_count; n++) read_includes(names[n])
  base_count = split(bases, base, " ")
  for (i = 1; i <= base_count; i++)
    if (!(base[i] in file)) { print "no such base: " base[i] > "/dev/stderr"; exit 1 }
  for (n = 1; n <= name_count; n++) {
    name = names[n]
    parent = name
    sub(/\/[^\/]*$/, "", parent)
    if (parent != folder) continue
    ours = base_of(name)
    if (name ~ /[.]ipp$/) {
      header = name
      sub(/ipp$/, "hpp", header)
      if (header in file && base_of(header) == ours) continue  # compiled with it
      print ours, name
      continue
    }
    definitions = name
    sub(/hpp$/, "ipp", definitions)
    print ours, name (definitions != name && definitions in file && base_of(definitions) == ours ? " " definitions : "")
  }
}
