/// @file extent_expr.ipp: definitions of core/extent_expr.hpp.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>

#include <tenon/core/checked.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/extent_expr.hpp>

namespace tenon {

/// A name, a / b, a % b, max(a, 0), a scaled by the f32 whose bits b is, or what a and b broadcast to.
struct extent_expr::atom {
  enum kind_t : u8 { named, quotient, remainder, positive, scaled, broadcast } kind = named;
  std::string text;  ///< the name, or the whole spelling
  extent_expr a, b;
};

struct extent_algebra {
  using term = extent_expr::term;
  using atom = extent_expr::atom;

  static bool is_plain(std::string_view s) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (s.empty() || !letter(s[0])) return false;
    for (char c : s)
      if (!letter(c) && !(c >= '0' && c <= '9') && c != '.' && c != ':') return false;
    return !is_function(s);
  }
  /// A name as it stands in texts when it is not plain: between backticks, its own ones doubled.
  static std::string quoted(std::string_view n) {
    std::string s = "`";
    for (char c : n) s.append(c == '`' ? 2 : 1, c);
    return s += '`';
  }
  static bool is_function(std::string_view s) { return s == "max" || s == "scale" || s == "broadcast"; }
  static std::string key(const term& t) {
    std::string s;
    for (const auto& f : t.factors) s += (s.empty() ? "" : "*") + f->text;
    return s;
  }
  static bool before(const term& a, const term& b) {
    if (a.factors.size() != b.factors.size()) return a.factors.size() > b.factors.size();
    return key(a) < key(b);
  }
  static i64 scaled(i64 a, i64 bits) {
    const float r = std::floor(static_cast<float>(a) * std::bit_cast<float>(static_cast<u32>(bits)));
    if (!(std::fabs(r) < 9e18f)) detail::throw_overflow();
    return static_cast<i64>(r);
  }
  static i64 floor_div(i64 a, i64 b) {
    if (b == -1) return checked_sub(0, a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  }

  static std::string group(const extent_expr& e) {
    const bool one =
        e.terms().size() <= 1 &&
        (e.is_constant() ? e.constant() >= 0 : e.terms()[0].factors.size() == 1 && e.terms()[0].coefficient == 1);
    return one ? e.text() : "(" + e.text() + ")";
  }
  static extent_expr make(atom::kind_t kind, const extent_expr& a, const extent_expr& b) {
    auto x = std::make_shared<atom>();
    x->kind = kind, x->a = a, x->b = b;
    if (kind == atom::positive) x->text = "max(" + a.text() + ",0)";
    else if (kind == atom::scaled) x->text = "scale(" + a.text() + "," + b.text() + ")";
    else if (kind == atom::broadcast) x->text = "broadcast(" + a.text() + "," + b.text() + ")";
    else x->text = "(" + group(a) + (kind == atom::quotient ? "/" : "%") + group(b) + ")";
    return extent_expr::of(std::move(x));
  }
  /// t / by as a term, if the factors of `by` are among those of `t` and the coefficients divide.
  static bool divide(const term& t, const term& by, term& to) {
    if (t.coefficient % by.coefficient != 0) return false;
    to = {t.factors, t.coefficient / by.coefficient};
    for (const auto& f : by.factors) {
      const auto at =
          std::find_if(to.factors.begin(), to.factors.end(), [&](const auto& g) { return g->text == f->text; });
      if (at == to.factors.end()) return false;
      to.factors.erase(at);
    }
    return true;
  }
  /// a / b where that leaves nothing over, by the division of polynomials.
  static std::optional<extent_expr> exact(extent_expr a, const extent_expr& b) {
    extent_expr q;
    for (int step = 0; step < 64 && !a.terms().empty(); ++step) {
      term t;
      if (b.terms().empty() || !divide(a.terms()[0], b.terms()[0], t)) return std::nullopt;
      extent_expr one;
      one.add(std::move(t));
      q = q + one;
      a = a - one * b;
    }
    if (!a.terms().empty()) return std::nullopt;
    return q;
  }
  /// Splits a = whole * c + rest, with the coefficients of rest in [0, c).
  static void split(const extent_expr& a, i64 c, extent_expr& whole, extent_expr& rest) {
    for (const term& t : a.terms()) {
      const i64 q = t.factors.empty() || t.coefficient % c == 0 || t.coefficient > c || t.coefficient < 0
                        ? floor_div(t.coefficient, c)
                        : 0;
      whole.add({t.factors, q});
      rest.add({t.factors, t.coefficient - q * c});
    }
  }
  static const atom* single(const extent_expr& e, atom::kind_t kind) {
    for (const term& t : e.terms())
      if (t.coefficient == 1 && t.factors.size() == 1 && t.factors[0]->kind == kind) return t.factors[0].get();
    return nullptr;
  }
  /// An atom of this kind of other operands.
  static extent_expr again(atom::kind_t kind, const extent_expr& a, const extent_expr& b) {
    switch (kind) {
      case atom::positive: return maximum(a, 0);
      case atom::scaled: return floor_scaled(a, std::bit_cast<float>(static_cast<u32>(b.constant())));
      case atom::quotient: return tenon::floor_div(a, b);
      case atom::broadcast: return tenon::broadcast(a, b);
      default: return floor_mod(a, b);
    }
  }
  /// Is it known to be no less than 0? Not, once `left` questions were asked.
  static bool never_negative(const extent_expr& e, int& left);
  static bool has_no_negative_part(const extent_expr& e, int& left);
  static bool negative(const extent_expr& e) { return (e * extent_expr(-1)).never_negative(); }

  struct reader {
    std::string_view s;
    size_t at = 0;
    bool bad = false;
    int depth = 0;

    bool take(char c) {
      while (at < s.size() && s[at] == ' ') ++at;
      if (at == s.size() || s[at] != c) return false;
      ++at;
      return true;
    }
    extent_expr sum() {
      if (++depth > 64) bad = true;
      extent_expr e = bad ? extent_expr() : take('-') ? extent_expr() - product() : product();
      while (!bad)
        if (take('+')) e = e + product();
        else if (take('-')) e = e - product();
        else break;
      --depth;
      return e;
    }
    extent_expr product() {
      extent_expr e = factor();
      while (!bad)
        if (take('*')) e = e * factor();
        else if (take('/')) e = by(e, true);
        else if (take('%')) e = by(e, false);
        else break;
      return e;
    }
    extent_expr by(const extent_expr& a, bool quotient) {
      const extent_expr b = factor();
      if (bad || b.terms().empty()) return bad = true, a;
      return quotient ? tenon::floor_div(a, b) : floor_mod(a, b);
    }
    extent_expr factor() {
      if (bad) return {};
      if (take('(')) {
        extent_expr e = sum();
        if (!take(')')) bad = true;
        return e;
      }
      if (take('`')) {
        std::string n;
        for (; at < s.size(); n += s[at++])
          if (s[at] == '`' && (++at == s.size() || s[at] != '`')) return extent_expr::name(n);
        return bad = true, extent_expr();
      }
      const size_t start = at;
      if (at < s.size() && s[at] >= '0' && s[at] <= '9') {
        i64 v = 0;
        for (; at < s.size() && s[at] >= '0' && s[at] <= '9'; ++at) {
          if (at - start > 17) return bad = true, extent_expr();
          v = v * 10 + (s[at] - '0');
        }
        return v;
      }
      while (at < s.size() &&
             (is_plain(s.substr(start, at - start + 1)) || is_function(s.substr(start, at - start + 1))))
        ++at;
      const std::string_view n = s.substr(start, at - start);
      if (is_function(n)) {
        if (!take('(')) return bad = true, extent_expr();
        const extent_expr a = sum();
        if (!take(',')) return bad = true, extent_expr();
        const extent_expr b = sum();
        if (!take(')')) bad = true;
        if (n == "max") return maximum(a, b);
        if (n == "broadcast") return tenon::broadcast(a, b);
        if (!b.is_constant() || b.constant() < 0 || b.constant() > 0x7f7fffff) return bad = true, extent_expr();
        return floor_scaled(a, std::bit_cast<float>(static_cast<u32>(b.constant())));
      }
      if (n.empty()) return bad = true, extent_expr();
      return extent_expr::name(n);
    }
  };
};

extent_expr extent_expr::of(atom_ptr a) {
  extent_expr e;
  e.terms_.push_back({{std::move(a)}, 1});
  return e;
}

extent_expr extent_expr::name(std::string_view n) {
  auto x = std::make_shared<atom>();
  x->text = extent_algebra::is_plain(n) ? std::string(n) : extent_algebra::quoted(n);
  return of(std::move(x));
}

void extent_expr::add(term t) {
  if (t.coefficient == 0) return;
  const auto at = std::lower_bound(terms_.begin(), terms_.end(), t, &extent_algebra::before);
  if (at != terms_.end() && !extent_algebra::before(t, *at)) {
    at->coefficient = checked_add(at->coefficient, t.coefficient);
    if (at->coefficient == 0) terms_.erase(at);
  } else {
    terms_.insert(at, std::move(t));
  }
}

extent_expr operator+(const extent_expr& a, const extent_expr& b) {
  extent_expr r = a;
  for (const auto& t : b.terms_) r.add(t);
  return r;
}

extent_expr operator*(const extent_expr& a, const extent_expr& b) {
  extent_expr r;
  for (const auto& x : a.terms_)
    for (const auto& y : b.terms_) {
      extent_expr::term t{x.factors, checked_mul(x.coefficient, y.coefficient)};
      t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
      std::sort(t.factors.begin(), t.factors.end(), [](const auto& f, const auto& g) { return f->text < g->text; });
      r.add(std::move(t));
    }
  return r;
}

extent_expr floor_div(const extent_expr& a, const extent_expr& b) {
  using algebra = extent_algebra;
  if (b.is_constant() && b.constant() == 0)
    throw extent_error("extent.division", "the size of a dimension is divided by 0");
  if (a.is_constant() && b.is_constant()) return algebra::floor_div(a.constant(), b.constant());
  if (const auto q = algebra::exact(a, b)) return *q;
  if (!b.is_constant() || b.constant() < 0) return algebra::make(extent_expr::atom::quotient, a, b);
  const i64 c = b.constant();
  extent_expr whole, rest;
  algebra::split(a, c, whole, rest);
  if (rest.is_constant()) return whole;
  // ((x / p) + k) / c is (x + k * p) / (c * p).
  if (const auto* inner = algebra::single(rest, extent_expr::atom::quotient);
      inner != nullptr && inner->b.is_constant() &&
      (rest.terms().size() == 1 || (rest.terms().size() == 2 && rest.constant() != 0)))
    return whole + floor_div(inner->a + extent_expr(rest.constant()) * inner->b, inner->b * b);
  return whole + algebra::make(extent_expr::atom::quotient, rest, b);
}

extent_expr floor_mod(const extent_expr& a, const extent_expr& b) {
  using algebra = extent_algebra;
  if (b.is_constant() && b.constant() == 0)
    throw extent_error("extent.division", "the size of a dimension is divided by 0");
  if (a.is_constant() && b.is_constant())
    return a.constant() - algebra::floor_div(a.constant(), b.constant()) * b.constant();
  if (algebra::exact(a, b)) return 0;
  if (!b.is_constant() || b.constant() < 0) return algebra::make(extent_expr::atom::remainder, a, b);
  extent_expr rest;
  const i64 c = b.constant();
  for (const auto& t : a.terms()) {
    extent_expr one = extent_expr(t.coefficient - algebra::floor_div(t.coefficient, c) * c);
    for (const auto& f : t.factors) one = one * extent_expr::parse(f->text).value_or(extent_expr());
    rest = rest + one;
  }
  if (rest.is_constant()) return algebra::floor_div(rest.constant(), c) * -c + rest.constant();
  return algebra::make(extent_expr::atom::remainder, rest, b);
}

extent_expr floor_scaled(const extent_expr& a, float scale) {
  const i64 bits = std::bit_cast<u32>(scale);
  if (a.is_constant()) return extent_algebra::scaled(a.constant(), bits);
  return extent_algebra::make(extent_expr::atom::scaled, a, bits);
}

extent_expr maximum(const extent_expr& a, const extent_expr& b) {
  const extent_expr d = a - b;
  if (d.never_negative()) return a;
  if (extent_algebra::negative(d)) return b;
  // b + max(d, 0) = a + max(-d, 0): the first term of what is inside is positive, so that max(a,b) is max(b,a).
  if (d.terms()[0].coefficient > 0) return b + extent_algebra::make(extent_expr::atom::positive, d, 0);
  return a + extent_algebra::make(extent_expr::atom::positive, d * extent_expr(-1), 0);
}

std::vector<extent_expr> broadcast_operands(const extent_expr& e) {
  const auto* both = e.terms().size() == 1 ? extent_algebra::single(e, extent_expr::atom::broadcast) : nullptr;
  if (both == nullptr) return {e};
  std::vector<extent_expr> r = broadcast_operands(both->a);
  for (extent_expr& more : broadcast_operands(both->b)) r.push_back(std::move(more));
  return r;
}

extent_expr broadcast(const extent_expr& a, const extent_expr& b) {
  // One spelling whatever the order: each operand once, by their texts. A number other than 1 is what it comes to.
  std::map<std::string, extent_expr> all;
  for (const extent_expr* side : {&a, &b})
    for (const extent_expr& e : broadcast_operands(*side)) {
      if (e.is_constant() && e.constant() != 1) return e;
      if (!e.is_constant()) all.emplace(e.text(), e);
    }
  if (all.empty()) return 1;
  auto it = all.rbegin();
  extent_expr r = it->second;
  while (++it != all.rend()) r = extent_algebra::make(extent_expr::atom::broadcast, it->second, r);
  return r;
}

bool extent_expr::never_negative() const {
  int left = 200;  // nested maxima ask twice at each level: where that ends, nothing is known
  return extent_algebra::never_negative(*this, left);
}

inline bool extent_algebra::never_negative(const extent_expr& e, int& left) {
  using atom = extent_expr::atom;
  if (--left < 0) return false;
  if (has_no_negative_part(e, left)) return true;
  // max(d, 0) is at least d, and a % b at most b - 1. Less max(d, 0), it is the least of two.
  constexpr size_t few = 10;  // each of those asks twice
  for (const term& t : e.terms()) {
    if (t.factors.size() != 1) continue;
    const atom& f = *t.factors[0];
    const auto others = [&] {
      extent_expr one;
      one.add(t);
      return e - one;
    };
    if (t.coefficient < 0 && f.kind == atom::positive && e.terms().size() <= few) {
      const extent_expr rest = others();
      if (never_negative(rest, left) && never_negative(rest + f.a * t.coefficient, left)) return true;
    }
    const bool positive = t.coefficient > 0 && f.kind == atom::positive,
               remainder = t.coefficient < 0 && f.kind == atom::remainder && f.b.is_constant() && f.b.constant() > 0;
    if (!positive && !remainder) continue;
    if (never_negative(others() + (positive ? f.a : f.b - 1) * t.coefficient, left)) return true;
  }
  return false;
}

/// No term of it can be negative.
inline bool extent_algebra::has_no_negative_part(const extent_expr& e, int& left) {
  using atom = extent_expr::atom;
  for (const term& t : e.terms()) {
    if (t.coefficient < 0) return false;
    for (const auto& f : t.factors) {
      const bool both = f->kind == atom::quotient || f->kind == atom::broadcast;
      if ((both || f->kind == atom::scaled) && !never_negative(f->a, left)) return false;  // a scale is positive
      if ((both || f->kind == atom::remainder) && !never_negative(f->b, left)) return false;
    }
  }
  return true;
}

std::vector<std::string> extent_expr::names() const {
  std::vector<std::string> r;
  const auto add_all = [&](const extent_expr& e) {
    for (std::string& n : e.names())
      if (std::find(r.begin(), r.end(), n) == r.end()) r.push_back(std::move(n));
  };
  for (const term& t : terms_)
    for (const atom_ptr& f : t.factors) {
      if (f->kind != atom::named) add_all(f->a), add_all(f->b);
      else if (std::find(r.begin(), r.end(), f->text) == r.end()) r.push_back(f->text);
    }
  return r;
}

i64 extent_expr::evaluate_with(i64 (*lookup)(const void*, const std::string&), const void* with) const {
  i64 sum = 0;
  for (const term& t : terms_) {
    i64 product = t.coefficient;
    for (const atom_ptr& f : t.factors) {
      i64 v = 0;
      if (f->kind == atom::named) {
        v = lookup(with, f->text);
      } else {
        const i64 a = f->a.evaluate_with(lookup, with), b = f->b.evaluate_with(lookup, with);
        if ((f->kind == atom::quotient || f->kind == atom::remainder) && b == 0)
          throw extent_error("extent.division", "'" + f->text + "' divides by 0");
        v = f->kind == atom::positive    ? std::max<i64>(a, 0)
            : f->kind == atom::scaled    ? extent_algebra::scaled(a, b)
            : f->kind == atom::broadcast ? (a == 1 ? b : a)
            : f->kind == atom::quotient  ? extent_algebra::floor_div(a, b)
                                         : a - extent_algebra::floor_div(a, b) * b;
      }
      product = checked_mul(product, v);
    }
    sum = checked_add(sum, product);
  }
  return sum;
}

extent_expr extent_expr::substitute_with(std::optional<i64> (*find)(const void*, const std::string&),
                                         const void* with) const {
  extent_expr sum;
  for (const term& t : terms_) {
    extent_expr product = t.coefficient;
    for (const atom_ptr& f : t.factors) {
      if (f->kind == atom::named) {
        const auto n = find(with, f->text);
        product = product * (n ? extent_expr(*n) : of(f));
        continue;
      }
      product =
          product * extent_algebra::again(f->kind, f->a.substitute_with(find, with), f->b.substitute_with(find, with));
    }
    sum = sum + product;
  }
  return sum;
}

std::string extent_expr::text() const {
  std::string s;
  for (const term& t : terms_) {
    const i64 c = t.coefficient;
    const std::string k = extent_algebra::key(t);
    if (!s.empty() && c > 0) s += '+';
    if (k.empty()) s += std::to_string(c);
    else if (c == 1) s += k;
    else if (c == -1) s += "-" + k;
    else s += std::to_string(c) + "*" + k;
  }
  return s.empty() ? "0" : s;
}

std::optional<extent_expr> extent_expr::parse(std::string_view text) {
  // Modules hold extents as texts and ask for the same ones again and again; to read one is to normalize it anew.
  struct hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  constexpr size_t most = 1024, longest = 4096;
  thread_local std::unordered_map<std::string, extent_expr, hash, std::equal_to<>> read;
  if (const auto it = read.find(text); it != read.end()) return it->second;
  extent_algebra::reader r{text};
  extent_expr e = r.sum();
  while (r.at < text.size() && text[r.at] == ' ') ++r.at;
  if (r.bad || r.at != text.size()) return std::nullopt;
  if (text.size() > longest) return e;
  if (read.size() == most) read.clear();
  read.emplace(text, e);
  return e;
}

extent_expr::extent_expr(i64 constant) {
  if (constant != 0) terms_.push_back({{}, constant});
}
extent_expr operator-(const extent_expr& a, const extent_expr& b) { return a + b * extent_expr(-1); }
extent_expr ceil_div(const extent_expr& a, i64 b) { return floor_div(a + extent_expr(b - 1), extent_expr(b)); }
extent_expr minimum(const extent_expr& a, const extent_expr& b) { return a + b - maximum(a, b); }

}  // namespace tenon
