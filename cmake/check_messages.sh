#!/bin/sh
# check_messages.sh: what a compiler says of several programs at once is told apart (messages_of_programs.awk), and
# nothing is given to a program that may be another's.
set -u
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0
apart() { awk -v group=/g/files_1.cpp -v "folder=$scratch" -v "kind=$1" -f messages_of_programs.awk; }
expect() {  # a program, what must be said of it
  if [ "$(cat "$scratch/$1.txt" 2> /dev/null)" != "$2" ]; then
    failed=1
    echo "FAILED: of $1 is said:"; cat "$scratch/$1.txt"
  fi
  rm -f "$scratch/$1.txt"
}

apart gcc << 'END'
program /t/a.cpp
program /t/b.cpp
program /t/c.cpp
program /t/d.cpp
program /t/silent.cpp
In file included from /g/files_1.cpp:9:
/t/a.cpp: In function 'void file_1::f()':
/t/a.cpp:2:1: error: wrong: 'file_1::x'
    2 | x();
      | ^
In file included from /i/deep.hpp:3,
                 from /g/files_1.cpp:1:
/i/said.hpp: In instantiation of 'struct file_1::y':
/t/a.cpp:3:1:   required from here
/i/said.hpp:7:1: error: static assertion failed: a
/t/a.cpp:1:1: note: declared here
/i/said.hpp: In instantiation of 'struct file_2::y':
/t/b.cpp:3:1:   required from here
/i/said.hpp:7:1: error: static assertion failed: b
/i/said.hpp: In instantiation of 'struct shared':
/t/c.cpp:3:1:   required from here
/i/said.hpp:7:1: error: static assertion failed: c
/t/d.cpp:3:1: note: also required here
END
expect a "/t/a.cpp: In function 'void f()':
/t/a.cpp:2:1: error: wrong: 'x'
    2 | x();
      | ^
In file included from /i/deep.hpp:3,
                 from /g/files_1.cpp:1:
/i/said.hpp: In instantiation of 'struct y':
/t/a.cpp:3:1:   required from here
/i/said.hpp:7:1: error: static assertion failed: a
/t/a.cpp:1:1: note: declared here"
expect b "In file included from /i/deep.hpp:3,
                 from /g/files_1.cpp:1:
/i/said.hpp: In instantiation of 'struct y':
/t/b.cpp:3:1:   required from here
/i/said.hpp:7:1: error: static assertion failed: b"
for name in c d silent; do expect $name ""; done

apart clang << 'END'
program /t/a.cpp
program /t/b.cpp
In file included from /g/files_1.cpp:9:
/t/a.cpp:2:1: error: wrong
    2 | x();
      | ^
/i/said.hpp:7:1: error: of nobody in particular
2 errors generated.
END
for name in a b; do expect $name ""; done

apart clang << 'END'
program /t/a.cpp
program /t/b.cpp
In file included from /g/files_1.cpp:9:
/t/a.cpp:2:1: error: wrong
In file included from /g/files_1.cpp:10:
/t/b.cpp:2:1: warning: not an error
1 warning and 1 error generated.
END
expect a "/t/a.cpp:2:1: error: wrong
1 error generated."
expect b ""
[ "$failed" = 0 ] && echo "messages are told apart"
exit "$failed"
