/// @file extent_condition.ipp: definitions of core/extent_condition.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/extent_condition.hpp>

namespace tenon {

namespace detail {
inline bool is_always_zero(const extent_expr& e) { return e.is_constant() && e.constant() == 0; }
inline bool is_never_zero(const extent_expr& e) {
  return (extent_expr(-1) - e).never_negative() || (e - 1).never_negative();
}
}  // namespace detail

bool extent_condition::always() const {
  if (kind == not_negative) return value.never_negative();
  return kind == is_zero ? detail::is_always_zero(value) : detail::is_never_zero(value);
}

bool extent_condition::never() const {
  if (kind == not_negative) return (extent_expr(-1) - value).never_negative();
  return kind == is_zero ? detail::is_never_zero(value) : detail::is_always_zero(value);
}

std::optional<bool> extent_condition::holds_with(const std::map<std::string, i64>& sizes) const {
  const std::vector<std::string> names = value.names();
  if (!std::all_of(names.begin(), names.end(), [&](const std::string& n) { return sizes.contains(n); }))
    return std::nullopt;
  return holds(value.evaluate([&](const std::string& n) { return sizes.find(n)->second; }));
}

extent_condition extent_condition::opposite() const {
  if (kind == not_negative) return {extent_expr(-1) - value, not_negative};
  return {value, kind == is_zero ? not_zero : is_zero};
}

std::optional<extent_condition> extent_condition::parse(std::string_view text) {
  // Names may hold any character, so the relation is looked for where it stands: at the end.
  extent_condition c;
  if (text.ends_with(">=0")) c.kind = not_negative;
  else if (text.ends_with("!=0")) c.kind = not_zero;
  else if (!text.ends_with("==0")) return std::nullopt;
  auto value = extent_expr::parse(text.substr(0, text.size() - 3));
  if (!value) return std::nullopt;
  c.value = *std::move(value);
  return c;
}

namespace detail {
/// One spelling for e == 0 and -e == 0, and for e != 0 and -e != 0.
inline extent_condition spelled(extent_condition c) {
  if (c.kind != extent_condition::not_negative && c.value.terms()[0].coefficient < 0)
    c.value = extent_expr(0) - c.value;
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
