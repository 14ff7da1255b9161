"""tenon for Conan 2, built from the checkout that this file is in: conan create packaging/conan"""

import os

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

FOLDERS = ("cmake", "include", "src", "tools", "tests/support", "scripts", "python/tenon")


class Tenon(ConanFile):
    name = "tenon"
    description = "A library of typed compiler passes, and a tensor compiler built from it"
    license = "Apache-2.0"
    topics = ("compiler", "tensor", "onnx", "metaprogramming")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    # LLVM 22 and lld are taken from the system: Debian has them as llvm-22-dev and liblld-22-dev.
    options = {"llvm": [True, False], "fPIC": [True, False]}
    default_options = {"llvm": False, "fPIC": True}

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "CMakeLists.txt"))
        self.version = text.split("project(tenon VERSION ")[1].split()[0]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for folder in FOLDERS:
            copy(self, folder + "/*", root, self.export_sources_folder)
        for file in ("CMakeLists.txt", "LICENSE"):
            copy(self, file, root, self.export_sources_folder)

    def requirements(self):
        # Who takes the headers alone, tenon::tenon, includes these in one file of its own.
        for package in ("nlohmann_json/3.11.3", "protozero/1.7.1", "xsimd/13.0.0"):
            self.requires(package, transitive_headers=True)

    def validate(self):
        if self.settings.os != "Linux" or self.settings.arch != "x86_64":
            raise ConanInvalidConfiguration("tenon is built on Linux, x86-64")
        check_min_cppstd(self, 20)  # of a profile that says less: -s compiler.cppstd=20

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["TENON_LLVM"] = "ON" if self.options.llvm else "OFF"
        # Libraries for images would be those that the machine happens to have.
        for option in ("TESTS", "EXAMPLES", "TOOLS", "C_API", "CCACHE", "IMAGES"):
            toolchain.cache_variables["TENON_" + option] = "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # What is installed has a tenonConfig.cmake of its own, with tenon::tenon, tenon::compiled, tenon::judge, tenon::llvm.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "tenon"))
        self.cpp_info.libs = ["tenon_compiled"]
        self.cpp_info.includedirs.append("include/tenon_linked")
        self.cpp_info.system_libs = ["pthread", "dl"]
        if self.options.llvm:
            self.cpp_info.libs.insert(0, "tenon_llvm")
            self.cpp_info.defines = ["TENON_HAS_LLVM=1"]
