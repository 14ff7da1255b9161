#!/bin/sh
# check_components.sh CMAKE PREFIX [TARGET…]: find_package(tenon) says which components there are, and why one is not there;
# programs link each TARGET, such as tenon::llvm, and README lists them all.
set -u
cd "$(dirname "$0")/.." || exit 1
cmake=$1 prefix=$2
shift 2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
config=$(dirname "$(find "$prefix" -name tenonConfig.cmake | head -n 1)")
refused() {  # COMPONENT SENTENCE
  rm -rf "$scratch/build"
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\nfind_package(tenon REQUIRED COMPONENTS %s)\n' "$1" \
    > "$scratch/CMakeLists.txt"
  "$cmake" -S "$scratch" -B "$scratch/build" "-Dtenon_DIR=$config" > "$scratch/log" 2>&1 && { echo "$1 was found"; exit 1; }
  tr -s ' \n' ' ' < "$scratch/log" | grep -qF "$2" || { cat "$scratch/log"; echo "'$2' was expected"; exit 1; }
}
listed=$(sed -n 's/^| `\(tenon::[a-z_]*\)` .*/\1/p' README.md)
for target in "$@"; do
  echo "$listed" | grep -qx "$target" || { echo "README does not list $target"; exit 1; }
done
{
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n'
  for component in llvm tool; do
    case " $* " in *" tenon::$component "*) echo "find_package(tenon REQUIRED COMPONENTS $component)" ;; esac
  done
  echo "find_package(tenon REQUIRED)"
  for target in "$@"; do
    program=$(echo "$target" | tr -d :)
    printf 'add_executable(%s main.cpp)\ntarget_link_libraries(%s PRIVATE %s)\n' "$program" "$program" "$target"
  done
} > "$scratch/CMakeLists.txt"
echo "int main() {}" > "$scratch/main.cpp"
{ "$cmake" -S "$scratch" -B "$scratch/build" "-Dtenon_DIR=$config" && "$cmake" --build "$scratch/build"; } > "$scratch/log" 2>&1 ||
  { cat "$scratch/log"; echo "programs do not link $*"; exit 1; }
refused lvm "tenon has no component 'lvm': there are llvm and tool."
mkdir "$scratch/partial"
for file in "$config"/*; do
  case $file in *LLVMTargets* | *ToolTargets*) ;; *) ln -s "$file" "$scratch/partial/" ;; esac
done
config=$scratch/partial
refused llvm "This tenon was built without LLVM: configure it with -DTENON_LLVM=ON."
refused tool "This tenon was built without its command line: configure it with -DTENON_TOOLS=ON."
echo "find_package names components, and gives $*"
