/// @file extent_condition.ipp: definitions of core/extent_condition.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/extent_condition.hpp>

namespace tenon {

bool extent_condition::always() const {
  return kind == is_zero ? value.is_constant() && value.constant() == 0 : value.never_negative();
}

bool extent_condition::never() const {
  const bool negative = (extent_expr(-1) - value).never_negative();
  return negative || (kind == is_zero && (value - 1).never_negative());
}

std::optional<extent_condition> extent_condition::parse(std::string_view text) {
  // Names may hold any character, so the relation is looked for where it stands: at the end.
  extent_condition c;
  if (text.ends_with(">=0")) c.kind = not_negative;
  else if (!text.ends_with("==0")) return std::nullopt;
  auto value = extent_expr::parse(text.substr(0, text.size() - 3));
  if (!value) return std::nullopt;
  c.value = *std::move(value);
  return c;
}

namespace detail {
/// One spelling for e == 0 and -e == 0.
inline extent_condition spelled(extent_condition c) {
  if (c.kind == extent_condition::is_zero && c.value.terms()[0].coefficient < 0) c.value = extent_expr(0) - c.value;
  return c;
}
}  // namespace detail

bool condition_list::says_equal(const extent_expr& a, const extent_expr& b) const {
  const extent_condition c{a - b, extent_condition::is_zero};
  return c.always() || std::find(items_.begin(), items_.end(), detail::spelled(c)) != items_.end();
}

bool condition_list::add(extent_condition c) {
  if (noted_ == noting::nothing || c.always()) return true;
  if (c.never()) return false;
  c = detail::spelled(std::move(c));
  if (std::find(items_.begin(), items_.end(), c) == items_.end()) items_.push_back(std::move(c));
  return true;
}

}  // namespace tenon
