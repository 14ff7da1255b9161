#!/bin/sh
# run_going_on.sh TENON ONNX_DIR [MODEL…]: what one process stops at the end of a phase, another one finishes, with equal
# outputs. Each model (default: all), for cpu, c_source, xsimd and composites (in `cpu,vectors@xsimd` nodes with a 1 in
# their names run on the second member), stopped at each phase that it reaches, by turns as binary and as text. What is
# finished is the same program, byte for byte, or gives the same outputs, bit by bit. A target that must know more than
# sizes is given the values of integer inputs, which branches ask. All models take 24 minutes of processor time: a check
# by hand, of which CI runs a few small ones (tests `going_on/…`, and `tools/going_on`). A target that refuses a model is
# named with the reason; only outputs that differ, and modules that are not finished, are failures.
#
#     sh tests/onnx/run_going_on.sh build/gcc/bin/tenon "$TENON_ONNX_DIR"
#     TARGETS=cpu PHASES="lowering build" \
#       sh tests/onnx/run_going_on.sh build/gcc/bin/tenon "$TENON_ONNX_DIR" face_landmark
set -u
export TENON_CACHE=off
tenon=$1 dir=${2:-${TENON_ONNX_DIR:-}}
shift 2
[ -n "$dir" ] && [ -d "$dir/models/${1:-}" ] || { echo "SKIPPED: no models: give a folder that has models/${1:-}"; exit 77; }
[ $# -gt 0 ] || set -- $(ls "$dir/models")
targets=${TARGETS:-"cpu c_source:optimize=1 xsimd composite(cpu,second@cpu) composite(cpu,vectors@xsimd)"}
phases=${PHASES:-"ingestion optimization partitioned lowering build built"}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
bad=0 equal=0 refused=0 text=
build_whole() { "$tenon" build "$folder/model.onnx" $shapes --target "$target" -o one.tenon > log 2>&1; }
why() { tail -n 3 log | tr '\n' ' ' | cut -c1-200; }
for model in "$@"; do
  folder=$dir/models/$model
  "$tenon" inspect "$folder/model.onnx" > model.txt || exit 1
  # The stored inputs, and their shapes, which targets without symbolic sizes ask for.
  set -f
  inputs="" others="" known="" values="" n=0
  for name in $(sed -n 's/^ *input \([^,]*\),.*/\1/p' model.txt); do
    file=$folder/set0/input_$n.npy n=$((n + 1))
    inputs="$inputs --input $name=$file"
    case $(head -c 256 "$file" | tr -d '\0' | LC_ALL=C sed -n "s/.*'descr': '\([^']*\)'.*/\1/p") in
      *i[48]) values="$values --value $name=$file" ;;
      *) others="$others --input $name=$file" ;;
    esac
    shape=$(head -c 256 "$file" | tr -d '\0' | LC_ALL=C sed -n "s/.*'shape': (\([^)]*\)).*/\1/p" | tr -d ' ' | sed 's/,$//; s/,/x/g')
    [ -z "$shape" ] || known="$known --shape $name=$shape"
  done
  set +f
  for target in $targets; do
    rm -rf one.tenon whole
    case $target in c_source* | composite*xsimd*) shapes=$known ;; *) shapes="" ;; esac
    set -f
    case $target in *vectors@*) shapes="$shapes --constrain *1*=vectors" ;; esac
    given=$inputs
    if ! build_whole && [ -n "$values" ]; then  # what decides a branch is to be known, too
      given=$others shapes="$shapes $known $values"
      build_whole
    fi
    if [ ! -f one.tenon ]; then
      echo "$model, $target: refused: $(why)" && refused=$((refused + 1)) && continue
    fi
    if ! "$tenon" run one.tenon $given --threads 1 --output-dir whole > log 2>&1; then
      echo "$model, $target: does not run: $(why)" && refused=$((refused + 1)) && continue
    fi
    for phase in $phases; do
      rm -rf half two.tenon parts
      if ! "$tenon" build "$folder/model.onnx" $shapes --target "$target" --stop-at "$phase" $text -o half > log 2>&1; then
        grep -q '\[build.divided\]\|\[build.phase\]' log || { echo "$model, $target, $phase: does not stop: $(why)"; bad=$((bad + 1)); }
        continue
      fi
      [ -n "$text" ] && text= || text=--text
      if ! "$tenon" build half -o two.tenon > log 2>&1; then
        echo "$model, $target, $phase: not finished: $(why)"
        bad=$((bad + 1))
      elif cmp -s one.tenon two.tenon; then
        equal=$((equal + 1))
      elif ! "$tenon" run two.tenon $given --threads 1 --output-dir parts > log 2>&1; then
        echo "$model, $target, $phase: not finished: $(why)"
        bad=$((bad + 1))
      elif diff -r whole parts > log 2>&1; then
        equal=$((equal + 1))
      else
        echo "$model, $target, $phase: other outputs: $(why)"
        bad=$((bad + 1))
      fi
    done
    set +f
  done
  echo "$model: so far $equal ways equal, $bad bad, $refused refused"
done
[ $bad -eq 0 ] && [ $equal -gt 0 ]
