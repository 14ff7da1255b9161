/// @file allocations: memory that runs out where a test says so.
///
/// Defines `operator new` and, with the linker option --wrap=calloc (tensors), calloc: include it in one file of a
/// program. Other threads, and this one when no limit lives, get what they ask for.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#include <tenon/core/int.hpp>

namespace tenon::testing {

struct allocation_budget {
  u64 calls = ~u64{0};  ///< so many succeed
  u64 bytes = ~u64{0};  ///< all of them together
  bool once = false;    ///< after the one that fails, the others succeed again
};

/// While it lives, this thread gets no more than that: `new` throws std::bad_alloc, calloc returns null.
class allocation_limit {
 public:
  explicit allocation_limit(const allocation_budget& b) : budget_(b), outer_(current) { current = this; }
  allocation_limit(const allocation_limit&) = delete;
  allocation_limit& operator=(const allocation_limit&) = delete;
  ~allocation_limit() { current = outer_; }

  u64 calls() const { return calls_; }
  u64 bytes() const { return bytes_; }
  u64 refused() const { return refused_; }

  static bool allows(size_t n) { return current == nullptr || current->take(n); }

 private:
  bool take(size_t n) {
    const bool spent = calls_ >= budget_.calls || n > budget_.bytes - bytes_;
    if (spent && !(budget_.once && refused_ != 0)) {
      ++refused_;
      return false;
    }
    ++calls_;
    if (!spent) bytes_ += n;
    return true;
  }

  allocation_budget budget_;
  allocation_limit* outer_;
  u64 calls_ = 0, bytes_ = 0, refused_ = 0;
  static inline thread_local allocation_limit* current = nullptr;
};

inline void* limited_block(size_t n) noexcept {
  return allocation_limit::allows(n) ? std::malloc(n != 0 ? n : 1) : nullptr;
}
inline void* limited_block(size_t n, std::align_val_t a) noexcept {
  const auto alignment = static_cast<size_t>(a);
  return allocation_limit::allows(n) ? std::aligned_alloc(alignment, (n / alignment + 1) * alignment) : nullptr;
}
inline void* or_throw(void* block) {
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace tenon::testing

[[gnu::noinline]] void* operator new(size_t n) { return tenon::testing::or_throw(tenon::testing::limited_block(n)); }
[[gnu::noinline]] void* operator new[](size_t n) { return tenon::testing::or_throw(tenon::testing::limited_block(n)); }
[[gnu::noinline]] void* operator new(size_t n, const std::nothrow_t&) noexcept {
  return tenon::testing::limited_block(n);
}
[[gnu::noinline]] void* operator new[](size_t n, const std::nothrow_t&) noexcept {
  return tenon::testing::limited_block(n);
}
[[gnu::noinline]] void* operator new(size_t n, std::align_val_t a) {
  return tenon::testing::or_throw(tenon::testing::limited_block(n, a));
}
[[gnu::noinline]] void* operator new[](size_t n, std::align_val_t a) {
  return tenon::testing::or_throw(tenon::testing::limited_block(n, a));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, size_t, std::align_val_t) noexcept { std::free(p); }

extern "C" void* tenon_real_calloc(size_t, size_t) __asm__("__real_calloc");
extern "C" void* tenon_wrapped_calloc(size_t, size_t) __asm__("__wrap_calloc");
extern "C" void* tenon_wrapped_calloc(size_t n, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(n, size, &bytes) || !tenon::testing::allocation_limit::allows(bytes)) return nullptr;
  return tenon_real_calloc(n, size);
}
