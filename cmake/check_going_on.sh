#!/bin/sh
# check_going_on.sh TENON: what one process began for a target, another one finishes for the same. A small model stops at the
# end of every phase that a target's pipeline has, as binary and as text; finished, it gives the outputs that it gives when it
# is built in one go, on the target, processor and threads that it was begun for. What asks for something else is refused.
set -u
export TENON_CACHE=off
tenon=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
bad=0 done=0
fail() { echo "$1"; [ -f log ] && tail -n 4 log; bad=$((bad + 1)); }

cat > model.tir <<'END'
tenon.module phase=ingestion
constant #0 "w" : tensor<4x3xf32> = [1, 2.5, -0, 4, 5, 6, -1, 0.5, 0.25, 2, 3, -4]
constant #1 "b" : tensor<3xf32> = [0.5, -1, 2]
func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<4x3xf32>
  %b = constant() {value = #1} : tensor<3xf32>
  %m = matmul(%x, %w) : tensor<2x3xf32>
  %a = add(%m, %b) : tensor<2x3xf32>
  %y = tanh(%a) : tensor<2x3xf32>
  return(%y)
}
END
"$tenon" targets > targets || exit 1
has() { grep -q "^$1 .*run by" targets; }
# Of what `inspect` says: the target without the list of all that a processor can do.
target_in() { sed -n 's/^target: //p' "$1" | sed 's/,features="[^"]*"//g; q'; }

# The ops of a program's modules: what a target made is there, and not only something that computes the same.
ops_in() { sed -n 's/^ *ops: //p' "$1"; }

# check TARGET EXPECTED PHASE...: EXPECTED is in the finished program's target.
check() {
  target=$1 expected=$2
  shift 2
  rm -rf whole one.tenon
  "$tenon" build model.tir --target "$target" -o one.tenon > log 2>&1 || { fail "$target: does not build"; return; }
  "$tenon" run one.tenon --threads 1 --output-dir whole > log 2>&1 || { fail "$target: does not run"; return; }
  "$tenon" inspect one.tenon > one || { fail "$target: is not inspected"; return; }
  case $(target_in one) in *"$expected"*) ;; *) fail "$target: became $(target_in one)" ;; esac
  for phase in "$@"; do
    for form in "" --text; do
      where="$target, stopped at $phase $form"
      rm -rf half two.tenon parts
      "$tenon" build model.tir --target "$target" --stop-at "$phase" $form -o half > log 2>&1 || { fail "$where: does not stop"; continue; }
      "$tenon" build half -o two.tenon --verify-each > log 2>&1 || { fail "$where: is not finished"; continue; }
      done=$((done + 1))
      rm -f log
      cmp -s one.tenon two.tenon && continue  # the same program, to the byte
      "$tenon" run two.tenon --threads 1 --output-dir parts > log 2>&1 || { fail "$where: does not run"; continue; }
      rm -f log
      "$tenon" inspect two.tenon > two || fail "$where: is not inspected"
      [ "$(ops_in one)" = "$(ops_in two)" ] || fail "$where: became another program: $(ops_in two)"
      cmp -s whole/y.npy parts/y.npy || fail "$where: gives other outputs"
      case $(target_in two) in *"$expected"*) ;; *) fail "$where: became $(target_in two)" ;; esac
    done
  done
}
# refused TARGET ARGUMENT...: a module begun for TARGET is not finished so, and both are named.
refused() {
  target=$1
  shift
  "$tenon" build model.tir --target "$target" --stop-at optimization -o half > log 2>&1 || { fail "$target: does not stop"; return; }
  if "$tenon" build half -o other.tenon "$@" > log 2>&1; then fail "begun for $target, finished with $*"; return; fi
  grep -q "the module was begun for '.*', and '.*' is asked: .*\[build.target\]" log || fail "begun for $target, with $*: no word of both"
  [ ! -e other.tenon ] || fail "begun for $target, with $*: a program was written"
  done=$((done + 1))
}

check interpreter interpreter ingestion optimization
refused interpreter --target c_source
if has xsimd; then
  check xsimd xsimd ingestion optimization partitioned lowering build
  check xsimd:threads=1 xsimd:threads=1 ingestion optimization partitioned lowering build
  refused xsimd --target interpreter
fi
if "${CC:-cc}" --version > /dev/null 2>&1; then
  check c_source c11 ingestion optimization lowering build built
  check c_source:optimize=1 c11 ingestion optimization lowering build built
  refused c_source:optimize=1 --target c_source:optimize=2
fi
check "composite(interpreter,second@interpreter)" "composite(interpreter,second@interpreter)" ingestion optimization built
if has cpu; then
  check cpu "arch=" ingestion optimization lowering build built
  check cpu:arch=x86-64,threads=2 "cpu:arch=x86-64,threads=2" ingestion optimization lowering build built
  check x86-64-v2 "cpu:arch=x86-64-v2" ingestion optimization lowering build built
  check "composite(cpu,second@cpu:threads=2)" "threads=2)" ingestion optimization built
  has xsimd && check "composite(cpu,vectors@xsimd)" "vectors@xsimd" ingestion optimization built
  refused cpu:arch=x86-64-v2 --arch x86-64
  refused cpu:threads=2 --threads 1
  refused cpu --target c_source
  refused "composite(cpu,second@cpu)" --target cpu
  refused "composite(cpu,second@cpu:threads=2)" --target "composite(cpu,second@cpu:threads=1)"
  # What says the same is no other thing.
  "$tenon" build model.tir --target cpu:arch=x86-64-v2 --stop-at lowering -o half > log 2>&1 &&
    "$tenon" build half --target cpu --arch x86-64-v2 -o two.tenon > log 2>&1 || fail "asked for what it was begun for: refused"
fi
echo "$done ways, $bad bad"
[ $bad -eq 0 ] && [ $done -gt 0 ]
