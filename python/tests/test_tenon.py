"""Tests of the package: python3 -m unittest. TENON_TEST_PROGRAM, _BUNDLE, _MODEL, _LOOPS and _HOST name files."""

import array
import os
import signal
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import tenon
from tenon import _host, _library, _program

program_file = os.environ["TENON_TEST_PROGRAM"]  # scorer.tenon: x, weights f32[n,3] -> weighted, total
numpy = _program.numpy


def floats(rows, values):
    return memoryview(array.array("f", values)).cast("B").cast("f", (rows, 3))


class Running(unittest.TestCase):
    def setUp(self):
        self.program = tenon.load(program_file, threads=1)

    def test_describes(self):
        self.assertEqual(self.program.inputs[1], ("weights", "f32", ("n", 3)))
        self.assertEqual(self.program.outputs[1], ("total", "f32", (3,)))
        self.assertIn("x: f32[n,3]", repr(self.program))
        self.assertTrue(self.program.target.startswith("cpu"))
        self.assertRegex(tenon.version(), r"\d+\.\d+\.\d+")

    def test_runs_in_every_way_of_giving_inputs(self):
        for rows in (1, 4):
            x, w = floats(rows, [1, 2, 3] * rows), floats(rows, [0.5] * 3 * rows)
            for got in (self.program(x, w), self.program(x=x, weights=w), self.program(x, weights=w),
                        self.program({"weights": w, "x": x})):
                self.assertEqual(list(got), ["weighted", "total"])
                self.assertEqual(tuple(got["weighted"].shape), (rows, 3))
                self.assertEqual([float(v) for v in got["total"]], [0.5 * rows, rows, 1.5 * rows])

    def test_of_bytes(self):
        with open(program_file, "rb") as f:
            again = tenon.load(f.read())
        self.assertEqual(again.entries, [again.entries[0]])
        self.assertEqual(again.entry(again.entries[0]).inputs, again.inputs)
        with self.assertRaises(tenon.Error) as caught:
            again.entry("nobody")
        self.assertEqual(caught.exception.code, "program.entry")
        self.assertEqual(again.inputs, self.program.inputs)

    def test_errors(self):
        x = floats(2, [1] * 6)
        with self.assertRaises(TypeError) as e:
            self.program(x, weigths=x)
        self.assertIn("no input 'weigths'; it has x, weights", str(e.exception))
        with self.assertRaisesRegex(TypeError, "'weights' is missing"):
            self.program(x)
        with self.assertRaisesRegex(TypeError, "given twice"):
            self.program(x, x=x)
        with self.assertRaises(tenon.Error) as e:
            self.program(x, floats(1, [1] * 3))
        self.assertEqual(e.exception.code, "program.type")
        self.assertIn("dimension 0 of input 'weights' is 1", e.exception.message)
        wrong = memoryview(array.array("d", [1] * 6)).cast("B").cast("d", (2, 3))
        with self.assertRaisesRegex(tenon.Error, "input 'x' is f32"):
            self.program(wrong, x)
        with self.assertRaises(tenon.Error) as e:
            tenon.load("there/is/no.tenon")
        self.assertEqual(e.exception.code, "io.open")

    def test_threads(self):
        failed = []

        def work(k):
            x = floats(2, [k] * 6)
            for _ in range(50):
                if float(self.program(x, x)["total"][0]) != 2.0 * k * k:
                    failed.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(failed, [])

    def test_ends_early(self):
        x = floats(2, [1, 2, 3, 4, 5, 6])
        inputs, stop, ended = {"x": x, "weights": x}, tenon.Stop(), []
        self.assertEqual(float(self.program.run(inputs, stop=stop)["total"][0]), 17.0)

        def work():
            try:
                while True:
                    self.program.run(inputs, stop=stop)
            except tenon.Error as e:
                ended.append(e.code)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for t in threads:
            t.start()
        stop.request()
        for t in threads:
            t.join()
        self.assertEqual(ended, ["program.stopped"] * 2)
        stop.clear()
        self.assertEqual(float(self.program.run(inputs, stop=stop, threads=2)["total"][0]), 17.0)

    def test_on_threads_of_the_caller(self):
        program = tenon.load(os.environ["TENON_TEST_LOOPS"])
        inputs = {"x": memoryview(array.array("f", range(1 << 18))).cast("B").cast("f", (512, 512))}
        want, asked = bytes(program(inputs)["y"]), []

        class Executor(ThreadPoolExecutor):
            def submit(self, task, *rest, **named):
                asked.append(task)
                return super().submit(task, *rest, **named)

        with Executor(3) as executor:
            pool = tenon.Pool(executor)
            self.assertEqual(pool.threads, 3)
            for _ in range(10):
                self.assertEqual(bytes(program.run(inputs, pool=pool)["y"]), want)
            self.assertTrue(asked)
            # On all of the executor's own threads at once: nobody waits for a thread that is not there.
            runs = [executor.submit(program.run, inputs, pool=pool) for _ in range(6)]
            for run in runs:
                self.assertEqual(bytes(run.result()["y"]), want)
            stop = tenon.Stop()
            stop.request()
            with self.assertRaises(tenon.Error) as e:
                program.run(inputs, pool=pool, stop=stop)
            self.assertEqual(e.exception.code, "program.stopped")
        # It is shut down: the calling thread does all.
        self.assertEqual(bytes(program.run(inputs, pool=pool)["y"]), want)
        with self.assertRaisesRegex(ValueError, "how many threads"):
            tenon.Pool(object())

    def test_a_pool_does_each_task_once(self):
        @_library.LoopTask
        def task(_context, i):
            time.sleep(0.0001)
            done.append(i)

        with ThreadPoolExecutor(4) as executor:
            pool = tenon.Pool(executor)
            for count in (1, 2, 3, 100):
                done = []
                pool._run(None, count, task, None)
                self.assertEqual(sorted(done), list(range(count)))

    def test_an_interrupted_run_ends_its_tasks(self):
        program = tenon.load(os.environ["TENON_TEST_LOOPS"])
        inputs = {"x": memoryview(array.array("f", range(1 << 18))).cast("B").cast("f", (512, 512))}
        with ThreadPoolExecutor(3) as executor:
            pool = tenon.Pool(executor)
            want = bytes(program.run(inputs, pool=pool)["y"])
            for k in range(20):
                timer = threading.Timer(0.002 + 0.001 * k, os.kill, (os.getpid(), signal.SIGINT))
                with self.assertRaises(KeyboardInterrupt):
                    timer.start()
                    while True:
                        program.run(inputs, pool=pool)
                timer.join()
            self.assertEqual(bytes(program.run(inputs, pool=pool)["y"]), want)

    @unittest.skipIf(numpy is None, "there is no NumPy")
    def test_numpy(self):
        x = numpy.arange(12, dtype=numpy.float32).reshape(4, 3)
        got = self.program(x=x[::2], weights=x[1::2])  # not contiguous
        numpy.testing.assert_array_equal(got["weighted"], x[::2] * x[1::2])
        got["weighted"][0, 0] = 1  # it is the caller's
        numpy.testing.assert_array_equal(self.program([[1, 2, 3]], [[2, 2, 2]])["total"], [2, 4, 6])
        with self.assertRaisesRegex(TypeError, "complex"):
            self.program(x.astype(complex), x)

        class Held:  # as tensors of other libraries are
            def __dlpack__(self, **_):
                return x.__dlpack__()

            def __dlpack_device__(self):
                return x.__dlpack_device__()

        numpy.testing.assert_array_equal(self.program(Held(), Held())["weighted"], x * x)


class Compiling(unittest.TestCase):
    def setUp(self):
        if not _program.library.has_compiler:
            self.skipTest("this is the library without the compiler")

    def test_compiles(self):
        program = tenon.compile(os.environ["TENON_TEST_MODEL"])
        x = memoryview(array.array("f", [-1, 2, -3, 4])).cast("B").cast("f", (2, 2))
        y = program(x=x)["y"]
        self.assertEqual([float(y[0, 1]), float(y[1, 0])], [4.0, 0.0])
        with self.assertRaises(tenon.Error) as e:
            tenon.compile(os.environ["TENON_TEST_MODEL"], target="no_such_target")
        self.assertEqual(e.exception.code, "target.unknown")

    def test_constrains(self):
        model, both = os.environ["TENON_TEST_MODEL"], "composite(cpu,second@cpu)"
        x = memoryview(array.array("f", [-1, 2, -3, 4])).cast("B").cast("f", (2, 2))
        program = tenon.compile(model, both, constraints={"*": "second"})
        self.assertEqual([float(program(x=x)["y"][i, j]) for i in (0, 1) for j in (0, 1)], [0, 4, 0, 8])
        for where, target, code in (({"nobody": "second"}, both, "target.no_node"),
                                    ({"*": "secnd"}, both, "target.no_member"),
                                    ({"*": "interpreter"}, "cpu", "target.elsewhere")):
            with self.assertRaises(tenon.Error) as e:
                tenon.compile(model, target, constraints=where)
            self.assertEqual(e.exception.code, code)

    def test_opens_what_a_host_follows(self):
        program = tenon.load(os.environ["TENON_TEST_BUNDLE"])
        x = memoryview(array.array("f", [1, 0, 2, 0, 0, 3, 0, 4])).cast("B").cast("f", (2, 4))
        self.assertEqual(sorted(program(x=x)), ["r", "s"])
        stop = tenon.Stop()
        self.assertEqual(sorted(program.run({"x": x}, stop=stop)), ["r", "s"])
        stop.request()
        with self.assertRaises(tenon.Error) as e:
            program.run({"x": x}, stop=stop)
        self.assertEqual(e.exception.code, "program.stopped")


class HostFunctions(unittest.TestCase):
    """host.tir: y = -f(x + x, nothing, w), and a list of integers, which "test.scale" gives."""

    def setUp(self):
        if not _program.library.has_compiler:
            self.skipTest("this is the library without the compiler")
        self.program = tenon.load(os.environ["TENON_TEST_HOST"])
        self.x, self.w = floats(2, [1, 2, 3, 4, 5, 6]), memoryview(array.array("f", [1, 10, 100]))
        self.way = self.scale
        tenon.add_host_function("test.scale", lambda *operands: self.way(*operands))
        self.addCleanup(tenon.remove_host_function, "test.scale")

    def scale(self, a, nothing, w):
        self.assertIsNone(nothing)
        rows = a.shape[0]
        y = floats(rows, [float(a[i, j]) * float(w[j]) for i in range(rows) for j in range(3)])
        return y, memoryview(array.array("q", [3 * rows]))

    def run_it(self):
        return self.program(x=self.x, w=self.w)

    def test_is_called(self):
        got = self.run_it()
        self.assertEqual([float(got["y"][1, j]) for j in range(3)], [-8, -100, -1200])
        self.assertEqual([int(n) for n in got["n"]], [6])

    def test_operands_are_views_that_stay_and_are_not_written(self):
        kept = []

        def keep(a, nothing, w):
            kept.append(a)
            return self.scale(a, nothing, w)

        self.way = keep
        for _ in range(3):
            self.run_it()
        self.assertEqual([float(a[1, 2]) for a in kept], [12, 12, 12])
        with self.assertRaises((TypeError, ValueError)):
            kept[0][0, 0] = 1

    def test_what_is_raised_is_the_runs_error(self):
        def fail(*_):
            raise KeyError("no such scale")

        self.way = fail
        with self.assertRaisesRegex(tenon.Error, "function 'test.scale' failed: KeyError: 'no such scale'"):
            self.run_it()
        self.way = lambda *_: None
        with self.assertRaisesRegex(tenon.Error, "gives 0 results, and the module states 2"):
            self.run_it()
        self.way = lambda a, nothing, w: (w, w)
        with self.assertRaisesRegex(tenon.Error, "result 0 of function 'test.scale' is f32"):
            self.run_it()
        self.way = lambda *_: object()
        with self.assertRaisesRegex(tenon.Error, "TypeError"):
            self.run_it()
        self.way = self.scale
        self.run_it()

    def test_names(self):
        for name, code in (("test.scale", "host_function.taken"), ("", "host_function.name")):
            with self.assertRaises(tenon.Error) as e:
                tenon.add_host_function(name, self.scale)
            self.assertEqual(e.exception.code, code)
        self.assertTrue(tenon.remove_host_function("test.scale"))
        self.assertFalse(tenon.remove_host_function("test.scale"))
        with self.assertRaises(tenon.Error) as e:
            self.run_it()
        self.assertEqual(e.exception.code, "host_function.absent")

    def test_what_is_removed_is_let_go(self):
        before = len(_host._registered)
        tenon.add_host_function("test.other", self.scale)
        self.assertEqual(len(_host._registered), before + 1)
        tenon.remove_host_function("test.other")
        self.assertEqual(len(_host._registered), before)


class WithoutCompiler(unittest.TestCase):
    def test_says_so(self):
        if _program.library.has_compiler:
            self.skipTest("this is the library with the compiler")
        with self.assertRaises(tenon.Error) as e:
            tenon.compile("model.onnx")
        self.assertEqual(e.exception.code, "library.compiler")
        with self.assertRaises(tenon.Error) as e:
            tenon.add_host_function("f", print)
        self.assertEqual(e.exception.code, "library.compiler")


if __name__ == "__main__":
    unittest.main()
