// What load<Phase> gives is a module, of which nothing is known.
#include <tenon/ir/module_file.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/program.hpp>

namespace tn = tenon;

void start() {
#ifdef TENON_TWIN
  auto p = tn::program::open("model.tenon");
  auto m = tn::establish<tn::fact::shapes_known>(tn::load<tn::phases::optimization>("model.tmod"));
#else
  // GCC: error: conversion from 'tenon::ir_module<tenon::phases::built>' to non-scalar type 'tenon::program' requested
  // CLANG: error: no viable conversion from 'ir_module<{{.*}}phases::built>' to 'tn::program'
  tn::program p = tn::load<tn::phases::built>("model.tmod");
#endif
}
