// Texts, each once.
#include <doctest/doctest.h>

#include <tenon/core/interned_strings.hpp>

using namespace tenon;

TEST_CASE("interned_strings: equal texts have one number") {
  interned_strings texts;
  CHECK(texts.find("a") == hash_index::none);
  const auto [a, fresh] = texts.intern("a");
  CHECK((a == 0 && fresh));
  CHECK(texts.intern(std::string("a\0b", 3)).number == 1);
  CHECK(texts.intern(std::string("a\0c", 3)).number == 2);
  CHECK_FALSE(texts.intern("a").fresh);
  CHECK(texts.intern("").number == 3);
  CHECK((texts[0] == "a" && texts.size() == 4));
  for (int i = 0; i < 1000; ++i) CHECK(texts.intern("n" + std::to_string(i)).number == static_cast<u32>(4 + i));
  for (int i = 0; i < 1000; ++i) CHECK(texts.find("n" + std::to_string(i)) == static_cast<u32>(4 + i));
  const interned_strings copy = texts;
  CHECK(copy.find("n7") == 11);
}
