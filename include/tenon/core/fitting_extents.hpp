/// @file fitting_extents: which extents of inputs meet the conditions of code, and the sentence that says so.
///
///     ((n+3)/4)-2>=0, where n is dimension 3 of input 'x'     ->     input 'x', dimension 3 is 2, and must be at least
///     5
/// A condition is solved for one name where it is monotone in it, or where it is linear but for quotients and
/// remainders of constant divisors, whose values come again with a period; where it is neither, the nearest extents
/// that fit are looked for around the given one. Extents run from 0 to 2^40.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/extent_condition.hpp>

namespace tenon {

/// Every `step`-th number from `low` to `high`, both included; none where `low` is above `high`.
struct extent_set {
  static constexpr i64 most = i64{1} << 40;
  i64 low = 0, high = most, step = 1;

  bool empty() const { return low > high; }
  bool contains(i64 n) const { return n >= low && n <= high && (n - low) % step == 0; }
  /// "at least 5", "5", "a multiple of 4", "1, 5, 9 and so on": what an extent must be.
  std::string text() const;
};
extent_set intersection(const extent_set& a, const extent_set& b);

/// The extents of `name` with which a condition holds that has no other name. Nothing where they are no such set, or
/// where it cannot be proven which they are. Cost: at most some 16,000 evaluations.
std::optional<extent_set> fitting_extents(const extent_condition& c, const std::string& name);

/// What a name of conditions is: a dimension of an input, and the extent that was given.
struct extent_place {
  std::string name, input;
  size_t dimension = 0;
  i64 given = 0;
};

/// "n >= 2*m + 4": a condition as a person writes it, with sums on both sides and `/` rounding down.
std::string readable(const extent_condition& c);
/// What is wrong with the given extents, in a sentence: each that does not fit, and which would. Where several
/// dimensions meet in a condition it says what each must be while the others stay. Empty where all conditions hold.
/// A name without a place leaves the condition that has it aside.
std::string unmet_sentence(std::span<const extent_condition> conditions, std::span<const extent_place> places);
/// The same where code was made several times, and these sizes meet the conditions of none: what each asks, but for
/// those beside which another one serves all that they serve.
std::string unmet_sentence(std::span<const condition_list> conditions, std::span<const extent_place> places);
/// What a condition asks of inputs, for any extents: "input 'x', dimension 3 must be at least 5", or the condition with
/// what its names are. `given` of the places is not looked at.
std::string requirement(const extent_condition& c, std::span<const extent_place> places);

}  // namespace tenon
