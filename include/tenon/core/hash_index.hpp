/// @file hash_index: numbers found by what stands at them: a table of open addressing that holds hashes and numbers but
/// no keys, so that who asks compares. For lists that are searched millions of times: a node for each key, and a copy
/// of the key in it, is most of what a search costs.
///
///     hash_index by_name;
///     by_name.insert(hash_of(names.back()), names.size() - 1);
///     const u32 n = by_name.find(hash_of(name), [&](u32 k) { return names[k] == name; });  // or hash_index::none
#pragma once

#include <bit>
#include <cstring>
#include <string_view>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon {

/// Another word for what was hashed so far. (FNV-1a's step, http://www.isthe.com/chongo/tech/comp/fnv, on eight bytes,
/// with the high bits, where a multiplication mixes best, brought down.)
constexpr u64 hash_mixed(u64 hash, u64 word) {
  hash = (hash ^ word) * 1099511628211u;
  return hash ^ hash >> 29;
}
inline constexpr u64 hash_start = 1469598103934665603u;

/// Of bytes, on this machine: not to be written to files.
inline u64 hash_of(std::string_view bytes) {
  u64 hash = hash_mixed(hash_start, bytes.size());
  size_t at = 0;
  for (u64 word; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    hash = hash_mixed(hash, word);
  }
  u64 rest = 0;
  for (; at < bytes.size(); ++at) rest = rest << 8 | static_cast<unsigned char>(bytes[at]);
  return hash_mixed(hash, rest);
}

class hash_index {
 public:
  static constexpr u32 none = ~u32{};

  hash_index() = default;
  /// For so many numbers without growing.
  explicit hash_index(size_t most) : places_(std::bit_ceil(2 * most + 1)) {}

  /// The number that was put in under this hash and for which `same(number)` holds, or `none`. Cost: O(1), as long as
  /// hashes differ.
  template <class Same>
  u32 find(u64 hash, const Same& same) const {
    if (places_.empty()) return none;
    const u32 h = folded(hash);
    for (size_t i = h & last(); places_[i].number != none; i = (i + 1) & last())
      if (places_[i].hash == h && same(places_[i].number)) return places_[i].number;
    return none;
  }
  /// Puts in a number that is not there.
  void insert(u64 hash, u32 number) {
    if (2 * (count_ + 1) > places_.size()) grow();
    put({folded(hash), number});
    ++count_;
  }
  /// Takes a number out, if it is there.
  void erase(u64 hash, u32 number) {
    if (places_.empty()) return;
    size_t hole = folded(hash) & last();
    for (; places_[hole].number != number; hole = (hole + 1) & last())
      if (places_[hole].number == none) return;
    --count_;
    // What stands behind moves up, unless its search begins behind the hole.
    for (size_t i = (hole + 1) & last(); places_[i].number != none; i = (i + 1) & last())
      if (((i - (places_[i].hash & last())) & last()) >= ((i - hole) & last())) places_[hole] = places_[i], hole = i;
    places_[hole] = {};
  }
  void clear() { places_.clear(), count_ = 0; }
  size_t size() const { return count_; }

 private:
  struct place {
    u32 hash = 0, number = none;
  };
  static constexpr u32 folded(u64 hash) { return static_cast<u32>(hash ^ hash >> 32); }
  size_t last() const { return places_.size() - 1; }
  void put(place p) {
    size_t i = p.hash & last();
    while (places_[i].number != none) i = (i + 1) & last();
    places_[i] = p;
  }
  void grow() {
    std::vector<place> old(places_.empty() ? 16 : 2 * places_.size());
    old.swap(places_);
    for (const place& p : old)
      if (p.number != none) put(p);
  }

  std::vector<place> places_;  ///< none, or a power of two and at least twice as many as numbers
  size_t count_ = 0;
};

}  // namespace tenon
