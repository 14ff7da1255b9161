#!/bin/sh
# check_python.sh package|numpy|wheel PYTHON LIBRARIES PROGRAM BUNDLE MODEL LOOPS HOST: the tests of the Python package, on
# each library; those of NumPy's arrays; all of them from a wheel.
set -u
cd "$(dirname "$0")/.." || exit 1
part=$1
shift
python=$1 libraries=$2
needs() {  # MODULES PACKAGES
  "$python" -c "import $1" 2> /dev/null || { echo "SKIPPED: $python has no $1 (Debian: $2)"; exit 77; }
}
export TENON_TEST_PROGRAM="$3" TENON_TEST_BUNDLE="$4" TENON_TEST_MODEL="$5" TENON_TEST_LOOPS="$6" TENON_TEST_HOST="$7" PYTHONDONTWRITEBYTECODE=1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
tests() {  # WHAT [OPTION…]
  what=$1
  shift
  "$python" -m unittest discover -s python/tests "$@" > "$scratch/log" 2>&1 || { echo "$what"; cat "$scratch/log"; exit 1; }
  tail -n 1 "$scratch/log"
}
case $part in
  package)
    for library in runtime compiler; do
      TENON_LIBRARY="$libraries/libtenon_$library.so" PYTHONPATH=python tests "$library"
    done
    TENON_LIBRARY="$libraries/libtenon_compiler.so" PYTHONPATH=python "$python" tests/how_to/from_python.py "$TENON_TEST_MODEL" ||
      { echo "docs/how_to/python.md"; exit 1; } ;;
  numpy)
    needs numpy python3-numpy
    TENON_LIBRARY="$libraries/libtenon_runtime.so" PYTHONPATH=python tests numpy -k numpy ;;
  wheel)
    needs "wheel, setuptools" "python3-wheel, python3-setuptools"
    cp -r python "$scratch/source"
    (cd "$scratch/source" && TENON_LIBRARIES="$libraries" "$python" setup.py --quiet bdist_wheel -d "$scratch") > "$scratch/log" 2>&1 ||
      { cat "$scratch/log"; echo "the wheel was not made"; exit 1; }
    "$python" -m zipfile -e "$scratch"/tenon-*-py3-none-linux_*.whl "$scratch/installed" || exit 1
    unset TENON_LIBRARY
    PYTHONPATH="$scratch/installed" tests "the wheel"
    echo "the wheel has $(wc -c < "$(echo "$scratch"/tenon-*.whl)") bytes" ;;
esac
