// The linker of objects takes no C source.
#include <tenon/artifacts/c_source.hpp>

namespace tn = tenon;

tn::artifact<tn::formats::elf_shared> finish(const tn::artifact<tn::formats::c_source>& source) {
#ifdef TENON_TWIN
  return tn::formats::c_source::link(source);
#else
  // GCC: error: cannot convert {{.*}}c_source{{.*}} to {{.*}}elf_object
  // CLANG: error: no viable conversion from {{.*}}c_source{{.*}} to {{.*}}elf_object
  return tn::formats::elf_object::link(source);
#endif
}
