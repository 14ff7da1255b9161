/// @file constrain: constraints as types: which function of a module runs on which target, joined at compile time.
///
///     using where = pins<pin<"encoder", targets::cpu>, pin<"decoder", my_npu>>;
///     constrain<where>(e);
///
/// With a board, which is a composite, a pin names one of its members, by the member's target or as the member that it
/// is; on which of them it would run is known before anything is compiled:
///
///     using board = composite<host<targets::cpu>, device<"npu", my_npu>>;
///     constrain<where, board>(e);
///
/// Joining goes up a lattice: unconstrained <= T <= conflict. A conflict does not compile, and the error names both
/// pins.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/ir/ir_module.hpp>
#include <tenon/targets/parts.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

/// What may run anywhere.
struct unconstrained {
  static constexpr fixed_string name = "unconstrained";
};

/// One function, and the target that it is to run on.
template <fixed_string Function, class Target>
struct pin {
  static constexpr fixed_string function = Function;
  using target = Target;
};

namespace detail {
template <class... Pins>
struct pins_check {
  struct entry {
    label function, target;
    u64 key;
  };
  static constexpr entry all[] = {
      {Pins::function, target_name<typename Pins::target>(), meta::type_key<typename Pins::target>}..., {{}, {}, 0}};
  struct clash {
    size_t first = 0, second = 0;
  };
  static constexpr clash found = [] {
    for (size_t i = 0; i < sizeof...(Pins); ++i)
      for (size_t k = 0; k < i; ++k) {
        const bool free = all[i].key == meta::type_key<unconstrained> || all[k].key == meta::type_key<unconstrained>;
        if (all[i].function == all[k].function && all[i].key != all[k].key && !free) return clash{k, i};
      }
    return clash{};
  }();
  static constexpr bool ok = found.second == 0;
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E074: function ";
    s.quoted(all[found.first].function) << " is constrained to '" << all[found.first].target << "' (";
    s.ordinal(found.first + 1) << " pin) and to '" << all[found.second].target << "' (";
    return s.ordinal(found.second + 1) << " pin): leave one of them out, or let them agree";
  }
};
template <class A, class B>
struct join_check {
  static constexpr bool ok = meta::same<A, B> || meta::same<A, unconstrained> || meta::same<B, unconstrained>;
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E074: one thing is constrained to ";
    s.quoted(target_name<A>()) << " and to '" << target_name<B>();
    return s << "': leave one of them out, or let them agree";
  }
};
}  // namespace detail

/// The least constraint that is both.
template <class A, class B>
  requires meta::told_t<detail::join_check<A, B>>::accepted
using join_t = decltype([] {
  if constexpr (meta::same<A, unconstrained>) return meta::detail::box<B>{};
  else return meta::detail::box<A>{};
}())::type;
/// Softly.
template <class A, class B>
inline constexpr bool may_join = detail::join_check<A, B>::ok;

template <class... Pins>
  requires meta::told_t<detail::pins_check<Pins...>>::accepted
struct pins {};

namespace detail {
/// A member of a composite, which has its own name there.
template <class T>
concept board_member = requires {
  typename T::target;
  label(T::name);
};
/// Does each pin name one member of a board? By its name there, else by the name of its target, as at run time.
template <class Members, class Pins>
struct board_check;
template <class... Members, class... Pins>
struct board_check<types<Members...>, pins<Pins...>> {
  static constexpr label members[] = {Members::name..., {}};
  static constexpr label targets[] = {target_name<typename Members::target>()..., {}};
  static constexpr label functions[] = {Pins::function..., {}};
  static constexpr label pinned[] = {target_name<typename Pins::target>()..., {}};
  static constexpr bool free[] = {meta::same<typename Pins::target, unconstrained>..., true};
  static constexpr bool by_member[] = {board_member<typename Pins::target>..., true};
  static constexpr size_t found(size_t pin) {
    size_t n = 0;
    for (size_t m = 0; m < sizeof...(Members); ++m)
      if (members[m] == pinned[pin]) return 1;
    for (size_t m = 0; m < sizeof...(Members) && !by_member[pin]; ++m) n += targets[m] == pinned[pin];
    return n;
  }
  static constexpr size_t wrong = [] {
    size_t i = 0;
    while (i < sizeof...(Pins) && (free[i] || found(i) == 1)) ++i;
    return i;
  }();
  static constexpr bool ok = wrong == sizeof...(Pins);
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E074: function ";
    (s.quoted(functions[wrong]) << " is pinned to ").quoted(pinned[wrong]);
    const bool several = found(wrong) > 1;
    s << (several ? ", which several members of this board are: pin it to one of "
                  : ", which is no member of this board: pin it to ");
    bool first = true;
    for (size_t m = 0; m < sizeof...(Members); ++m) {
      if (several && !(targets[m] == pinned[wrong])) continue;
      (s << (first ? "" : several ? ", " : " or ")).quoted(members[m]);
      first = false;
    }
    return s << (several ? ", by tenon::device<name, target>" : "");
  }
};
template <class Phase, class... Pins>
void apply_pins(ir_module<Phase>& m, meta::detail::box<pins<Pins...>>) {
  const auto one = [&]<class P>(meta::detail::box<P>) {
    if constexpr (board_member<typename P::target>)
      m.constrain(std::string_view(P::function.data(), P::function.size()), label(P::target::name));
    else if constexpr (!meta::same<typename P::target, unconstrained>)
      m.constrain(std::string_view(P::function.data(), P::function.size()), typename P::target{});
  };
  (one(meta::detail::box<Pins>{}), ...);
}
}  // namespace detail

/// Constrains each pinned function. Errors as of `ir::constrain`.
template <class Pins, class Phase>
void constrain(ir_module<Phase>& m) {
  detail::apply_pins(m, meta::detail::box<Pins>{});
}
/// The same, for a board that is compiled for: each pin names one member of it.
template <class Pins, class Board, class Phase>
void constrain(ir_module<Phase>& m) {
  using check = detail::board_check<typename Board::parts, Pins>;
  meta::told_t<check>::accept();
  if constexpr (check::ok) detail::apply_pins(m, meta::detail::box<Pins>{});
}

}  // namespace tenon
