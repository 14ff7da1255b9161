#!/bin/sh
# check_c_api.sh RUNTIME COMPILER: the libraries behind <tenon.h> export what it declares and nothing else; the small one
# knows no LLVM.
set -u
cd "$(dirname "$0")/.." || exit 1
runtime=$1 compiler=$2
fail() { echo "$1"; exit 1; }
command -v nm > /dev/null || { echo "SKIPPED: there is no nm"; exit 77; }
declared=$(grep -oE 'tenon_[a-z0-9_]+\(' include/tenon.h | tr -d '(' | sort -u)
for library in "$runtime" "$compiler"; do
  exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
  for symbol in $exported; do
    echo "$declared" | grep -qx "$symbol" || fail "$library exports '$symbol', which tenon.h does not declare"
  done
  for symbol in $declared; do
    case $library,$symbol in
      "$runtime",tenon_compile* | "$runtime",*host_function | "$runtime",tenon_add_result | "$runtime",tenon_fail_call | "$runtime",tenon_keep_operands) continue ;;
    esac
    echo "$exported" | grep -qx "$symbol" || fail "$library does not export '$symbol'"
  done
done
if ldd "$runtime" | grep -iE 'llvm|lld|clang|protobuf|fmt'; then fail "the runtime is linked with what only compiling needs"; fi
size=$(wc -c < "$runtime")
[ "$size" -lt 1000000 ] || fail "the runtime has $size bytes: a million is the limit"
echo "the runtime has $size bytes, and exports $(nm -D --defined-only "$runtime" | wc -l) functions"
