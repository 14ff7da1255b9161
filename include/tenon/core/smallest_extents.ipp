/// @file smallest_extents.ipp: definitions of core/smallest_extents.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/fitting_extents.ipp>
#include <tenon/core/smallest_extents.hpp>

namespace tenon {
namespace detail {

/// Extents that are raised until all conditions hold.
struct extent_search {
  std::vector<extent_condition> conditions;
  std::span<const std::string> names;
  std::vector<i64> values;

  size_t number(const std::string& name) const {
    return static_cast<size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  bool holds(const extent_condition& c) const {
    try {
      return c.holds(c.value.evaluate([&](const std::string& n) { return values[number(n)]; }));
    } catch (const error&) { return false; }
  }
  /// A condition as one on a single extent, while the others stay.
  extent_condition alone(const extent_condition& c, size_t which) const {
    const auto number_of = [&](const std::string& n) {
      return n == names[which] ? std::nullopt : std::optional(values[number(n)]);
    };
    return {c.value.substitute(number_of), c.kind};
  }
  /// The least extent from `begin` on with which they hold, tried one by one where no set says it.
  std::optional<i64> first(std::span<const extent_condition> wanted, size_t which, i64 begin) const {
    std::optional<extent_set> all = extent_set{begin};
    for (const extent_condition& c : wanted) {
      const auto one = fitting_extents(c, names[which]);
      all = one && all ? std::optional(intersection(*all, *one)) : std::nullopt;
    }
    if (all) return all->empty() ? std::nullopt : std::optional(all->low);
    for (i64 n = begin; n < begin + extent_course::longest; ++n)
      if (std::all_of(wanted.begin(), wanted.end(),
                      [&](const extent_condition& c) { return detail::fits(c, names[which], n); }))
        return n;
    return std::nullopt;
  }

  /// One extent of a condition that does not hold becomes so large that it does.
  bool raise(const extent_condition& broken) {
    std::optional<size_t> best;
    i64 to = 0;
    for (const std::string& name : broken.value.names()) {
      const size_t i = number(name);
      std::vector<extent_condition> wanted;
      for (const extent_condition& c : conditions)
        if (&c == &broken || c.value.names() == std::vector<std::string>{name}) wanted.push_back(alone(c, i));
      const auto n = first(wanted, i, values[i] + 1);
      if (n && (!best || *n - values[i] < to - values[*best])) best = i, to = *n;
    }
    if (best) values[*best] = to;
    return best.has_value();
  }
  /// What another extent made necessary that was raised later itself may be too much.
  bool lower() {
    bool any = false;
    for (size_t i = 0; i < names.size(); ++i) {
      if (values[i] == 1) continue;
      std::vector<extent_condition> wanted;
      for (const extent_condition& c : conditions) wanted.push_back(alone(c, i));
      const auto n = first(wanted, i, 1);
      if (n && *n < values[i]) values[i] = *n, any = true;
    }
    return any;
  }
  bool run() {
    const auto broken = [&] {
      return std::find_if(conditions.begin(), conditions.end(), [&](const auto& c) { return !holds(c); });
    };
    auto c = broken();
    for (size_t rounds = 16 * (conditions.size() + 1); c != conditions.end(); c = broken())
      if (rounds-- == 0 || !raise(*c)) return false;
    for (size_t rounds = names.size() + 1; rounds > 0 && lower();) --rounds;
    return true;
  }
};

}  // namespace detail

std::optional<std::vector<i64>> smallest_extents(std::span<const extent_condition> conditions,
                                                 std::span<const std::string> names) {
  detail::extent_search s{{}, names, std::vector<i64>(names.size(), 1)};
  for (const extent_condition& c : conditions) {
    const std::vector<std::string> used = c.value.names();
    if (std::all_of(used.begin(), used.end(), [&](const std::string& n) { return s.number(n) < names.size(); }))
      s.conditions.push_back(c);
  }
  if (!s.run()) return std::nullopt;
  return std::move(s.values);
}

std::optional<std::vector<std::vector<i64>>> smallest_shapes(std::span<const open_shape> inputs,
                                                             std::span<const extent_condition> conditions) {
  std::vector<std::string> names, known;
  std::vector<i64> values;
  for (const open_shape& s : inputs)
    for (size_t d = 0; s.given && d < s.extents.size() && d < s.given->size(); ++d) {
      if (!s.extents[d]) continue;
      const std::vector<std::string> used = s.extents[d]->names();
      if (used.size() == 1 && used[0] == s.extents[d]->text())
        known.push_back(used[0]), values.push_back((*s.given)[d]);
    }
  const auto value_of = [&](const std::string& n) {
    const auto at = std::find(known.begin(), known.end(), n);
    return at == known.end() ? std::nullopt : std::optional(values[static_cast<size_t>(at - known.begin())]);
  };
  std::vector<extent_condition> left;
  for (const extent_condition& c : conditions) left.push_back({c.value.substitute(value_of), c.kind});
  for (const open_shape& s : inputs)
    for (const auto& e : s.extents) {
      if (!e || s.given) continue;
      left.push_back({e->substitute(value_of) - 1, extent_condition::not_negative});
      for (const std::string& n : e->names())
        if (!value_of(n) && std::find(names.begin(), names.end(), n) == names.end()) names.push_back(n);
    }
  const auto chosen = smallest_extents(left, names);
  if (!chosen) return std::nullopt;
  known.insert(known.end(), names.begin(), names.end());
  values.insert(values.end(), chosen->begin(), chosen->end());
  std::vector<std::vector<i64>> r;
  for (const open_shape& s : inputs) {
    r.push_back(s.given.value_or(std::vector<i64>{}));
    for (size_t d = 0; !s.given && d < s.extents.size(); ++d)
      r.back().push_back(s.extents[d] ? s.extents[d]->evaluate([&](const std::string& n) { return *value_of(n); }) : 1);
  }
  return r;
}

}  // namespace tenon
