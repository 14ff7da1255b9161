/// @file jit.cpp: runs an object in this process.
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/TargetParser/Host.h>

#include <unistd.h>

#include <cstdio>
#include <mutex>

#include <tenon/runtime/loaded_code.hpp>

#include "table.hpp"

namespace tenon::codegen {

namespace {
template <class T>
T checked(llvm::Expected<T> v, const char* what) {
  if (!v) throw error("codegen.jit", std::string(what) + ": " + llvm::toString(v.takeError()));
  return std::move(*v);
}

/// Writes where functions are to /tmp/perf-PID.map, as `perf` reads it: a line each, "address size name", both in
/// hexadecimal. A file that cannot be written is left out: what runs is not worse for it.
class perf_map final : public llvm::orc::ObjectLinkingLayer::Plugin {
 public:
  void modifyPassConfig(llvm::orc::MaterializationResponsibility&, llvm::jitlink::LinkGraph&,
                        llvm::jitlink::PassConfiguration& passes) override {
    // Functions that only their own section calls are left; else their names would be dropped.
    passes.PrePrunePasses.push_back([](llvm::jitlink::LinkGraph& g) {
      for (llvm::jitlink::Symbol* s : g.defined_symbols())
        if (s->hasName() && s->isCallable()) s->setLive(true);
      return llvm::Error::success();
    });
    passes.PostFixupPasses.push_back([](llvm::jitlink::LinkGraph& g) {
      static std::mutex one_at_a_time;
      const std::lock_guard lock(one_at_a_time);
      const std::string path = "/tmp/perf-" + std::to_string(::getpid()) + ".map";
      if (std::FILE* f = std::fopen(path.c_str(), "a")) {
        for (const llvm::jitlink::Symbol* s : g.defined_symbols())
          if (s->hasName() && s->isCallable() && s->getSize() != 0)
            std::fprintf(f, "%llx %llx %s\n", static_cast<unsigned long long>(s->getAddress().getValue()),
                         static_cast<unsigned long long>(s->getSize()), (*s->getName()).str().c_str());
        std::fclose(f);
      }
      return llvm::Error::success();
    });
  }
  llvm::Error notifyFailed(llvm::orc::MaterializationResponsibility&) override { return llvm::Error::success(); }
  llvm::Error notifyRemovingResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey) override {
    return llvm::Error::success();
  }
  void notifyTransferringResources(llvm::orc::JITDylib&, llvm::orc::ResourceKey, llvm::orc::ResourceKey) override {}
};

std::unique_ptr<llvm::orc::LLJIT> make_jit() {
  llvm::orc::LLJITBuilder builder;
  // Objects are all that is added: LLVM need not ask for the processor (processor.hpp).
  builder.setJITTargetMachineBuilder(llvm::orc::JITTargetMachineBuilder(llvm::Triple(llvm::sys::getProcessTriple())));
  if (perf_map_asked())
    builder.setObjectLinkingLayerCreator([](llvm::orc::ExecutionSession& session) {
      auto layer = std::make_unique<llvm::orc::ObjectLinkingLayer>(session);
      layer->addPlugin(std::make_shared<perf_map>());
      return llvm::Expected<std::unique_ptr<llvm::orc::ObjectLayer>>(std::move(layer));
    });
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
