/// @file freed_memory: what a compilation took and does not need any more goes back to the system.
#pragma once

namespace tenon {

/// Gives pages that this process has freed back, where the system's allocator keeps them for itself (glibc does, once
/// large blocks were freed). For the end of work that took much memory. Cost: as of a walk over the free blocks.
void return_freed_memory() noexcept;

}  // namespace tenon
