#!/bin/sh
# test_onnx.sh FAULTY: `test-onnx` runs several tests in a process; where one ends the process, it alone has failed, and
# the others are run.
set -u
export LC_ALL=C TENON_CACHE=off
faulty=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

# ONNX models of exp(x OPERATOR x), each with a data set. A field of protobuf is its key, its length and its bytes.
field() { printf "\\$(printf %03o "$1")\\$(printf %03o "${#2}")%s" "$2"; }
dimension=$(field 10 "$(printf '\010\002')")
matrix=$(field 18 "$(field 10 "$(printf '\010\001')$(field 18 "$dimension$dimension")")")
tensor() { printf '\010\002\010\002\020\001\042\020'; for i in 1 2 3 4; do printf "$1"; done; }  # an element
model() {  # name, operator
  data=$scratch/$1/test_data_set_0
  mkdir -p "$data"
  tensor '\001\001\001\001' > "$data/input_0.pb"  # next to zero
  tensor '\000\000\200\077' > "$data/output_0.pb"  # 1
  node=$(field 10 "$(field 10 x)$(field 10 x)$(field 18 t)$(field 34 "$2")")
  node=$node$(field 10 "$(field 10 t)$(field 18 y)$(field 34 Exp)")
  values=$(field 90 "$(field 10 x)$matrix")$(field 98 "$(field 10 y)$matrix")
  printf '\010\010%s%s' "$(field 58 "$node$(field 18 g)$values")" "$(field 66 "$(printf '\020\015')")" \
    > "$scratch/$1/model.onnx"
}
for name in a d e f g h; do model $name Add; done
for name in b c; do model $name MatMul; done

"$faulty" test-onnx "$scratch" --target crashing --jobs 1 > "$scratch/said" 2>&1
rc=$?
cat "$scratch/said"
cat > "$scratch/want" <<'END'
PASS a
FAIL b: crashed with signal 6
FAIL c: crashed with signal 6
PASS d
PASS e
PASS f
PASS g
PASS h
6 passed, 2 failed, 0 skipped
END
[ $rc -eq 1 ] && cmp "$scratch/said" "$scratch/want"
