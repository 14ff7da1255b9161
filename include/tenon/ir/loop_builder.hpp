/// @file loop_builder: writes loop nests the way one writes them on paper.
///
///     loop_builder b(m, region);
///     b.for_(0, rows, [&](index_expr i) {
///       value_id s = b.reduce(0, columns, {b.real(t, 0)}, [&](index_expr k, auto& acc) {
///         acc[0] = b.add(acc[0], b.load(x, {i, k})); })[0];
///       b.store(s, y, {i});
///     });
#pragma once

#include <tenon/ir/builder.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {

/// An affine expression of index values: constant + sum of coefficient * value.
class index_expr {
 public:
  struct term {
    value_id value;
    i64 coefficient;
  };
  index_expr(i64 constant = 0) : constant_(constant) {}
  index_expr(int constant) : constant_(constant) {}
  index_expr(value_id v);

  i64 constant() const { return constant_; }
  const std::vector<term>& terms() const { return terms_; }
  bool is_constant() const { return terms_.empty(); }
  /// Known to be this number.
  friend bool operator==(const index_expr& a, i64 b) { return a.is_constant() && a.constant_ == b; }

  friend index_expr operator+(index_expr a, const index_expr& b);
  friend index_expr operator*(index_expr a, i64 k);
  friend index_expr operator-(const index_expr& a, const index_expr& b);

 private:
  void add(term t);
  i64 constant_ = 0;
  std::vector<term> terms_;
};

/// A contraction to be made by `loop_builder::contract`. `a` and `b` give an index per buffer dimension for the loop
/// indices they are called with: (m..., n, k...).
struct contract_spec {
  value_id a, b;
  index_list m, k;  ///< extents
  index_expr n = 0;
  dtype accumulate = dtype::f32;
};

class loop_builder : public builder<> {
 public:
  using builder<>::builder;

  // -- scalars --
  value_id real(dtype t, double v);  ///< a literal of a float type (or converted to an integer one)
  value_id integer(dtype t, i64 v);
  value_id apply(loop::scalar_fn fn, std::span<const value_id> operands);
  value_id apply(loop::scalar_fn fn, std::initializer_list<value_id> v);
  value_id add(value_id a, value_id b) { return apply(loop::scalar_fn::add, {a, b}); }
  value_id sub(value_id a, value_id b) { return apply(loop::scalar_fn::sub, {a, b}); }
  value_id mul(value_id a, value_id b) { return apply(loop::scalar_fn::mul, {a, b}); }
  value_id div(value_id a, value_id b) { return apply(loop::scalar_fn::div, {a, b}); }
  value_id min(value_id a, value_id b) { return apply(loop::scalar_fn::min, {a, b}); }
  value_id max(value_id a, value_id b) { return apply(loop::scalar_fn::max, {a, b}); }
  value_id select(value_id c, value_id a, value_id b) { return apply(loop::scalar_fn::select, {c, a, b}); }
  value_id convert(value_id v, dtype to);  ///< nothing when it has the type already
  value_id bits_of(value_id v, dtype to);  ///< the f32 that the bits of a u32 are
  dtype type_of(value_id v) const { return mod().type_of(v).elem; }

  // -- indices --
  /// The value of an affine expression, as a scalar of type `index`.
  value_id index(const index_expr& e);
  index_expr floor_div(const index_expr& a, i64 k);
  index_expr floor_mod(const index_expr& a, i64 k);
  index_expr floor_div(const index_expr& a, const index_expr& k);
  index_expr floor_mod(const index_expr& a, const index_expr& k);
  /// The product, which is affine when one of them is a number.
  index_expr times(const index_expr& a, const index_expr& b);
  index_expr min(const index_expr& a, const index_expr& b);
  index_expr max(const index_expr& a, const index_expr& b);
  value_id less(const index_expr& a, const index_expr& b);
  value_id equal(const index_expr& a, const index_expr& b);

  // -- memory --
  value_id load(value_id buffer, const index_list& at);
  /// `fill` where the index is outside of the buffer.
  value_id load_or(value_id fill, value_id buffer, const index_list& at);
  void store(value_id v, value_id buffer, const index_list& at);

  // -- loops --
  /// for i in [lo, hi) step `step`: body(index_expr i). Claimed independent: iterations may run in any order.
  template <class F>
  void for_(const index_expr& lo, const index_expr& hi, F&& body, loop::for_loop how = {.independent = true}) {
    auto made = [&](index_expr i, std::vector<value_id>&) { body(i); };
    make_loop(lo, hi, {}, how, call_of(made), &made);
  }
  /// A nest over [0, extents...) of independent loops: body(index_list).
  template <class F>
  void nest(std::span<const i64> extents, F&& body) {
    nest(numbers_of(extents), body);
  }
  template <class F>
  void nest(const index_list& extents, F&& body) {
    auto made = [&](const index_list& at) { body(at); };
    make_nest(extents, [](void* f, const index_list& at) { (*static_cast<decltype(made)*>(f))(at); }, &made);
  }
  /// A loop that carries values: body(i, carried) assigns to `carried` what the next iteration gets. Returns the last.
  template <class F>
  std::vector<value_id> reduce(const index_expr& lo, const index_expr& hi, std::vector<value_id> init, F&& body,
                               loop::for_loop how = {}) {
    auto made = [&](index_expr i, std::vector<value_id>& carried) { body(i, carried); };
    return make_loop(lo, hi, std::move(init), how, call_of(made), &made);
  }
  /// if (c) then() else otherwise(): both give the same number of values.
  template <class F, class G>
  std::vector<value_id> if_(value_id condition, F&& then, G&& otherwise) {
    const auto before = mark();
    const op_id op = begin_if(condition);
    module_enter(op, 0);
    const std::vector<value_id> a = then();
    module_enter(op, 1);
    const std::vector<value_id> b = otherwise();
    return end_if(op, a, b, before);
  }
  /// See `loop::contract`. `index_a(index_list m, index_list k)` and `index_b(index_expr n, index_list k)` say where
  /// the operands are; `body(value_id acc, index_list m, index_expr n)` computes and stores.
  template <class A, class B, class F>
  void contract(const contract_spec& s, A&& index_a, B&& index_b, F&& body) {
    const auto before = mark();
    index_list m, k;
    for (size_t i = 0; i < s.m.size(); ++i) m.emplace_back(placeholder(i));
    const index_expr n(placeholder(s.m.size()));
    for (size_t i = 0; i < s.k.size(); ++i) k.emplace_back(placeholder(s.m.size() + 1 + i));
    const index_list at_a = index_a(static_cast<const index_list&>(m), static_cast<const index_list&>(k));
    const index_list at_b = index_b(n, static_cast<const index_list&>(k));
    const op_id op = make_contract(s, at_a, at_b);
    module_enter(op, 0);
    const auto args = mod()[mod().region(op)].arguments;
    index_list at_m;
    for (size_t i = 0; i < s.m.size(); ++i) at_m.emplace_back(args[1 + i]);
    body(args[0], static_cast<const index_list&>(at_m), index_expr(args[1 + s.m.size()]));
    end_region({});
    restore(before);
  }

 private:
  struct place {
    region_id region;
  };
  place mark() const { return {region()}; }
  void restore(place p) { to_end(p.region); }

  // What makes a loop is compiled once, not with each body: it calls one through a pointer.
  using loop_body = void (*)(void* body, const index_expr& i, std::vector<value_id>& carried);
  using nest_body = void (*)(void* body, const index_list& at);
  template <class F>
  static loop_body call_of(F&) {
    return [](void* f, const index_expr& i, std::vector<value_id>& carried) { (*static_cast<F*>(f))(i, carried); };
  }
  std::vector<value_id> make_loop(const index_expr& lo, const index_expr& hi, std::vector<value_id> init,
                                  const loop::for_loop& how, loop_body call, void* body);
  void make_nest(const index_list& extents, nest_body call, void* body);
  static index_list numbers_of(std::span<const i64> extents);
  void module_enter(op_id op, int region) { to_end(mod().region(op, region)); }
  // Vectors: what turns one into a span costs every file that includes this 10 ms.
  void end_region(const std::vector<value_id>& yielded);
  op_id begin_if(value_id condition);
  std::vector<value_id> end_if(op_id op, const std::vector<value_id>& a, const std::vector<value_id>& b, place p);
  op_id make_contract(const contract_spec& s, const index_list& a, const index_list& b);
  i64 contract_extent(const index_expr& e, std::vector<value_id>& operands);
  /// Stands for the i-th index of a contraction while its maps are made; never in the module.
  static value_id placeholder(size_t i) { return value_id(first_placeholder + i); }
  static constexpr u32 first_placeholder = 0xf0000000u;
  access_map flatten(const index_list& at, std::vector<value_id>& operands, size_t first_operand,
                     size_t placeholders = 0) const;
};

}  // namespace tenon::ir
