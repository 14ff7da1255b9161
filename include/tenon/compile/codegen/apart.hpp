/// @file apart: LLVM in processes of its own, so that what it runs out of, or fails in, is an error here.
///
/// LLVM ends the process when memory runs out; it is compiled without exceptions, so nothing thrown may pass through
/// it, and no handler may return. What keeps this process sound is that LLVM runs, and ends, in another one: a fork for
/// each piece of code, which sends the bytes back. Costs a few milliseconds each; code is then linked and loaded as
/// that of a program file. Errors: "codegen.memory", "codegen.process"; those of the code generator come through as
/// they are.
#pragma once

namespace tenon::codegen {

/// Says for the whole process how code is made from here on; at first, in this process. A fork has this thread only:
/// turn it on where no other thread makes code at the time, as in a command line. Link `tenon::llvm`.
void make_code_apart(bool apart);
bool makes_code_apart();

/// Opens what code is made with (`files_opened_later`), if it is not open yet: for a thread that has nothing else to do
/// while a model is read. Else it is opened when it is first needed. Throws what that would.
void open_generator();

}  // namespace tenon::codegen
