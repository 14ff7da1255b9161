/// @file dims.ipp: definitions of ir/dims.hpp, and of what ir/infer.hpp says of extents.
#pragma once

#include <tenon/ir/dims.hpp>
#include <tenon/ir/infer.hpp>

namespace tenon::ir {
namespace detail {

inline void add_condition(module& m, const std::string& condition) {
  std::string& all = m.metadata["conditions"];
  const std::string padded = ";" + all + ";";
  if (padded.find(";" + condition + ";") != padded.npos) return;
  all += (all.empty() ? "" : ";") + condition;
}

}  // namespace detail

TENON_INLINE extent_expr expression_of(const module& m, dim d) {
  if (d.is_static()) return d.extent();
  if (d.is_unknown()) throw error("ir.not_static", "an extent is needed that is not known");
  const std::string& name = m.name(d.symbol());
  if (auto e = extent_expr::parse(name)) return *std::move(e);
  return extent_expr::name(name);
}

TENON_INLINE dim dim_of(module& m, const extent_expr& e) {
  if (e.is_constant()) return dim(e.constant() < 0 ? 0 : e.constant());
  return dim::symbol(m.symbol(e.text()));
}

TENON_INLINE extent_expr count_of(const module& m, const type& t) {
  extent_expr n = 1;
  for (dim d : t.shape) n = n * expression_of(m, d);
  return n;
}

TENON_INLINE void require_zero(module& m, const extent_expr& e) {
  if (e.is_constant() && e.constant() == 0) return;
  // One spelling for e and -e.
  const bool turned = e.terms()[0].coefficient < 0;
  detail::add_condition(m, (turned ? e * extent_expr(-1) : e).text() + "==0");
}

TENON_INLINE void require_not_negative(module& m, const extent_expr& e) {
  if (!e.never_negative()) detail::add_condition(m, e.text() + ">=0");
}

TENON_INLINE std::optional<extent_expr> infer_context::expression(dim d) const {
  if (d.is_unknown()) return std::nullopt;
  return expression_of(module_, d);
}

TENON_INLINE dim infer_context::extent(const extent_expr& e) const { return dim_of(module_, e); }

TENON_INLINE dim infer_context::same(dim a, dim b) const {
  if (a == b || b.is_unknown()) return a;
  if (a.is_unknown()) return b;
  require_zero(module_, expression_of(module_, a) - expression_of(module_, b));
  return b.is_static() ? b : a;
}

TENON_INLINE void infer_context::require_not_negative(const extent_expr& e) const {
  ir::require_not_negative(module_, e);
}

}  // namespace tenon::ir
