/// @file functions_left_ahead: functions that a pass left ahead of the module, and that the module goes past without
/// meeting them.
///
/// `makes_functions_in = A` leaves functions in A. Until the module is there, each phase that it enters must be one
/// whose functions may call those of A (judge/calls.hpp): else nobody ever brings them on, and the verifier of that
/// phase refuses them.
#pragma once

#include <tenon/judge/verdict.hpp>
#include <tenon/pass.hpp>

namespace tenon::detail {

/// Whether functions of the phase that each pass leads to may call those of `Ahead`. What runs passes of other targets
/// behind it (targets/composite.hpp) says itself how these bring functions on.
template <class Ahead, class... Ps>
inline constexpr bool callers_of[] = {(callable_across<root_phase_t<phase_after_t<Ps>>, Ahead> || requires {
                                        typename Ps::template behind<void>;
                                      })..., true};
template <class Maker, class... Ps>
constexpr const bool* callers_of_made() {
  if constexpr (requires { typename Maker::makes_functions_in; })
    return callers_of<root_phase_t<typename Maker::makes_functions_in>, Ps...>;
  else return nullptr;
}

/// Is the next transition of every pass that makes functions the one to where it made them? Then nobody is left behind.
constexpr bool meets_made_functions(auto passes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const auto* const made = passes[i]->more().makes;
    for (size_t j = i + 1; made && j < count; ++j) {
      if (!passes[j]->is_transition()) continue;
      if (passes[j]->to->key != made->key || passes[j]->more().flag_key) return false;
      break;
    }
  }
  return true;
}

/// `may(i, j)`: may functions where pass j leads to call those that pass i made? In every combination of flags.
template <class May>
constexpr verdict find_left_ahead(auto passes, size_t count, const May& may) {
  const auto both = [&](size_t i, size_t j) {
    const auto &a = passes[i]->more(), &b = passes[j]->more();
    return a.flag_key != b.flag_key || a.flag_key == 0 || a.flag_on == b.flag_on;
  };
  const auto implied = [&](size_t i, size_t j) {  // pass j runs wherever i does
    const auto &a = passes[i]->more(), &b = passes[j]->more();
    return b.flag_key == 0 || (a.flag_key == b.flag_key && a.flag_on == b.flag_on);
  };
  verdict v;
  for (size_t i = 0; i < count; ++i) {
    const auto* const made = passes[i]->more().makes;
    for (size_t j = i + 1; made && j < count; ++j) {
      if (!passes[j]->is_transition() || !both(i, j)) continue;
      if (passes[j]->to->key == made->key) {
        if (implied(i, j)) break;
        continue;
      }
      bool met = may(i, j);
      for (size_t k = i + 1; k < j && !met; ++k)
        met = passes[k]->is_transition() && passes[k]->to->key == made->key && implied(j, k);
      if (met) continue;
      v.code = 32, v.pass = static_cast<int>(j), v.giver = static_cast<int>(i);
      v.pass_name = passes[j]->name, v.giver_name = passes[i]->name;
      v.subject = made->name, v.other = passes[j]->to->name;
      return v;
    }
  }
  return v;
}

template <class... Ps>
struct functions_left_ahead {
  static constexpr const pass_desc* passes[] = {&pass_desc_of<Ps>..., nullptr};
  static constexpr const bool* rows[] = {callers_of_made<Ps, Ps...>()..., nullptr};
  static constexpr verdict value =
      find_left_ahead(passes, sizeof...(Ps), [](size_t i, size_t j) { return rows[i][j]; });
};

}  // namespace tenon::detail
