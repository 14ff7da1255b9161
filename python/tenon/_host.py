"""Functions of this process, which models call by name."""

import ctypes
import itertools
import weakref
from ctypes import byref, c_int64, c_size_t, c_void_p
from typing import Callable

from ._library import HostFunction, HostFunctionDone, library
from ._program import _check, _format_of, _memory_of, _names, _require_compiler, _types, numpy

_registered = {}  # what C holds on to, until nobody can call it any more
_numbers = itertools.count(1)


@HostFunctionDone
def _done(number):
    _registered.pop(number, None)


class _Kept:
    """Operands of a call, for as long as arrays show them."""

    def __init__(self, call):
        handle = c_void_p()
        _check(library.tenon_keep_operands(call, byref(handle)))
        self._finalizer = weakref.finalize(self, library.tenon_results_free, handle)


def _seen(t, kept):
    """An operand, without a copy and not to be written; None where the model leaves it out."""
    if t.rank == c_size_t(-1).value:
        return None
    shape, dtype = tuple(t.shape[d] for d in range(t.rank)), _names[t.type]
    size = library.tenon_type_size(t.type)
    for d in shape:
        size *= d
    if size:
        memory = (ctypes.c_char * size).from_address(t.data)
        weakref.finalize(memory, lambda _: None, kept)  # holds it
    else:
        memory = (ctypes.c_char * 1)()
    view, form = memoryview(memory).cast("B")[:size].toreadonly(), _format_of(dtype)
    if numpy is not None:
        return numpy.frombuffer(view, dtype=form).reshape(shape) if size else numpy.empty(shape, dtype=form)
    if not size:
        return view
    return view.cast(form, shape) if shape else view.cast(form)


def _called(function: Callable):
    def call(_user, operands, count, handle):
        try:
            kept = _Kept(handle)
            results = function(*(_seen(operands[i], kept) for i in range(count)))
            if results is None:
                results = ()
            elif not isinstance(results, (tuple, list)):
                results = (results,)
            for i, result in enumerate(results):
                dtype, shape, address, keep = _memory_of(result, f"result {i} is an array")
                room = library.tenon_add_result(handle, _types[dtype], len(shape), (c_int64 * max(len(shape), 1))(*shape))
                if not room:
                    return  # C knows why
                size = library.tenon_type_size(_types[dtype])
                for d in shape:
                    size *= d
                ctypes.memmove(room, address, size)
                del keep
        except BaseException as e:  # C expects none
            library.tenon_fail_call(handle, f"{type(e).__name__}: {e}".encode())

    return HostFunction(call)


def add_host_function(name: str, function: Callable) -> None:
    """Models that run in this process call `function` by that name: with an array for each operand, which is not to be
    written (None for one that is left out). It gives an array, a list of them, or None; what it raises is quoted by the
    `Error` of the run. Errors "host_function.taken", "host_function.name"."""
    _require_compiler()
    number, called = next(_numbers), _called(function)
    _registered[number] = called
    try:
        _check(library.tenon_add_host_function(name.encode(), called, number, _done))
    except BaseException:
        del _registered[number]
        raise


def remove_host_function(name: str) -> bool:
    """Was there one? Calls that run end as they began."""
    _require_compiler()
    return bool(library.tenon_remove_host_function(name.encode()))
