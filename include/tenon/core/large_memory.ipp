/// @file large_memory.ipp: definition of core/large_memory.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include <pthread.h>
#include <sys/mman.h>

#include <tenon/core/large_memory.hpp>

// Sanitizers see what is written beside a block, or after it was freed, only where the allocator is theirs.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define TENON_MALLOC_ALONE 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#    define TENON_MALLOC_ALONE 1
#  endif
#endif

namespace tenon {
#if defined(TENON_MALLOC_ALONE)
void* allocate_large(std::size_t bytes) noexcept {
  constexpr std::size_t alignment = 64;
  if (bytes > SIZE_MAX - alignment) return nullptr;
  char* const whole = static_cast<char*>(std::calloc(1, bytes + alignment));  // of which a page is taken when written
  if (whole == nullptr) return nullptr;
  char* const block = whole + (alignment - reinterpret_cast<std::uintptr_t>(whole) % alignment);
  std::memcpy(block - sizeof whole, &whole, sizeof whole);
  return block;
}
void free_large(void* block) noexcept {
  if (block == nullptr) return;
  void* whole = nullptr;
  std::memcpy(&whole, static_cast<char*>(block) - sizeof whole, sizeof whole);
  std::free(whole);
}
bool has_large_areas() noexcept { return false; }
void return_large_memory() noexcept {}
#else
namespace detail {

class large_memory {
 public:
  void* take(std::size_t bytes) noexcept;
  void give(void* block) noexcept;
  void trim() noexcept;
  std::mutex& mutex() { return mutex_; }

 private:
  static constexpr std::size_t large_page = std::size_t{2} << 20, least_area = std::size_t{32} << 20,
                               most_kept = std::size_t{32} << 20;
  struct extent {
    std::size_t bytes;
    bool is_first;  ///< of its area
    bool is_taken = false;
    bool is_zero = true;  ///< nobody wrote to it
  };
  using extents = std::map<char*, extent>;

  bool is_free_area(extents::iterator e) const {
    const auto next = std::next(e);
    return !e->second.is_taken && e->second.is_first && (next == extents_.end() || next->second.is_first);
  }
  extents::iterator add_area(std::size_t bytes);   ///< whole pages
  extents::iterator release(extents::iterator e);  ///< the pages, where it is free; what comes next

  std::mutex mutex_;
  extents extents_;  ///< all there are, by address
};

inline large_memory::extents::iterator large_memory::add_area(std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) return extents_.end();
  const std::size_t alone = bytes;
  bytes = (std::max(bytes, least_area) + large_page - 1) / large_page * large_page;
  const auto map = [](std::size_t n) {
    return ::mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  const std::size_t mapped = bytes + large_page;
  void* place = map(mapped);
  std::size_t before = 0;
  if (place != MAP_FAILED) {
    before = (large_page - reinterpret_cast<std::uintptr_t>(place) % large_page) % large_page;
    char* const begin = static_cast<char*>(place);
    if (before != 0) ::munmap(begin, before);
    ::munmap(begin + before + bytes, mapped - before - bytes);
  } else if (place = map(bytes = alone); place == MAP_FAILED) {  // where a limit leaves room for the block alone
    return extents_.end();
  }
  char* const begin = static_cast<char*>(place) + before;
#  if defined(MADV_HUGEPAGE)
  static_cast<void>(::madvise(begin, bytes, MADV_HUGEPAGE));
#  endif
  try {
    return extents_.insert_or_assign(begin, extent{bytes, true}).first;
  } catch (const std::bad_alloc&) {
    ::munmap(begin, bytes);
    return extents_.end();
  }
}

inline void* large_memory::take(std::size_t bytes) noexcept {
  constexpr std::size_t page = 4096;  // so that free ones can be given back
  const std::size_t wanted = (bytes + page - 1) / page * page;
  if (wanted < bytes) return nullptr;
  char* block = nullptr;
  bool was_zero = false;
  {
    const std::lock_guard lock(mutex_);
    auto e = extents_.begin();
    while (e != extents_.end() && (e->second.is_taken || e->second.bytes < wanted)) ++e;
    if (e == extents_.end()) e = add_area(wanted);
    if (e == extents_.end()) return nullptr;
    if (e->second.bytes > wanted) {
      try {
        extents_.insert({e->first + wanted, {e->second.bytes - wanted, false, false, e->second.is_zero}});
      } catch (const std::bad_alloc&) { return nullptr; }
      e->second.bytes = wanted;
    }
    e->second.is_taken = true;
    was_zero = std::exchange(e->second.is_zero, false);
    block = e->first;
  }
  if (!was_zero) std::memset(block, 0, bytes);
  return block;
}

inline void large_memory::give(void* block) noexcept {
  const std::lock_guard lock(mutex_);
  auto e = extents_.find(static_cast<char*>(block));
  e->second.is_taken = false;
  const auto joins_next = [&](extents::iterator first) {
    const auto second = std::next(first);
    if (second == extents_.end() || first->second.is_taken || second->second.is_taken || second->second.is_first)
      return false;
    first->second.bytes += second->second.bytes;
    first->second.is_zero = first->second.is_zero && second->second.is_zero;
    extents_.erase(second);
    return true;
  };
  joins_next(e);
  if (e != extents_.begin())
    if (const auto before = std::prev(e); joins_next(before)) e = before;
  std::size_t kept = 0;
  for (const auto& [begin, x] : extents_)
    if (!x.is_taken && !x.is_zero) kept += x.bytes;
  if (kept > most_kept) release(e);
}

inline large_memory::extents::iterator large_memory::release(extents::iterator e) {
  extent& x = e->second;
  if (is_free_area(e)) {
    ::munmap(e->first, x.bytes);
    return extents_.erase(e);
  }
  if (!x.is_taken && !x.is_zero) x.is_zero = ::madvise(e->first, x.bytes, MADV_DONTNEED) == 0;
  return std::next(e);
}

inline void large_memory::trim() noexcept {
  const std::lock_guard lock(mutex_);
  for (auto e = extents_.begin(); e != extents_.end();) e = release(e);
}

/// Is never destroyed: what stands in static variables is freed late.
inline large_memory& all_large_memory() {
  static large_memory& all = [&]() -> large_memory& {
    static union place {
      large_memory memory;
      place() : memory() {}
      ~place() {}
    } one;
    ::pthread_atfork([] { all_large_memory().mutex().lock(); }, [] { all_large_memory().mutex().unlock(); },
                     [] { all_large_memory().mutex().unlock(); });
    return one.memory;
  }();
  return all;
}

}  // namespace detail

void* allocate_large(std::size_t bytes) noexcept { return detail::all_large_memory().take(bytes); }
void free_large(void* block) noexcept {
  if (block != nullptr) detail::all_large_memory().give(block);
}
bool has_large_areas() noexcept { return true; }
void return_large_memory() noexcept { detail::all_large_memory().trim(); }
#endif

}  // namespace tenon

#undef TENON_MALLOC_ALONE
