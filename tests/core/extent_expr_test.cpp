// The normal form of expressions of extents: what is equal has one text, and the text reads back.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include <tenon/core/checked.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/extent_condition.hpp>
#include <tenon/core/extent_expr.hpp>
#include <tenon/core/extent_names.hpp>

#include <support/caught.hpp>

using namespace tenon;

namespace {

const extent_expr n = extent_expr::name("n"), batch = extent_expr::name("batch"), odd = extent_expr::name("a b"),
                  k = extent_expr::name("k");

i64 value_at(const extent_expr& e, i64 of_n, i64 of_batch) {
  return e.evaluate([&](const std::string& name) { return name == "n" ? of_n : name == "batch" ? of_batch : i64{1}; });
}

bool reads_back(const extent_expr& e) {
  const auto again = extent_expr::parse(e.text());
  return again && again->text() == e.text();
}

}  // namespace

TEST_CASE("sums and products have one spelling") {
  CHECK((n - 1 + 1).text() == "n");
  CHECK((n * batch * 12 * 64).text() == (batch * 768 * n).text());
  CHECK((n * 2 - n - n).text() == "0");
  CHECK((batch + n == n + batch));
  CHECK(((n + 1) * (n + 1) == n * n + n * 2 + 1));
  CHECK(extent_expr(-3).text() == "-3");
  CHECK((odd * 2).text() == "2*`a b`");
}

TEST_CASE("quotients that leave nothing over are resolved, the others are made small") {
  CHECK(floor_div(n * 4, 4) == n);
  CHECK(floor_div(n * batch * 768, n * batch * 12) == extent_expr(64));
  CHECK(floor_div((n + batch) * (n + 1), n + batch) == n + 1);
  CHECK(floor_div(n - 1, 2) + 1 == floor_div(n + 1, 2));
  CHECK(floor_div(floor_div(n, 2), 3) == floor_div(n, 6));
  CHECK(floor_div(floor_div(n - 1, 2), 2) == floor_div(n - 1, 4));
  CHECK(floor_div(n * 6 + 3, 3) == n * 2 + 1);
  CHECK(floor_div(n, batch).text() == "(n/batch)");
  CHECK(floor_mod(n * 3 + 5, 3) == extent_expr(2));
  CHECK(floor_mod(n * 4 + 7, 4) == extent_expr(3));
  CHECK_THROWS_AS(floor_div(n, 0), error);
}

TEST_CASE("maxima and minima are resolved where the sign of the difference is known") {
  CHECK(maximum(n, batch) == maximum(batch, n));
  CHECK(maximum(n + 1, n) == n + 1);
  CHECK(minimum(n, n + 3) == n);
  CHECK(maximum(n, 0) == n);
  CHECK_FALSE(maximum(n - 1, 0) == n - 1);
  CHECK(minimum(n, 512) + maximum(n, 512) == n + 512);
  CHECK((n * 2).never_negative());
  CHECK_FALSE((n - 1).never_negative());
  CHECK((extent_expr(7) - floor_mod(n, 7)).never_negative());
  CHECK((extent_expr(12) - floor_mod(n, 7) * 2).never_negative());
  CHECK_FALSE((extent_expr(11) - floor_mod(n, 7) * 2).never_negative());
  CHECK_FALSE((extent_expr(7) - floor_mod(n, batch)).never_negative());
}

TEST_CASE("signs of nested maxima are found or left open in bounded time") {
  // As layers clamp the sizes of the one before: of each maximum two signs are asked, and of each of these two more.
  extent_expr e = n;
  i64 at_5000_and_3 = 5000;
  for (i64 level = 1; level <= 6; ++level) {
    e = maximum(e - level * 1000, 0) - maximum(batch - e, 0) + n;
    at_5000_and_3 = std::max<i64>(at_5000_and_3 - level * 1000, 0) - std::max<i64>(3 - at_5000_and_3, 0) + 5000;
  }
  CHECK(value_at(e, 5000, 3) == at_5000_and_3);
  CHECK_FALSE(e.never_negative());
}
TEST_CASE("what extents broadcast to: one spelling, a number where there is one, and the other one of a 1") {
  const extent_expr both = broadcast(n, batch);
  CHECK(both == broadcast(batch, n));
  CHECK(broadcast(both, n) == both);
  CHECK(broadcast(broadcast(n, k), batch) == broadcast(n, broadcast(batch, k)));
  CHECK(broadcast(n, n) == n);
  CHECK(broadcast(n, 1) == n);
  CHECK(broadcast(n, 512) == 512);
  CHECK(broadcast(both, 0) == 0);
  CHECK(broadcast(1, 1) == 1);
  CHECK(both.never_negative());
  CHECK_FALSE(broadcast(n - 2, batch).never_negative());
  CHECK(both.names() == std::vector<std::string>{"batch", "n"});
  CHECK(broadcast_operands(broadcast(both, k)).size() == 3);
  CHECK(broadcast_operands(both + 1).size() == 1);
  for (const i64 x : {0, 1, 2, 7})
    for (const i64 y : {x, i64{1}}) {
      const auto value = [&](const std::string& name) { return name == "n" ? x : y; };
      CHECK(both.evaluate(value) == (x == 1 ? y : x));
      CHECK(both.substitute([&](const std::string& name) { return std::optional<i64>(value(name)); }) ==
            (x == 1 ? y : x));
    }
  CHECK(with_names(both, {{"n", extent_expr(1)}}) == batch);
  CHECK(with_names(both * 2, {{"n", n + 1}}) == broadcast(n + 1, batch) * 2);
}

TEST_CASE("what is no expression is not read") {
  for (const char* text : {"", "1+", "n n", "(n", "n)", "max(n)", "n/0", "*", "99999999999999999999", "`n"})
    CHECK_MESSAGE(!extent_expr::parse(text), text);
  CHECK(extent_expr::parse(" 2*n + 1")->text() == "2*n+1");
  CHECK_FALSE(extent_expr::parse(std::string(5000, '(')));
}

TEST_CASE("names may hold any character") {
  for (const char* name : {"a=b", "x;y", "n>=0", "back`tick", "``", "two\nlines"}) {
    const extent_expr e = extent_expr::name(name) * 2 - 1;
    CHECK(reads_back(e));
    CHECK(extent_expr::parse(e.text())->names() == e.names());
    const auto c = extent_condition::parse(extent_condition{e, extent_condition::not_negative}.text());
    REQUIRE(c);
    CHECK(*c == extent_condition{e, extent_condition::not_negative});
  }
}

TEST_CASE("conditions: each once, none that always holds, and none that never does") {
  condition_list list;
  CHECK(list.add({n - batch, extent_condition::is_zero}));
  CHECK(list.add({batch - n, extent_condition::is_zero}));
  CHECK(list.add({n, extent_condition::not_negative}));
  CHECK(list.add({0, extent_condition::is_zero}));
  CHECK(list.items().size() == 1);
  CHECK_FALSE(list.add({-3, extent_condition::not_negative}));
  CHECK_FALSE(list.add({n + 1, extent_condition::is_zero}));
  CHECK_FALSE(list.add({extent_expr(-1) - n, extent_condition::not_negative}));
  {
    const condition_list::limit none(list, condition_list::noting::nothing);
    CHECK(list.add({n - 7, extent_condition::not_negative}));
    CHECK(list.add({-3, extent_condition::not_negative}));
  }
  CHECK(list.items().size() == 1);
  CHECK(list.add({n - 7, extent_condition::not_negative}));
  CHECK(list.items().size() == 2);
  for (const char* text : {"n", "n==", "n==1", "n>0", ">=0", "n=0", ""})
    CHECK_MESSAGE(!extent_condition::parse(text), text);
}

TEST_CASE("sizes do not wrap") {
  CHECK(testing::code_of([] { return n * (i64{1} << 62) + n * (i64{1} << 62); }) == "extent.overflow");
  CHECK(testing::code_of([] { return floor_div(extent_expr(INT64_MIN), -1); }) == "extent.overflow");
  CHECK(testing::code_of([] { return (n * n * n).evaluate([](const std::string&) { return i64{1} << 31; }); }) ==
        "extent.overflow");
  CHECK(checked_count(std::vector<i64>{0, i64{1} << 40}) == 0);
  CHECK_FALSE(checked_count(std::vector<i64>{0, i64{1} << 40, i64{1} << 40}));
  CHECK_FALSE(checked_count(std::vector<i64>{2, -1}));
  CHECK(checked_count(std::vector<i64>{}) == 1);
}

TEST_CASE("random expressions mean what they are made of, and read back") {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const i64 of_n = random() % 40, of_batch = random() % 7;
    struct made {
      extent_expr e;
      i64 v;
    };
    std::vector<made> pool{{n, of_n}, {batch, of_batch}, {3, 3}, {n - 1, of_n - 1}};
    for (int step = 0; step < 5; ++step) {
      const made a = pool[random() % pool.size()], b = pool[random() % pool.size()];
      const i64 c = 1 + static_cast<i64>(random() % 5), q = a.v / c - (a.v % c != 0 && a.v < 0 ? 1 : 0);
      switch (random() % 9) {
        case 0: pool.push_back({a.e + b.e, a.v + b.v}); break;
        case 1: pool.push_back({a.e - b.e, a.v - b.v}); break;
        case 2: pool.push_back({a.e * c, a.v * c}); break;
        case 3: pool.push_back({floor_div(a.e, c), q}); break;
        case 4: pool.push_back({floor_mod(a.e, c), a.v - q * c}); break;
        case 6: {
          const float scale = static_cast<float>(1 + random() % 30) / static_cast<float>(1 + random() % 10);
          pool.push_back({floor_scaled(a.e, scale), static_cast<i64>(std::floor(static_cast<float>(a.v) * scale))});
          break;
        }
        case 5: pool.push_back({maximum(a.e, b.e), std::max(a.v, b.v)}); break;
        case 8:
          if (a.v == b.v || a.v == 1 || b.v == 1) pool.push_back({broadcast(a.e, b.e), a.v == 1 ? b.v : a.v});
          break;
        default: pool.push_back({minimum(a.e, b.e), std::min(a.v, b.v)}); break;
      }
      CHECK_MESSAGE(value_at(pool.back().e, of_n, of_batch) == pool.back().v, pool.back().e.text());
      CHECK_MESSAGE(reads_back(pool.back().e), pool.back().e.text());
      const auto bound = pool.back().e.substitute(
          [&](const std::string& name) { return name == "n" ? std::optional<i64>(of_n) : std::nullopt; });
      CHECK_MESSAGE(value_at(bound, -1000, of_batch) == pool.back().v, bound.text());
      if (pool.back().e.never_negative()) CHECK_MESSAGE(pool.back().v >= 0, pool.back().e.text());
    }
  }
}
