#!/bin/sh
# check_headers.sh CLANG: every header under include/tenon compiles alone without a warning, and with DEFINITIONS=yes in
# the environment every file of definitions (.ipp), which the library otherwise compiles some at a time.
# check_headers.sh CXX --together: all headers in one file, in both orders, where nothing may be defined that is not
# inline.
# check_headers.sh CLANG --self-test: each mistake that a header can have is found in a small tree.
#
# Each file is a submodule of Clang's (https://clang.llvm.org/docs/Modules.html) with a visibility of its own, and so is
# each header of the standard library: it sees what it includes and nothing else, and each is parsed once for all.
set -u
cxx=$1 check=${2-}
cd "$(dirname "$0")/../include" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

compile() { "$cxx" -std=c++20 -Wall -Wextra -Wpedantic -Werror -I. "$@"; }
includes() { sed 's/.*/#include <&>/'; }
# tenon/hana.hpp says itself what it needs.
without=
echo '#include <boost/hana.hpp>' | "$cxx" -std=c++20 -E -x c++ - > /dev/null 2>&1 || without=tenon/hana.hpp
# All definitions in one file are what a program has: the library and the preset sanitize compile those.
all_files() {
  find tenon -name '*.hpp' ${DEFINITIONS:+-o -name '*.ipp'} | grep -vxF "${without:--}" |
    grep -vE '^tenon/definitions([.]hpp|/)' | sort
}

# modules FILE...: a map with a submodule for each, and for each standard header that they include.
modules() {
  echo 'module standard [system] {'
  grep -hoE '^ *# *include <[a-z_]+>' "$@" | sed 's/^[^<]*/#include /' | sort -u |
    "$cxx" -std=c++20 -E -H -x c++ - 2>&1 > /dev/null | sed -n 's|^[.] \(/.*\)|\1|p' | sort -u |
    sed 's|.*|module "&" { header "&" export * }|'
  echo '}'
  echo 'module tenon {'
  printf '%s\n' "$@" | sed "s|.*|module \"&\" { header \"$PWD/&\" export * }|"
  echo '}'
}

alone() {
  files=$(all_files)
  # shellcheck disable=SC2086
  modules $files > "$scratch/module.modulemap"
  # Headers of C and xxHash are parsed by each that includes them, and in modules clang++ takes 0x1p-24 for an extension.
  echo "$files" | includes |
    compile -fsyntax-only -ferror-limit=0 -fmodules -fimplicit-module-maps -Xclang -fmodules-local-submodule-visibility \
            -Wno-modules-ambiguous-internal-linkage -Wno-c++17-extensions \
            "-fmodule-map-file=$scratch/module.modulemap" "-fmodules-cache-path=$scratch/modules" -x c++ - ||
    { echo "FAILED: a header does not compile alone"; return 1; }
  echo "$(echo "$files" | wc -l) files compile alone"
}

together() {
  # What headers define is inline, or two files of a program could not include them: an object of them holds nothing.
  headers=$(all_files | grep 'hpp$')
  echo "$headers" | includes | compile -c -O0 -x c++ - -o "$scratch/all.o" || return 1
  if nm -C --defined-only "$scratch/all.o" | grep -E ' [TDBR] '; then echo "FAILED: not inline, in a header"; return 1; fi
  echo "$headers" | sort -r | includes | compile -fsyntax-only -x c++ - || return 1
  echo "all headers go together"
}

# The control: a small tree of right headers is accepted, and each mistake in it is found.
self_test() {
  DEFINITIONS=yes
  mkdir -p "$scratch/tree/tenon" && cd "$scratch/tree" || exit 1
  write() {  # a file, its lines behind the guard
    written=tenon/$1; shift
    printf '%s\n' '#pragma once' "$@" > "$written"
  }
  right_tree() {
    rm -f tenon/*
    write base.hpp '#include <initializer_list>' 'struct base { std::initializer_list<int> all; };'
    write left.hpp '#include <tenon/base.hpp>' 'struct left { base b; };' 'bool none(const left& l);'
    write left.ipp '#include <tenon/left.hpp>' 'bool none(const left& l) { return l.b.all.size() == 0; }'
    write loose.ipp '#include <tenon/left.hpp>' 'bool some(const left& l) { return !none(l); }'
    write right.hpp '#include <compare>' 'struct right { std::strong_ordering s = std::strong_ordering::equal; };'
    write front.hpp 'struct front {};' '#include <tenon/rear.hpp>'
    write rear.hpp '#include <tenon/front.hpp>' 'struct rear { front f; };'
  }
  right_tree
  { alone && together; } > "$scratch/said" 2>&1 ||
    { cat "$scratch/said"; echo "control: a right tree is rejected"; exit 1; }
  rejects() {  # the check, what it says, the mistake in words
    "$1" > "$scratch/said" 2>&1 && { echo "control: accepted: $3"; exit 1; }
    grep -q "$2" "$scratch/said" || { cat "$scratch/said"; echo "control: unexpected report of: $3"; exit 1; }
    rm -rf "$scratch/modules"
    right_tree
  }
  write lone.hpp 'struct lone { base b; };'
  rejects alone 'tenon/lone.hpp:2:.*error' "a header without its include"
  write lone.hpp '#include <compare>' 'struct lone { std::initializer_list<long> all; base b; };'
  rejects alone 'tenon/lone.hpp:3:.*error' "a header that includes another than it needs"
  write lone.hpp '#include <cstddef>' 'struct lone { std::initializer_list<int> all; };'
  rejects alone 'tenon/lone.hpp:3:.*error' "a header without its standard header"
  write left.ipp '#include <tenon/left.hpp>' 'bool none(const left&) { return right{}.s == 0; }'
  rejects alone 'tenon/left.ipp:3:.*error' "definitions without their include"
  write lone.hpp '#include <tenon/base.hpp>' 'inline int unused(int x) { return 0; }'
  rejects alone 'tenon/lone.hpp:3:.*unused' "a warning"
  write base.hpp 'struct base { nothing n; };'
  rejects alone 'tenon/base.hpp:2:.*error' "a mistake in what others include"
  write rear.hpp 'struct rear { front f; };'
  rejects alone 'tenon/rear.hpp:2:.*error' "a header of a loop without its include"
  write rear.hpp '#include <tenon/front.hpp>' 'struct rear { front f; right r; };'
  rejects alone 'tenon/rear.hpp:3:.*error' "a header of a loop without an include"
  # Found only where all of them meet.
  write other.hpp 'struct right {};'
  rejects together 'right' "two headers that clash"
  write lone.hpp '#include <tenon/base.hpp>' 'bool none(const base& b) { return b.all.size() == 0; }'
  rejects together 'not inline' "a definition in a header that is not inline"
  echo "control: each mistake is reported"
}

case $check in
--together) together ;;
--self-test) self_test ;;
*) alone ;;
esac
