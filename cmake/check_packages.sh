#!/bin/sh
# check_packages.sh BUILD CPACK CXX CC: the Debian packages of a build say what they need, and what they hold works where it
# is unpacked: the command line, a program in C, one in Python, the one header, CMake's files.
set -u
cd "$(dirname "$0")/.." || exit 1
source=$(pwd) build=$1 cpack=$2 cxx=$3 cc=$4
for tool in dpkg-deb dpkg-shlibdeps pkg-config; do
  command -v $tool > /dev/null || { echo "SKIPPED: there is no $tool"; exit 77; }
done
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; [ -f "$scratch/log" ] && cat "$scratch/log"; exit 1; }
(cd "$build" && "$cpack" -G DEB -B "$scratch/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE="${COMPRESS:-none}") > "$scratch/log" 2>&1 || fail "cpack makes no packages"
root="$scratch/root"
names=
for package in "$scratch"/packages/*.deb; do
  dpkg-deb -x "$package" "$root" || fail "$package"
  names="$names $(dpkg-deb -f "$package" Package)"
done
field() { dpkg-deb -f "$scratch"/packages/"$1"_*.deb "$2"; }
for name in libtenon-runtime1 libtenon-compiler1 libtenon-dev tenon python3-tenon; do
  case " $names " in *" $name "*) ;; *) fail "there is no package $name, but$names" ;; esac
done
case $(field libtenon-compiler1 Depends) in *libllvm22*) ;; *) fail "libtenon-compiler1 depends on '$(field libtenon-compiler1 Depends)'" ;; esac
case $(field libtenon-runtime1 Depends) in *llvm*) fail "libtenon-runtime1 depends on LLVM" ;; *libc6*) ;; *) fail "libtenon-runtime1 depends on no libc6" ;; esac
case $(field libtenon-dev Depends) in *libtenon-runtime1*) ;; *) fail "libtenon-dev does not depend on libtenon-runtime1" ;; esac
# What lists of packages show of each is its own.
for name in $names; do field $name Description | head -1; done > "$scratch/summaries"
[ "$(sort -u "$scratch/summaries" | wc -l)" = "$(echo $names | wc -w)" ] ||
  fail "packages are described alike: $(cat "$scratch/summaries")"
[ "$(field python3-tenon Architecture)" = all ] || fail "python3-tenon is of one architecture"

usr="$root/usr" model="$source/tests/text/tools/data/relu.onnx"
PATH="$usr/bin:$PATH" LD_LIBRARY_PATH="$usr/lib" TENON_CACHE=off
export PATH LD_LIBRARY_PATH TENON_CACHE
tenon build "$model" -o "$scratch/relu.tenon" > "$scratch/log" 2>&1 || fail "the command line does not compile a model"
tenon-runner "$scratch/relu.tenon" > "$scratch/log" 2>&1 || fail "the runner does not run a program file"
for file in share/man/man1/tenon.1 share/bash-completion/completions/tenon share/doc/libtenon-dev/copyright; do
  [ -s "$usr/$file" ] || fail "/usr/$file is missing or empty"
done
skipped=
if command -v python3 > /dev/null; then
  PYTHONPATH="$usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 python3 -c "
import sys, array, tenon
p = tenon.load(sys.argv[1])
print(list(p(x=memoryview(array.array('f', [-1, 2, -3, 4])).cast('B').cast('f', [2, 2])).values())[0].tolist())" \
    "$scratch/relu.tenon" > "$scratch/log" 2>&1 || fail "the Python package"
  grep -q '\[\[0.0, 4.0\], \[0.0, 8.0\]\]' "$scratch/log" || fail "the Python package computes something else"
else
  skipped="there is no python3, which uses the Python package"
fi
sh cmake/check_pkg_config.sh "$usr" "$cxx" "$cc" "$model" || fail "pkg-config"
[ -n "${COMPRESS:-}" ] && du -h "$scratch"/packages/*.deb
[ -z "$skipped" ] || { echo "SKIPPED: $skipped; all else is as it should be"; exit 77; }
echo "the packages$names are whole"
