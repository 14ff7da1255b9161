// Strings and their numbers; values that are not tensors.
#include <tenon/runtime/strings.hpp>

#include <doctest/doctest.h>

#include <thread>

#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/value.hpp>

using namespace tenon;

TEST_CASE("strings: equal ones have equal numbers, and the empty one is zero") {
  CHECK(string_number("") == 0);
  CHECK(string_number("abc") == string_number(std::string("ab") + "c"));
  CHECK(string_number("abc") != string_number("abd"));
  CHECK(string_of(string_number("äö\n")) == "äö\n");
  CHECK_THROWS_WITH_AS(string_of(u64{1} << 60), doctest::Contains("no string of the number"), error);
}

TEST_CASE("strings: tensors of them") {
  tensor t = string_tensor({2, 2}, {"a", "", "b", "a"});
  CHECK(t.describe() == "string[2,2]");
  CHECK(strings_of(t) == std::vector<std::string>{"a", "", "b", "a"});
  set_string(t, 1, "x");
  CHECK(string_at(t, 1) == "x");
  CHECK(strings_of(tensor(dtype::string, {2})) == std::vector<std::string>{"", ""});
  CHECK_THROWS_AS(string_tensor({3}, {"a"}), error);
  CHECK_THROWS_AS(string_at(t, 4), error);
  CHECK_THROWS_AS(string_at(tensor(dtype::i64, {1}), 0), error);
  CHECK(compare(t, t.clone()).ok);
  const comparison c = compare(t, string_tensor({2, 2}, {"a", "x", "c", "a"}));
  CHECK_FALSE(c.ok);
  CHECK(c.message == "element [1,0] is 'b', want 'c'");
}

TEST_CASE("strings: many threads may add the same ones") {
  std::vector<std::thread> threads;
  std::vector<std::vector<u64>> seen(4);
  for (auto& mine : seen)
    threads.emplace_back([&mine] {
      for (int i = 0; i < 2000; ++i) mine.push_back(string_number("t" + std::to_string(i)));
    });
  for (auto& t : threads) t.join();
  for (const auto& other : seen) CHECK(other == seen[0]);
}

TEST_CASE("value: kinds, sharing and changing") {
  value s = value::sequence({tensor::scalar(1.f), value(), value::sequence({})});
  CHECK(s.describe() == "sequence(f32[], nothing, sequence())");
  const value copy = s;
  s.own_items().pop_back();
  CHECK(s.items().size() == 2);
  CHECK(copy.items().size() == 3);
  CHECK_THROWS_WITH_AS(s.as_tensor(), doctest::Contains("it is a sequence, not a tensor"), error);
  CHECK_THROWS_AS(value().items(), error);
}
