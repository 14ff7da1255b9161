// Short lists and long ones.
#include <doctest/doctest.h>

#include <tenon/core/small_vector.hpp>

using namespace tenon;

TEST_CASE("small_vector: the same list, whether it is short or long") {
  small_vector<int, 3> some;
  std::vector<int> all;
  for (int i = 0; i < 10; ++i) {
    some.push_back(i), all.push_back(i);
    CHECK(std::vector<int>(some) == all);
    CHECK((some.size() == all.size() && some.back() == i && some.front() == 0));
    const small_vector<int, 3> copy = some;
    CHECK((copy == some && some == all && all == some));
    CHECK((copy.data() == some.data()) == false);
    const std::span<const int> seen = copy;
    CHECK(seen[static_cast<size_t>(i)] == i);
  }
  some[4] = 40;
  CHECK(*(some.begin() + 4) == 40);
  some.clear();
  CHECK(some.empty());
  some.push_back(7);
  CHECK((some.size() == 1 && some[0] == 7));
  CHECK(small_vector<int, 3>{1, 2, 3, 4} == small_vector<int, 3>{1, 2, 3, 4});
  CHECK_FALSE(small_vector<int, 3>{1, 2} == small_vector<int, 3>{1, 2, 3});

  small_vector<int, 3> long_one{1, 2, 3, 4};
  const small_vector<int, 3> taken = std::move(long_one);
  CHECK(taken == small_vector<int, 3>{1, 2, 3, 4});
  CHECK(long_one.end() - long_one.begin() <= 3);  // what is left is a list, too
  long_one.clear();
  long_one.push_back(5);
  CHECK(long_one == small_vector<int, 3>{5});
}
