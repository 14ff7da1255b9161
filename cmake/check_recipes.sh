#!/bin/sh
# check_recipes.sh CMAKE recipes|conan|vcpkg: the vcpkg port and the Conan recipe name this version, options that tenon has,
# and files that are there. Their tools are not needed: the port runs in `cmake -P`, with functions that note how they were
# called; the recipe in Python, with a module `conan` that does nothing. `conan` and `vcpkg`: the tool reads its recipe.
set -u
cd "$(dirname "$0")/.." || exit 1
cmake=$1 part=$2
port=packaging/vcpkg/tenon
if [ "$part" != recipes ]; then
  command -v "$part" > /dev/null || { echo "SKIPPED: there is no $part"; exit 77; }
  case $part in conan) conan inspect packaging/conan ;; vcpkg) vcpkg format-manifest "$port/vcpkg.json" ;; esac
  exit
fi
command -v python3 > /dev/null || { echo "SKIPPED: there is no python3"; exit 77; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; exit 1; }
version=$(sed -n 's/^project(tenon VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
grep -q "version_major = $(echo "$version" | sed 's/\./, version_minor = /; s/\./, version_patch = /');" include/tenon/core/version.hpp ||
  fail "core/version.hpp and CMakeLists.txt name different versions"

cat > "$scratch/port.cmake" << END
cmake_minimum_required(VERSION 3.25)
set(FEATURES core llvm tools)
set(PORT tenon)
set(CURRENT_PACKAGES_DIR "$scratch/vcpkg")
file(WRITE "$scratch/vcpkg/debug/include/x" "")
function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES")
  set(all)
  while(arg_FEATURES)
    list(POP_FRONT arg_FEATURES feature option)
    list(APPEND all -D\${option}=ON)
    file(APPEND "$scratch/features" "\${feature}\n")
  endwhile()
  set(\${arg_OUT_FEATURE_OPTIONS} \${all} PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  file(WRITE "$scratch/source" "\${arg_SOURCE_PATH}")
  list(JOIN arg_OPTIONS "\n" lines)
  file(WRITE "$scratch/options" "\${lines}\n")
endfunction()
foreach(name check_linkage cmake_install cmake_config_fixup fixup_pkgconfig copy_tools install_copyright)
  cmake_language(EVAL CODE "function(vcpkg_\${name})\nendfunction()")
endforeach()
include("\${PORT_FILE}")
END
"$cmake" -DPORT_FILE="$(pwd)/$port/portfile.cmake" -P "$scratch/port.cmake" || fail "$port/portfile.cmake"
[ "$(cat "$scratch/source")" = "$(pwd)" ] || fail "the port builds '$(cat "$scratch/source")'"
[ -f "$scratch/vcpkg/share/tenon/usage" ] && [ ! -e "$scratch/vcpkg/debug/include" ] || fail "the port leaves files in the wrong place"

cat > "$scratch/recipes.py" << 'END'
import importlib.util, json, os, shutil, sys, types
version, features, sources = sys.argv[1], open(sys.argv[2]).read().split(), sys.argv[3]
port = json.load(open("packaging/vcpkg/tenon/vcpkg.json"))
assert port["name"] == "tenon" and port["version-semver"] == version, "vcpkg.json: name and version"
assert set(port["features"]) == set(features), "vcpkg.json and portfile.cmake differ in features"
for dependency in port["dependencies"]:
    assert isinstance(dependency, str) or {"name"} <= set(dependency) <= {"name", "host", "features"}, dependency

class Anything:
    def __init__(self, *_): self.cache_variables = made
    def __getattr__(self, _): return lambda *a, **k: None
made = {}
def copy(_, pattern, root, to):  # as Conan's: `folder/*` is all that is in it
    name, target = os.path.join(root, pattern.removesuffix("/*")), os.path.join(to, pattern.removesuffix("/*"))
    os.makedirs(os.path.dirname(target), exist_ok=True)
    (shutil.copytree if pattern.endswith("/*") else shutil.copy)(name, target)
for name, members in {"conan": {"ConanFile": type("ConanFile", (), {})}, "conan.tools": {},
                      "conan.errors": {"ConanInvalidConfiguration": type("ConanInvalidConfiguration", (Exception,), {})},
                      "conan.tools.build": {"check_min_cppstd": lambda *_: None, "can_run": lambda *_: False},
                      "conan.tools.cmake": dict.fromkeys(("CMake", "CMakeDeps", "CMakeToolchain"), Anything) | {"cmake_layout": lambda *_: None},
                      "conan.tools.files": {"copy": copy, "load": lambda _, f: open(f).read()}}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)
def recipe(path):
    spec = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
tenon = recipe("packaging/conan/conanfile.py").Tenon()
recipe("packaging/conan/test_package/conanfile.py").Consumer()
tenon.recipe_folder, tenon.export_sources_folder = "packaging/conan", sources
tenon.options = types.SimpleNamespace(llvm=True)
tenon.set_version(), tenon.export_sources(), tenon.generate()
requires = {}
tenon.requires = lambda reference, **traits: requires.update({reference.split("/")[0]: traits})
tenon.requirements()
assert requires and all(t == {"transitive_headers": True} for t in requires.values()), requires  # else consumers lack them
for system, arch, good in (("Linux", "x86_64", True), ("Windows", "x86_64", False), ("Linux", "armv8", False)):
    tenon.settings = types.SimpleNamespace(os=system, arch=arch)
    try:
        tenon.validate()
        assert good, f"{system} {arch} is accepted"
    except sys.modules["conan.errors"].ConanInvalidConfiguration:
        assert not good, f"{system} {arch} is refused"
tenon.cpp_info = types.SimpleNamespace(builddirs=[], includedirs=["include"], set_property=lambda *_: None)
tenon.package_info()
assert tenon.cpp_info.libs == ["tenon_llvm", "tenon_compiled"] and tenon.cpp_info.defines == ["TENON_HAS_LLVM=1"]
assert tenon.version == version, tenon.version
for name, value in made.items():
    print(f"-D{name}={value}")
END
python3 "$scratch/recipes.py" "$version" "$scratch/features" "$scratch/sources" > "$scratch/conan" || fail "the recipes"
cp "$scratch/options" "$scratch/port_options"
cat "$scratch/conan" >> "$scratch/options"
for option in $(sed 's/^-D//; s/=.*//' "$scratch/options" | sort -u); do
  grep -qE "^(option|set)\\($option " cmake/tenon_options.cmake || fail "there is no option $option"
done
# What images are read with does not follow from what the machine happens to have.
for kind in port conan; do
  [ $kind = conan ] && options="$scratch/conan" || options="$scratch/port_options"
  grep -qx -- "-DTENON_IMAGES=OFF" "$options" || fail "the $kind reads images by whatever libraries there are"
done
# What the recipe exports is enough to configure, without LLVM, and to install.
sed -i 's/^-DTENON_LLVM=.*/-DTENON_LLVM=OFF/' "$scratch/conan"
# shellcheck disable=SC2046
"$cmake" -S "$scratch/sources" -B "$scratch/build" $(cat "$scratch/conan") > "$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "what the recipe exports does not configure"; }
grep -qE -- "-l(jpeg|png|webp|tiff|openjp2)" "$scratch"/build/pkgconfig/*.pc && fail "libraries for images are linked"
"$cmake" --build "$scratch/build" -- -n > "$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the recipe does not export what is built"; }
for file in $(grep -ohE "\"$scratch/sources/[^\"]*\"" $(find "$scratch/build" -name cmake_install.cmake) | tr -d '"' | sort -u); do
  [ -e "$file" ] || fail "the recipe does not export $file, which is installed"
done
echo "the recipes set $(sort -u "$scratch/options" | wc -l) options, all of them tenon's"
