/// @file freed_memory.ipp: definition of core/freed_memory.hpp.
#pragma once

#include <cstdlib>
#if defined(__GLIBC__)
#  include <malloc.h>
#endif

#include <tenon/core/freed_memory.hpp>
#include <tenon/core/large_memory.hpp>

namespace tenon {

void return_freed_memory() noexcept {
  return_large_memory();
#if defined(__GLIBC__)
  static_cast<void>(::malloc_trim(0));
#endif
}

}  // namespace tenon
