/// @file jit.cpp: runs an object in this process.
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Host.h>

#include "table.hpp"

namespace tenon::codegen {

namespace {
template <class T>
T checked(llvm::Expected<T> v, const char* what) {
  if (!v) throw error("codegen.jit", std::string(what) + ": " + llvm::toString(v.takeError()));
  return std::move(*v);
}

std::unique_ptr<llvm::orc::LLJIT> make_jit() {
  llvm::orc::LLJITBuilder builder;
  // Objects are all that is added: LLVM need not ask for the processor (processor.hpp).
  builder.setJITTargetMachineBuilder(llvm::orc::JITTargetMachineBuilder(llvm::Triple(llvm::sys::getProcessTriple())));
  return checked(builder.create(), "cannot start the JIT");
}

class jit_object final : public loaded_object {
 public:
  explicit jit_object(const object_code& object) : jit_(make_jit()) {
    auto buffer =
        llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(object.bytes.data(), object.bytes.size()), "tenon");
    if (llvm::Error e = jit_->addObjectFile(std::move(buffer)))
      throw error("codegen.jit", "cannot add the object: " + llvm::toString(std::move(e)));
  }
  void* find(const std::string& symbol) const override {
    return checked(jit_->lookup(symbol), "cannot find an entry").toPtr<void*>();
  }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};
}  // namespace

std::unique_ptr<loaded_object> load_by_jit(const object_code& object) { return std::make_unique<jit_object>(object); }

}  // namespace tenon::codegen
