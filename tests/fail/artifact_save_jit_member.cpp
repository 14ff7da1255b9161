// The same, asked of the program itself.
#include <tenon/targets/cpu.hpp>

namespace tn = tenon;

void keep(const tn::ir_module<tn::phases::built>& built) {
#ifdef TENON_TWIN
  tn::artifact_of<tn::formats::elf_object>(built).save("model.o");
#else
  // CHECK: tenon-E040: code of format 'jit' cannot be saved, it can be called: it is memory of this process; save what it was made from: save(path, built)
  tn::jit(built).save("model.o");
#endif
}
