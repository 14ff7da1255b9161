/// @file large_pages.ipp: definition of core/large_pages.hpp.
#pragma once

#include <cstdint>

#include <sys/mman.h>

#include <tenon/core/large_pages.hpp>

namespace tenon {

void prefer_large_pages(void* begin, std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 2 << 20;
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (at + page - 1) / page * page, end = (at + bytes) / page * page;
  if (first < end) static_cast<void>(::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
#else
  static_cast<void>(begin), static_cast<void>(bytes);
#endif
}

}  // namespace tenon
