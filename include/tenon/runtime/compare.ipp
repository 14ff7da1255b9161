/// @file compare: definitions.
#pragma once

#include <cmath>
#include <cstdio>
#include <limits>

#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon {
namespace detail {

inline std::string number_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", v);
  return text;
}

inline std::string element_text(const tensor& t, i64 i) {
  if (is_float(t.type())) return number_text(t.at_f64(i));
  return t.type() == dtype::u64 ? std::to_string(static_cast<u64>(t.at_i64(i))) : std::to_string(t.at_i64(i));
}

/// Difference of two elements that are not bitwise alike: exact zero only for what counts as equal.
template <class T>
double element_error(T got, T want) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if constexpr (std::integral<T>) {
    if (got == want) return 0;
    return got > want ? static_cast<double>(static_cast<u64>(got) - static_cast<u64>(want))
                      : static_cast<double>(static_cast<u64>(want) - static_cast<u64>(got));
  } else {
    const double a = static_cast<double>(got), b = static_cast<double>(want);
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    return std::isfinite(a) && std::isfinite(b) ? std::abs(a - b) : infinity;
  }
}

}  // namespace detail

std::string position_text(std::span<const i64> shape, i64 index) {
  std::vector<i64> at(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    at[d] = index % shape[d];
    index /= shape[d];
  }
  return shape_text(at);
}

comparison compare(const tensor& got, const tensor& want, const tolerance& tol) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  comparison c;
  if (got.type() != want.type() || got.shape() != want.shape()) {
    c.message = "got " + got.describe() + ", want " + want.describe();
    c.max_abs_error = c.norm_ratio = infinity;
    return c;
  }
  if (want.type() == dtype::string) {
    for (i64 i = 0; i < want.size(); ++i) {
      if (string_at(got, i) == string_at(want, i)) continue;
      if (c.bad_elements++ == 0) {
        c.index = i;
        c.message = "element " + position_text(want.shape(), i) + " is '" + string_at(got, i) + "', want '" +
                    string_at(want, i) + "'";
      }
    }
    c.ok = c.bad_elements == 0;
    if (!c.ok) c.max_abs_error = c.norm_ratio = infinity;
    return c;
  }
  i64 worst = -1;  // the bad element that is furthest outside
  double worst_excess = 0, error_sum = 0, want_sum = 0;
  visit_storage(want.type(), [&]<class T>(T) {
    for (i64 i = 0; i < want.size(); ++i) {
      const auto a = detail::load_element<T>(got.data(), i), b = detail::load_element<T>(want.data(), i);
      const double error = detail::element_error(a, b), w = static_cast<double>(b);
      // An infinite or NaN `want` has no room around it.
      const double room = is_float(want.type()) && std::isfinite(w) ? tol.abs + tol.rel * std::abs(w) : 0;
      if (std::isfinite(w)) want_sum += w * w;
      if (error == 0) continue;
      error_sum += error * error;
      if (c.index < 0 || error > c.max_abs_error) {
        c.max_abs_error = error;
        c.index = i;
      }
      if (error > room) {
        ++c.bad_elements;
        if (worst < 0 || error - room > worst_excess) {
          worst = i;
          worst_excess = error - room;
        }
      }
    }
  });
  if (error_sum > 0) c.norm_ratio = want_sum > 0 ? std::sqrt(error_sum / want_sum) : infinity;
  const bool norm_ok = !tol.check_norm || c.norm_ratio <= tol.norm;
  c.ok = c.bad_elements == 0 && norm_ok;
  if (c.bad_elements > 0) {
    c.message = std::to_string(c.bad_elements) + " of " + std::to_string(want.size()) + " elements of " +
                want.describe() + " differ, the worst at " + position_text(want.shape(), worst) + ": got " +
                detail::element_text(got, worst) + ", want " + detail::element_text(want, worst);
  } else if (!norm_ok) {
    c.message = "every element of " + want.describe() + " is close, but the norm of the difference is " +
                detail::number_text(c.norm_ratio) + " of the norm of what is wanted, above " +
                detail::number_text(tol.norm);
  }
  return c;
}

}  // namespace tenon
