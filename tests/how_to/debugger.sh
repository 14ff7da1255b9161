# Code of docs/seeing.md: a debugger stops in a kernel, and says who called it. model.onnx is beside it.
command -v gdb > /dev/null || { echo "SKIPPED: gdb is missing (Debian: gdb)"; exit 77; }
gdb -batch -ex run --args true 2>&1 | grep -q 'exited normally' ||
  { echo "SKIPPED: gdb may not run programs here"; exit 77; }

# [gdb]
export TENON_PERF_MAP=1
gdb -batch -ex 'set breakpoint pending on' -ex 'break k_add_maximum' -ex run -ex backtrace --args tenon run model.onnx
# [end]
# CHECK: #0 {{.*}} k_add_maximum
# CHECK: tenon_main
# CHECK: tenon::tool::run_command_line
# CHECK: main
