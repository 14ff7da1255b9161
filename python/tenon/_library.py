"""The shared library behind <tenon.h>, by ctypes."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_void_p


class Tensor(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("rank", c_size_t),
        ("shape", POINTER(c_int64)),
        ("data", c_void_p),
    ]


class Port(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("type", c_int),
        ("rank", c_size_t),
        ("shape", POINTER(c_int64)),
        ("symbols", POINTER(c_char_p)),
    ]


LoopTask = ctypes.CFUNCTYPE(None, c_void_p, c_int)
RunLoops = ctypes.CFUNCTYPE(None, c_void_p, c_int, LoopTask, c_void_p)


class LoopPool(ctypes.Structure):
    _fields_ = [("threads", c_int), ("run", RunLoops), ("user", c_void_p)]


class RunOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("threads", c_int), ("pool", POINTER(LoopPool)), ("stop", c_void_p)]


class Constraint(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("target", c_char_p)]


HostFunction = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Tensor), c_size_t, c_void_p)
HostFunctionDone = ctypes.CFUNCTYPE(None, c_void_p)

_functions = {
    "tenon_api_version": (c_int, []),
    "tenon_version": (c_char_p, []),
    "tenon_error_code": (c_char_p, [c_void_p]),
    "tenon_error_message": (c_char_p, [c_void_p]),
    "tenon_error_hint": (c_char_p, [c_void_p]),
    "tenon_error_text": (c_char_p, [c_void_p]),
    "tenon_error_free": (None, [c_void_p]),
    "tenon_type_name": (c_char_p, [c_int]),
    "tenon_type_size": (c_size_t, [c_int]),
    "tenon_open": (c_void_p, [c_char_p, POINTER(c_void_p)]),
    "tenon_open_memory": (c_void_p, [c_char_p, c_size_t, POINTER(c_void_p)]),
    "tenon_close": (None, [c_void_p]),
    "tenon_input_count": (c_size_t, [c_void_p]),
    "tenon_output_count": (c_size_t, [c_void_p]),
    "tenon_input": (POINTER(Port), [c_void_p, c_size_t]),
    "tenon_output": (POINTER(Port), [c_void_p, c_size_t]),
    "tenon_target": (c_char_p, [c_void_p]),
    "tenon_entry_count": (c_size_t, [c_void_p]),
    "tenon_entry_name": (c_char_p, [c_void_p, c_size_t]),
    "tenon_open_entry": (c_void_p, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "tenon_stop_new": (c_void_p, [POINTER(c_void_p)]),
    "tenon_stop_request": (None, [c_void_p]),
    "tenon_stop_clear": (None, [c_void_p]),
    "tenon_stop_free": (None, [c_void_p]),
    "tenon_run_with": (
        c_void_p,
        [c_void_p, POINTER(Tensor), c_size_t, POINTER(Tensor), c_size_t, POINTER(RunOptions)],
    ),
    "tenon_output_shape": (
        c_void_p,
        [c_void_p, POINTER(Tensor), c_size_t, c_size_t, POINTER(c_int64), c_size_t, POINTER(c_size_t)],
    ),
    "tenon_run_new_with": (
        c_void_p,
        [c_void_p, POINTER(Tensor), c_size_t, POINTER(RunOptions), POINTER(c_void_p)],
    ),
    "tenon_result_count": (c_size_t, [c_void_p]),
    "tenon_result": (POINTER(Tensor), [c_void_p, c_size_t]),
    "tenon_results_free": (None, [c_void_p]),
}
_compiler_functions = {
    "tenon_compile": (c_void_p, [c_char_p, c_char_p, c_char_p]),
    "tenon_compile_constrained": (c_void_p, [c_char_p, c_char_p, POINTER(Constraint), c_size_t, c_char_p]),
    "tenon_compile_open": (c_void_p, [c_char_p, c_char_p, POINTER(c_void_p)]),
    "tenon_add_host_function": (c_void_p, [c_char_p, HostFunction, c_void_p, HostFunctionDone]),
    "tenon_remove_host_function": (c_int, [c_char_p]),
    "tenon_add_result": (c_void_p, [c_void_p, c_int, c_size_t, POINTER(c_int64)]),
    "tenon_fail_call": (None, [c_void_p, c_char_p]),
    "tenon_keep_operands": (c_void_p, [c_void_p, POINTER(c_void_p)]),
}


def _candidates():
    named = os.environ.get("TENON_LIBRARY")
    if named:
        yield named
        return
    here = os.path.dirname(os.path.abspath(__file__))
    for name in ("libtenon_compiler.so", "libtenon_runtime.so"):
        if os.path.exists(os.path.join(here, name)):
            yield os.path.join(here, name)
    yield "libtenon_compiler.so.1"
    yield "libtenon_runtime.so.1"


def _open():
    reasons = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as e:  # the compiler's needs LLVM, which may be missing: the small one does without
            reasons.append(str(e))
            continue
        for name, (result, arguments) in _functions.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        library.has_compiler = hasattr(library, "tenon_compile")
        if library.has_compiler:
            for name, (result, arguments) in _compiler_functions.items():
                function = getattr(library, name)
                function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(
        "the shared library of tenon cannot be loaded: name it by TENON_LIBRARY. Tried: " + "; ".join(reasons)
    )


library = _open()
