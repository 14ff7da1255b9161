/// @file extent_expr: integer expressions over named extents, in a normal form: equal sums have equal texts.
///
///     extent_expr n = extent_expr::name("seq");
///     (n - 1 + 1 == n), floor_div(n * 4, 4) == n, floor_div(n - 1, 2) + 1 == floor_div(n + 1, 2)
/// A polynomial: terms are products of atoms, an atom is a name or a quotient, remainder, scaled value, max(…, 0) or
/// broadcast(…) that could not be resolved. Names stand for extents, which are never negative. The text reads back
/// (`parse`): an expression is a symbol of a module by that text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tenon/core/int.hpp>

namespace tenon {

class extent_expr {
 public:
  struct atom;
  using atom_ptr = std::shared_ptr<const atom>;
  /// coefficient * product of the factors, which are sorted by their texts.
  struct term {
    std::vector<atom_ptr> factors;
    i64 coefficient = 0;
  };

  extent_expr(i64 constant = 0);
  static extent_expr name(std::string_view n);
  /// Reads what `text` wrote, and any sum, product, quotient, `%`, `max(a,b)` and `broadcast(a,b)` of names and
  /// numbers.
  static std::optional<extent_expr> parse(std::string_view text);
  std::string text() const;

  bool is_constant() const { return terms_.empty() || (terms_.size() == 1 && terms_[0].factors.empty()); }
  /// The summand without names; the value of a constant.
  i64 constant() const { return !terms_.empty() && terms_.back().factors.empty() ? terms_.back().coefficient : 0; }
  const std::vector<term>& terms() const { return terms_; }
  /// Known not to be negative, whatever the names stand for.
  bool never_negative() const;
  /// Known to be at most `bound`, whatever the names stand for.
  bool at_most(i64 bound) const { return (extent_expr(bound) - *this).never_negative(); }
  /// The names in it, each once.
  std::vector<std::string> names() const;

  /// The value for the numbers that `lookup(name)` gives. Throws "extent.overflow" and, for a divisor of 0,
  /// "extent.division".
  template <class F>
  i64 evaluate(F&& lookup) const {
    using function = std::remove_reference_t<F>;
    return evaluate_with(
        +[](const void* f, const std::string& n) -> i64 { return (*static_cast<const function*>(f))(n); }, &lookup);
  }

  /// Numbers for names: `find(name)` gives an optional, and names without a number stay.
  template <class F>
  extent_expr substitute(F&& find) const {
    using function = std::remove_reference_t<F>;
    return substitute_with(
        +[](const void* f, const std::string& n) -> std::optional<i64> {
          return (*static_cast<const function*>(f))(n);
        },
        &find);
  }

  friend extent_expr operator+(const extent_expr& a, const extent_expr& b);
  friend extent_expr operator*(const extent_expr& a, const extent_expr& b);
  friend extent_expr operator-(const extent_expr& a, const extent_expr& b);
  friend bool operator==(const extent_expr& a, const extent_expr& b) { return a.text() == b.text(); }

 private:
  i64 evaluate_with(i64 (*lookup)(const void*, const std::string&), const void* with) const;
  extent_expr substitute_with(std::optional<i64> (*find)(const void*, const std::string&), const void* with) const;
  void add(term t);
  static extent_expr of(atom_ptr a);
  friend struct extent_algebra;
  std::vector<term> terms_;  ///< by descending number of factors, then by text; no coefficient is 0
};

/// Rounded down; b is not 0.
extent_expr floor_div(const extent_expr& a, const extent_expr& b);
extent_expr floor_mod(const extent_expr& a, const extent_expr& b);
extent_expr ceil_div(const extent_expr& a, i64 b);
/// floor(a * scale) as `f32` arithmetic has it: what a Resize by a scale gives. Spelled scale(a,bits of the f32).
extent_expr floor_scaled(const extent_expr& a, float scale);
extent_expr maximum(const extent_expr& a, const extent_expr& b);
extent_expr minimum(const extent_expr& a, const extent_expr& b);
/// What two extents broadcast to (numpy's rule), where they are equal or one of them is 1: the other one of a 1.
extent_expr broadcast(const extent_expr& a, const extent_expr& b);
/// The extents that an expression is the broadcast of; itself alone where it is none.
std::vector<extent_expr> broadcast_operands(const extent_expr& e);

}  // namespace tenon
