# Code of docs/how_to/: the command line. model.onnx and graph.tir are beside it.

# [ship]
tenon build model.onnx -o model.tenon --target cpu:arch=x86-64-v3  # where there is a compiler: for every machine with AVX2
tenon-runner model.tenon -o results                                # where there is none: y.npy, and no LLVM in the process
# [end]
# CHECK: model.tenon
# CHECK: output y f32[2,2]

# [cache]
tenon run model.onnx --cache kept  # compiles; without --cache it keeps in ~/.cache/tenon, or where TENON_CACHE says
tenon run model.onnx --cache kept  # opens what was compiled before
tenon cache info --cache kept
tenon cache clear --cache kept
# [end]
# CHECK: compiled in
# CHECK: compiled before
# CHECK: 1 program,
# CHECK: removed 1 program

# [c_file]
tenon build graph.tir --target c_source -o scorer.c
# [end]
# CHECK: compile it with: cc -std=c11 -O3 scorer.c
grep -q "scorer_run" scorer.c

# [explain]
tenon run model.onnx --bench --explain  # each pass with its time, kernels and ops of each phase, the median of a second of runs
tenon run model.onnx --bench --json > times.json
# [end]
# CHECK: fuse
# CHECK: median
test -s times.json

# [compare]
tenon compare model.onnx --target cpu,interpreter              # the first op whose values differ, by itself
tenon compare model.onnx --target cpu:threads=2,xsimd --seed 7 # other inputs, other targets
# [end]
# CHECK: the outputs of cpu are those of interpreter

# [reduce]
tenon reduce graph.tir --passes "infer_shapes, require_static_shapes" -o small.tir || true
tenon inspect small.tir
tenon opt graph.tir --passes "infer_shapes, require_static_shapes" --reproducer fails.tir || tenon reduce fails.tir -o small.tir
# [end]
# CHECK: small.tir
# CHECK: fails.tir
# CHECK: ops are left

# [watch]
tenon opt graph.tir --passes "infer_shapes, fold_constants, eliminate_dead" --print-changed
tenon opt graph.tir --passes "infer_shapes, fold_constants, eliminate_dead" --verify-each --bisect --timing
tenon opt graph.tir --passes "infer_shapes, require_static_shapes" --reproducer fails.tir || tenon inspect fails.tir
# [end]
# CHECK: changed by fold_constants
# CHECK: bisect: no pass changes what is computed
# CHECK: in pass require_static_shapes

# [text]
tenon opt graph.tir --passes "infer_shapes, fold_constants{max_bytes=64}, repeat(simplify, eliminate_dead)"
tenon pipeline --passes "infer_shapes, fold_constants" --fingerprint
tenon pipeline cpu --explain fuse  # what it needs and breaks, and who gives it
# [end]
# CHECK: phase=optimization
# CHECK: 'fuse' ({{[0-9]+[a-z]+}}) runs in 'optimization'

# [profile]
tenon run model.onnx --profile                     # a table: kernels by time, with the nodes that they compute
tenon run model.onnx --profile --json              # the same for programs
tenon run model.onnx --profile --trace trace.json  # each call: chrome://tracing and ui.perfetto.dev open it
# [end]
# CHECK: peaks measured now
# CHECK: "steps_ms":
# CHECK: trace.json:

# [emit]
tenon build model.onnx --emit loops                  # all kernels, as loops
tenon build model.onnx --emit asm --kernel twice     # one, by its name or by a node that it computes
tenon build model.onnx --emit llvm -o kernels.ll
# [end]
# CHECK: // kernel add_maximum
# CHECK: k_add_maximum:
# CHECK: kernels.ll:

# [report]
tenon report model.onnx -o report.html --profile
# [end]
# CHECK: report.html: {{.*}} open it in a browser
