// The smallest extents that meet conditions are those that trying all of them finds.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include <tenon/core/error.hpp>
#include <tenon/core/smallest_extents.hpp>

using namespace tenon;

namespace {

using conditions = std::vector<extent_condition>;
using names = std::vector<std::string>;
using extents = std::vector<i64>;

conditions read(std::initializer_list<const char*> texts) {
  conditions r;
  for (const char* t : texts) r.push_back(extent_condition::parse(t).value());
  return r;
}

bool hold(const conditions& list, const names& n, const extents& values) {
  try {
    for (const extent_condition& c : list)
      if (!c.holds(c.value.evaluate([&](const std::string& s) {
            return values[static_cast<size_t>(std::find(n.begin(), n.end(), s) - n.begin())];
          })))
        return false;
  } catch (const error&) { return false; }
  return true;
}

struct random_conditions {
  std::mt19937 random{7};
  i64 number(i64 low, i64 high) { return std::uniform_int_distribution<i64>(low, high)(random); }
  extent_expr expression(int depth, const names& n) {
    if (depth == 0 || number(0, 4) == 0)
      return number(0, 4) == 0 ? extent_expr(number(0, 30))
                               : extent_expr::name(n[static_cast<size_t>(number(0, static_cast<i64>(n.size()) - 1))]);
    const extent_expr a = expression(depth - 1, n);
    switch (number(0, 5)) {
      case 0: return a + expression(depth - 1, n);
      case 1: return a - expression(depth - 1, n);
      case 2: return a * extent_expr(number(1, 5));
      case 3: return floor_div(a, number(2, 8));
      case 4: return floor_mod(a, number(2, 8));
      default: return maximum(a, expression(depth - 1, n));
    }
  }
  conditions next(const names& n) {
    conditions r;
    for (i64 count = number(1, 3); count > 0; --count)
      r.push_back({expression(2, n) - number(0, 12),
                   number(0, 3) == 0 ? extent_condition::is_zero : extent_condition::not_negative});
    return r;
  }
};

}  // namespace

TEST_CASE("what conditions on one extent ask, and on several") {
  CHECK(smallest_extents({}, names{"n"}) == extents{1});
  CHECK(smallest_extents(read({"n-33>=0"}), names{"n"}) == extents{33});
  CHECK(smallest_extents(read({"((n+3)/4)-2>=0"}), names{"n"}) == extents{5});
  CHECK(smallest_extents(read({"(n%8)==0", "n-9>=0"}), names{"n"}) == extents{16});
  CHECK(smallest_extents(read({"(n-400)/160-75>=0", "n-512>=0"}), names{"n"}) == extents{12400});
  CHECK(smallest_extents(read({"m-n==0", "n-33>=0"}), names{"n", "m"}) == extents{33, 33});
  CHECK(smallest_extents(read({"m-n-2>=0", "n-k==0", "k-3>=0"}), names{"n", "m", "k"}) == extents{3, 5, 3});
  // No extent is larger than another one needs it: 5 raises n at first, then m grows by itself.
  CHECK(smallest_extents(read({"n+m-5>=0", "m-9>=0"}), names{"n", "m"}) == extents{1, 9});
  CHECK(smallest_extents(read({"n-33>=0", "other-7==0"}), names{"n"}) == extents{33});  // left aside
  CHECK_FALSE(smallest_extents(read({"n-4==0", "n-5>=0"}), names{"n"}));
  CHECK_FALSE(smallest_extents(read({"-n>=0"}), names{"n"}));
}

TEST_CASE("conditions on one extent: the smallest that holds, where there is one") {
  random_conditions random;
  const names n{"n"};
  for (int k = 0; k < 1500; ++k) {
    const conditions list = random.next(n);
    i64 least = 1;
    while (least < 600 && !hold(list, n, {least})) ++least;
    const auto found = smallest_extents(list, n);
    std::string what;
    for (const auto& c : list) what += c.text() + "  ";
    INFO(what);
    if (least < 600) {
      REQUIRE(found);
      CHECK(found->at(0) == least);
    } else if (found) CHECK(hold(list, n, *found));
  }
}

TEST_CASE("conditions on two extents: none could be less, and most that can be met are") {
  random_conditions random;
  const names n{"n", "m"};
  int possible = 0, met = 0;
  for (int k = 0; k < 1500; ++k) {
    const conditions list = random.next(n);
    bool any = false;
    for (i64 a = 1; a <= 24 && !any; ++a)
      for (i64 b = 1; b <= 24 && !any; ++b) any = hold(list, n, {a, b});
    const auto found = smallest_extents(list, n);
    possible += any, met += any && found;
    if (!found) continue;
    std::string what;
    for (const auto& c : list) what += c.text() + "  ";
    INFO(what);
    CHECK(hold(list, n, *found));
    for (size_t i = 0; i < 2; ++i)
      for (extents less = *found; --less[i] > 0;) REQUIRE_FALSE(hold(list, n, less));
  }
  CHECK(possible > 500);
  CHECK(met * 100 >= possible * 95);
}

TEST_CASE("shapes of inputs: given ones stay, and say what their names are") {
  const auto dim = [](const char* text) { return extent_expr::parse(text); };
  const std::vector<open_shape> inputs{{{dim("n"), dim("3")}, {}}, {{dim("m"), dim("n+2"), std::nullopt}, {}}};
  using shapes = std::vector<std::vector<i64>>;
  CHECK(smallest_shapes(inputs, {}) == shapes{{1, 3}, {1, 3, 1}});
  CHECK(smallest_shapes(inputs, read({"n-4>=0", "m-2*n>=0"})) == shapes{{4, 3}, {8, 6, 1}});
  std::vector<open_shape> some = inputs;
  some[0].given = {7, 3};
  CHECK(smallest_shapes(some, read({"n-4>=0", "m-2*n>=0"})) == shapes{{7, 3}, {14, 9, 1}});
  some[0].given = {2, 3};
  CHECK_FALSE(smallest_shapes(some, read({"n-4>=0"})));
  // An extent that is a difference is not 0 either.
  CHECK(smallest_shapes(std::vector<open_shape>{{{dim("n"), dim("n-3")}, {}}}, {}) == shapes{{4, 1}});
}
