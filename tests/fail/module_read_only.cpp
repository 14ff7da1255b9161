// A module of which something is known cannot be edited behind its facts.
#include "house.hpp"
#include <tenon/ir/ir_module.hpp>

using namespace house;

void spoil(tn::ir_module<graph, shapes_known> m) {
#ifdef TENON_TWIN
  tn::ir_module<graph> e = std::move(m).edit();
  e.body().compact();
#else
  // GCC: error: passing 'const tenon::ir::module' as 'this' argument discards qualifiers
  // CLANG: error: 'this' argument to member function 'compact' has type 'const ir::module', but function is not marked const
  m.body().compact();
#endif
}
