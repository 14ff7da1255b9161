/// @file alike: bodies of parallel loops, and kernels without such loops, that differ in numbers alone are one
/// function.
///
/// Networks repeat a layer for other sizes, and each has kernels of its own. Where two of them have the same
/// instructions, one is left: it reads the numbers in which they differ from a table, where it begins. LLVM takes as
/// long as there are instructions, so a DenseNet compiles in half of the time.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace tenon::codegen {

/// A function that the runtime calls for pieces of a loop: its first argument is the record of what it uses.
struct parallel_body {
  llvm::Function* function = nullptr;
  llvm::CallInst* call = nullptr;      ///< of the runtime, with the function as an argument
  llvm::AllocaInst* record = nullptr;  ///< a structure whose last field is left to `share_alike`: a pointer
};

/// What differs may be a size, a stride or an offset, and in the innermost loops no more numbers than registers hold
/// beside the rest: code is as fast as before. Of alike bodies the first one is left; kernels keep their names, and
/// call what they share.
void share_alike(llvm::Module& out, llvm::ArrayRef<parallel_body> bodies, llvm::ArrayRef<llvm::Function*> kernels);

}  // namespace tenon::codegen
