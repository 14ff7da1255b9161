// Strings, each once.
#include <doctest/doctest.h>

#include <tenon/core/interned_strings.hpp>

using namespace tenon;

TEST_CASE("interned_strings: equal ones have one number") {
  interned_strings all;
  CHECK(all.find("a") == hash_index::none);
  const auto [a, fresh] = all.intern("a");
  CHECK((a == 0 && fresh));
  CHECK(all.intern(std::string("a\0b", 3)).number == 1);
  CHECK(all.intern(std::string("a\0c", 3)).number == 2);
  CHECK_FALSE(all.intern("a").fresh);
  CHECK(all.intern("").number == 3);
  CHECK((all[0] == "a" && all.size() == 4));
  for (int i = 0; i < 1000; ++i) CHECK(all.intern("n" + std::to_string(i)).number == static_cast<u32>(4 + i));
  for (int i = 0; i < 1000; ++i) CHECK(all.find("n" + std::to_string(i)) == static_cast<u32>(4 + i));
  const interned_strings copy = all;
  CHECK(copy.find("n7") == 11);
}
