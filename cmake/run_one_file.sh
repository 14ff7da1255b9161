#!/bin/sh
# run_one_file.sh CXX ROOT LESSON FILECHECK: compiles a lesson that has its definitions as README says it, and checks its output.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" -std=c++20 -Wall -Wextra -Werror -I "$2/include" "$2/examples/$3.cpp" -ldl -pthread -o "$scratch/lesson"
sh "$2/cmake/run_example.sh" "$scratch/lesson" "$4" "$2/examples/$3.cpp"
