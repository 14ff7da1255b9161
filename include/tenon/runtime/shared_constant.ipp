/// @file shared_constant.ipp: definition of runtime/shared_constant.hpp.
///
/// Candidates are found by the number of bytes and some of them, and compared whole: what is shared is equal.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenon/runtime/shared_constant.hpp>
#include <tenon/runtime/tensor.ipp>

namespace tenon {
namespace detail {

class constant_pool {
 public:
  static constexpr size_t least_bytes = 4096, sample_bytes = 64;

  static constant_pool& all() {
    static auto* const pool = new constant_pool;  // programs of static storage end after main
    return *pool;
  }

  tensor shared(tensor t) {
    const auto size = static_cast<size_t>(t.bytes());
    if (size < least_bytes || !t.owner() || t.type() == dtype::string || t.source() != nullptr) return t;
    const void* const data = std::as_const(t).data();
    const std::string key = sample(data, size);
    for (const held& c : candidates(key)) {
      if (alignment(c.data) < alignment(data)) continue;  // code may count on what this one has
      if (c.data != data && std::memcmp(c.data, data, size) != 0) continue;
      tensor same = tensor::view(t.type(), t.shape(), c.data, c.owner);
      if (c.data != data) release_pages(t);
      return same;
    }
    const std::lock_guard lock(mutex_);
    known_.emplace(key, entry{t.owner(), data});
    if (known_.size() > 2 * alive_ + 64) {
      std::erase_if(known_, [](const auto& one) { return one.second.owner.expired(); });
      alive_ = known_.size();
    }
    return t;
  }

 private:
  struct entry {
    std::weak_ptr<const void> owner;
    const void* data;
  };
  struct held {
    std::shared_ptr<const void> owner;
    const void* data;
  };
  /// The size, and bytes of the beginning, the middle and the end.
  static std::string sample(const void* data, size_t size) {
    std::string key = std::to_string(size);
    for (const size_t at : {size_t{0}, size / 2, size - sample_bytes})
      key.append(static_cast<const char*>(data) + at, sample_bytes);
    return key;
  }
  static std::uintptr_t alignment(const void* p) {
    const auto a = reinterpret_cast<std::uintptr_t>(p);
    return std::min<std::uintptr_t>(a & -a, tensor_alignment);
  }
  std::vector<held> candidates(const std::string& key) {
    const std::lock_guard lock(mutex_);
    std::vector<held> r;
    for (auto [it, end] = known_.equal_range(key); it != end; ++it)
      if (auto owner = it->second.owner.lock()) r.push_back({std::move(owner), it->second.data});
    return r;
  }

  std::mutex mutex_;
  std::unordered_multimap<std::string, entry> known_;
  size_t alive_ = 0;  ///< entries when it was swept last
};

}  // namespace detail

tensor shared_constant(tensor t) { return detail::constant_pool::all().shared(std::move(t)); }

}  // namespace tenon
