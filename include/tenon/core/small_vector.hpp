/// @file small_vector: a list of plain values, of which a few need no memory of their own.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon {

/// As std::vector where what it offers is enough. Up to `Few` elements stand in the object itself.
template <class T, size_t Few>
class small_vector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>);

 public:
  using value_type = T;

  small_vector() = default;
  small_vector(std::initializer_list<T> values) : small_vector(std::span<const T>(values.begin(), values.size())) {}
  explicit small_vector(std::span<const T> values) {
    for (const T& v : values) push_back(v);
  }

  size_t size() const { return many_.empty() ? count_ : many_.size(); }
  bool empty() const { return size() == 0; }
  T* data() { return many_.empty() ? few_ : many_.data(); }
  const T* data() const { return many_.empty() ? few_ : many_.data(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  T& operator[](size_t i) { return data()[i]; }
  const T& operator[](size_t i) const { return data()[i]; }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }
  const T& front() const { return data()[0]; }

  void push_back(T v) {
    if (many_.empty() && count_ < Few) {
      few_[count_++] = v;
    } else {
      if (many_.empty()) many_.assign(few_, few_ + Few);
      many_.push_back(v);
    }
  }
  void clear() { many_.clear(), count_ = 0; }

  operator std::vector<T>() const { return {begin(), end()}; }
  friend bool operator==(const small_vector& a, const small_vector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator==(const small_vector& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T few_[Few];
  size_t count_ = 0;     ///< of `few_`
  std::vector<T> many_;  ///< all, where there are more than a few
};

}  // namespace tenon
