// An object is linked before it is loaded.
#include <tenon/artifacts/elf.hpp>

namespace tn = tenon;

void start(const tn::artifact<tn::formats::elf_object>& object) {
#ifdef TENON_TWIN
  auto code = tn::load(tn::link(object));
#else
  // CHECK: tenon-E040: code of format 'elf_object' cannot be loaded, it can be saved and linked: link it first: load(link(object))
  auto code = tn::load(object);
#endif
  code.entry();
}
