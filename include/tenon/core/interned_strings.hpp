/// @file interned_strings: strings, each once, by number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/hash_index.hpp>

namespace tenon {

class interned_strings {
 public:
  const std::string& operator[](size_t number) const { return strings_[number]; }
  size_t size() const { return strings_.size(); }
  /// Its number, or `hash_index::none`.
  u32 find(std::string_view s) const {
    return numbers_.find(hash_of(s), [&](u32 n) { return strings_[n] == s; });
  }
  struct interned {
    u32 number;
    bool fresh;
  };
  /// Its number, which is the next one if it is new.
  interned intern(std::string_view s) {
    if (const u32 n = find(s); n != hash_index::none) return {n, false};
    const u32 number = static_cast<u32>(strings_.size());
    strings_.emplace_back(s);
    numbers_.insert(hash_of(s), number);
    return {number, true};
  }

 private:
  std::vector<std::string> strings_;
  hash_index numbers_;
};

}  // namespace tenon
