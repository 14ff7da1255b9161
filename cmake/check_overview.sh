#!/bin/sh
# check_overview.sh PROGRAM DATA: README's first program runs models of fixed sizes, of open ones and with control flow,
# and models whose results have a size that depends on values, which may be 0; a size that a model cannot have is said in
# words of its inputs.
set -u
program=$1 data=$2
fail() { echo "$1: $said"; exit 1; }
said=$("$program" "$data/relu.onnx" 2>&1) || fail "fixed sizes"
case $said in *"y is f32[2,2] and begins with 0"*) ;; *) fail "fixed sizes" ;; esac
# An If whose condition depends on values and on sizes: 1 is added to few elements, and subtracted from many.
said=$("$program" "$data/if.onnx" 1 2>&1) || fail "an If"
case $said in *"y is f32[1,3] and begins with 1"*) ;; *) fail "an If: else" ;; esac
said=$("$program" "$data/if.onnx" 4 2>&1) || fail "an If"
case $said in *"y is f32[4,3] and begins with -1"*) ;; *) fail "an If: then" ;; esac
said=$("$program" "$data/batch.onnx" 3 2>&1) || fail "a batch of 3"
case $said in *"y is f32[3,5] and begins with 0"*) ;; *) fail "a batch of 3" ;; esac
said=$("$program" "$data/nonzero.onnx" 2>&1) || fail "no element"
case $said in *"y is i64[2,0]") ;; *) fail "no element" ;; esac
said=$("$program" "$data/window.onnx" 4 2>&1) && fail "a size that is too small"
case $said in *"input 'x', dimension 3 is 4, and must be at least 5"*) ;; *) fail "a size that is too small" ;; esac
echo "README's program runs what README says"
