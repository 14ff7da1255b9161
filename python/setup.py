"""A wheel of the package and of the shared libraries that lie beside __init__.py: TENON_LIBRARIES names their folder.

    TENON_LIBRARIES=build/gcc python3 setup.py bdist_wheel
"""

import os
import shutil

from setuptools import Distribution, setup

here = os.path.dirname(os.path.abspath(__file__))
libraries = os.environ.get("TENON_LIBRARIES")
if libraries:
    for name in ("libtenon_runtime.so", "libtenon_compiler.so"):
        if os.path.exists(os.path.join(libraries, name)):
            shutil.copyfile(os.path.join(libraries, name), os.path.join(here, "tenon", name))


class WithLibraries(Distribution):
    def has_ext_modules(self):
        return True  # of one platform


commands = {}
try:
    from wheel.bdist_wheel import bdist_wheel

    class Wheel(bdist_wheel):
        def get_tag(self):
            return ("py3", "none") + super().get_tag()[2:]  # ctypes: every Python 3

    commands["bdist_wheel"] = Wheel
except ImportError:
    pass

setup(
    name="tenon",
    version="0.1.0",
    description="Runs and compiles tensor programs",
    license="Apache-2.0",
    packages=["tenon"],
    package_data={"tenon": ["*.so"]},
    python_requires=">=3.8",
    extras_require={"numpy": ["numpy"]},
    distclass=WithLibraries,
    cmdclass=commands,
)
