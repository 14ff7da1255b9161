#!/bin/sh
# check_headers.sh CXX FOLDER [BASES]: every header in include/tenon/FOLDER ('.': the top; folders in it have tests of their
# own) compiles alone without a warning, and with DEFINITIONS=yes in the environment every file of definitions (.ipp),
# which the library otherwise compiles some at a time; check_headers.awk says why the few compilations that it prints prove
# that.
# check_headers.sh CXX --bases BASES: precompiles into the folder BASES what most headers include; without, it is done on the way.
# check_headers.sh CXX --together: all headers in one file, in both orders, where nothing may be defined that is not
# inline.
# check_headers.sh CXX --self-test: each mistake that a header can have is found in a small tree.
set -u
cxx=$1 folder=$2 kept=${3-} DEFINITIONS=${DEFINITIONS-}
cd "$(dirname "$0")/../include" || exit 1
rules=$PWD/../cmake/check_headers.awk
# What precompiling pays for, the cheapest first: any headers do, and these save the most.
bases="tenon/fact.hpp tenon/core/error.hpp tenon/ir/attribute.hpp tenon/runtime/tensor.hpp tenon/ir/module.hpp"
bases="$bases tenon/ir/ir_module.hpp"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
: "${kept:=$scratch}"

compile() { "$cxx" -std=c++20 -Wall -Wextra -Wpedantic -Werror -I. "$@"; }
# tenon/hana.hpp says itself what it needs.
without=
echo '#include <boost/hana.hpp>' | "$cxx" -std=c++20 -E -x c++ - > /dev/null 2>&1 || without=tenon/hana.hpp
sources() { for file in "$@"; do echo "#include <$file>"; done; }
# All definitions in one file are what a program has: the preset headers-only compiles that.
whole_programs=" tenon/(definitions|$(cd tenon && grep -l '#include <tenon/definitions.hpp>' definitions/*.hpp | sed 's/[.]hpp$//' | paste -sd '|'))[.]hpp\$"
all_files() { find tenon -name '*.hpp' ${DEFINITIONS:+-o -name '*.ipp'} | grep -vxF "${without:--}" | sort; }

precompile() {  # a base; gives the file to name by -include, which says what it stands for where that is no precompiled header
  stem=$kept/$(echo "$1" | tr / -)
  sources "$1" > "$stem"
  compile -x c++-header "$stem" -o "$stem.gch"
}

check() {  # a folder of the tree below the working directory
  failed=0 count=0 headers=$(find "$1" -maxdepth 1 -name '*.hpp' | wc -l)
  all_files | awk -v folder="$1" -v bases="$bases" -f "$rules" > "$scratch/all_jobs" || return 1
  grep -vE "$whole_programs" "$scratch/all_jobs" > "$scratch/jobs"
  while read -r base files; do
    count=$((count + 1))
    set -- -fsyntax-only
    if [ "$base" != - ]; then
      stem=$kept/$(echo "$base" | tr / -)
      if [ ! -f "$stem.gch" ]; then precompile "$base" || { echo "FAILED: $base, which others include"; return 1; }; fi
      set -- "$@" -Winvalid-pch -include "$stem"
    fi
    # shellcheck disable=SC2086
    sources $files | compile "$@" -x c++ - || { echo "FAILED: $files, alone"; failed=$((failed + 1)); }
  done < "$scratch/jobs"
  echo "$headers headers, $count compilations, $failed failed"
  [ "$failed" = 0 ]
}

together() {
  # What headers define is inline, or two files of a program could not include them: an object of them holds nothing.
  headers=$(all_files | grep 'hpp$' | grep -v 'tenon/definitions')
  echo "$headers" | sed 's|.*|#include <&>|' | compile -c -O0 -x c++ - -o "$scratch/all.o" || return 1
  if nm -C --defined-only "$scratch/all.o" | grep -E ' [TDBR] '; then echo "FAILED: not inline, in a header"; return 1; fi
  echo "$headers" | sort -r | sed 's|.*|#include <&>|' | compile -fsyntax-only -x c++ - || return 1
  echo "all headers go together"
}

# The control: a small tree of right headers is accepted, and each mistake in it is found.
self_test() {
  DEFINITIONS=yes
  bases="tenon/base.hpp"
  mkdir -p "$scratch/tree/tenon" && cd "$scratch/tree" || exit 1
  write() {  # a file, its lines behind the guard
    written=tenon/$1; shift
    printf '%s\n' '#pragma once' "$@" > "$written"
    rm -f "$kept"/*.gch
  }
  right_tree() {
    rm -f tenon/*
    write base.hpp '#include <initializer_list>' 'struct base { std::initializer_list<int> all; };'
    write left.hpp '#include <tenon/base.hpp>' 'struct left { base b; };' 'bool none(const left& l);'
    write left.ipp '#include <tenon/left.hpp>' 'bool none(const left& l) { return l.b.all.size() == 0; }'
    write loose.ipp '#include <tenon/left.hpp>' 'bool some(const left& l) { return !none(l); }'
    write right.hpp '#include <compare>' 'struct right { std::strong_ordering s = std::strong_ordering::equal; };'
  }
  right_tree
  { check tenon && together; } > "$scratch/said" 2>&1 || { cat "$scratch/said"; echo "control: a right tree is rejected"; exit 1; }
  rejects() {  # the check, what it says, the mistake in words
    "$1" tenon > "$scratch/said" 2>&1 && { echo "control: accepted: $3"; exit 1; }
    grep -q "$2" "$scratch/said" || { cat "$scratch/said"; echo "control: unexpected report of: $3"; exit 1; }
    right_tree
  }
  write lone.hpp 'struct lone { base b; };'
  rejects check 'FAILED: tenon/lone.hpp' "a header without its include"
  write lone.hpp '#include <compare>' 'struct lone { std::initializer_list<int> all; };'
  rejects check 'FAILED: tenon/lone.hpp' "a header without its standard header"
  write left.ipp '#include <tenon/left.hpp>' 'bool none(const left&) { return right{}.s == 0; }'
  rejects check 'FAILED: tenon/left.hpp tenon/left.ipp' "definitions without their include"
  write lone.hpp '#include <tenon/base.hpp>' 'inline int unused(int x) { return 0; }'
  rejects check 'FAILED: tenon/lone.hpp' "a warning"
  write base.hpp 'struct base { nothing n; };'
  rejects check 'FAILED: tenon/base.hpp' "a mistake in what others include"
  write loose.ipp '#include <tenon/base.hpp>' 'bool some(const left& l) { return !none(l); }'
  rejects check 'FAILED: tenon/loose.ipp' "definitions without a header of their name, without their include"
  # Found only where all of them meet.
  write other.hpp 'struct right {};'
  rejects together 'right' "two headers that clash"
  write lone.hpp '#include <tenon/base.hpp>' 'bool none(const base& b) { return b.all.size() == 0; }'
  rejects together 'not inline' "a definition in a header that is not inline"
  echo "control: each mistake is reported"
}

case $folder in
--bases)
  mkdir -p "$kept" || exit 1
  for base in $bases; do precompile "$base" || exit 1; done ;;
--together) together ;;
--self-test) self_test ;;
*) check "$(echo "tenon/$folder" | sed 's|/\.$||')" ;;
esac
