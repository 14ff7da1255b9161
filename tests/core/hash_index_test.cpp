// Numbers found by hash, against a std::map.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>

#include <tenon/core/hash_index.hpp>

using namespace tenon;

TEST_CASE("hash_index: finds what was put in and not taken out, as a map does") {
  // Keys of few bits and hashes of fewer: searches go past others, and holes are filled from behind.
  for (u64 seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<u64> keys;  // by number
    std::map<u64, u32> there;
    hash_index index;
    const auto hash = [&](u64 key) { return key % 7 * (seed % 3 == 0 ? 0 : 0x100000001); };
    const auto found = [&](u64 key) { return index.find(hash(key), [&](u32 n) { return keys[n] == key; }); };
    for (int step = 0; step < 4000; ++step) {
      const u64 key = random() % 200;
      const auto at = there.find(key);
      REQUIRE(found(key) == (at == there.end() ? hash_index::none : at->second));
      if (at != there.end()) {
        index.erase(hash(key), at->second);
        there.erase(at);
      } else {
        there[key] = static_cast<u32>(keys.size());
        index.insert(hash(key), there[key]);
        keys.push_back(key);
      }
      REQUIRE(index.size() == there.size());
    }
    for (u64 key = 0; key < 200; ++key) REQUIRE((found(key) != hash_index::none) == there.contains(key));
  }
}

TEST_CASE("hash_index: an empty one finds nothing, and takes nothing out") {
  hash_index index;
  CHECK(index.find(1, [](u32) { return true; }) == hash_index::none);
  index.erase(1, 0);
  index.insert(1, 5);
  index.erase(1, 6);  // another number
  CHECK(index.find(1, [](u32 n) { return n == 5; }) == 5);
  index.clear();
  CHECK(index.find(1, [](u32) { return true; }) == hash_index::none);
}

TEST_CASE("hash_of: texts that differ in a byte, or in their length, mostly differ") {
  std::map<u64, std::string> by_hash;
  for (size_t length = 0; length < 20; ++length)
    for (size_t at = 0; at <= length; ++at)
      for (char c : {'\0', 'a', 'b', '\xff'}) {
        std::string s(length, 'x');
        if (at < length) s[at] = c;
        const auto [other, fresh] = by_hash.emplace(hash_of(s), s);
        CHECK((fresh || other->second == s));
      }
}
