/// @file environment.cpp: the floating-point environment of a thread while code runs on it.
#include "emitter.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAArch64.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace tenon::codegen {

using llvm::Value;

bool can_flush_denormals(const llvm::Triple& triple) { return triple.isX86() || triple.isAArch64(); }

Value* flush_denormals(llvm::IRBuilder<>& b) {
  constexpr u32 ftz = 0x8000, daz = 0x0040;
  constexpr u64 fz = u64{1} << 24;
  llvm::Module* out = b.GetInsertBlock()->getModule();
  if (out->getTargetTriple().isAArch64()) {
    Value* before =
        b.CreateIntrinsic(llvm::Intrinsic::aarch64_get_fpcr, llvm::ArrayRef<llvm::Type*>(), llvm::ArrayRef<Value*>());
    b.CreateIntrinsic(llvm::Intrinsic::aarch64_set_fpcr, {}, {b.CreateOr(before, fz)});
    return before;
  }
  Value* before = b.CreateAlloca(b.getInt32Ty(), nullptr, "environment");
  Value* now = b.CreateAlloca(b.getInt32Ty());
  b.CreateCall(llvm::Intrinsic::getOrInsertDeclaration(out, llvm::Intrinsic::x86_sse_stmxcsr), {before});
  b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt32Ty(), before), ftz | daz), now);
  b.CreateCall(llvm::Intrinsic::getOrInsertDeclaration(out, llvm::Intrinsic::x86_sse_ldmxcsr), {now});
  return before;
}
void give_back(llvm::IRBuilder<>& b, Value* environment) {
  llvm::Module* out = b.GetInsertBlock()->getModule();
  if (out->getTargetTriple().isAArch64()) {
    b.CreateIntrinsic(llvm::Intrinsic::aarch64_set_fpcr, {}, {environment});
    return;
  }
  b.CreateCall(llvm::Intrinsic::getOrInsertDeclaration(out, llvm::Intrinsic::x86_sse_ldmxcsr), {environment});
}

}  // namespace tenon::codegen
