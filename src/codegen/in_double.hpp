/// @file in_double.hpp: functions of single precision that double precision makes easy, as straight-line vector code.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace tenon::codegen::in_double {

/// Of f32 or vectors of it, within 1 ulp, of infinities and what is no number as C has it.
llvm::Value* pow(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);
llvm::Value* sinh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* cosh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* asinh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* acosh(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* atanh(llvm::IRBuilder<>& b, llvm::Value* x);

}  // namespace tenon::codegen::in_double
