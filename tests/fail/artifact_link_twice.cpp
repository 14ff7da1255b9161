// What is linked already is loaded.
#include <tenon/artifacts/elf.hpp>

namespace tn = tenon;

void start(const tn::artifact<tn::formats::elf_shared>& shared) {
#ifdef TENON_TWIN
  const auto code = tn::load(shared);
#else
  // CHECK: tenon-E040: code of format 'elf_shared' cannot be linked, it can be saved and loaded: it is linked already
  const auto code = tn::load(tn::link(shared));
#endif
  code.entry();
}
