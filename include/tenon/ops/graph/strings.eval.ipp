/// @file strings.eval.ipp: evaluations of ops/graph/strings.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/regex.hpp>
#include <tenon/ops/graph/strings.hpp>
#include <tenon/runtime/strings.hpp>

namespace tenon::op {
namespace string_detail {

/// In another case; letters outside of ASCII: Latin, Greek and Cyrillic ones with a simple partner.
inline std::string cased(std::string_view s, letter_case to) {
  std::string r;
  for (size_t i = 0; i < s.size();) {
    u32 c = regex::next_code_point(s, i);
    if (to == letter_case::upper) c = regex::upper(c);
    if (to == letter_case::lower) c = regex::lower(c);
    regex::append_code_point(r, c);
  }
  return r;
}

inline std::string number_text(double v, bool is_double) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v < 0 ? "-INF" : "INF";
  char buffer[64];
  // The shortest text that reads back as the same number, of the type that it was; with an exponent where ONNX Runtime,
  // which has eight digits of every type, writes one.
  const double size = std::fabs(v);
  const auto form = v == 0 || (size >= 1e-4 && size < 1e8) ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = is_double ? std::to_chars(buffer, buffer + sizeof buffer, v, form)
                             : std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(v), form);
  return {buffer, end.ptr};
}

template <class T>
std::string element_text(T v) {
  if constexpr (std::same_as<T, bool>) return v ? "1" : "0";
  else if constexpr (std::integral<T>) return std::to_string(v);
  else return number_text(static_cast<double>(v), std::same_as<T, double>);
}

inline std::string_view trimmed(std::string_view s) {
  const auto space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!s.empty() && space(s.front())) s.remove_prefix(1);
  while (!s.empty() && space(s.back())) s.remove_suffix(1);
  return s;
}

inline double parsed_real(const eval_context& cx, const std::string& text) {
  std::string_view s = trimmed(text);
  const bool negative = !s.empty() && s.front() == '-';
  if (!s.empty() && (s.front() == '-' || s.front() == '+')) s.remove_prefix(1);
  double v = 0;  // from_chars knows "nan", "inf" and "infinity" in any case
  const auto end = std::from_chars(s.data(), s.data() + s.size(), v);
  if (end.ec == std::errc::result_out_of_range)  // too large, or too near to zero
    v = s.find("e-") != std::string_view::npos || s.find("E-") != std::string_view::npos ? 0.0 : HUGE_VAL;
  else if (end.ec != std::errc() || end.ptr != s.data() + s.size() || s.empty() || s.front() == '-')
    cx.fail("'" + text + "' is not a number");
  return negative ? -v : v;
}

template <class T>
T parsed(const eval_context& cx, const std::string& text) {
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    std::string_view s = trimmed(text);
    if (!s.empty() && s.front() == '+') s.remove_prefix(1);
    T v{};
    const auto end = std::from_chars(s.data(), s.data() + s.size(), v);
    if (end.ec == std::errc() && end.ptr == s.data() + s.size()) return v;
    return convert_element<T>(parsed_real(cx, text));  // "1e3", "2.0", or not in range
  } else if constexpr (std::same_as<T, bool>) {
    if (text == "True" || text == "true") return true;
    if (text == "False" || text == "false") return false;
    return parsed_real(cx, text) != 0;
  } else {
    return convert_element<T>(parsed_real(cx, text));
  }
}

inline std::vector<std::string_view> split(std::string_view s, std::string_view delimiter, i64 most) {
  std::vector<std::string_view> parts;
  const auto full = [&] { return most >= 0 && static_cast<i64>(parts.size()) >= most; };
  if (delimiter.empty()) {
    constexpr std::string_view space = " \t\n\v\f\r";
    for (;;) {
      const size_t begin = s.find_first_not_of(space);
      if (begin == std::string_view::npos) return parts;
      s.remove_prefix(begin);
      const size_t end = full() ? std::string_view::npos : s.find_first_of(space);
      if (end == std::string_view::npos) {
        parts.push_back(s);  // the rest keeps the white space behind it
        return parts;
      }
      parts.push_back(s.substr(0, end));
      s.remove_prefix(end);
    }
  }
  for (;;) {
    const size_t end = full() ? std::string_view::npos : s.find(delimiter);
    parts.push_back(s.substr(0, end));
    if (end == std::string_view::npos) return parts;
    s.remove_prefix(end + delimiter.size());
  }
}

inline i64 code_points(std::string_view s) {
  i64 n = 0;
  for (size_t at = 0; at < s.size(); ++n) regex::next_code_point(s, at);
  return n;
}
inline size_t behind_code_point(std::string_view s, size_t at) {
  if (at >= s.size()) return s.size() + 1;
  regex::next_code_point(s, at);
  return at;
}

/// The matches of at least `least` code points; one that is too short is read again from its second code point on.
inline std::vector<std::string_view> matches(std::string_view s, const regex::program& p, i64 least) {
  std::vector<std::string_view> found;
  for (size_t from = 0; from <= s.size();) {
    const auto m = regex::find_longest(p, s, from);
    if (!m) break;
    const std::string_view t = s.substr(m->begin, m->end - m->begin);
    const bool long_enough = code_points(t) >= least;
    if (long_enough) found.push_back(t);
    from = long_enough ? m->end : behind_code_point(s, m->begin);
  }
  return found;
}

/// The parts of at least `least` code points between matches; an empty match is a code point long.
inline void split_at_matches(std::string_view s, const regex::program& p, i64 least,
                             std::vector<std::string_view>& parts) {
  for (size_t from = 0; from <= s.size();) {
    const auto m = regex::find_longest(p, s, from);
    const std::string_view t = s.substr(from, m ? m->begin - from : std::string_view::npos);
    if (code_points(t) >= least) parts.push_back(t);
    if (!m) break;
    from = m->end > m->begin ? m->end : behind_code_point(s, m->begin);
  }
}

inline std::vector<i64> broadcast_shape(const eval_context& cx, const tensor& a, const tensor& b) {
  std::vector<i64> r(std::max(a.shape().size(), b.shape().size()), 1);
  for (size_t i = 0; i < r.size(); ++i) {
    const i64 x = i < a.shape().size() ? a.shape()[a.shape().size() - 1 - i] : 1;
    const i64 y = i < b.shape().size() ? b.shape()[b.shape().size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) cx.fail(a.describe() + " and " + b.describe() + " do not broadcast");
    r[r.size() - 1 - i] = x == 1 ? y : x;
  }
  return r;
}
/// Which element of x is the one at a linear index of `shape`.
inline i64 broadcast_index(i64 index, const std::vector<i64>& shape, const std::vector<i64>& x) {
  i64 at = 0, stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    const i64 extent = shape[shape.size() - 1 - i], position = index % extent;
    index /= extent;
    if (i >= x.size()) continue;
    const i64 mine = x[x.size() - 1 - i];
    if (mine != 1) at += position * stride;
    stride *= mine;
  }
  return at;
}

inline u32 murmur_hash(const void* bytes, size_t size, u32 seed) {
  const auto* const p = static_cast<const u8*>(bytes);
  const auto part = [&](size_t from, size_t count) {
    u32 k = 0;
    for (size_t i = 0; i < count; ++i) k |= static_cast<u32>(p[from + i]) << (8 * i);
    return std::rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u;
  };
  u32 h = seed;
  size_t at = 0;
  for (; at + 4 <= size; at += 4) h = std::rotl(h ^ part(at, 4), 13) * 5 + 0xe6546b64u;
  h ^= part(at, size - at);
  h ^= static_cast<u32>(size);
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

}  // namespace string_detail

void evaluate(const string_concat&, eval_context& cx) {
  const tensor &a = cx.operand(0), &b = cx.operand(1);
  const std::vector<i64> shape = string_detail::broadcast_shape(cx, a, b);
  tensor r(dtype::string, shape);
  for (i64 i = 0; i < r.size(); ++i)
    set_string(r, i,
               string_at(a, string_detail::broadcast_index(i, shape, a.shape())) +
                   string_at(b, string_detail::broadcast_index(i, shape, b.shape())));
  cx.result(std::move(r));
}

void evaluate(const string_split& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  std::vector<std::vector<std::string_view>> all;
  size_t longest = 0;
  for (i64 i = 0; i < x.size(); ++i) {
    all.push_back(string_detail::split(string_at(x, i), op.delimiter, op.most));
    longest = std::max(longest, all.back().size());
  }
  std::vector<i64> shape = x.shape();
  tensor counts(dtype::i64, shape);
  shape.push_back(static_cast<i64>(longest));
  tensor parts(dtype::string, shape);
  for (size_t i = 0; i < all.size(); ++i) {
    counts.set_i64(static_cast<i64>(i), static_cast<i64>(all[i].size()));
    for (size_t k = 0; k < all[i].size(); ++k) set_string(parts, static_cast<i64>(i * longest + k), all[i][k]);
  }
  cx.result(0, std::move(parts));
  cx.result(1, std::move(counts));
}

void evaluate(const string_normalize& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (x.rank() < 1 || x.rank() > 2 || (x.rank() == 2 && x.shape()[0] != 1)) cx.fail("the operand is " + x.describe());
  const letter_case compared = op.case_sensitive            ? letter_case::none
                               : op.to == letter_case::none ? letter_case::lower
                                                            : op.to;
  std::unordered_set<std::string> stops;
  for (const std::string& s : op.stop_words) stops.insert(string_detail::cased(s, compared));
  std::vector<std::string> kept;
  for (i64 i = 0; i < x.size(); ++i)
    if (const std::string& s = string_at(x, i); !stops.contains(string_detail::cased(s, compared)))
      kept.push_back(string_detail::cased(s, op.to));
  if (kept.empty()) kept.emplace_back();
  std::vector<i64> shape = x.shape();
  shape.back() = static_cast<i64>(kept.size());
  cx.result(string_tensor(shape, std::span<const std::string>(kept)));
}

void evaluate(const regex_full_match& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  std::string problem;
  const auto program = regex::compile(op.pattern, problem);
  if (!problem.empty()) cx.fail("the pattern '" + op.pattern + "': " + problem);
  tensor r(dtype::boolean, x.shape());
  for (i64 i = 0; i < x.size(); ++i) r.set_i64(i, regex::full_match(program, string_at(x, i)));
  cx.result(std::move(r));
}

void evaluate(const string_tokenize& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  std::vector<regex::program> separators;
  std::string problem;
  for (const std::string& s : op.separators) separators.push_back(regex::compile(s, problem));
  const regex::program token = regex::compile(op.pattern, problem);
  std::vector<std::vector<std::string_view>> all;
  size_t longest = 0;
  for (i64 i = 0; i < x.size(); ++i) {
    const std::string_view text = string_at(x, i);
    std::vector<std::string_view>& row = all.emplace_back();
    if (separators.empty()) {
      row = string_detail::matches(text, token, op.least);
    } else {
      row.push_back(text);
      for (const regex::program& s : separators) {
        std::vector<std::string_view> parts;
        for (const std::string_view t : row) string_detail::split_at_matches(t, s, op.least, parts);
        row = std::move(parts);
      }
    }
    longest = std::max(longest, row.size());
  }
  std::vector<i64> shape = x.shape();
  const size_t width = longest == 0 ? 0 : longest + (op.mark ? 2 : 0);
  shape.push_back(static_cast<i64>(width));
  tensor r(dtype::string, shape);
  for (size_t i = 0; width != 0 && i < all.size(); ++i) {
    i64 at = static_cast<i64>(i * width);
    const i64 end = at + static_cast<i64>(width);
    if (op.mark) set_string(r, at++, "\x02");
    for (const std::string_view t : all[i]) set_string(r, at++, t);
    if (op.mark) set_string(r, at++, "\x03");
    while (at < end) set_string(r, at++, op.pad);
  }
  cx.result(std::move(r));
}

void evaluate(const number_to_string&, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (x.type() == dtype::string) return cx.result(x);
  tensor r(dtype::string, x.shape());
  visit(x.type(), [&]<class T>(T) {
    for (i64 i = 0; i < x.size(); ++i)
      set_string(r, i, string_detail::element_text<T>(static_cast<T>(tenon::detail::load_element<T>(x.data(), i))));
  });
  cx.result(std::move(r));
}

void evaluate(const string_to_number& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  if (op.to == dtype::string) return cx.result(x);
  tensor r(op.to, x.shape());
  visit(op.to, [&]<class T>(T) {
    const std::span<T> to = r.data<T>();
    for (i64 i = 0; i < x.size(); ++i) to[static_cast<size_t>(i)] = string_detail::parsed<T>(cx, string_at(x, i));
  });
  cx.result(std::move(r));
}

void evaluate(const lookup&, eval_context& cx) {
  const tensor &x = cx.operand(0), &keys = cx.operand(1), &values = cx.operand(2), &otherwise = cx.operand(3);
  if (keys.type() != x.type() || values.type() != otherwise.type() || keys.size() != values.size() ||
      otherwise.size() != 1)
    cx.fail("keys " + keys.describe() + ", values " + values.describe() + " and default " + otherwise.describe() +
            " do not fit " + x.describe());
  std::unordered_map<u64, i64> numbers;
  // Equal numbers are one key, whatever their bits: both zeros, and all NaNs.
  const auto key_of = [](const tensor& t, i64 i) {
    if (!is_float(t.type())) return static_cast<u64>(t.at_i64(i));
    const double v = t.at_f64(i);
    return std::bit_cast<u64>(std::isnan(v) ? std::numeric_limits<double>::quiet_NaN() : v == 0 ? 0.0 : v);
  };
  for (i64 i = 0; i < keys.size(); ++i) numbers.insert_or_assign(key_of(keys, i), i);
  tensor r(values.type(), x.shape());
  const size_t width = static_cast<size_t>(size_of(values.type()));
  char* to = static_cast<char*>(r.data());
  for (i64 i = 0; i < x.size(); ++i, to += width) {
    const auto it = numbers.find(key_of(x, i));
    if (it == numbers.end()) std::memcpy(to, otherwise.data(), width);
    else std::memcpy(to, static_cast<const char*>(values.data()) + static_cast<size_t>(it->second) * width, width);
  }
  cx.result(std::move(r));
}

void evaluate(const murmur_hash& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  const bool texts = x.type() == dtype::string;
  const size_t width = texts ? 0 : static_cast<size_t>(size_of(x.type()));
  tensor r(dtype::u32, x.shape());
  for (i64 i = 0; i < x.size(); ++i) {
    const auto k = static_cast<size_t>(i);
    r.data<u32>()[k] =
        texts ? string_detail::murmur_hash(string_at(x, i).data(), string_at(x, i).size(), static_cast<u32>(op.seed))
              : string_detail::murmur_hash(static_cast<const u8*>(x.data()) + k * width, width,
                                           static_cast<u32>(op.seed));
  }
  cx.result(std::move(r));
}

}  // namespace tenon::op
