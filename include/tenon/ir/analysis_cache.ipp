/// @file analysis_cache.ipp: definitions of ir/analysis_cache.hpp.
#pragma once

#include <tenon/ir/analysis_cache.hpp>

namespace tenon::ir {
namespace detail {
/// Held for a few instructions: nothing is computed meanwhile.
class brief_lock {
 public:
  explicit brief_lock(char& busy) : busy_(busy) {
    while (__atomic_test_and_set(&busy_, __ATOMIC_ACQUIRE)) {}
  }
  brief_lock(const brief_lock&) = delete;
  brief_lock& operator=(const brief_lock&) = delete;
  ~brief_lock() { __atomic_clear(&busy_, __ATOMIC_RELEASE); }

 private:
  char& busy_;
};
}  // namespace detail

const void* analysis_cache::find(const analysis_info& what) const {
  const detail::brief_lock lock(busy_);
  for (const entry& e : entries_)
    if (e.what == &what && !e.retired) return e.value.get();
  return nullptr;
}

const void* analysis_cache::compute(const analysis_info& what, const module& m) {
  std::unique_ptr<void, void (*)(void*)> value(what.compute(m), what.destroy);
  const detail::brief_lock lock(busy_);
  for (const entry& e : entries_)
    if (e.what == &what && !e.retired) return e.value.get();
  return entries_.emplace_back(entry{&what, std::move(value), false}).value.get();
}

void analysis_cache::retire() {
  for (entry& e : entries_) e.retired = true;
}

const analysis_info* analysis_cache::first_untrue(const module& m) const {
  for (const entry& e : entries_) {
    const std::unique_ptr<void, void (*)(void*)> now(e.what->compute(m), e.what->destroy);
    if (!e.what->equal(e.value.get(), now.get())) return e.what;
  }
  return nullptr;
}

}  // namespace tenon::ir
