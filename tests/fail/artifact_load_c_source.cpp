// C source is compiled before it is loaded, and is no ELF object.
#include <tenon/artifacts/c_source.hpp>

namespace tn = tenon;

void start(const tn::artifact<tn::formats::c_source>& source) {
#ifdef TENON_TWIN
  const auto code = tn::load(tn::link(source));
#else
  // CHECK: tenon-E040: code of format 'c_source' cannot be loaded, it can be saved and linked: compile it first: load(link(source))
  const auto code = tn::load(source);
#endif
  code.entry();
}
