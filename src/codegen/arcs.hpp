/// @file arcs.hpp: inverse trigonometric functions of single precision as straight-line vector code.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace tenon::codegen {

/// Of f32 or a vector of it, within 3 ulp.
llvm::Value* arc_tangent(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* arc_sine(llvm::IRBuilder<>& b, llvm::Value* x);
llvm::Value* arc_cosine(llvm::IRBuilder<>& b, llvm::Value* x);

}  // namespace tenon::codegen
