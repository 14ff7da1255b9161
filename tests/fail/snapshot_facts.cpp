// A file proves nothing.
#include <tenon/ir/module_file.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/phases/all.hpp>

namespace tn = tenon;
using known = tn::ir_module<tn::phases::optimization, tn::fact::shapes_known>;

void go_on() {
#ifdef TENON_TWIN
  known m = tn::establish<tn::fact::shapes_known>(tn::load<tn::phases::optimization>("model.tmod"));
#else
  // GCC: error: conversion from 'ir_module<{{.*}}>' to non-scalar type 'ir_module<{{.*}},tenon::fact::shapes_known>' requested
  // CLANG: error: no viable conversion from 'ir_module<{{.*}}(no argument)>' to {{.*}}shapes_known
  known m = tn::load<tn::phases::optimization>("model.tmod");
#endif
}
