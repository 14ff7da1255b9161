/// @file dims.ipp: definitions of ir/dims.hpp, and of what ir/infer.hpp says of extents.
#pragma once

#include <tenon/ir/dims.hpp>
#include <tenon/ir/infer.hpp>

namespace tenon::ir {
extent_expr expression_of(const module& m, dim d) {
  if (d.is_static()) return d.extent();
  if (d.is_unknown()) throw error("ir.not_static", "an extent is needed that is not known");
  const std::string& name = m.name(d.symbol());
  if (auto e = extent_expr::parse(name)) return *std::move(e);
  return extent_expr::name(name);
}

dim dim_of(module& m, const extent_expr& e) {
  if (e.is_constant()) return dim(e.constant() < 0 ? 0 : e.constant());
  return dim::symbol(m.symbol(e.text()));
}

extent_expr count_of(const module& m, const type& t) {
  extent_expr n = 1;
  for (dim d : t.shape) n = n * expression_of(m, d);
  return n;
}

bool require_zero(module& m, const extent_expr& e) { return m.conditions.add({e, extent_condition::is_zero}); }
bool require_not_negative(module& m, const extent_expr& e) {
  return m.conditions.add({e, extent_condition::not_negative});
}

bool require_equal(module& m, dim a, dim b) {
  if (a == b || a.is_unknown() || b.is_unknown()) return true;
  if (a.is_static() && b.is_static()) return false;
  return require_zero(m, expression_of(m, a) - expression_of(m, b));
}
bool require_multiple(module& m, dim d, i64 of) {
  if (d.is_static() || d.is_unknown()) return d.is_unknown() || d.extent() % of == 0;
  const extent_expr e = expression_of(m, d);
  return require_zero(m, e - floor_div(e, of) * of);
}
bool require_at_least(module& m, dim a, dim b) {
  if (a.is_unknown() || b.is_unknown()) return true;
  if (a.is_static() && b.is_static()) return a.extent() >= b.extent();
  return require_not_negative(m, expression_of(m, a) - expression_of(m, b));
}

std::vector<i64> sizes_of(const module& m, std::span<const value_id> operands) {
  std::vector<i64> all;
  for (const value_id v : operands) {
    if (!v) continue;
    for (const dim d : m.type_of(v).shape)
      if (d.is_static()) all.push_back(d.extent());
    const tensor* const t = m.constant_value(v);
    for (i64 i = 0; t != nullptr && t->size() <= 16 && is_int(t->type()) && i < t->size(); ++i)
      all.push_back(t->at_i64(i));
  }
  return all;
}

void infer_context::fail(std::string message, std::string hint) const {
  std::vector<i64> sizes = sizes_of(module_, operands_);
  struct add_numbers {
    std::vector<i64>& to;
    void operator()(const i64& n) const { to.push_back(n); }
    void operator()(const std::vector<i64>& all) const { to.insert(to.end(), all.begin(), all.end()); }
  };
  if (attributes_ != nullptr)
    for (const attribute& a : info_.attributes())
      if (a.kind == attribute_kind::integer || a.kind == attribute_kind::integers)
        a.visit(attributes_, add_numbers{sizes});
  rule_error e("ir.infer", std::string(info_.name) + ": " + message, module_.text(location_), std::move(hint), sizes);
  e.note_op_said();
  throw e;
}

std::optional<extent_expr> infer_context::expression(dim d) const {
  if (d.is_unknown()) return std::nullopt;
  return expression_of(module_, d);
}

dim infer_context::extent(const extent_expr& e) const { return dim_of(module_, e); }

dim infer_context::same(dim a, dim b) const {
  if (a == b || b.is_unknown()) return a;
  if (a.is_unknown()) return b;
  const extent_expr x = expression_of(module_, a), y = expression_of(module_, b);
  if (!require_zero(module_, x - y)) fail("extents " + x.text() + " and " + y.text() + " are never equal");
  return b.is_static() ? b : a;
}

namespace detail {
/// What takes no condition for granted has expressions that grow with each layer of a decoder, which clamps and
/// broadcasts what the one before it did. Those of more than this serve sizes that nobody has.
inline bool is_too_long(const extent_expr& e) { return e.text().size() > 250; }
}  // namespace detail

dim infer_context::broadcast_symbolic(dim a, dim b) const {
  const extent_expr x = expression_of(module_, a), y = expression_of(module_, b);
  // min(n,1), as x[:1] has it, is 1 beside n, or both are 0.
  if (x == minimum(y, 1)) return b;
  if (y == minimum(x, 1)) return a;
  const auto never = [](extent_expr e) { return extent_condition{std::move(e), extent_condition::is_zero}.never(); };
  const bool may_be_equal = !never(x - y);
  if (!may_be_equal && never(x - 1) && never(y - 1))
    fail("extents " + x.text() + " and " + y.text() + " are never equal, and neither is ever 1");
  using noting = condition_list::noting;
  const noting noted = module_.conditions.noted();
  if (noted == noting::nothing) return a.is_static() ? a : b.is_static() ? b : dim::unknown();
  if ((noted == noting::all || detail::is_too_long(x) || detail::is_too_long(y)) && may_be_equal) return same(a, b);
  for (const extent_expr& e : broadcast_operands(x))
    for (const extent_expr& f : broadcast_operands(y))
      if (!require_zero(module_, (e - f) * (e.is_constant() ? 1 : e - 1) * (f.is_constant() ? 1 : f - 1)))
        fail("extents " + e.text() + " and " + f.text() + " are never equal, and neither is ever 1");
  return extent(tenon::broadcast(x, y));
}

void infer_context::require_not_negative(const extent_expr& e) const {
  if (!ir::require_not_negative(module_, e))
    fail("it needs " + e.text() + " >= 0, which holds for no sizes of the inputs");
}

bool infer_context::may_assume_not_negative(const extent_expr& e) const {
  const condition_list::noting noted = module_.conditions.noted();
  if (noted == condition_list::noting::nothing || (noted == condition_list::noting::needed && !detail::is_too_long(e)))
    return e.never_negative();
  require_not_negative(e);
  return true;
}

}  // namespace tenon::ir
