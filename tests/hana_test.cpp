// Boost.Hana: the laws of its concepts, as its documentation states them, for lists, structs and pins; and what one
// does with them.
// needs: hana
#include <tenon/hana.hpp>

#include <doctest/doctest.h>

#include <tenon/compile/constrain.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/passes/simplify.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>

using namespace tenon;
namespace hana = boost::hana;

namespace {
// What an op is, nobody asks here: it may be only declared.
struct red;
struct green;
struct blue;
constexpr auto is_red = [](auto t) { return t == hana::type_c<red>; };
constexpr auto never = [](auto) { return hana::false_c; };
constexpr auto always = [](auto) { return hana::true_c; };

template <class T>
struct wrapped;
template <class T>
struct boxed;
constexpr auto wrap = [](auto t) { return hana::type_c<wrapped<typename decltype(t)::type>>; };
constexpr auto box = [](auto t) { return hana::type_c<boxed<typename decltype(t)::type>>; };

/// The laws of one list; `Tag` is that of its kind.
template <class Tag, class... Ts>
struct laws {
  static constexpr auto xs = hana::make<Tag>(hana::type_c<Ts>...);
  static constexpr auto linear = hana::make_tuple(hana::type_c<Ts>...);
  static constexpr auto n = hana::size_c<sizeof...(Ts)>;
  using list = std::remove_const_t<decltype(xs)>;
  static constexpr auto twice = [](auto t) { return hana::make<Tag>(t, wrap(t)); };
  static constexpr auto none = [](auto) { return hana::make<Tag>(); };
  static constexpr auto lifted = [](auto t) { return hana::lift<Tag>(t); };

  static constexpr bool sequence() {  // what is made of a linearization has it; conversions are inverse to each other
    static_assert(hana::Sequence<Tag>::value && hana::Foldable<list>::value && hana::Iterable<list>::value);
    static_assert(hana::Searchable<list>::value && hana::Comparable<list>::value && hana::MonadPlus<list>::value);
    static_assert(hana::to_tuple(xs) == linear);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(hana::to<Tag>(linear))>, list>);
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(hana::to<Tag>(hana::to_tuple(xs)))>, list>);
    return true;
  }
  static constexpr bool foldable() {
    static_assert(hana::length(xs) == n);
    static_assert(hana::unpack(xs, hana::make_tuple) == linear);
    static_assert(hana::fold_left(xs, hana::make_tuple(), hana::append) == linear);
    static_assert(hana::fold_right(xs, hana::make_tuple(), hana::flip(hana::prepend)) == linear);
    static_assert(hana::count_if(xs, always) == n && hana::count_if(xs, never) == hana::size_c<0>);
    return true;
  }
  static constexpr bool iterable() {
    static_assert(hana::is_empty(xs) == hana::bool_c<sizeof...(Ts) == 0>);
    static_assert(hana::drop_front(xs, hana::size_c<0>) == xs);
    static_assert(hana::is_empty(hana::drop_front(xs, n)) && hana::is_empty(hana::drop_front(xs, hana::size_c<99>)));
    if constexpr (sizeof...(Ts) != 0) {
      static_assert(hana::prepend(hana::drop_front(xs), hana::front(xs)) == xs);
      static_assert(hana::append(hana::drop_back(xs), hana::back(xs)) == xs);
      static_assert(hana::at(xs, hana::size_c<sizeof...(Ts) - 1>) == hana::back(linear));
      static_assert(std::is_same_v<decltype(hana::drop_front(hana::prepend(xs, hana::type_c<red>))), list>);
    }
    return true;
  }
  static constexpr bool searchable() {
    static_assert(hana::any_of(xs, is_red) == hana::is_just(hana::find_if(xs, is_red)));
    static_assert(hana::find_if(xs, is_red) == hana::find_if(linear, is_red));
    static_assert(hana::find(xs, hana::type_c<blue>) == hana::find(linear, hana::type_c<blue>));
    static_assert(hana::contains(xs, hana::type_c<red>) == hana::any_of(linear, is_red));
    static_assert(hana::all_of(xs, is_red) == hana::not_(hana::any_of(xs, hana::compose(hana::not_, is_red))));
    static_assert(hana::is_subset(xs, hana::concat(xs, xs)) && !hana::any_of(xs, never));
    return true;
  }
  static constexpr bool comparable() {
    constexpr auto other = hana::append(xs, hana::type_c<red>);
    static_assert(xs == xs && xs != other && other != xs && !(xs == other));     // reflexive, symmetric
    static_assert(xs == linear && linear == xs && hana::to_tuple(other) != xs);  // with sequences of other kinds
    static_assert((xs == xs) == hana::not_(xs != xs));
    return true;
  }
  static constexpr bool functor() {
    static_assert(std::is_same_v<decltype(hana::transform(xs, hana::id)), list>);
    static_assert(hana::transform(hana::transform(xs, wrap), box) == hana::transform(xs, hana::compose(box, wrap)));
    static_assert(hana::fill(xs, hana::type_c<red>) == hana::replicate<Tag>(hana::type_c<red>, n));
    return true;
  }
  static constexpr bool applicative() {
    static_assert(hana::ap(hana::lift<Tag>(hana::id), xs) == xs);
    static_assert(hana::ap(hana::lift<Tag>(wrap), hana::lift<Tag>(hana::type_c<red>)) ==
                  hana::lift<Tag>(wrap(hana::type_c<red>)));
    return true;
  }
  static constexpr bool monad() {
    static_assert(hana::chain(hana::lift<Tag>(hana::type_c<red>), twice) == twice(hana::type_c<red>));
    static_assert(std::is_same_v<decltype(hana::chain(xs, lifted)), list>);
    static_assert(hana::chain(hana::chain(xs, twice), twice) ==
                  hana::chain(xs, [](auto t) { return hana::chain(twice(t), twice); }));
    return true;
  }
  static constexpr bool monad_plus() {
    constexpr auto empty = hana::empty<Tag>();
    static_assert(std::is_same_v<decltype(hana::concat(xs, empty)), list>);
    static_assert(hana::concat(empty, xs) == xs && hana::concat(xs, empty) == xs);
    static_assert(hana::concat(hana::concat(xs, other_), xs) == hana::concat(xs, hana::concat(other_, xs)));
    static_assert(hana::chain(empty, twice) == empty && hana::chain(xs, none) == empty);
    static_assert(hana::filter(xs, is_red) ==
                  hana::chain(xs, [](auto t) { return hana::if_(is_red(t), hana::lift<Tag>(t), hana::empty<Tag>()); }));
    static_assert(std::is_same_v<decltype(hana::filter(xs, always)), list> && hana::filter(xs, never) == empty);
    static_assert(hana::reverse(hana::reverse(xs)) == xs);
    return true;
  }
  static constexpr auto other_ = hana::make<Tag>(hana::type_c<green>, hana::type_c<red>);
  static constexpr bool hold = sequence() && foldable() && iterable() && searchable() && comparable() && functor() &&
                               applicative() && monad() && monad_plus();
};
template <class Tag>
constexpr bool laws_hold = laws<Tag>::hold && laws<Tag, red>::hold && laws<Tag, green>::hold &&
                           laws<Tag, green, red, blue>::hold && laws<Tag, red, blue, red, green>::hold;
}  // namespace

TEST_CASE("the laws of Sequence and what it refines hold for every kind of list") {
  static_assert(laws_hold<pass_list_tag>);
  static_assert(laws_hold<ops_tag>);
  static_assert(laws_hold<facts_tag>);
  static_assert(laws_hold<effects_tag>);
  static_assert(laws_hold<capabilities_tag>);
  static_assert(laws_hold<hana::tuple_tag>, "and for Hana's own tuple: what is asked here is what Hana says");
}

TEST_CASE("what is computed of a list and holds no types is a tuple") {
  constexpr auto names = hana::transform(pass_list<passes::infer_shapes, passes::fuse>{},
                                         [](auto p) { return hana::size_c<decltype(p)::type::name.size()>; });
  static_assert(names == hana::make_tuple(hana::size_c<12>, hana::size_c<4>));
  static_assert(hana::zip(ops<red, blue>{}, hana::tuple_t<int, char>)[hana::size_c<1>] == hana::tuple_t<blue, char>);
}

TEST_CASE("a pipeline is the list of its passes, and what is computed of it is judged when it is named") {
  using tidy = pipeline<passes::infer_shapes, passes::simplify>;
  static_assert(tidy{} == pass_list<passes::infer_shapes, passes::simplify>{});
  constexpr auto more = hana::concat(tidy{}, pass_list<passes::eliminate_dead>{});
  using named = decltype(as_pipeline(more));
  static_assert(std::is_same_v<named, pipeline<passes::infer_shapes, passes::simplify, passes::eliminate_dead>>);
  static_assert(std::is_same_v<decltype(as_pipeline(hana::to_tuple(more))), named>);

  static_assert(can_be_pipeline(more) && !can_be_pipeline(hana::reverse(more)));
  static_assert(!can_be_pipeline(hana::make_tuple(1, 2)) && !can_be_pipeline(hana::tuple_t<int>));
  constexpr auto wrong = hana::to<pass_list_tag>(hana::tuple_t<passes::simplify, passes::infer_shapes>);
  constexpr auto right = hana::find_if(hana::permutations(wrong), can_be_pipeline);
  static_assert(std::is_same_v<decltype(as_pipeline(*right)), tidy>);

  // Ops that a pipeline is for besides go along.
  using with = tidy::with_ops<op::call_external>;
  static_assert(std::is_same_v<decltype(as_pipeline(with{})), with>);
  static_assert(
      std::is_same_v<decltype(as_pipeline(more, ops<op::call_external>{})), named::with_ops<op::call_external>>);
}

TEST_CASE("what has attributes or options is a Struct") {
  static_assert(hana::Struct<op::conv>::value && hana::Struct<targets::cpu>::value && !hana::Struct<red*>::value);
  targets::cpu t;
  t.threads = 3;
  CHECK(hana::at_key(t, BOOST_HANA_STRING("threads")) == 3);
  CHECK(hana::to_map(t)[BOOST_HANA_STRING("optimize")] == 2);
  static_assert(hana::contains(hana::keys(t), BOOST_HANA_STRING("arch")));
  CHECK(hana::equal(t, t));
  targets::cpu other = t;
  other.features = "+avx2";
  CHECK(!hana::equal(t, other));
  // Each accessor leads to the member itself, as const as the struct is.
  constexpr auto threads = hana::second(hana::accessors<targets::cpu>()[hana::size_c<3>]);
  threads(t) = 8;
  CHECK(t.threads == 8);
  static_assert(std::is_same_v<decltype(threads(t)), i64&>);
  static_assert(std::is_same_v<decltype(threads(std::as_const(t))), const i64&>);
  static_assert(std::is_same_v<decltype(threads(targets::cpu{})), i64&&>);
}

namespace {
struct pass_with_options {
  i64 max_ops = 8;
  bool deep = false;
  TENON_ATTRIBUTES(max_ops, deep)
};
template <class S>
void same_as_data() {
  const std::span<const ir::attribute> data = ir::detail::attributes_of<S>();
  static_assert(hana::Struct<S>::value);
  S it{};
  size_t i = 0;
  hana::for_each(
      hana::accessors<S>(), hana::fuse([&](auto name, auto member) {
        REQUIRE(i < data.size());
        CHECK(data[i].name == name.c_str());
        CHECK(reinterpret_cast<std::byte*>(&it) + data[i].offset == reinterpret_cast<std::byte*>(&member(it)));
        ++i;
      }));
  CHECK(i == data.size());
}
}  // namespace

TEST_CASE("the members of a Struct are its attributes as data: of every op of a graph, of targets, of pass options") {
  hana::for_each(graph_ops{}, [](auto op) { same_as_data<typename decltype(op)::type>(); });
  same_as_data<targets::cpu>();
  same_as_data<pass_with_options>();
  same_as_data<passes::outline_regions>();
}

TEST_CASE("what names a target is a Product, and a map of them says where what runs") {
  using encoder = pin<"encoder", targets::cpu>;
  static_assert(hana::Product<encoder>::value && hana::first(encoder{}) == BOOST_HANA_STRING("encoder"));
  static_assert(hana::second(encoder{}) == hana::type_c<targets::cpu>);
  static_assert(hana::equal(encoder{}, encoder{}) && hana::not_equal(encoder{}, pin<"decoder", targets::cpu>{}));
  static_assert(hana::unpack(encoder{}, hana::make_tuple) ==
                hana::make_tuple(BOOST_HANA_STRING("encoder"), hana::type_c<targets::cpu>));
  constexpr auto where = hana::to_map(pins<encoder, pin<"decoder", unconstrained>, op_pin<op::conv, targets::cpu>>{});
  static_assert(where[hana::type_c<op::conv>] == hana::type_c<targets::cpu>);
  static_assert(where[BOOST_HANA_STRING("decoder")] == hana::type_c<unconstrained>);
  constexpr auto board = hana::to_map(hana::make_tuple(host<targets::cpu>{}, device<"second", targets::cpu>{}));
  static_assert(board[BOOST_HANA_STRING("second")] == board[BOOST_HANA_STRING("cpu")]);
}
