"""What a run can be given: a flag that ends it early, and threads of the caller's."""

import collections
import itertools
import signal
import threading
import time
import weakref
from concurrent.futures import Executor, wait
from ctypes import byref, c_void_p
from typing import Optional

from ._library import LoopPool, RunLoops, library


class Stop:
    """Asks runs to end early: `program.run(inputs, stop=stop)` raises an `Error` with the code "program.stopped".

    Any thread may ask, at any time. One flag may serve many runs, and stays up until it is cleared.
    """

    def __init__(self):
        handle = c_void_p()
        if library.tenon_stop_new(byref(handle)):
            raise MemoryError
        self._handle = handle
        self._finalizer = weakref.finalize(self, library.tenon_stop_free, handle)

    def request(self) -> None:
        library.tenon_stop_request(self._handle)

    def clear(self) -> None:
        library.tenon_stop_clear(self._handle)


class Pool:
    """Threads on which runs do their parallel loops: those of an executor, such as a `ThreadPoolExecutor`.

    The thread that calls `run` does its share, so that a run ends whatever else the executor has to do, and in one of its
    own threads as well. `threads`: how many take part, the calling one too; by default as many as the executor has.
    Native code runs without the interpreter's lock.
    """

    def __init__(self, executor: Executor, threads: Optional[int] = None):
        if threads is None:
            threads = getattr(executor, "_max_workers", None)
        if not isinstance(threads, int) or threads < 1:
            raise ValueError("say how many threads take part: tenon.Pool(executor, threads=4)")
        self.executor, self.threads = executor, threads
        self._interrupted = threading.local()
        self._function = RunLoops(self._run)  # lives as long as the pool: C calls it
        self._described = LoopPool(threads, self._function, None)

    def _run(self, _user, count, task, context):
        """What C calls: each task once. It expects no exception, and tasks use memory of the run until they end. Taking an
        index, running its task and counting it is one call of `extend`, which nothing can interrupt between two of these."""
        indices, ended, helpers = iter(range(count)), collections.deque(), []
        missing = min(count, self.threads) - 1

        def share():
            ended.extend(map(task, itertools.repeat(context), indices))

        while len(ended) < count:
            try:
                while len(helpers) < missing:
                    helpers.append(self.executor.submit(share))
                share()
                for helper in helpers:
                    if not helper.cancel():  # else it had not begun, and would find nothing to do
                        wait([helper])
                if len(ended) < count:  # an interruption kept a helper from being listed
                    time.sleep(1e-4)
            except RuntimeError:  # the executor was shut down: this thread does the rest
                missing = 0
            except BaseException as e:  # KeyboardInterrupt
                missing, self._interrupted.by = 0, e

    def _raise_if_interrupted(self) -> None:
        by, self._interrupted.by = getattr(self._interrupted, "by", None), None
        if by is not None:
            raise by


class InterruptsLater:
    """While it is entered, Ctrl-C waits: within `submit` and `wait` it would leave an executor's locks held."""

    def __enter__(self):
        self._handler, self._came = None, None
        if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
            self._handler = signal.signal(signal.SIGINT, lambda *came: setattr(self, "_came", came))

    def __exit__(self, *_):
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            if self._came is not None:
                self._handler(*self._came)
