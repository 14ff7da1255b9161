"""tenon: runs and compiles tensor programs.

    import tenon
    program = tenon.load("model.tenon")          # or tenon.compile("model.onnx")
    outputs = program(x=image)                   # {"y": array}
    outputs = program.run({"x": image}, pool=tenon.Pool(executor), stop=stop)
    tenon.add_host_function("mine.clamp", lambda x: x.clip(0, 6))       # models call it by that name

Arrays are NumPy's where it is installed; else whatever has the buffer protocol goes in, and memoryviews come out. What
has `__dlpack__` goes in, too. A program can be called from several threads at once; `Stop` ends runs early.
"""

from ._host import add_host_function, remove_host_function
from ._program import Error, Port, Program, compile, load, version
from ._running import Pool, Stop

__all__ = ["Error", "Pool", "Port", "Program", "Stop", "add_host_function", "compile", "load", "remove_host_function",
           "version"]
__version__ = "0.1.0"
