/// @file hana: lists of passes, ops, facts, effects and capabilities as Sequences of Boost.Hana, what has attributes or
/// options as its Structs, and what names a target as its Products.
///
///     constexpr auto passes = hana::filter(targets::cpu::pipeline{}, fits);   // pass_list<…>, of hana::type
///     using mine = decltype(as_pipeline(hana::concat(passes, hana::tuple_t<my_pass>)));        // judged here
///
/// A list's elements are `hana::type`s. What is computed of one is a list of its kind, or a `hana::tuple` where it
/// holds anything but types (`transform(passes, name_of)`). A pipeline is the list of its passes: what is made of it is
/// judged when `as_pipeline` names it. Include this where you want it; nothing else of tenon does. What it costs, and
/// where it serves: docs/decisions/022-hana.md.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#if !__has_include(<boost/hana.hpp>)
#  error \
      "tenon/hana.hpp needs the headers of Boost.Hana (Debian: libboost-dev): add the folder that holds boost/hana.hpp"
#endif
#include <boost/hana.hpp>

#include <tenon/pipeline.hpp>
#include <tenon/targets/capability.hpp>

namespace tenon {

/// What Hana knows the lists of one kind by: `hana::to<pass_list_tag>(hana::tuple_t<a, b>)` is `pass_list<a, b>`.
template <template <class...> class List>
struct list_tag {};
using pass_list_tag = list_tag<pass_list>;
using ops_tag = list_tag<ops>;
using facts_tag = list_tag<facts>;
using effects_tag = list_tag<effects>;
using capabilities_tag = list_tag<capabilities>;

template <class T>
struct host;
template <fixed_string Name, class T>
struct device;
template <fixed_string Function, class Target>
struct pin;
template <class Op, class Target>
struct op_pin;
namespace detail {
template <class... Pins>
struct pins_check;
}
template <class... Pins>
  requires meta::answer_t<detail::pins_check<Pins...>>::accepted
struct pins;

namespace detail::values {
namespace hana = boost::hana;

/// The list that a value is, or that it is the pipeline of.
template <class T>
struct items {
  using type = T;
};
template <class T>
  requires requires { typename T::added_ops; }
struct items<T> {
  using type = typename T::passes;
};
template <class T>
using items_t = typename items<std::remove_cvref_t<T>>::type;

template <class Tag>
inline constexpr bool is_list_tag = false;
template <template <class...> class List>
inline constexpr bool is_list_tag<list_tag<List>> = true;
template <class T>
concept list_value = is_list_tag<typename hana::tag_of<T>::type> && !is_list_tag<T>;  // a tag is its own tag

template <class T>
inline constexpr bool is_type = std::is_same_v<typename hana::tag_of<T>::type, hana::type_tag>;
template <class T>
using held_t = typename std::remove_cvref_t<T>::type;

template <template <class...> class List, class... Ts, class F>
constexpr decltype(auto) unpack(const List<Ts...>*, F&& f) {
  return static_cast<F&&>(f)(hana::type_c<Ts>...);
}
template <size_t N, template <class...> class List, class... Ts, size_t... I>
constexpr auto drop(const List<Ts...>*, meta::detail::indices<I...>) {
  return meta::filter_t<List<Ts...>, (I >= N)...>{};
}

/// Who has the name of what pairs one with a target: a pin's is that of its function (that of an op has the op's type).
template <class P>
struct pinned {
  static constexpr auto name = P::function;
};
template <class P>
struct naming {
  using type = P;
};
template <class P>
  requires requires { P::function; }
struct naming<P> {
  using type = pinned<P>;
};
template <class P>
using named_by = typename naming<P>::type;
/// `T::name` as a `hana::string`.
template <class T, size_t... I>
constexpr auto name_of(std::index_sequence<I...>) {
  return hana::string_c<label(T::name)[I]...>;
}

/// Members that `TENON_ATTRIBUTES` or `TENON_OPTIONS` list.
template <class S>
concept reflected = requires { S::attribute_names; };
/// An op may have none.
template <class S>
concept plain_op = requires {
  S::name;
  S::traits;
} && std::is_empty_v<S> && !reflected<S>;
template <class S>
consteval size_t count_names() {
  size_t n = *S::attribute_names != 0;
  for (const char* c = S::attribute_names; *c; ++c) n += *c == ',';
  return n;
}
/// Where the name of the I-th member begins; its length is up to the next comma, or the end.
template <class S, size_t I>
consteval const char* name_begin() {
  const char* c = S::attribute_names;
  for (size_t i = 0; i < I; ++c) i += *c == ',';
  while (*c == ' ') ++c;
  return c;
}
template <class S, size_t I>
consteval size_t name_length() {
  size_t n = 0;
  for (const char* c = name_begin<S, I>(); *c && *c != ',' && *c != ' '; ++c) ++n;
  return n;
}
template <class S, size_t I, size_t... C>
constexpr auto member_name(std::index_sequence<C...>) {
  return hana::string_c<name_begin<S, I>()[C]...>;
}
template <size_t I>
struct pick {
  template <class... Ms>
  constexpr auto& operator()(Ms&... members) const {
    return get(hana::size_c<I>, members...);
  }
  template <class M, class... Ms>
  static constexpr auto& get(hana::size_t<0>, M& member, Ms&...) {
    return member;
  }
  template <size_t N, class M, class... Ms>
  static constexpr auto& get(hana::size_t<N>, M&, Ms&... rest) {
    return get(hana::size_c<N - 1>, rest...);
  }
};
/// The I-th member of a struct, as const and as much of a temporary as the struct is.
template <size_t I>
struct accessor {
  template <class S>
  constexpr decltype(auto) operator()(S&& s) const {
    using whole = std::remove_reference_t<S>;
    auto& member = const_cast<std::remove_const_t<whole>&>(s).tie_attributes(pick<I>{});  // which changes nothing
    using bare = std::remove_reference_t<decltype(member)>;
    using as_whole = std::conditional_t<std::is_const_v<whole>, const bare, bare>;
    if constexpr (std::is_lvalue_reference_v<S>) return static_cast<as_whole&>(member);
    else return static_cast<as_whole&&>(member);
  }
};
template <class S, size_t... I>
constexpr auto accessors(std::index_sequence<I...>) {
  return hana::make_tuple(
      hana::make_pair(member_name<S, I>(std::make_index_sequence<name_length<S, I>()>{}), accessor<I>{})...);
}

/// Is a value a list of passes that can run in their order? `Xs` is a list, or a tuple of types.
template <class Xs, class Added>
struct order_check {
  using made = decltype(hana::unpack(std::declval<const Xs&>(), hana::make<pass_list_tag>));
  static constexpr bool of_types = list_value<made>;
  using judge = judged_edit<Added, std::conditional_t<of_types, made, pass_list<>>>;
  static constexpr bool ok = of_types && judge::ok;
  static consteval meta::phrase say() {
    meta::phrase s;
    if constexpr (!of_types)
      return s << "tenon-E018: a pipeline is made of passes, and an element of this sequence is no type: write "
                  "'hana::type_c<pass>' for a pass";
    else return judge::say();
  }
};
template <class Xs>
struct added_by {
  using type = ops<>;
};
template <class Xs>
  requires requires { typename Xs::added_ops; }
struct added_by<Xs> {
  using type = typename Xs::added_ops;
};
template <class Xs>
using added_ops_of = typename added_by<Xs>::type;

/// What pairs a name with a target.
struct named_target_tag {};
/// What holds such pairs.
struct pins_tag {};
}  // namespace detail::values

/// Names what was computed: the pipeline of these passes, for modules that hold the ops of `Added` besides those of the
/// phases. An order that cannot run does not compile, as when a pipeline is named.
template <class Xs, class Added = detail::values::added_ops_of<Xs>>
constexpr auto as_pipeline(const Xs&, Added = {}) {
  using check = detail::values::order_check<Xs, Added>;
  meta::answer_t<check>::accept();
  if constexpr (check::ok) return typename detail::named_pipeline<Added, typename check::made>::type{};
}

/// Softly, as a `hana::bool_`: can passes run in this order? `hana::find_if(hana::permutations(xs), can_be_pipeline)`.
struct can_be_pipeline_t {
  template <class Xs, class Added = detail::values::added_ops_of<Xs>>
  constexpr auto operator()(const Xs&, Added = {}) const {
    return boost::hana::bool_c<detail::values::order_check<Xs, Added>::ok>;
  }
};
inline constexpr can_be_pipeline_t can_be_pipeline{};

template <class A, class B>
  requires detail::values::list_value<A> && detail::values::list_value<B>
constexpr auto operator==(const A& a, const B& b) {
  return boost::hana::equal(a, b);
}
template <class A, class B>
  requires detail::values::list_value<A> && detail::values::list_value<B>
constexpr auto operator!=(const A& a, const B& b) {
  return boost::hana::not_equal(a, b);
}
}  // namespace tenon

namespace boost::hana {
// -- lists are Sequences ---------------------------------------------------------------------------------------------
template <class... Ts>
struct tag_of<tenon::pass_list<Ts...>> : tenon::meta::detail::box<tenon::pass_list_tag> {};
template <class... Ts>
struct tag_of<tenon::pipeline<Ts...>> : tenon::meta::detail::box<tenon::pass_list_tag> {};
template <class Added, class... Ts>
struct tag_of<tenon::pipeline_with_ops<Added, Ts...>> : tenon::meta::detail::box<tenon::pass_list_tag> {};
template <class... Ts>
struct tag_of<tenon::ops<Ts...>> : tenon::meta::detail::box<tenon::ops_tag> {};
template <class... Ts>
struct tag_of<tenon::facts<Ts...>> : tenon::meta::detail::box<tenon::facts_tag> {};
template <class... Ts>
struct tag_of<tenon::effects<Ts...>> : tenon::meta::detail::box<tenon::effects_tag> {};
template <class... Ts>
struct tag_of<tenon::capabilities<Ts...>> : tenon::meta::detail::box<tenon::capabilities_tag> {};

template <template <class...> class List>
struct Sequence<tenon::list_tag<List>> {
  static constexpr bool value = true;
};
template <template <class...> class List>
struct make_impl<tenon::list_tag<List>> {
  template <class... Xs>
  static constexpr auto apply(Xs&&... xs) {
    if constexpr ((tenon::detail::values::is_type<Xs> && ...)) return List<tenon::detail::values::held_t<Xs>...>{};
    else return hana::make_tuple(static_cast<Xs&&>(xs)...);
  }
};
template <template <class...> class List>
struct unpack_impl<tenon::list_tag<List>> {
  template <class Xs, class F>
  static constexpr decltype(auto) apply(const Xs&, F&& f) {
    return tenon::detail::values::unpack(static_cast<const tenon::detail::values::items_t<Xs>*>(nullptr),
                                         static_cast<F&&>(f));
  }
};
template <template <class...> class List>
struct length_impl<tenon::list_tag<List>> {
  template <class Xs>
  static constexpr auto apply(const Xs&) {
    return size_c<tenon::meta::size_v<tenon::detail::values::items_t<Xs>>>;
  }
};
template <template <class...> class List>
struct at_impl<tenon::list_tag<List>> {
  template <class Xs, class N>
  static constexpr auto apply(const Xs&, const N&) {
    return type_c<tenon::meta::nth_t<N::value, tenon::detail::values::items_t<Xs>>>;
  }
};
template <template <class...> class List>
struct drop_front_impl<tenon::list_tag<List>> {
  template <class Xs, class N>
  static constexpr auto apply(const Xs&, const N&) {
    using items = tenon::detail::values::items_t<Xs>;
    return tenon::detail::values::drop<N::value>(static_cast<const items*>(nullptr),
                                                 tenon::meta::detail::make_indices<tenon::meta::size_v<items>>{});
  }
};
template <template <class...> class List>
struct is_empty_impl<tenon::list_tag<List>> {
  template <class Xs>
  static constexpr auto apply(const Xs&) {
    return bool_c<tenon::meta::size_v<tenon::detail::values::items_t<Xs>> == 0>;
  }
};
/// Lists of types, joined: a tuple of lists would become a tuple.
template <template <class...> class List>
struct flatten_impl<tenon::list_tag<List>> : flatten_impl<tuple_tag> {};
template <template <class...> class List>
struct chain_impl<tenon::list_tag<List>> {
  template <class Xs, class F>
  static constexpr auto apply(const Xs& xs, F&& f) {
    return hana::unpack(hana::flatten(hana::unpack(xs, tuples_of<F>{f})), hana::make<tenon::list_tag<List>>);
  }
  template <class F>
  struct tuples_of {
    F& f;
    template <class... X>
    constexpr auto operator()(X... x) const {
      return hana::make_tuple(hana::to_tuple(f(x))...);
    }
  };
};

// -- what has attributes or options is a Struct
// ------------------------------------------------------------------------
template <class S>
struct accessors_impl<S, when<tenon::detail::values::reflected<S>>> {
  static constexpr auto apply() {
    return tenon::detail::values::accessors<S>(std::make_index_sequence<tenon::detail::values::count_names<S>()>{});
  }
};
template <class S>
struct accessors_impl<S, when<tenon::detail::values::plain_op<S>>> {
  static constexpr auto apply() { return hana::make_tuple(); }
};

// -- what names a target is a Product, and pins are a map
// --------------------------------------------------------------
template <tenon::fixed_string Function, class Target>
struct tag_of<tenon::pin<Function, Target>> : tenon::meta::detail::box<tenon::detail::values::named_target_tag> {};
template <class Op, class Target>
struct tag_of<tenon::op_pin<Op, Target>> : tenon::meta::detail::box<tenon::detail::values::named_target_tag> {};
template <class Target>
struct tag_of<tenon::host<Target>> : tenon::meta::detail::box<tenon::detail::values::named_target_tag> {};
template <tenon::fixed_string Name, class Target>
struct tag_of<tenon::device<Name, Target>> : tenon::meta::detail::box<tenon::detail::values::named_target_tag> {};
template <class... Pins>
struct tag_of<tenon::pins<Pins...>> : tenon::meta::detail::box<tenon::detail::values::pins_tag> {};

template <>
struct first_impl<tenon::detail::values::named_target_tag> {
  template <class P>
  static constexpr auto apply(const P&) {
    if constexpr (requires { typename P::op; }) return type_c<typename P::op>;
    else return name_of_named<tenon::detail::values::named_by<P>>();
  }
  template <class named>
  static constexpr auto name_of_named() {
    return tenon::detail::values::name_of<named>(std::make_index_sequence<tenon::label(named::name).length>{});
  }
};
template <>
struct second_impl<tenon::detail::values::named_target_tag> {
  template <class P>
  static constexpr auto apply(const P&) {
    return type_c<typename P::target>;
  }
};
template <>
struct unpack_impl<tenon::detail::values::pins_tag> {
  template <class... Pins, class F>
  static constexpr decltype(auto) apply(const tenon::pins<Pins...>&, F&& f) {
    return static_cast<F&&>(f)(Pins{}...);
  }
};
}  // namespace boost::hana
