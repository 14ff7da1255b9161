// Lists, names and strings at compile time.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <tenon/judge/op_set.hpp>
#include <tenon/meta/sentence.hpp>

namespace {
namespace tn = tenon;
using namespace tn::meta;

template <class...>
struct types {};
struct a;
struct b;
struct c;
namespace inner {
struct a;
template <class T>
struct wrap;
}  // namespace inner

static_assert(same<concat_t<types<a>, types<b, c>, types<>>, types<a, b, c>>);
static_assert(same<concat_t<types<a>>, types<a>>);
static_assert(same<concat_t<types<a>, types<a>, types<a>, types<a>, types<a>, types<a>, types<a>, types<a>, types<b>>,
                   types<a, a, a, a, a, a, a, a, b>>);
static_assert(same<without_t<types<a, b, c, a>, types<a>>, types<b, c>>);
static_assert(same<without_t<types<>, types<a>>, types<>>);
static_assert(same<unique_t<types<a, b, a, c, b>>, types<a, b, c>>);
static_assert(same<filter_t<types<a, b, c>, true, false, true>, types<a, c>>);
static_assert(same<nth_t<2, types<a, b, c>>, c>);
static_assert(contains_v<b, types<a, b>> && !contains_v<c, types<a, b>>);
static_assert(size_v<types<a, b, c>> == 3);

static_assert(unqualified_name<inner::a>() == tn::label{"a", 1});
static_assert(type_key<a> != type_key<inner::a>, "same last name, other namespace");
static_assert(type_key<inner::wrap<a>> != type_key<inner::wrap<b>>);

static_assert(tn::op_set_of<tn::ops<a, b, c, a>>.size == 3, "each op once");
static_assert(tn::op_set_of<tn::ops<a, b>>.contains(type_key<b>));
static_assert(!tn::op_set_of<tn::ops<a, b>>.contains(type_key<c>));
static_assert(tn::op_set_of<tn::ops<>>.size == 0);
static_assert(same<tn::ops<a, b>::with<c>::without<a>, tn::ops<b, c>>);
static_assert(tn::can_emit<a, tn::ops<a>> && !tn::can_emit<b, tn::ops<a>>);

constexpr tn::fixed_string text = "fuse";
struct holder {
  std::string_view name;
};
static_assert(holder{text}.name == "fuse");
static_assert(text == tn::fixed_string("fuse") && !(text == tn::fixed_string("fuses")));
}  // namespace

TEST_CASE("sorted op sets are sorted, whatever the order of the list") {
  const tn::op_set one = tn::op_set_of<tn::ops<a, b, c, inner::a>>, two = tn::op_set_of<tn::ops<inner::a, c, b, a>>;
  REQUIRE(one.size == two.size);
  for (size_t i = 0; i < one.size; ++i) {
    CHECK(one.data[i].key == two.data[i].key);
    if (i) CHECK(one.data[i - 1].key < one.data[i].key);
  }
}

TEST_CASE("ordinals") {
  const auto ordinal = [](size_t n) {
    phrase p;
    p.ordinal(n);
    return std::string(p.characters, p.length);
  };
  CHECK(ordinal(1) == "1st");
  CHECK(ordinal(2) == "2nd");
  CHECK(ordinal(3) == "3rd");
  CHECK(ordinal(4) == "4th");
  CHECK(ordinal(11) == "11th");
  CHECK(ordinal(112) == "112th");
  CHECK(ordinal(121) == "121st");
}

TEST_CASE("a phrase that is too long is cut, not overrun") {
  phrase p;
  for (int i = 0; i < 1000; ++i) p << "abc";
  CHECK(p.length == phrase::capacity);
}

TEST_CASE("names in sentences come in the order of the alphabet, four at most") {
  tn::label names[4];
  size_t shown = 0, total = 0;
  for (const char* n : {"mul", "add", "conv", "abs", "zap", "add2"})
    tn::add_sorted(names, shown, total, {n, std::string_view(n).size()});
  phrase p;
  tn::say_ops(p, names, shown, total);
  CHECK(std::string(p.characters, p.length) == "'abs', 'add', 'add2', 'conv' and 2 more");
}
