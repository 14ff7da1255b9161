#!/bin/sh
# check_headers.sh CXX FOLDER [BASES]: every header in include/tenon/FOLDER ('.': the top; folders in it have tests of their
# own) compiles alone without a warning, and so do its definitions (.ipp) behind it; check_headers.awk says why the few
# compilations that it prints prove that, in both modes.
# check_headers.sh CXX --bases BASES: precompiles into the folder BASES what most headers include; without, it is done on the way.
# check_headers.sh CXX --together: all of them in one file: header-only, where no definition may be left that is not inline, and
# in the opposite order with TENON_COMPILED.
# check_headers.sh CXX --self-test: each mistake that a header can have is found in a small tree.
set -u
cxx=$1 folder=$2 kept=${3-}
cd "$(dirname "$0")/../include" || exit 1
rules=$PWD/../cmake/check_headers.awk
# What precompiling pays for: any headers do, and these save the most.
bases="tenon/core/dtype.hpp tenon/ir/module.hpp tenon/ir_module.hpp tenon/interpret/eval.hpp tenon/lower.hpp tenon/ops.hpp"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
: "${kept:=$scratch}"

compile() { "$cxx" -std=c++20 -Wall -Wextra -Wpedantic -Werror -I. "$@"; }
sources() { for file in "$@"; do echo "#include <$file>"; done; }
all_files() { find tenon -name '*.hpp' -o -name '*.ipp' | sort; }

precompile() {  # a base; gives the file to name by -include, which says what it stands for where that is no precompiled header
  stem=$kept/$(echo "$1" | tr / -)
  sources "$1" > "$stem"
  compile -DTENON_COMPILED -x c++-header "$stem" -o "$stem.gch"
}

check() {  # a folder of the tree below the working directory
  failed=0 count=0 headers=$(find "$1" -maxdepth 1 -name '*.hpp' | wc -l)
  all_files | awk -v folder="$1" -v bases="$bases" -f "$rules" > "$scratch/jobs" || return 1
  while read -r mode base files; do
    count=$((count + 1))
    set -- -fsyntax-only
    if [ "$mode" = compiled ]; then set -- "$@" -DTENON_COMPILED; fi
    if [ "$base" != - ]; then
      stem=$kept/$(echo "$base" | tr / -)
      if [ ! -f "$stem.gch" ]; then precompile "$base" || { echo "FAILED: $base, which others include"; return 1; }; fi
      set -- "$@" -Winvalid-pch -include "$stem"
    fi
    # shellcheck disable=SC2086
    sources $files | compile "$@" -x c++ - || { echo "FAILED: $files, alone ($mode)"; failed=$((failed + 1)); }
  done < "$scratch/jobs"
  echo "$headers headers, $count compilations, $failed failed"
  [ "$failed" = 0 ]
}

together() {
  # Header-only, an object of all of them holds nothing: a definition that is not inline would stand in it.
  all_files | grep 'hpp$' | sed 's|.*|#include <&>|' | compile -c -O0 -x c++ - -o "$scratch/all.o" || return 1
  if nm -C --defined-only "$scratch/all.o" | grep -E ' [TDBR] '; then echo "FAILED: not inline, header-only"; return 1; fi
  all_files | grep 'hpp$' | sort -r | sed 's|.*|#include <&>|' | compile -fsyntax-only -DTENON_COMPILED -x c++ - || return 1
  echo "all headers go together"
}

# The control: a small tree of right headers is accepted, and each mistake in it is found.
self_test() {
  bases="tenon/base.hpp"
  mkdir -p "$scratch/tree/tenon" && cd "$scratch/tree" || exit 1
  write() {  # a file, its lines behind the guard
    written=tenon/$1; shift
    printf '%s\n' '#pragma once' "$@" > "$written"
    rm -f "$kept"/*.gch
  }
  right_tree() {
    rm -f tenon/*
    write config.hpp '#ifdef TENON_COMPILED' '#define TENON_INLINE' '#define TENON_HEADER_ONLY 0' '#else' \
      '#define TENON_INLINE inline' '#define TENON_HEADER_ONLY 1' '#endif'
    write base.hpp '#include <initializer_list>' '#include <tenon/config.hpp>' 'struct base { std::initializer_list<int> all; };'
    write left.hpp '#include <tenon/base.hpp>' 'struct left { base b; };' 'TENON_INLINE bool none(const left& l);' \
      '#if TENON_HEADER_ONLY' '#  include <tenon/left.ipp>' '#endif'
    write left.ipp '#include <tenon/left.hpp>' 'TENON_INLINE bool none(const left& l) { return l.b.all.size() == 0; }'
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
  write lone.hpp '#include <tenon/config.hpp>' 'struct lone { std::initializer_list<int> all; };'
  rejects check 'FAILED: tenon/lone.hpp' "a header without its standard header"
  write left.ipp '#include <tenon/left.hpp>' 'TENON_INLINE bool none(const left&) { return right{}.s == 0; }'
  rejects check 'FAILED: tenon/left.hpp tenon/left.ipp' "definitions without their include"
  write lone.hpp '#include <tenon/base.hpp>' 'inline int unused(int x) { return 0; }'
  rejects check 'FAILED: tenon/lone.hpp' "a warning"
  write base.hpp 'struct base { nothing n; };'
  rejects check 'FAILED: tenon/base.hpp' "a mistake in what others include"
  # In compiled mode each of these is right. Header-only, outer.hpp reads left.hpp, whose definitions need outer.hpp.
  write outer.hpp '#include <tenon/left.hpp>' 'struct outer { left l; };'
  write left.ipp '#include <tenon/left.hpp>' '#include <tenon/outer.hpp>' \
    'TENON_INLINE bool none(const left& l) { return outer{l}.l.b.all.size() == 0; }'
  rejects check 'FAILED: tenon/outer.hpp, alone (header_only)' "definitions that are read before what they need"
  # Found only where all of them meet.
  write other.hpp 'struct right {};'
  rejects together 'right' "two headers that clash"
  write lone.hpp '#include <tenon/base.hpp>' 'bool none(const base& b) { return b.all.size() == 0; }'
  rejects together 'not inline' "a definition that is not inline"
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
