# README's table of commands, each of which is run; model.onnx is beside it: y = relu(x w), of any batch. What fails on
# purpose (nothing is to be reduced), or for want of OpenCL, ends nothing.
tenon run model.onnx --shape batch=2 --output-dir . > made && mv y.npy x.npy
mkdir -p DIR/layer/test_data_set_0 DIR/layer/set0
cp model.onnx DIR/layer
tensor() { printf "\\010\\001\\010\\003\\020\\001\\102\\001$1\\112\\014\\000\\000\\200\\077$2"; }  # f32[1,3] that begins with 1
tensor x '\000\000\200\077\000\000\200\077' > DIR/layer/test_data_set_0/input_0.pb   # 1 1
tensor y '\000\000\000\100\000\000\000\000' > DIR/layer/test_data_set_0/output_0.pb  # 2 0
cp x.npy DIR/layer/set0
tenon run model.onnx --input x=x.npy --output-dir DIR/layer/set0 > made
cat > DIR/layer/meta.json << 'END'
{"name": "layer", "sets": [{"dir": "set0", "inputs": {"x": {"file": "x.npy", "dtype": "float32", "shape": [2, 3]}},
                            "outputs": {"y": {"file": "y.npy", "dtype": "float32", "shape": [2, 3]}}}]}
END
set +e

# [commands]
tenon demo                                            # a small network, built in C++: phases, passes, times, result
tenon info model.onnx                                 # its inputs, outputs and operators
tenon run model.onnx --input x=x.npy --output-dir out # compile for this machine and run; inputs not given are random
tenon run model.onnx --shape batch=8                  # a size that the model leaves open, by its name
tenon run model.onnx --bench --explain                # also: latency, and the ops that each phase leaves
tenon run model.onnx --profile                        # what each kernel takes, and which nodes it computes
tenon report model.onnx -o report.html                # one page: graph, passes, memory, kernels (docs/seeing.md)
tenon build model.onnx -o model.tenon                 # compile ahead of time; `tenon run model.tenon` needs no compiler
tenon build model.onnx --emit library -o lib          # a static library with headers for C and C++
tenon build model.onnx --target c_source -o model.c   # one file of C, which needs nothing else
tenon run model.onnx --target opencl                  # on a GPU, or whatever else OpenCL serves
tenon cache info                                      # what `run` and `build` keep for the next time
tenon inspect model.tenon                             # what is inside a program, a module or a model
tenon targets                                         # the targets, with their options
tenon opt model.onnx --passes "lift_lambdas, infer_shapes, fold_constants{max_bytes=64}" --print-changed
tenon pipeline cpu --explain fuse                     # what a pass needs and gives, and who gives it
tenon compare model.onnx --target cpu,interpreter     # two targets, and the first op whose values differ
tenon reduce model.onnx --target cpu                  # the smallest module that still fails
tenon test-onnx DIR                                   # ONNX backend tests, each in a process of its own
tenon check DIR                                       # models with stored inputs and outputs
# [end]
# CHECK: a network of two convolutions, built in C++
# CHECK: input x f32[batch,3]
# CHECK: written to out/y.npy
# CHECK: output y f32[8,3]
# CHECK: optimization {{.*}}lift_lambdas
# CHECK: peaks measured now
# CHECK: report.html: {{.*}} open it in a browser
# CHECK: model.tenon: {{.*}} run it with
# CHECK: lib/libmodel.a
# CHECK: model.c: {{.*}} compile it with
# CHECK: there is no cache: TENON_CACHE is off
# CHECK: kind: program
# CHECK: interpreter {{.*}}device
# CHECK: // fold_constants changed nothing
# CHECK: 'fuse' ({{[0-9]+[a-z]+}}) runs in 'optimization'
# CHECK: the outputs of cpu are those of interpreter
# CHECK: 'model.onnx' does not fail
# CHECK: 1 passed, 0 failed, 0 skipped
# CHECK: 1 of 1 models within tolerance
