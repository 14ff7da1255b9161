/// @file dims: extents as expressions of a module's symbols, and what a program must check of them before it runs.
///
/// A symbol whose name is an expression ("batch*seq", "((n+1)/2)") stands for that expression; any other one is an
/// extent of its own, which an input binds. Equal expressions have one symbol, since the text is a normal form.
/// Conditions on them are `module::conditions`.
#pragma once

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// The expression of an extent that is not unknown.
extent_expr expression_of(const module& m, dim d);
/// A number, or the symbol of an expression. A negative number is an extent of 0.
dim dim_of(module& m, const extent_expr& e);
/// The number of elements of a type without unknown extents.
extent_expr count_of(const module& m, const type& t);

/// The numbers that an error about these operands is about: extents, and what short lists of integers hold.
std::vector<i64> sizes_of(const module& m, std::span<const value_id> operands);

/// A condition that is not known to hold is noted, once. False when it is known to hold for no extents.
[[nodiscard]] bool require_zero(module& m, const extent_expr& e);
[[nodiscard]] bool require_not_negative(module& m, const extent_expr& e);
/// What a rule asks of extents: of numbers it is answered, of open ones it becomes a condition where these are noted
/// (ir/condition_scope.hpp), of unknown ones nothing is known. False when it never holds.
[[nodiscard]] bool require_equal(module& m, dim a, dim b);
[[nodiscard]] bool require_multiple(module& m, dim d, i64 of);
[[nodiscard]] bool require_at_least(module& m, dim a, dim b);

/// True when an extent of the type is a symbol.
inline bool has_symbols(const type& t) {
  for (dim d : t.shape)
    if (d.is_symbol()) return true;
  return false;
}
/// No extent is unknown.
inline bool is_known(const type& t) {
  if (!t.ranked) return false;
  for (dim d : t.shape)
    if (d.is_unknown()) return false;
  return true;
}

}  // namespace tenon::ir
