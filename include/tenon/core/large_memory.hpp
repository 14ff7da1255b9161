/// @file large_memory: memory for what is large, in few pages.
#pragma once

#include <cstddef>

namespace tenon {

/// What is smaller, malloc serves as well.
inline constexpr std::size_t least_large_memory = std::size_t{1} << 20;

/// Zeroed memory, at a multiple of 64 bytes; null where there is none. It comes from areas of 32 MiB for which the
/// system is asked for large pages (2 MiB): writing it for the first time costs a page fault for each of these in place
/// of 512, and what was freed is used again without any. Memory that nobody writes is not taken. Safe to call from
/// several threads, and in a process that was forked meanwhile. Cost: as of a walk over the blocks that there are.
void* allocate_large(std::size_t bytes) noexcept;

/// Gives back what `allocate_large` gave, for what is allocated next. Beyond 32 MiB that are free, pages go back to the
/// system.
void free_large(void* block) noexcept;

/// False where a sanitizer's allocator serves in its place, which sees what is written beside a block.
bool has_large_areas() noexcept;

/// Gives all free pages of these areas back to the system.
void return_large_memory() noexcept;

}  // namespace tenon
