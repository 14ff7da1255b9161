# check_headers.awk -v folder=tenon/ir -v bases="a.hpp b.hpp": the compilations that prove that each header of a folder stands
# alone. Reads the names of all headers and definitions from standard input, and the files below the working directory.
# Prints one compilation a line: `compiled BASE file...` or `header_only - file`; BASE is `-` where there is none.
#
# Whatever stands before a text in a compilation can hide that the text lacks an include. Hence two rules:
#
# - A base that is parsed before a file must be among those that the file itself includes, at its top and unconditionally:
#   then it hides nothing. Bases are precompiled, which saves most of a compilation.
# - A header's definitions (.ipp) are compiled behind their header with TENON_COMPILED: among declarations alone. Header-only,
#   definitions of others stand between, which only adds names (check_headers.sh --together finds what clashes). What may
#   then be missing is a header that is still being read: a.hpp reads b.hpp, whose definitions read a.hpp, where `#pragma once`
#   leaves nothing. The order of reading is followed here, and a header that meets such a case is compiled header-only.
{ file[$0] = 1; read_includes($0); names[++name_count] = $0 }

# Of each file: its includes before any text, in order; those behind all text ("tail"); others are in between.
function read_includes(f,   line, count, kind, path, depth, at_depth, first, last, guard, i) {
  while ((getline line < f) > 0) {
    sub(/^[ \t]+/, "", line); sub(/^#[ \t]+/, "#", line)
    if (line == "" || line ~ /^\/\//) continue
    count++
    if (line ~ /^#if/) depth++
    if (line ~ /^#endif/) depth--
    at_depth[count] = depth
    if (line ~ /^#include/) {
      kind[count] = "include"
      path[count] = line
      sub(/^#include[ \t]*[<"]/, "", path[count]); sub(/[>"].*/, "", path[count])
    } else if (line ~ /^#pragma once/) {
      if (!guard) guard = count
    } else if (line !~ /^#/) {
      if (!first) first = count
      last = count
    }
  }
  close(f)
  for (i = 1; i <= count; i++) {
    if (kind[i] != "include") continue
    if (!last || i > last) {
      if (last) tails[f, ++tail_count[f]] = path[i]
      else tops[f, ++top_count[f]] = path[i]
      if (!last && at_depth[i] == 0) includes[f, ++include_count[f]] = path[i]
    } else {
      tops[f, ++top_count[f]] = path[i]
      if (i < first && at_depth[i] == 0) includes[f, ++include_count[f]] = path[i]
    }
    if (!guard || i < guard) late_guard[f] = 1
  }
}

# All that a file includes at its top, unconditionally, and what these do.
function close_over(f, owner,   i) {
  if ((owner, f) in closure || !(f in file)) return
  closure[owner, f] = 1
  closure_size[owner]++
  for (i = 1; i <= include_count[f]; i++) close_over(includes[f, i], owner)
}
function base_of(f,   i) {
  close_over(f, f)
  for (i = 1; i <= base_count; i++)
    if (base[i] != f && (f, base[i]) in closure) return base[i]
  return "-"
}

# Header-only, from one header: does any file include one that is still being read? Its declarations are read once its text
# is. A file whose guard stands behind its includes is read at once where it is met again.
function follow(f, in_tail,   i) {
  if (!(f in file)) return
  if (f in state) {
    if (state[f] == "open" && !in_tail) unfinished = 1
    return
  }
  if (!(f in late_guard)) state[f] = "open"
  for (i = 1; i <= top_count[f]; i++) follow(tops[f, i], 0)
  if (f in late_guard && f in state) return
  state[f] = "declared"
  for (i = 1; i <= tail_count[f]; i++) follow(tails[f, i], 1)
}

END {
  base_count = split(bases, base, " ")
  for (i = 1; i <= base_count; i++) {
    if (!(base[i] in file)) { print "no such base: " base[i] > "/dev/stderr"; exit 1 }
    close_over(base[i], base[i])
  }
  for (i = 2; i <= base_count; i++)  # the largest first
    for (j = i; j > 1 && closure_size[base[j]] > closure_size[base[j - 1]]; j--) {
      swap = base[j]; base[j] = base[j - 1]; base[j - 1] = swap
    }
  for (n = 1; n <= name_count; n++) {
    header = names[n]
    parent = header
    sub(/\/[^\/]*$/, "", parent)
    if (parent != folder || header !~ /[.]hpp$/) continue
    definitions = ""
    first_definition = ""
    for (i = 1; i <= tail_count[header]; i++) {
      if (tails[header, i] !~ /[.]ipp$/) continue
      if (first_definition == "") first_definition = tails[header, i]
      definitions = definitions " " tails[header, i]
    }
    ours = base_of(header)
    theirs = definitions == "" ? ours : base_of(first_definition)
    if (ours == theirs || !((first_definition, header) in closure))
      print "compiled", ours, header definitions
    else {
      print "compiled", ours, header
      print "compiled", theirs definitions
    }
    split("", state)
    unfinished = 0
    follow(header, 0)
    if (unfinished) print "header_only", "-", header
  }
}
