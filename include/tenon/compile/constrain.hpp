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
/// An op that has one home is pinned there wherever it stands, and a board is asked whether that member has it:
///
///     using where = pins<pin<"encoder", targets::cpu>, op_pin<beam_search, my_npu>>;
///
/// Joining goes up a lattice: unconstrained <= T <= conflict. A conflict does not compile, and the error names both
/// pins.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/ir/ir_module.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/fwd.hpp>
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
/// All ops of one type, wherever they stand in graphs, and the target that they are to run on. There may be none.
template <class Op, class Target>
struct op_pin {
  using op = Op;
  using target = Target;
};

namespace detail {
/// What a pin speaks of.
struct pinned_thing {
  const char* kind;  ///< "function '" or "op '"
  label name;
  u64 op;  ///< 0: a function
  constexpr bool is(const pinned_thing& o) const { return op == o.op && (op || name == o.name); }
  constexpr meta::phrase& say(meta::phrase& s) const { return s << kind << name << "'"; }
};
template <class Pin>
constexpr pinned_thing thing_of() {
  if constexpr (requires { typename Pin::op; })
    return {"op '", effect_name<typename Pin::op>(), meta::type_key<typename Pin::op>};
  else return {"function '", Pin::function, 0};
}

template <class... Pins>
struct pins_check {
  struct entry {
    pinned_thing thing;
    label target;
    u64 key;
  };
  static constexpr entry all[] = {
      {thing_of<Pins>(), target_name<typename Pins::target>(), meta::type_key<typename Pins::target>}..., {{}, {}, 0}};
  struct clash {
    size_t first = 0, second = 0;
  };
  static constexpr clash found = [] {
    for (size_t i = 0; i < sizeof...(Pins); ++i)
      for (size_t k = 0; k < i; ++k) {
        const bool free = all[i].key == meta::type_key<unconstrained> || all[k].key == meta::type_key<unconstrained>;
        if (all[i].thing.is(all[k].thing) && all[i].key != all[k].key && !free) return clash{k, i};
      }
    return clash{};
  }();
  static constexpr bool ok = found.second == 0;
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E074: ";
    all[found.first].thing.say(s) << " is constrained to '" << all[found.first].target << "' (";
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
  requires meta::answer_t<detail::join_check<A, B>>::accepted
using join_t = decltype([] {
  if constexpr (meta::same<A, unconstrained>) return meta::detail::box<B>{};
  else return meta::detail::box<A>{};
}())::type;
/// Softly.
template <class A, class B>
inline constexpr bool may_join = detail::join_check<A, B>::ok;

template <class... Pins>
  requires meta::answer_t<detail::pins_check<Pins...>>::accepted
struct pins {};

namespace detail {
/// A member of a composite, which has its own name there.
template <class T>
concept board_member = requires {
  typename T::target;
  label(T::name);
};
/// Can a member be given an op? Those of its pipeline are its own; all have the built-in ones, and say of each one
/// whether its form suits them when a module is split.
template <class Member, class Pin>
constexpr bool has_pinned() {
  if constexpr (requires { typename Pin::op; })
    return meta::contains_v<typename Pin::op, typename Member::target::pipeline::added_ops> ||
           meta::contains_v<typename Pin::op, meta::concat_t<graph_ops, host_ops, call_ops, front_end_ops>>;
  else return true;
}
/// Does each pin name one member of a board? By its name there, else by the name of its target, as at run time.
template <class Members, class Pins>
struct board_check;
template <class... Members, class... Pins>
struct board_check<types<Members...>, pins<Pins...>> {
  static constexpr label members[] = {Members::name..., {}};
  static constexpr label targets[] = {target_name<typename Members::target>()..., {}};
  static constexpr pinned_thing things[] = {thing_of<Pins>()..., {}};
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
  struct home {
    bool of[sizeof...(Members) + 1];
  };
  template <class Pin>
  static constexpr home homes_of() {
    return {{has_pinned<Members, Pin>()..., false}};
  }
  static constexpr home homes[] = {homes_of<Pins>()..., {}};
  /// Does the one member that a pin names have the op?
  static constexpr bool at_home(size_t pin) {
    for (size_t m = 0; m < sizeof...(Members); ++m)
      if (members[m] == pinned[pin]) return homes[pin].of[m];
    for (size_t m = 0; m < sizeof...(Members); ++m)
      if (targets[m] == pinned[pin]) return homes[pin].of[m];
    return true;
  }
  static constexpr size_t wrong = [] {
    size_t i = 0;
    while (i < sizeof...(Pins) && (free[i] || (found(i) == 1 && at_home(i)))) ++i;
    return i;
  }();
  static constexpr bool ok = wrong == sizeof...(Pins);
  static consteval meta::phrase say() {
    meta::phrase s;
    s << "tenon-E074: ";
    (things[wrong].say(s) << " is pinned to ").quoted(pinned[wrong]);
    const bool several = found(wrong) > 1;
    if (found(wrong) == 1) return say_homeless(s);
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
  static consteval meta::phrase say_homeless(meta::phrase& s) {
    s << ", whose pipeline has no such op: ";
    bool any = false;
    for (size_t m = 0; m < sizeof...(Members); ++m)
      if (homes[wrong].of[m]) (s << (any ? " or " : "pin it to ")).quoted(members[m]), any = true;
    return s << (any ? "" : "give that pipeline the op, by with_ops");
  }
};
template <class Target>
std::string pinned_text() {
  if constexpr (board_member<Target>) return std::string(label(Target::name).data(), label(Target::name).length);
  else return target_text<Target>::of({});
}
template <class Phase, class... Pins>
void apply_pins(ir_module<Phase>& m, meta::detail::box<pins<Pins...>>) {
  const auto one = [&]<class P>(meta::detail::box<P>) {
    if constexpr (!meta::same<typename P::target, unconstrained>) {
      const std::string home = pinned_text<typename P::target>();
      if constexpr (requires { typename P::op; }) {
        ir::module& body = m.body();
        ir::for_each_op(body, ir::function_kind::graph, [&](op_id op) {
          if (body.view(op).template is<typename P::op>()) ir::constrain(body, op, home);
        });
      } else {
        m.constrain(std::string_view(P::function.data(), P::function.size()), home);
      }
    }
  };
  (one(meta::detail::box<Pins>{}), ...);
}
}  // namespace detail

/// Constrains each pinned function, and each op of a pinned type. Errors as of `ir::constrain`.
template <class Pins, class Phase>
void constrain(ir_module<Phase>& m) {
  detail::apply_pins(m, meta::detail::box<Pins>{});
}
/// The same, for a board that is compiled for: each pin names one member of it.
template <class Pins, class Board, class Phase>
void constrain(ir_module<Phase>& m) {
  using check = detail::board_check<typename Board::parts, Pins>;
  meta::answer_t<check>::accept();
  if constexpr (check::ok) detail::apply_pins(m, meta::detail::box<Pins>{});
}

}  // namespace tenon
