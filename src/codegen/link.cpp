/// @file link.cpp: objects to shared objects, with lld's library: no linker needs to be installed.
#include <lld/Common/Driver.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <mutex>

#include <tenon/compile/codegen.hpp>
#include <tenon/runtime/program_file.hpp>

#include "table.hpp"

LLD_HAS_DRIVER(elf)

namespace tenon::codegen {

namespace {
struct temporary_file {
  llvm::SmallString<128> path;
  explicit temporary_file(const char* suffix) {
    if (std::error_code e = llvm::sys::fs::createTemporaryFile("tenon", suffix, path)) {
      llvm::SmallString<128> folder;
      llvm::sys::path::system_temp_directory(true, folder);
      throw error("codegen.link", "cannot make a temporary file in '" + folder.str().str() + "': " + e.message(), {},
                  "check TMPDIR, which names the folder, and the free space there");
    }
  }
  ~temporary_file() { llvm::sys::fs::remove(path); }
};
}  // namespace

std::vector<char> link_shared_by_lld(const object_code& object, std::optional<u64> interface) {
  static std::mutex one_at_a_time;  // lld keeps its state in globals
  const std::lock_guard lock(one_at_a_time);
  temporary_file in("o"), out("so");
  {
    std::error_code e;
    llvm::raw_fd_ostream stream(in.path, e);
    if (!e) stream.write(object.bytes.data(), object.bytes.size());
    stream.close();
    if (e || stream.has_error())
      throw error("codegen.link", "cannot write " + in.path.str().str(), {}, "check the free space");
  }
  std::string messages;
  llvm::raw_string_ostream log(messages);
  std::vector<const char*> arguments = {"ld.lld", "--threads=1", "-shared", "--build-id=none", "--eh-frame-hdr",
                                        "-z",     "noexecstack", "-o",      out.path.c_str(),  in.path.c_str()};
  const std::string defined =
      interface ? std::string("--defsym=") + interface_symbol + "=" + std::to_string(*interface) : std::string();
  if (interface) arguments.push_back(defined.c_str());
  const lld::Result r = lld::lldMain(arguments, log, log, {{lld::Gnu, &lld::elf::link}});
  if (r.retCode != 0) throw error("codegen.link", "lld: " + messages);
  auto buffer = llvm::MemoryBuffer::getFile(out.path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) throw error("codegen.link", "cannot read " + out.path.str().str());
  return {(*buffer)->getBufferStart(), (*buffer)->getBufferEnd()};
}

}  // namespace tenon::codegen
