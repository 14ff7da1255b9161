/// @file large_pages: memory that is taken in few pages.
#pragma once

#include <cstddef>

namespace tenon {

/// Asks for large pages (2 MiB) where memory that was just allocated has room for whole ones: writing it for the first
/// time then costs a page fault for each of these in place of 512. Memory that nobody writes is still not taken. Does
/// nothing for small blocks, and where the system has no such pages.
void prefer_large_pages(void* begin, std::size_t bytes) noexcept;

}  // namespace tenon
