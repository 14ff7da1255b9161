/// @file small_world: two phases with three ops, two facts, and the passes that a test adds, judged by the quick walk
/// and by both of the judge's own.
#pragma once

#include <doctest/doctest.h>

#include <deque>
#include <string>
#include <vector>

#include <tenon/judge/judge.hpp>
#include <tenon/judge/quick_walk.hpp>

namespace small_worlds {
using namespace tenon;

constexpr label said(std::string_view text) { return {text.data(), text.size()}; }

inline constexpr op_key ops_of_world[] = {{1, said("op1")}, {2, said("op2")}, {3, said("op3")}};
// A set each, as those of lists of types have: the judge takes two that begin at one place for the same.
template <size_t... I>
inline constexpr op_key set_of[] = {ops_of_world[I]..., {}};
inline constexpr op_set no_ops{set_of<>, 0}, op1{set_of<0>, 1}, op2{set_of<1>, 1}, op3{set_of<2>, 1},
    op1_op2{set_of<0, 1>, 2}, op2_op3{set_of<1, 2>, 2}, op1_op3{set_of<0, 2>, 2};
inline const fact_list all = fact_list_of<all_facts>, unsaid = fact_list_of<detail::unsaid>;

struct says {
  fact_list needs{}, gives{}, breaks = unsaid, keeps = all;
  const op_set &emits = no_ops, &eliminates = no_ops;
};
inline const says nothing, without_op1_left{.eliminates = op1};
inline rare_parts rare_with(const auto& set) {
  rare_parts r;
  set(r);
  return r;
}

/// Passes of two phases: `first` has the ops 1 and 2, `second` 2 and 3. All of them keep all facts, and emit nothing.
struct small_world {
  phase_desc first, second;
  fact_desc f{said("f")}, g{said("g")}, without_op1{said("without_op1"), true, op1},
      without_op3{said("without_op3"), true, op3}, misnamed{said("misnamed"), false, {}, true};
  std::deque<pass_desc> passes;
  std::deque<rare_parts> rare;
  std::deque<pass_tag> tags;
  std::deque<std::string> names;
  std::deque<std::vector<const fact_desc*>> lists;
  std::vector<const pass_desc*> order;
  judge_input in;

  small_world() {
    first.name = said("first"), first.key = 1, first.ops = op1_op2;
    second.name = said("second"), second.key = 2, second.ops = op2_op3;
  }
  small_world(const small_world&) = delete;

  fact_list list(std::vector<const fact_desc*> facts) {
    facts.push_back(nullptr);
    return {lists.emplace_back(std::move(facts)).data()};
  }
  const pass_desc& add(const phase_desc& from, const phase_desc& to, const says& s = nothing, rare_parts parts = {},
                       bool plain = true) {
    const std::string& name = names.emplace_back("pass" + std::to_string(names.size()));
    const rare_parts* const more = plain && &from == &to ? nullptr : &rare.emplace_back(parts);
    passes.push_back({said(name), &tags.emplace_back(), &from, &to, s.needs.data, s.gives.data, s.breaks.data,
                      s.keeps.data, s.emits, s.eliminates, more});
    order.push_back(&passes.back());
    return passes.back();
  }
  const pass_desc& stay(const says& s = nothing) { return add(first, first, s); }
  const pass_desc& stay(const says& s, const rare_parts& parts) { return add(first, first, s, parts, false); }
  const pass_desc& leave(const says& s = without_op1_left) { return add(first, second, s); }

  /// The quick walk says yes only where the judge does, which knows conditions, added ops and detours, but not how
  /// passes are declared.
  bool plain() {
    in.passes = order.data(), in.count = order.size();
    const bool yes = detail::is_surely_right(in);
    if (yes && order.size() <= 16) CHECK(right());
    return yes;
  }
  using judge = detail::order_judge<detail::judge_size<16, 1, 1, 64>>;
  using numbering = detail::numbering<16, 64, 64>;
  /// Without conditions, both of the judge's walks say the same.
  bool right() {
    in.passes = order.data(), in.count = order.size();
    const numbering n(in);
    const judge c(in, n);
    CHECK(c.is_right() == c.is_right_always());
    CHECK(c.is_right() == c.judge().ok());
    return c.is_right();
  }
  /// One pass on a module of which `known` is known; `lowered`: which of the phase's added ops (bit by position) it has
  /// a lowering for.
  verdict by_hand(const pass_desc& p, const phase_desc& phase, const fact_list& known = {}, u64 lowered = 0) {
    const pass_desc* const one[] = {&p};
    judge_input hand;
    hand.passes = one, hand.count = 1, hand.by_hand = true;
    hand.start = &phase, hand.known = known, hand.added = phase.added, hand.regions = phase.regions;
    if (lowered) hand.lowered = &lowered;
    const numbering n(hand);
    const judge c(hand, n);
    if (detail::is_surely_right(hand)) CHECK(c.is_right());
    return c.judge();
  }
};

}  // namespace small_worlds
