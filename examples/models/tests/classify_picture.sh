#!/bin/sh
# classify_picture.sh PROGRAM: a cat and a dog from npm are called a cat and a spaniel, by SqueezeNet.
. "$(dirname "$0")/common.sh"
fetch tractjs@0.3.0 dist/squeezenet1_1.onnx squeezenet1_1.onnx
fetch @tensorflow-models/mobilenet@2.1.1 dist/imagenet_classes.js imagenet_classes.js
fetch cat-picture@5.1.2 picture.png cat.png
fetch dog-picture@0.0.4 dog.jpg dog.jpg
# Of "3: 'tiger shark, Galeocerdo cuvieri'," the first name; a class may go on in the next line.
sed -n "s/^ *[0-9]*: [\"']\([^,\"]*\).*/\1/p" "$models/imagenet_classes.js" | sed "s/'\$//; s/\\\\//" > "$scratch/names.txt"
classify() { "$program" "$models/squeezenet1_1.onnx" "$scratch/names.txt" "$1" > "$scratch/said"; }
classify "$models/cat.png" || fail "the program, on the cat"
cat "$scratch/said"
[ "$(grep -c ' %  ' "$scratch/said")" = 5 ] || fail "there are five guesses"
sort -rn "$scratch/said" | cmp -s - "$scratch/said" || fail "the likeliest does not stand first"
awk '{ sum += $1 } END { exit sum < 90 || sum > 100.5 }' "$scratch/said" || fail "these are no probabilities"
head -n 1 "$scratch/said" | grep -q 'tabby$' || fail "the cat is something else"
[ "$(grep -c 'cat$' "$scratch/said")" -ge 2 ] || fail "there are no cats among the guesses"
classify "$models/dog.jpg" || { grep -q "image.unsupported" "$scratch/said" && skip "this tenon reads no JPEG"; fail "the program, on the dog"; }
cat "$scratch/said"
[ "$(head -n 3 "$scratch/said" | grep -c 'spaniel$')" = 3 ] || fail "the dog is something else"
# What is no picture, and names of something else.
classify "$0" && fail "a script is no picture"
grep -q "image.malformed" "$scratch/said" || fail "the error does not say that this is no picture"
head -n 10 "$scratch/names.txt" > "$scratch/ten.txt"
"$program" "$models/squeezenet1_1.onnx" "$scratch/ten.txt" "$models/cat.png" > "$scratch/said" && fail "ten names are too few"
grep -q "has 10 lines, but the model knows 1000 things" "$scratch/said" || fail "the error does not say what the names lack"
echo "a cat is a cat, and a spaniel a spaniel"
