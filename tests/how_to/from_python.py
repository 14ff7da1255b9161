"""docs/how_to/python.md: from_python.py relu.onnx"""

import array
import sys

model = sys.argv[1]
image = memoryview(array.array("f", [-1, 2, -3, 4])).cast("B").cast("f", (2, 2))

# [run]
import tenon

program = tenon.compile(model)  # or tenon.load("model.tenon")
outputs = program(x=image)  # {"y": array}; NumPy arrays go in and come out, where it is installed
# [end]

assert outputs["y"].tolist() == [[0, 4], [0, 8]], outputs["y"].tolist()

# [errors]
try:
    program(x=image[:1])
except tenon.Error as e:
    said = f"{e.code}: {e.message}"
# [end]

assert said == "program.type: input 'x' is f32[2,2], and f32[1,2] was given", said

from concurrent.futures import ThreadPoolExecutor

# [run_with]
pool = tenon.Pool(ThreadPoolExecutor(2))
stop = tenon.Stop()  # stop.request(), in any thread, at any time: the run raises "program.stopped"
outputs = program.run({"x": image}, pool=pool, stop=stop)
# [end]

assert outputs["y"].tolist() == [[0, 4], [0, 8]], outputs["y"].tolist()

stop.request()
try:
    program.run({"x": image}, pool=pool, stop=stop)
except tenon.Error as e:
    said = e.code

assert said == "program.stopped", said
