// Conversion gives facts up, and never makes them up.
#include "house.hpp"
#include <tenon/ir/ir_module.hpp>

using namespace house;

void gain(tn::ir_module<graph> m) {
#ifdef TENON_TWIN
  tn::ir_module<graph> n = std::move(m);
#else
  // GCC: error: conversion from {{.*}} to non-scalar type {{.*}}shapes_known{{.*}} requested
  // CLANG: error: no viable conversion from {{.*}}(no argument){{.*}} to {{.*}}shapes_known
  tn::ir_module<graph, shapes_known> n = std::move(m);
#endif
  static_cast<void>(n);
}
