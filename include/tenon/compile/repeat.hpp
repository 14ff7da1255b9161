/// @file repeat: passes that run one after the other, again and again, until nothing changes: as one pass.
///
///     using tidy = repeat<passes::simplify, passes::fold_constants, passes::eliminate_dead>;
///     using pipeline = tenon::pipeline<passes::infer_shapes, tidy, passes::fuse>;
///     cx.set(tidy{.most_rounds = 8});
///
/// What it needs, gives, keeps, emits and eliminates follows from its members, as they follow each other round after
/// round; their intervals, effects and needs of a device are its own. Each pass alone is a member of one order; what
/// two of them do to each other for ever is refused ("tenon-E039"): one eliminates what another emits, and the other
/// way round. What does not come to rest for another reason is the error "pass.repeat" after `most_rounds`. Cost: of
/// its members, and O(ops) a round, which compares the module by a hash.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/repeated_parts.hpp>
#include <tenon/compile/run_inside.hpp>

namespace tenon {
template <class... Passes>
struct repeat : detail::repeated_parts<Passes...> {
  static constexpr auto name = detail::repeated_name<Passes...>();
  using runs_in = phase_before_t<meta::nth_t<0, pass_list<Passes...>>>;
  int most_rounds = 64;

  void run(ir_module<runs_in>& m, context& cx) const {
    detail::rounds rounds(std::as_const(m).body(), name, most_rounds);
    do detail::execute_inside<Passes...>(m, cx);
    while (rounds.changed(std::as_const(m).body()));
  }
};
/// Passes that cannot be repeated: no sound pass, which is reported where it is to be one, in a pipeline or by `run`.
/// (As a constraint of the name, g++ would then say of each use of an alias of it that there is no such type.)
template <class... Passes>
  requires(!detail::repeat_check<Passes...>::ok)
struct repeat<Passes...> {
  static constexpr fixed_string name = "repeat";
  int most_rounds = 64;
};
template <class... Passes>
  requires(!detail::repeat_check<Passes...>::ok)
struct detail::form_check<repeat<Passes...>> {
  static constexpr declaration_fault fault = [] {
    declaration_fault f;
    return f.code = repeat_check<Passes...>::code, f;
  }();
  static constexpr bool ok = false;
};
template <class... Passes>
  requires(!detail::repeat_check<Passes...>::ok)
struct pass_check<repeat<Passes...>> : detail::form_check<repeat<Passes...>> {
  static consteval meta::phrase say() { return detail::repeat_check<Passes...>::say(); }
};

}  // namespace tenon
