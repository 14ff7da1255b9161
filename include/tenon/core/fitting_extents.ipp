/// @file fitting_extents.ipp: definitions of core/fitting_extents.hpp.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include <tenon/core/checked.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/extent_expr.ipp>
#include <tenon/core/fitting_extents.hpp>
#include <tenon/core/sizes_outside.hpp>

namespace tenon {

/// How an expression of one name changes with it, over all numbers from 0 on.
struct extent_course {
  using atom = extent_expr::atom;
  enum direction : u8 { flat, up, down, unknown };  ///< up: never falls

  static direction turned(direction d) { return d == up ? down : d == down ? up : d; }
  static direction of(const atom& a) {
    if (a.kind == atom::named) return up;
    if (a.kind == atom::remainder || a.kind == atom::broadcast) return unknown;
    if (a.kind != atom::quotient) return of(a.a);  // max(…, 0), and a positive scale
    if (!a.b.is_constant() || a.b.constant() == 0) return unknown;
    return a.b.constant() > 0 ? of(a.a) : turned(of(a.a));
  }
  static direction of(const extent_expr& e) {
    direction sum = flat;
    for (const extent_expr::term& t : e.terms()) {
      direction product = flat;
      for (const auto& f : t.factors) {
        direction d = of(*f);
        // A product rises where all its factors do, and none is negative.
        if (t.factors.size() > 1 && !extent_expr::parse(f->text).value_or(extent_expr(-1)).never_negative())
          d = unknown;
        product = joined(product, d);
      }
      sum = joined(sum, t.coefficient < 0 ? turned(product) : product);
    }
    return sum;
  }
  static direction joined(direction a, direction b) { return a == flat ? b : b == flat || a == b ? a : unknown; }

  /// From `begin` on, the value `period` further is larger by `slope`.
  struct repeat {
    i64 period = 1, slope = 0, begin = 0;
  };
  static constexpr i64 longest = 4096;
  /// So far from zero that sums and products of a few such numbers may not fit.
  static bool is_far(i64 v) { return v <= -(i64{1} << 50) || v >= i64{1} << 50; }

  static std::optional<repeat> repeat_of(const atom& a, const std::string& name) {
    if (a.kind == atom::named) return repeat{1, 1, 0};
    if (a.kind == atom::scaled || a.kind == atom::broadcast) return std::nullopt;
    std::optional<repeat> r = repeat_of(a.a, name);
    if (!r) return r;
    if (a.kind == atom::positive) return positive(a.a, *r, name);
    if (!a.b.is_constant() || a.b.constant() == 0) return std::nullopt;
    const i64 b = a.b.constant();
    if (is_far(b)) return std::nullopt;
    const i64 periods = std::abs(b) / std::gcd(r->slope, b);
    if (periods > longest || r->period * periods > longest) return std::nullopt;
    r->period *= periods;
    r->slope = a.kind == atom::remainder ? 0 : checked_mul(r->slope, periods) / b;
    return r;
  }
  /// max(e, 0), from where e no longer changes its sign.
  static std::optional<repeat> positive(const extent_expr& e, repeat r, const std::string& name) {
    if (r.slope == 0) return r;
    i64 worst = 0;  // how far on the other side
    for (i64 n = r.begin; n < r.begin + r.period; ++n) {
      const i64 v = value(e, name, n);
      if (is_far(v)) return std::nullopt;
      worst = std::max(worst, r.slope > 0 ? -v : v);
    }
    r.begin += r.period * (worst / std::abs(r.slope) + 1);
    r.slope = std::max<i64>(r.slope, 0);
    if (r.begin > longest) return std::nullopt;
    return r;
  }
  static std::optional<repeat> repeat_of(const extent_expr& e, const std::string& name) {
    repeat sum;
    for (const extent_expr::term& t : e.terms()) {
      if (t.factors.empty()) continue;
      if (t.factors.size() > 1) return std::nullopt;
      const std::optional<repeat> r = repeat_of(*t.factors[0], name);
      if (!r) return r;
      const i64 period = std::lcm(sum.period, r->period);
      if (period > longest) return std::nullopt;
      const i64 slope = checked_mul(checked_mul(r->slope, period / r->period), t.coefficient);
      sum = {period, checked_add(checked_mul(sum.slope, period / sum.period), slope), std::max(sum.begin, r->begin)};
      if (is_far(sum.slope)) return std::nullopt;
    }
    return sum;
  }
  static i64 value(const extent_expr& e, const std::string& name, i64 n) {
    return e.evaluate([&](const std::string& s) {
      if (s != name) throw extent_error("extent.name", "'" + s + "' is no '" + name + "'");
      return n;
    });
  }
};

namespace detail {

inline bool fits(const extent_condition& c, const std::string& name, i64 n) {
  try {
    return c.holds(extent_course::value(c.value, name, n));
  } catch (const error&) { return false; }  // too large a number, or a division by 0: code refuses these, too
}

/// The first number of [0, top] for which a question is answered by yes, if all behind it are; top + 1 if none is.
template <class F>
i64 first_of(i64 top, const F& yes) {
  i64 low = 0, high = top + 1;
  while (low < high) {
    const i64 middle = low + (high - low) / 2;
    if (yes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

inline std::optional<extent_set> fitting_monotone(const extent_condition& c, const std::string& name,
                                                  extent_course::direction d) {
  const bool rises = d != extent_course::down;
  const auto at = [&](i64 n) { return extent_course::value(c.value, name, n); };
  // Up to where nothing is too large; what is beyond is refused for that.
  i64 top = extent_set::most;
  const auto too_large = [&] {
    try {
      return static_cast<void>(at(top)), false;
    } catch (const error&) { return true; }
  };
  while (too_large())
    if ((top >>= 2) == 0) return std::nullopt;
  const auto end = [&](i64 first) { return first > top ? extent_set::most : first - 1; };
  extent_set r;
  if (rises) r.low = first_of(top, [&](i64 n) { return at(n) >= 0; });
  else r.high = end(first_of(top, [&](i64 n) { return at(n) < 0; }));
  if (c.kind == extent_condition::not_negative) return r.low > top ? extent_set{1, 0, 1} : r;
  if (rises) r.high = end(first_of(top, [&](i64 n) { return at(n) > 0; }));
  else r.low = first_of(top, [&](i64 n) { return at(n) <= 0; });
  return r.low > top || r.empty() ? extent_set{1, 0, 1} : r;
}

/// A set that is known up to `size`, beyond which `period` numbers come again and again.
inline std::optional<extent_set> as_set(const std::vector<bool>& known, size_t period) {
  const size_t size = known.size();
  size_t first = 0, second = 0, last = size;
  while (first < size && !known[first]) ++first;
  if (first == size) return extent_set{1, 0, 1};
  for (second = first + 1; second < size && !known[second];) ++second;
  for (last = size - 1; !known[last];) --last;
  extent_set r{static_cast<i64>(first), extent_set::most, static_cast<i64>(second - first)};
  if (last < size - period) r.high = static_cast<i64>(last);  // nothing in the part that comes again
  else if (second == size) return std::nullopt;               // one in each period: its length is the step
  if (last == first) r.step = 1;
  if (r.high == extent_set::most && period % static_cast<size_t>(r.step) != 0) return std::nullopt;
  for (size_t n = 0; n < size; ++n)
    if (known[n] != r.contains(static_cast<i64>(n))) return std::nullopt;
  return r;
}

inline std::optional<extent_set> fitting_periodic(const extent_condition& c, const std::string& name) {
  const auto r = extent_course::repeat_of(c.value, name);
  if (!r) return std::nullopt;
  i64 far = 0;  // from zero, within the first period
  for (i64 n = r->begin; n < r->begin + r->period; ++n) {
    const i64 v = extent_course::value(c.value, name, n);
    if (extent_course::is_far(v)) return std::nullopt;
    far = std::max(far, std::abs(v));
  }
  // Behind so many periods the value has no longer a chance to be 0 or to change its sign; it then is as it stays.
  const i64 settled = r->slope == 0 ? 0 : far / std::abs(r->slope) + 1;
  if (settled > extent_course::longest) return std::nullopt;
  const i64 size = r->begin + r->period * (settled + 2);
  if (size > 4 * extent_course::longest) return std::nullopt;
  std::vector<bool> known;
  for (i64 n = 0; n < size; ++n) known.push_back(fits(c, name, n));
  return as_set(known, static_cast<size_t>(r->period));
}

}  // namespace detail

std::optional<extent_set> fitting_extents(const extent_condition& c, const std::string& name) {
  if (c.kind == extent_condition::not_zero) {
    const std::optional<extent_set> others = fitting_extents(c.opposite(), name);
    if (!others || others->empty()) return others ? std::optional(extent_set{}) : std::nullopt;
    const bool run = others->step == 1 || others->low + others->step > others->high;
    const i64 last = run && others->step != 1 ? others->low : others->high;
    if (run && others->low == 0) return last == extent_set::most ? extent_set{1, 0, 1} : extent_set{last + 1};
    if (run && last == extent_set::most) return extent_set{0, others->low - 1, 1};
    return std::nullopt;
  }
  const extent_course::direction d = extent_course::of(c.value);
  if (d != extent_course::unknown)
    if (auto r = detail::fitting_monotone(c, name, d)) return r;
  try {
    return detail::fitting_periodic(c, name);
  } catch (const error&) { return std::nullopt; }
}

extent_set intersection(const extent_set& a, const extent_set& b) {
  const extent_set nothing{1, 0, 1};
  const extent_set& coarse = a.step >= b.step ? a : b;
  const extent_set& fine = a.step >= b.step ? b : a;
  extent_set r{std::max(a.low, b.low), std::min(a.high, b.high), 1};
  if (a.empty() || b.empty() || r.empty()) return nothing;
  r.low = coarse.low + (r.low - coarse.low + coarse.step - 1) / coarse.step * coarse.step;
  for (i64 tries = 0; tries < fine.step; ++tries, r.low += coarse.step)
    if (fine.contains(r.low) || fine.step == 1) {
      r.step = std::lcm(a.step, b.step);
      return r.empty() ? nothing : r;
    }
  return nothing;
}

std::string extent_set::text() const {
  const auto number = [](i64 n) { return std::to_string(n); };
  if (empty()) return "nothing that there is";
  if (step > high - low) return number(low);
  if (step > 1 && 2 * step > high - low) return number(low) + " or " + number(low + step);
  if (step == 1) {
    if (high >= most) return "at least " + number(low);
    return low == 0 ? "at most " + number(high) : "from " + number(low) + " to " + number(high);
  }
  if (low % step == 0) {
    std::string s = "a multiple of " + number(step);
    if (low > step) s += ", at least " + number(low);
    if (low == step) s += ", not 0";
    if (high < most) s += ", at most " + number(low + (high - low) / step * step);
    return s;
  }
  std::string s = number(low) + ", " + number(low + step);
  if (high >= most) return s + ", " + number(low + 2 * step) + " and so on, in steps of " + number(step);
  return s + " and so on to " + number(low + (high - low) / step * step);
}

namespace detail {

/// A sum as a person writes it: "2*m + 4"; of the terms whose coefficient has this sign.
inline std::string side_of(const extent_expr& e, bool positive) {
  std::string s;
  for (const extent_expr::term& t : e.terms()) {
    if ((t.coefficient > 0) != positive) continue;
    const i64 c = positive ? t.coefficient : checked_sub(0, t.coefficient);
    const std::string k = extent_algebra::key(t);
    s += (s.empty() ? "" : " + ") + (k.empty() ? std::to_string(c) : c == 1 ? k : std::to_string(c) + "*" + k);
  }
  return s.empty() ? "0" : s;
}

inline std::string shown(const extent_place& p) {
  return "input '" + p.input + "', dimension " + std::to_string(p.dimension);
}

inline std::string joined(const std::vector<std::string>& list, const char* last) {
  std::string s;
  for (size_t i = 0; i < list.size(); ++i) s += (i == 0 ? "" : i + 1 == list.size() ? last : ", ") + list[i];
  return s;
}

/// One condition or several, with numbers for all names but one.
struct question {
  std::vector<extent_condition> conditions;
  const extent_place* about = nullptr;

  bool fits(i64 n) const {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const extent_condition& c) { return detail::fits(c, about->name, n); });
  }
  /// "must be at least 5"; "must be another, of which the nearest are 4 and 9" where no set says it, on one side of the
  /// given one where there are none on the other; empty where nothing was found.
  std::string answer() const {
    std::optional<extent_set> all = extent_set{};
    for (const extent_condition& c : conditions) {
      const auto one = fitting_extents(c, about->name);
      all = one && all ? std::optional(intersection(*all, *one)) : std::nullopt;
    }
    if (all && all->empty()) return "";
    if (all) return "must be " + all->text();
    const auto two_on_side = [&](i64 step) {
      std::vector<i64> r;
      for (i64 d = 1; d <= 2048 && r.size() < 2; ++d)
        if (const i64 n = about->given + step * d; n >= 0 && fits(n)) r.push_back(n);
      return r;
    };
    const std::vector<i64> below = two_on_side(-1), above = two_on_side(1);
    std::vector<i64> nearest = below.empty() ? above : below;
    if (!below.empty() && !above.empty()) nearest = {below[0], above[0]};
    if (nearest.empty()) return "";
    std::sort(nearest.begin(), nearest.end());
    std::string s = "must be another, of which the nearest ";
    s += (nearest.size() == 2 ? "are " : "is ") + std::to_string(nearest[0]);
    return nearest.size() == 2 ? s + " and " + std::to_string(nearest[1]) : s;
  }
};

inline const extent_place* place_of(std::span<const extent_place> places, const std::string& name) {
  for (const extent_place& p : places)
    if (p.name == name) return &p;
  return nullptr;
}

/// "a = b", where that is all that a condition says.
inline bool says_equal(const extent_condition& c) {
  const auto& t = c.value.terms();
  return c.kind == extent_condition::is_zero && t.size() == 2 && c.value.names().size() == 2 &&
         t[0].factors.size() == 1 && t[1].factors.size() == 1 && t[0].coefficient * t[1].coefficient == -1 &&
         c.value.names() == std::vector<std::string>{t[0].factors[0]->text, t[1].factors[0]->text};
}

/// The places of a condition's names, in the order of the inputs.
inline std::vector<extent_place> places_in(const extent_condition& c, std::span<const extent_place> places) {
  const std::vector<std::string> names = c.value.names();
  std::vector<extent_place> r;
  for (const extent_place& p : places)
    if (std::find(names.begin(), names.end(), p.name) != names.end()) r.push_back(p);
  return r;
}

/// What a condition of several names says of these extents.
inline std::string sentence_of_several(const extent_condition& c, std::span<const extent_condition> conditions,
                                       std::span<const extent_place> all) {
  const std::vector<extent_place> places = places_in(c, all);
  std::vector<std::string> given, answers;
  for (const extent_place& p : places) {
    const std::string& n = p.name;
    given.push_back(shown(p) + " is " + std::to_string(p.given));
    question q{{}, &p};
    for (const extent_condition& other : conditions) {
      const auto of_other = other.value.names();
      if (!(other == c) && of_other != std::vector<std::string>{n}) continue;
      q.conditions.push_back({other.value.substitute([&](const std::string& m) {
                                return m == n ? std::nullopt : std::optional(place_of(places, m)->given);
                              }),
                              other.kind});
    }
    if (const std::string a = q.answer(); !a.empty()) answers.push_back(shown(p) + " " + a);
  }
  std::string s = joined(given, " and ");
  if (says_equal(c)) return s + ", and they must be equal";
  s += ", which do not fit together";
  if (!answers.empty()) return s + ": while the others stay, " + joined(answers, ", or ");
  std::string what;
  for (const extent_place& p : places) what += (what.empty() ? "" : ", ") + p.name + " = " + std::to_string(p.given);
  return s + ": " + readable(c) + " must hold, and " + what;
}

}  // namespace detail

std::string readable(const extent_condition& c) {
  return detail::side_of(c.value, true) +
         (c.kind == extent_condition::is_zero    ? " = "
          : c.kind == extent_condition::not_zero ? " != "
                                                 : " >= ") +
         detail::side_of(c.value, false);
}

std::string unmet_sentence(std::span<const extent_condition> conditions, std::span<const extent_place> places) {
  std::vector<std::string> sentences, said;
  for (const extent_condition& c : conditions) {
    const std::vector<std::string> names = c.value.names();
    const auto given = [&](const std::string& n) { return detail::place_of(places, n)->given; };
    const auto known = [&](const std::string& n) { return detail::place_of(places, n) != nullptr; };
    if (!std::all_of(names.begin(), names.end(), known)) continue;
    bool holds = false;
    try {
      holds = c.holds(c.value.evaluate(given));
    } catch (const error&) {}
    if (holds) continue;
    if (names.size() != 1) {
      sentences.push_back(names.empty() ? readable(c) + " does not hold"
                                        : detail::sentence_of_several(c, conditions, places));
      continue;
    }
    if (std::find(said.begin(), said.end(), names[0]) != said.end()) continue;
    said.push_back(names[0]);
    // All that is asked of this extent alone, so that what the sentence names is enough.
    detail::question q{{}, detail::place_of(places, names[0])};
    for (const extent_condition& other : conditions)
      if (other.value.names() == names) q.conditions.push_back(other);
    const std::string answer = q.answer();
    sentences.push_back(
        detail::shown(*q.about) + " is " + std::to_string(q.about->given) +
        (answer.empty() ? " (" + names[0] + "), and " + readable(c) + " must hold" : ", and " + answer));
  }
  return detail::joined(sentences, "; ");
}

std::string unmet_sentence(std::span<const condition_list> conditions, std::span<const extent_place> places) {
  const auto serves_all_of = [&](size_t other, size_t one) {
    const auto more = [&](size_t a, size_t b) {
      return sizes_outside(conditions[a], conditions.subspan(b, 1)).may_be();
    };
    return other != one && !more(one, other) && (other < one || more(other, one));
  };
  std::vector<std::string> each;
  for (size_t i = 0; i < conditions.size(); ++i) {
    bool covered = false;
    for (size_t k = 0; !covered && k < conditions.size(); ++k) covered = serves_all_of(k, i);
    std::string s = covered ? std::string() : unmet_sentence(conditions[i].items(), places);
    if (!s.empty() && std::find(each.begin(), each.end(), s) == each.end()) each.push_back(std::move(s));
  }
  return each.size() == 1 ? each[0] : detail::joined(each, "; or ");
}

std::string requirement(const extent_condition& c, std::span<const extent_place> places) {
  const std::vector<std::string> names = c.value.names();
  if (names.size() == 1)
    if (const extent_place* p = detail::place_of(places, names[0]))
      if (const auto all = fitting_extents(c, names[0])) return detail::shown(*p) + " must be " + all->text();
  std::vector<std::string> what;
  for (const extent_place& p : detail::places_in(c, places)) what.push_back(p.name + ": " + detail::shown(p));
  return readable(c) + " must hold" + (what.empty() ? "" : " (" + detail::joined(what, ", ") + ")");
}

}  // namespace tenon
