/// @file place: what a pass says of its place in an order: how often it runs, whom it follows, and its interval.
#pragma once

#include <tenon/judge/pass_desc.hpp>

namespace tenon::detail {

/// What is wrong with the place of the pass at `i` of `count` passes, of which `at(j)` is one; 0: nothing. Only for a
/// pass that says something of it.
constexpr int place_fault(size_t i, size_t count, const auto& at) {
  const pass_desc& p = at(i);
  const rare_parts& r = p.more();
  for (size_t j = 0; j < i; ++j)
    if (r.at_most_once && at(j).type == p.type) return 15;
  if (r.after && (i == 0 || !at(i - 1).ends_with(r.after))) return 20;
  if (!r.interval_end) return 0;
  bool open = is_open_at_first(r);
  for (size_t j = 0; j < i; ++j) open = opens_interval(r, at(j)) || (open && !closes_interval(r, at(j)));
  if (open && is_endless(r)) return 19;
  for (size_t j = i + 1; open && j < count; ++j)
    if (ends_interval(p, at(j))) return 19;
  return 0;
}

}  // namespace tenon::detail
