#!/bin/sh
# run_model.sh TENON ONNX_DIR MODEL TARGET THREADS [OUTLIERS [COMPILATIONS]]: the model loads, compiles and matches its stored outputs.
set -u
tenon=$1 dir=${TENON_ONNX_DIR:-$2} model=$3 target=$4 threads=$5
if [ -z "$dir" ] || [ ! -f "$dir/models/$model/model.onnx" ]; then
  echo "SKIPPED: no model: set TENON_ONNX_DIR to a folder that has models/$model/ (now: '${dir:-}')"
  exit 77
fi
said=$("$tenon" check "$dir/models/$model" --target "$target" --threads "$threads" --outliers "${6:-0}" \
                --compilations "${7:-0}" 2>&1)
status=$?
printf '%s\n' "$said"
case $said in *"[opencl.no_device]"*) echo "SKIPPED: no OpenCL device"; exit 77 ;; esac
exit $status
