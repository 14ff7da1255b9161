"""tenon: runs and compiles tensor programs.

    import tenon
    program = tenon.load("model.tenon")          # or tenon.compile("model.onnx")
    outputs = program(x=image)                   # {"y": array}
    outputs = program.run({"x": image}, pool=tenon.Pool(executor), stop=stop)

Arrays are NumPy's where it is installed; else whatever has the buffer protocol goes in, and memoryviews come out. What
has `__dlpack__` goes in, too. A program can be called from several threads at once; `Stop` ends runs early.
"""

from ._program import Error, Port, Program, compile, load, version
from ._running import Pool, Stop

__all__ = ["Error", "Pool", "Port", "Program", "Stop", "compile", "load", "version"]
__version__ = "0.1.0"
