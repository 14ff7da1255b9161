"""tenon: runs and compiles tensor programs.

    import tenon
    program = tenon.load("model.tenon")          # or tenon.compile("model.onnx")
    outputs = program(x=image)                   # {"y": array}

Arrays are NumPy's where it is installed; else whatever has the buffer protocol goes in, and memoryviews come out. What
has `__dlpack__` goes in, too. A program can be called from several threads at once.
"""

from ._program import Error, Port, Program, compile, load, version

__all__ = ["Error", "Port", "Program", "compile", "load", "version"]
__version__ = "0.1.0"
