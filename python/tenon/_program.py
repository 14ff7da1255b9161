"""Programs, and the arrays that go in and out."""

import ctypes
import os
import tempfile
import weakref
from ctypes import byref, c_int64, c_size_t, c_void_p
from typing import NamedTuple, Optional, Tuple, Union

from ._library import Constraint, RunOptions, Tensor, library
from ._running import InterruptsLater, Pool, Stop

try:
    import numpy
except ImportError:
    numpy = None

# Formats of the struct module. Types that Python has no arithmetic for are their bits.
_formats = {"f64": "d", "f32": "f", "f16": "e", "bf16": "H", "i64": "q", "i32": "i", "i16": "h", "i8": "b",
            "u64": "Q", "u32": "I", "u16": "H", "u8": "B", "bool": "?", "index": "q", "i4": "b", "i2": "b"}
_types = {}
for _number in range(256):
    _name = library.tenon_type_name(_number)
    if _name is None:
        break
    _types[_name.decode()] = _number
_names = {number: name for name, number in _types.items()}
# `l` and `L` are what NumPy calls 64-bit integers on Linux.
_from_format = {"d": "f64", "f": "f32", "e": "f16", "q": "i64", "l": "i64", "i": "i32", "h": "i16", "b": "i8",
                "Q": "u64", "L": "u64", "I": "u32", "H": "u16", "B": "u8", "?": "bool"}


class Error(Exception):
    """What went wrong. `code` is a stable key, `hint` says what to do."""

    def __init__(self, code: str, message: str, hint: str, text: str):
        super().__init__(text)
        self.code, self.message, self.hint = code, message, hint


def _check(handle):
    if not handle:
        return
    parts = [f(handle).decode(errors="replace") for f in
             (library.tenon_error_code, library.tenon_error_message, library.tenon_error_hint, library.tenon_error_text)]
    library.tenon_error_free(handle)
    raise Error(*parts)


class Port(NamedTuple):
    """An input or output. An extent is a number, or the name of one that runs may choose; None: not known before."""

    name: str
    dtype: str
    shape: Union[Tuple[Union[int, str], ...], None]


def _port(p) -> Port:
    p = p.contents
    shape = None
    if p.rank != ctypes.c_size_t(-1).value:
        shape = tuple(p.shape[d] if p.shape[d] >= 0 else p.symbols[d].decode() for d in range(p.rank))
    return Port(p.name.decode(), _names[p.type], shape)


def _format_of(dtype: str) -> str:
    return _formats.get(dtype, "B")


def _memory_of(value, who: str, wanted: Optional[str] = None):
    """An array's type, shape, address, and what keeps the memory. `wanted`: the format of numbers that are no array, and of
    bits. `who` begins errors."""
    if numpy is not None:
        if not hasattr(value, "__array_interface__"):
            if hasattr(value, "__dlpack__"):
                value = numpy.from_dlpack(value)
            else:
                try:
                    value = numpy.asarray(memoryview(value))
                except TypeError:
                    value = numpy.asarray(value, dtype=wanted)  # numbers and lists of them
        value = numpy.asarray(value, order="C")
        if not value.flags.c_contiguous:
            value = numpy.ascontiguousarray(value)
        given = value.dtype.char
        if given not in _from_format or not value.dtype.isnative:
            raise TypeError(f"{who}, and an array of {value.dtype} was given")
        return _from_format[given], value.shape, value.ctypes.data, value
    view = memoryview(value)
    if not view.c_contiguous:
        raise TypeError(f"{who}, and what was given is not contiguous in memory; without NumPy it has to be")
    given = view.format.lstrip("@=")
    if given not in _from_format:
        raise TypeError(f"{who}, and elements of format '{view.format}' were given")
    keep = (ctypes.c_char * max(view.nbytes, 1))
    if view.readonly:
        memory = keep.from_buffer_copy(bytes(view) or b"\0")
    elif view.nbytes:
        memory = keep.from_buffer(view.cast("B"))
    else:
        memory = keep()
    return _from_format[given], view.shape, ctypes.addressof(memory), (memory, view)


def _described(value, port: Port):
    """What is passed: type, shape, address, and what keeps the memory."""
    wanted = _format_of(port.dtype)
    given, shape, address, keep = _memory_of(value, f"input '{port.name}' is {port.dtype}", wanted)
    same = given == _from_format.get(wanted)  # bits go in for a type that has no format of its own
    return _types[port.dtype if same else given], shape, address, keep


def _made(dtype: str, shape):
    """An array to be written: it, and its address."""
    form = _format_of(dtype)
    if numpy is not None:
        array = numpy.empty(shape, dtype=numpy.dtype(form))
        return array, array.ctypes.data
    size = library.tenon_type_size(_types[dtype])
    for d in shape:
        size *= d
    memory = (ctypes.c_char * max(size, 1))()
    view = memoryview(memory).cast("B")[:size]
    if size and shape:
        view = view.cast(form, shape)
    elif size:
        view = view.cast(form)
    return view, ctypes.addressof(memory)


class Program:
    """A compiled model. Calls take inputs by name, in order, or as a dict, and return a dict of outputs."""

    def __init__(self, handle, threads: int = 0):
        self._handle = handle
        self._finalizer = weakref.finalize(self, library.tenon_close, handle)
        #: threads of a run; 0: as many as the process may use
        self.threads = threads
        self.inputs = [_port(library.tenon_input(handle, i)) for i in range(library.tenon_input_count(handle))]
        self.outputs = [_port(library.tenon_output(handle, i)) for i in range(library.tenon_output_count(handle))]

    @property
    def target(self) -> str:
        """What the code was made for."""
        return library.tenon_target(self._handle).decode()

    @property
    def entries(self) -> list:
        """The names of the functions that can be called, this one's first."""
        return [library.tenon_entry_name(self._handle, i).decode() for i in range(library.tenon_entry_count(self._handle))]

    def entry(self, name: str) -> "Program":
        """The same program, of which another function is called. Code and constants are shared."""
        handle = c_void_p()
        _check(library.tenon_open_entry(self._handle, name.encode(), byref(handle)))
        return Program(handle, self.threads)

    def __repr__(self) -> str:
        def text(ports):
            return ", ".join(
                f"{p.name}: {p.dtype}[{','.join(map(str, p.shape)) if p.shape is not None else '*'}]" for p in ports
            )

        return f"<tenon.Program ({text(self.inputs)}) -> ({text(self.outputs)})>"

    def __call__(self, *arrays, **named):
        """Inputs in order, by name, or as a dict."""
        if len(arrays) == 1 and isinstance(arrays[0], dict):
            named, arrays = {**arrays[0], **named}, ()
        if len(arrays) > len(self.inputs):
            raise TypeError(f"the program has {len(self.inputs)} inputs, and {len(arrays)} were given")
        given = dict(zip((p.name for p in self.inputs), arrays))
        for name in named:
            if name in given:
                raise TypeError(f"input '{name}' is given twice")
        given.update(named)
        return self.run(given)

    def run(self, inputs: dict, *, threads: Optional[int] = None, pool: Optional[Pool] = None,
            stop: Optional[Stop] = None) -> dict:
        """As a call. `threads`: of this run alone; by default the pool's, or else the program's. `pool`: of the caller's,
        instead of the library's. `stop`: ends the run early, by an `Error` with the code "program.stopped"."""
        known = [p.name for p in self.inputs]
        for name in inputs:
            if name not in known:
                raise TypeError(f"the program has no input '{name}'; it has {', '.join(known)}")
        for name in known:
            if name not in inputs:
                raise TypeError(f"input '{name}' is missing; the program takes {', '.join(known)}")
        if threads is None:
            threads = self.threads if pool is None else 0
        options = RunOptions(ctypes.sizeof(RunOptions), threads, None, None)
        if pool is not None:
            options.pool = ctypes.pointer(pool._described)
        if stop is not None:
            options.stop = stop._handle
        if pool is None:
            return self._run(inputs, options)
        with InterruptsLater():
            try:
                return self._run(inputs, options)
            finally:
                pool._raise_if_interrupted()

    def _run(self, given, options):
        known = self.inputs
        keep = []
        inputs = (Tensor * max(len(known), 1))()
        for i, port in enumerate(self.inputs):
            kind, shape, address, owner = _described(given[port.name], port)
            extents = (c_int64 * max(len(shape), 1))(*shape)
            inputs[i] = Tensor(None, kind, len(shape), extents, address)
            keep += [owner, extents]
        try:
            shapes = [self._output_shape(inputs, i) for i in range(len(self.outputs))]
        except Error as e:
            if e.code != "program.shape":
                raise
            return self._run_new(inputs, options)
        outputs = (Tensor * max(len(self.outputs), 1))()
        results = {}
        for i, (port, shape) in enumerate(zip(self.outputs, shapes)):
            array, address = _made(port.dtype, shape)
            extents = (c_int64 * max(len(shape), 1))(*shape)
            outputs[i] = Tensor(None, _types[port.dtype], len(shape), extents, address)
            keep.append(extents)
            results[port.name] = array
        _check(
            library.tenon_run_with(
                self._handle, inputs, len(self.inputs), outputs, len(self.outputs), byref(options))
        )
        return results

    def _output_shape(self, inputs, i):
        shape, rank = (c_int64 * 64)(), c_size_t()
        _check(
            library.tenon_output_shape(self._handle, inputs, len(self.inputs), i, shape, 64, byref(rank))
        )
        return tuple(shape[: rank.value])

    def _run_new(self, inputs, options):
        handle = c_void_p()
        _check(library.tenon_run_new_with(self._handle, inputs, len(self.inputs), byref(options), byref(handle)))
        try:
            results = {}
            for i in range(library.tenon_result_count(handle)):
                t = library.tenon_result(handle, i).contents
                shape, dtype = tuple(t.shape[d] for d in range(t.rank)), _names[t.type]
                array, address = _made(dtype, shape)
                size = library.tenon_type_size(t.type)
                for d in shape:
                    size *= d
                if size:
                    ctypes.memmove(address, t.data, size)
                results[t.name.decode() if t.name else str(i)] = array
            return results
        finally:
            library.tenon_results_free(handle)


def load(program, threads: int = 0) -> Program:
    """A program file, by its path or as bytes."""
    handle = c_void_p()
    if isinstance(program, (bytes, bytearray, memoryview)):
        data = bytes(program)
        _check(library.tenon_open_memory(data, len(data), byref(handle)))
    else:
        _check(library.tenon_open(os.fsencode(program), byref(handle)))
    return Program(handle, threads)


def _require_compiler() -> None:
    if not library.has_compiler:
        raise Error("library.compiler", "this installation of tenon has no compiler", "install libtenon_compiler and LLVM",
                    "this installation of tenon has no compiler; install libtenon_compiler and LLVM [library.compiler]")


def compile(model, target=None, output=None, threads: int = 0,  # noqa: A001: as the command line has it
            constraints: Optional[dict] = None) -> Program:
    """Compiles an ONNX model for `target`, by default this machine. `output`: also kept there, as a program file.
    `constraints`: what runs where, {node or function: target}, where a node's name may have `*` in it and a target is a
    member's, compiled for "composite(cpu,second@cpu)", or the program's with options of its own, "cpu:threads=1"."""
    _require_compiler()
    text = None if target is None else str(target).encode()
    if constraints and output is None:
        with tempfile.TemporaryDirectory() as folder:
            return compile(model, target, os.path.join(folder, "program"), threads, constraints)
    if output is not None:
        said = (Constraint * max(len(constraints or {}), 1))()
        for i, (name, where) in enumerate((constraints or {}).items()):
            said[i] = Constraint(name.encode(), str(where).encode())
        _check(library.tenon_compile_constrained(
            os.fsencode(model), text, said, len(constraints or {}), os.fsencode(output)))
        return load(output, threads)
    handle = c_void_p()
    _check(library.tenon_compile_open(os.fsencode(model), text, byref(handle)))
    return Program(handle, threads)


def version() -> str:
    """Of the library."""
    return library.tenon_version().decode()
