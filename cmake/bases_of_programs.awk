# bases_of_programs.awk -v folder=../tests/fail -v bases="small.hpp large.hpp": which base may be precompiled for each
# program of a folder. Reads the names of all programs and headers from standard input, and the files below the working
# directory. Prints `BASE program` lines; BASE is `-` where there is none.
#
# Whatever stands before a text in a compilation can hide that the text lacks an include. Hence: a base that is parsed
# before a program must be among those that the program itself includes, at its top and unconditionally: then it hides
# nothing. Of those that fit, the last is taken, so they are named by what they cost, the cheapest first.
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
    parent = names[n]
    sub(/\/[^\/]*$/, "", parent)
    if (parent == folder) print base_of(names[n]), names[n]
  }
}
