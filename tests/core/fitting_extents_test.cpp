// What a sentence says of extents is what trying all of them says.
#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <random>

#include <tenon/core/error.hpp>
#include <tenon/core/fitting_extents.hpp>

using namespace tenon;

namespace {

constexpr i64 tried = 300;
using extents = std::vector<extent_place>;

extent_condition condition(const char* text) { return extent_condition::parse(text).value(); }

struct random_conditions {
  std::mt19937 random{1};

  i64 number(i64 low, i64 high) { return std::uniform_int_distribution<i64>(low, high)(random); }
  extent_expr expression(int depth, const std::vector<std::string>& names) {
    if (depth == 0 || number(0, 5) == 0) {
      if (number(0, 3) == 0) return number(0, 40);
      return extent_expr::name(names[static_cast<size_t>(number(0, static_cast<i64>(names.size()) - 1))]);
    }
    const extent_expr a = expression(depth - 1, names);
    switch (number(0, 8)) {
      case 0: return a + expression(depth - 1, names);
      case 1: return a - expression(depth - 1, names);
      case 2: return a * extent_expr(number(-3, 6));
      case 3: return floor_div(a, number(2, 12));
      case 4: return floor_mod(a, number(2, 12));
      case 5: return maximum(a, expression(depth - 1, names));
      case 6: return minimum(a, number(0, 60));
      case 7: return floor_scaled(maximum(a, 0), 1.5f);
      default: return a * expression(depth - 1, names);
    }
  }
  extent_condition next(const std::vector<std::string>& names) {
    const i64 kind = number(0, 6);
    return {expression(3, names) - number(0, 30), kind < 2    ? extent_condition::is_zero
                                                  : kind == 2 ? extent_condition::not_zero
                                                              : extent_condition::not_negative};
  }
};

bool holds(const extent_condition& c, const extents& places) {
  try {
    return c.holds(c.value.evaluate([&](const std::string& n) {
      for (const extent_place& p : places)
        if (p.name == n) return p.given;
      return i64{-1};
    }));
  } catch (const error&) { return false; }
}

/// What "must be …" allows, read as a person reads it; `nearest` where it names but the nearest that fit.
struct reading {
  std::function<bool(i64)> fits;
  std::vector<i64> nearest;
};
reading read(const std::string& text) {
  long long a = 0, b = 0, c = 0, d = 0;
  int end = 0;
  const auto is = [&](const char* form, int count) {
    end = 0, a = b = c = d = 0;
    return std::sscanf(text.c_str(), form, &a, &b, &c, &d, &end) >= count;
  };
  const auto whole = [&](const std::string& s) { return text == s; };
  const auto str = [](long long v) { return std::to_string(v); };
  if (is("another, of which the nearest are %lld and %lld", 2)) return {nullptr, {a, b}};
  if (is("another, of which the nearest is %lld", 1)) return {nullptr, {a}};
  if (is("at least %lld", 1) && whole("at least " + str(a))) return {[=](i64 n) { return n >= a; }, {}};
  if (is("at most %lld", 1) && whole("at most " + str(a))) return {[=](i64 n) { return n <= a; }, {}};
  if (is("from %lld to %lld", 2)) return {[=](i64 n) { return n >= a && n <= b; }, {}};
  if (is("a multiple of %lld", 1)) {
    long long low = 0, high = tried;
    if (text.find("not 0") != text.npos) low = 1;
    if (const size_t at = text.find("at least "); at != text.npos) low = std::stoll(text.substr(at + 9));
    if (const size_t at = text.find("at most "); at != text.npos) high = std::stoll(text.substr(at + 8));
    return {[=](i64 n) { return n % a == 0 && n >= low && n <= high; }, {}};
  }
  if (is("%lld, %lld, %lld and so on, in steps of %lld", 4) && b - a == d && c - b == d)
    return {[=](i64 n) { return n >= a && (n - a) % d == 0; }, {}};
  if (is("%lld, %lld and so on to %lld", 3))
    return {[=](i64 n) { return n >= a && n <= c && (n - a) % (b - a) == 0; }, {}};
  if (is("%lld or %lld", 2)) return {[=](i64 n) { return n == a || n == b; }, {}};
  if (is("%lld", 1) && whole(str(a))) return {[=](i64 n) { return n == a; }, {}};
  FAIL("no sentence of extents: " << text);
  return {};
}

/// The claim about one place, as brute force sees it. False: the sentence says something else.
bool agrees(const std::string& claim, const extent_place& about, const std::function<bool(i64)>& truth) {
  const reading r = read(claim);
  for (i64 n = 0; n <= tried; ++n) {
    if (r.fits && r.fits(n) != truth(n)) return false;
    // Nothing between the nearest that fit, the given one between them, fits.
    if (!r.fits) {
      const bool named = std::find(r.nearest.begin(), r.nearest.end(), n) != r.nearest.end();
      const i64 below = r.nearest.front() < about.given ? r.nearest.front() : -1;
      const i64 above = r.nearest.back() > about.given ? r.nearest.back() : about.given + 2048;
      if (named ? !truth(n) : n > below && n < above && truth(n)) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("one extent: the sentence names the input, what was given, and what fits") {
  const auto said = [](std::initializer_list<const char*> texts, i64 given) {
    std::vector<extent_condition> list;
    for (const char* t : texts) list.push_back(condition(t));
    const extents places = {{"n", "x", 3, given}};
    return unmet_sentence(list, places);
  };
  CHECK(said({"((n+3)/4)-2>=0"}, 2) == "input 'x', dimension 3 is 2, and must be at least 5");
  CHECK(said({"((n+3)/4)-2>=0"}, 5).empty());
  CHECK(said({"512-n>=0"}, 600) == "input 'x', dimension 3 is 600, and must be at most 512");
  CHECK(said({"n-7==0"}, 6) == "input 'x', dimension 3 is 6, and must be 7");
  CHECK(said({"(n%4)==0"}, 6) == "input 'x', dimension 3 is 6, and must be a multiple of 4");
  CHECK(said({"((n+1)%4)==0"}, 6) == "input 'x', dimension 3 is 6, and must be 3, 7, 11 and so on, in steps of 4");
  CHECK(said({"n-4*(n/4)==0", "n-5>=0"}, 3) == "input 'x', dimension 3 is 3, and must be a multiple of 4, at least 8");
  // What is named is enough for all conditions, also for those that were met.
  CHECK(said({"n-3>=0", "n-9>=0", "100-n>=0"}, 1) == "input 'x', dimension 3 is 1, and must be from 9 to 100");
  CHECK(said({"n*n-16>=0"}, 1) == "input 'x', dimension 3 is 1, and must be at least 4");
  CHECK(said({"n*n-7*n+12==0"}, 6) ==
        "input 'x', dimension 3 is 6, and must be another, of which the nearest are 3 and 4");
  CHECK(said({"n-4>=0", "3-n>=0"}, 3) ==
        "input 'x', dimension 3 is 3 (n), and n >= 4 must hold");  // no extent meets both
}

TEST_CASE("several extents: what each is, and what it must be while the others stay") {
  const auto said = [](const char* text, i64 n, i64 m) {
    const std::vector<extent_condition> list = {condition(text)};
    const extents places = {{"n", "x", 2, n}, {"m", "mask", 0, m}};
    return unmet_sentence(list, places);
  };
  CHECK(said("n-m==0", 7, 3) ==
        "input 'x', dimension 2 is 7 and input 'mask', dimension 0 is 3, and they must be equal");
  CHECK(said("n-2*m-4>=0", 7, 3) ==
        "input 'x', dimension 2 is 7 and input 'mask', dimension 0 is 3, which do not fit together: while the others "
        "stay, input 'x', dimension 2 must be at least 10, or input 'mask', dimension 0 must be at most 1");
  CHECK(said("n-k==0", 1, 2).empty());  // of which nothing is known
}

TEST_CASE("a formula that is shown is one that people write") {
  CHECK(readable(condition("n-2*m-4>=0")) == "n >= 2*m + 4");
  CHECK(readable(condition("batch-rows==0")) == "batch = rows");
  CHECK(readable(condition("512-n>=0")) == "512 >= n");
  const extents places = {{"n", "x", 2, 0}, {"m", "mask", 0, 0}};
  CHECK(requirement(condition("n-5>=0"), places) == "input 'x', dimension 2 must be at least 5");
  CHECK(requirement(condition("n-m==0"), places) ==
        "n = m must hold (n: input 'x', dimension 2, m: input 'mask', dimension 0)");
}

TEST_CASE("random conditions of one name: sets and sentences say what trying all says") {
  random_conditions random;
  int solved = 0, sentences = 0;
  for (int i = 0; i < 3000; ++i) {
    std::vector<extent_condition> list;
    for (i64 k = random.number(1, 3); k > 0; --k) list.push_back(random.next({"n"}));
    CAPTURE(list.front().text());
    if (const auto set = fitting_extents(list.front(), "n")) {
      ++solved;
      for (i64 n = 0; n <= tried; ++n) REQUIRE(set->contains(n) == holds(list.front(), {{"n", "x", 0, n}}));
    }
    const auto truth = [&](i64 n) {
      return std::all_of(list.begin(), list.end(),
                         [&](const auto& c) { return c.value.names().empty() || holds(c, {{"n", "x", 0, n}}); });
    };
    const extent_place given{"n", "x", 0, random.number(0, 60)};
    const extents places = {given};
    const std::string s = unmet_sentence(list, places);
    CAPTURE(s);
    const std::string begin = "input 'x', dimension 0 is " + std::to_string(given.given) + ", and must be ";
    if (!s.starts_with(begin) || s.find(';') != s.npos) continue;
    ++sentences;
    REQUIRE(agrees(s.substr(begin.size()), given, truth));
  }
  CHECK(solved > 2000);
  CHECK(sentences > 300);
}

TEST_CASE("random conditions of two names: each bound holds while the other extent stays") {
  random_conditions random;
  int claims = 0;
  for (int i = 0; i < 6000; ++i) {
    const extent_condition c = random.next({"n", "m"});
    extents places = {{"n", "x", 0, random.number(0, 40)}, {"m", "y", 1, random.number(0, 40)}};
    const std::vector<extent_condition> list = {c};
    const std::string s = unmet_sentence(list, places);
    CAPTURE(c.text());
    CAPTURE(s);
    if (c.value.names().size() == 2) CHECK(s.empty() == holds(c, places));
    for (extent_place& p : places) {
      const std::string begin = "input '" + p.input + "', dimension " + std::to_string(p.dimension) + " must be ";
      const size_t at = s.find(begin);
      if (at == s.npos) continue;
      std::string claim = s.substr(at + begin.size());
      claim = claim.substr(0, claim.find(", or input"));
      const i64 given = p.given;
      const extent_place as_given = p;
      const bool right = agrees(claim, as_given, [&](i64 n) {
        p.given = n;
        const bool r = holds(c, places);
        p.given = given;
        return r;
      });
      REQUIRE(right);
      ++claims;
    }
  }
  CHECK(claims > 500);
}

TEST_CASE("conditions that go to the ends of numbers are refused or solved, and never wrap") {
  const extents places = {{"n", "x", 0, 3}};
  for (const char* text :
       {"n*9007199254740993*1024-1>=0", "(n/2147483648)*2147483648*2147483648-5==0", "n*n*n*n*n*n-64>=0",
        "5-n*2147483648*2147483648*2>=0", "max(n*2147483648*2147483648-9,0)-7==0", "((n*65535)%65537)-3==0",
        "scale(n,2139095039)-5>=0"}) {
    CAPTURE(text);
    std::vector<extent_condition> list;
    try {
      list = {condition(text)};
    } catch (const error& e) {
      CHECK(e.code() == "extent.overflow");
      continue;
    }
    CHECK_NOTHROW(static_cast<void>(unmet_sentence(list, places)));
    CHECK_NOTHROW(static_cast<void>(requirement(list[0], places)));
  }
}
