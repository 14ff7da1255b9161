/// @file infer: what a shape and type rule sees: operand types, constant operands, and where to put the results.
#pragma once

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

class infer_context {
 public:
  infer_context(module& m, const op_info& info, std::span<const value_id> operands, std::span<const region_id> regions,
                location_id location)
      : module_(m), info_(info), operands_(operands), regions_(regions), location_(location) {}

  ir::module& mod() const { return module_; }
  int operand_count() const { return static_cast<int>(operands_.size()); }
  bool has(int i) const { return i < operand_count() && bool(operands_[static_cast<size_t>(i)]); }
  value_id value(int i) const { return operands_[static_cast<size_t>(i)]; }
  type_id operand_type(int i) const { return module_[value(i)].type; }
  const type& operand(int i) const {
    if (!has(i)) fail("operand " + std::to_string(i) + " is missing");
    return module_.type_of(value(i));
  }
  /// The operand's value when it is a constant of the module, else null.
  const tenon::tensor* constant(int i) const { return has(i) ? module_.constant_value(value(i)) : nullptr; }
  /// May the constants of this module come from a run's inputs?
  bool values_are_bound() const { return module_.build.values_are_bound; }
  region_id region(int i) const { return regions_[static_cast<size_t>(i)]; }
  int region_count() const { return static_cast<int>(regions_.size()); }

  /// Results are given in order.
  void result(type t) {
    if (!t.fits()) fail("its result would be of shape " + extents_text(t) + ", which has more than 2^58 elements");
    results_.push_back(module_.intern(t));
  }
  void result(type_id t) { results_.push_back(t); }
  std::span<const type_id> results() const { return results_; }

  /// An axis in [-rank, rank) as a number in [0, rank).
  i64 axis(i64 a, int rank) const {
    if (a < -rank || a >= (rank > 1 ? rank : 1))
      fail("axis " + std::to_string(a) + " is outside of the " + std::to_string(rank) + " dimensions of the operand");
    return a < 0 ? a + rank : a;
  }

  /// The integers of a constant operand (any integer type), or null-opt semantics through `known`.
  bool integers(int i, std::vector<i64>& out) const {
    const tenon::tensor* t = constant(i);
    if (t == nullptr) return false;
    out.clear();
    for (i64 k = 0; k < t->size(); ++k) out.push_back(t->at_i64(k));
    return true;
  }

  /// Two extents that must be equal, or of which one is 1 (numpy's rule).
  dim broadcast(dim a, dim b) const {
    if (a == b) return a;
    if (a.is_static() && a.extent() == 1) return b;
    if (b.is_static() && b.extent() == 1) return a;
    if (a.is_static() && b.is_static())
      fail("extents " + std::to_string(a.extent()) + " and " + std::to_string(b.extent()) + " do not broadcast");
    if (a.is_unknown() || b.is_unknown()) return a.is_static() ? a : b.is_static() ? b : dim::unknown();
    return broadcast_symbolic(a, b);
  }
  std::vector<dim> broadcast(const std::vector<dim>& a, const std::vector<dim>& b) const {
    std::vector<dim> r(a.size() > b.size() ? a.size() : b.size());
    for (size_t i = 0; i < r.size(); ++i) {
      const dim x = i < a.size() ? a[a.size() - 1 - i] : dim(1), y = i < b.size() ? b[b.size() - 1 - i] : dim(1);
      r[r.size() - 1 - i] = broadcast(x, y);
    }
    return r;
  }

  /// The extent as an expression of the module's symbols; nothing when it is unknown.
  std::optional<extent_expr> expression(dim d) const;
  /// A number, or the symbol that stands for an expression.
  dim extent(const extent_expr& e) const;
  /// f(expressions of the extents) as an extent; unknown when one of them is.
  template <class F, class... D>
  dim compute(F&& f, D... d) const {
    if ((dim(d).is_unknown() || ...)) return dim::unknown();
    return extent(f(*expression(d)...));
  }
  dim sum(dim a, dim b) const {
    return compute([](const extent_expr& x, const extent_expr& y) { return x + y; }, a, b);
  }
  dim product(dim a, dim b) const {
    return compute([](const extent_expr& x, const extent_expr& y) { return x * y; }, a, b);
  }
  /// Two extents that must be equal where they are not yet known to be: a program checks it before it runs, and the
  /// number, or else the first one, goes on. Numbers that differ are an error of the caller to find.
  dim same(dim a, dim b) const;
  /// What else must hold for the result's shape to be right: e >= 0, checked before the program runs.
  void require_not_negative(const extent_expr& e) const;
  /// The same of what a right run need not meet: whether the result's shape may rely on it. Where such conditions are
  /// not asked, as in a branch or a body (ir/condition_scope.hpp), it may not, unless it always holds.
  bool may_assume_not_negative(const extent_expr& e) const;

  /// Of two extents of which one at least is no number: equal ones from then on, where they can be and that may be
  /// asked; or what a run's sizes make of them, of which one may be 1; unknown where nothing is asked.
  dim broadcast_symbolic(dim a, dim b) const;

  [[noreturn]] void fail(std::string message, std::string hint = {}) const;
  /// The op whose rule this is, for what `fail` says of its numbers.
  void of(const void* op) { attributes_ = op; }

 private:
  ir::module& module_;
  const op_info& info_;
  const void* attributes_ = nullptr;
  std::span<const value_id> operands_;
  std::span<const region_id> regions_;
  location_id location_;
  small_vector<type_id, 4> results_;
};

}  // namespace tenon::ir
