/// @file left_behind: functions that a pass left ahead of the module, and that the module goes past without meeting them.
///
/// `makes_functions_in = A` leaves functions in A. Until the module is there, each phase that it enters must be one whose
/// functions may call those of A (calls.hpp): else nobody ever brings them on, and the verifier of that phase refuses them.
#pragma once

#include <tenon/pass.hpp>
#include <tenon/pipeline/judged.hpp>

namespace tenon::detail {

template <class... Ps>
struct left_behind {
  struct finding {
    size_t maker = 0, passer = 0;
    label phase;
    bool found = false;
  };
  template <class P>
  static constexpr void look(finding& f, size_t maker) {
    if constexpr (requires { typename P::makes_functions_in; }) {
      using ahead = root_phase_t<typename P::makes_functions_in>;
      constexpr const pass_desc* const* passes = pass_array<Ps...>::data;
      const bool may[] = {callable_across<root_phase_t<phase_after_t<Ps>>, ahead>..., true};
      for (size_t i = maker + 1; i < sizeof...(Ps) && !f.found; ++i) {
        if (!passes[i]->is_transition()) continue;
        if (passes[i]->to->key == phase_desc_of<ahead>.key) return;
        if (!may[i]) f = {maker, i, phase_desc_of<ahead>.name, true};
      }
    }
  }
  static constexpr finding value = [] {
    finding f;
    size_t i = 0;
    ((f.found ? void() : look<Ps>(f, i), ++i), ...);
    return f;
  }();
  static constexpr bool ok = !value.found;
  static consteval meta::phrase say() {
    const pass_desc &maker = *pass_array<Ps...>::data[value.maker], &passer = *pass_array<Ps...>::data[value.passer];
    meta::phrase s;
    say_pass(s << "tenon-E032: pass ", passer.name, static_cast<int>(value.passer));
    (s << " takes the module to phase ").quoted(passer.to->name);
    say_pass(s << ", whose functions may not call those that ", maker.name, static_cast<int>(value.maker));
    (s << " left in phase ").quoted(value.phase);
    return say_table((s << ": enter ").quoted(value.phase) << " on the way", passer.to->name, value.phase, ", add ");
  }
};

}  // namespace tenon::detail
