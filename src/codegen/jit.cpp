/// @file jit.cpp: runs an object in this process.
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>

#include <tenon/compile/codegen.hpp>

namespace tenon::codegen {

struct jit_code::implementation {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void* entry = nullptr;
};

namespace {
template <class T>
T checked(llvm::Expected<T> v, const char* what) {
  if (!v) throw error("codegen.jit", std::string(what) + ": " + llvm::toString(v.takeError()));
  return std::move(*v);
}
}  // namespace

jit_code::jit_code(const object_code& object) : implementation_(std::make_unique<implementation>()) {
  implementation_->jit = checked(llvm::orc::LLJITBuilder().create(), "cannot start the JIT");
  auto& jit = *implementation_->jit;
  auto buffer =
      llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.bytes.data(), object.bytes.size()), "tenon");
  if (llvm::Error e = jit.addObjectFile(std::move(buffer)))
    throw error("codegen.jit", "cannot add the object: " + llvm::toString(std::move(e)));
  implementation_->entry = checked(jit.lookup(object.entry), "cannot find the entry").toPtr<void*>();
}
jit_code::jit_code(jit_code&&) noexcept = default;
jit_code& jit_code::operator=(jit_code&&) noexcept = default;
jit_code::~jit_code() = default;
void* jit_code::entry() const { return implementation_->entry; }

}  // namespace tenon::codegen
