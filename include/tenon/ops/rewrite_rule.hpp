/// @file rewrite_rule: a rewrite as a type: a pattern, and what takes its place.
///
///     struct square {  // pow(x, 2) -> mul(x, x)
///       using match = pattern<op::pow, capture<"x", any>, such_that<constant, is_two>>;
///       using emits = ops<op::mul>;
///       static bool when(const auto& found) { return is_float(found.template type_of<"x">().elem); }  // optional
///       static value_id replace(auto& found) {
///         return found.make(op::mul{}, {found.template at<"x">(), found.template at<"x">()});
///       }
///       static constexpr int benefit = 1;  // optional: of rules that fit, the one of most benefit is taken
///     };
///
/// Only captures of the pattern and ops of `emits` compile. Ops become one only where their constraints agree. An op
/// simplifies itself by rules (simplification.hpp), and `passes::rewrite` is a pass that is made of them.
#pragma once

#include <array>

#include <tenon/compile/external/match.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/rewriter.hpp>

namespace tenon {

/// A place where a rule's pattern fits.
template <class Rule>
class rule_match {
 public:
  rule_match(rewriter<typename Rule::emits> r, op_id root, match_of<typename Rule::match> found)
      : r_(std::move(r)), root_(root), found_(std::move(found)) {}

  ir::op_view root() const { return r_.mod().view(root_); }
  const ir::type& result_type() const { return root().result_type(); }
  /// None for a part that is optional and absent.
  template <fixed_string Name>
  value_id at() const {
    return found_.template at<Name>();
  }
  template <fixed_string Name>
  const ir::type& type_of() const {
    return r_.mod().type_of(at<Name>());
  }
  /// Null if it is no constant.
  template <fixed_string Name>
  const tensor* constant() const {
    return r_.mod().constant_value(at<Name>());
  }
  const matched_ops& found() const { return found_; }

  template <class Op>
  value_id make(const Op& attributes, std::initializer_list<value_id> operands) {
    return r_.make_before(root_, attributes, operands);
  }
  value_id make_constant(tensor value) { return r_.constant_before(root_, std::move(value)); }

 private:
  rewriter<typename Rule::emits> r_;
  op_id root_;
  match_of<typename Rule::match> found_;
};

namespace detail {

template <class Rule>
constexpr int benefit_of() {
  if constexpr (requires { Rule::benefit; }) return Rule::benefit;
  else return 1;
}

/// A value takes another one's place: it may say more than that did, and nothing else.
inline void require_same_kind(const ir::module& m, op_id op, value_id by, std::string_view rule) {
  const ir::type &was = m.view(op).result_type(), &is = m.type_of(by);
  if (was.kind == is.kind && was.elem == is.elem && (!was.is_static() || !is.is_static() || was.shape == is.shape))
    return;
  throw error("rewrite.type",
              "rule '" + std::string(rule) + "' replaces " + std::string(name_of(was.elem)) + extents_text(was) +
                  " by " + std::string(name_of(is.elem)) + extents_text(is),
              m.text(m[op].location), "a rule keeps the type of what it replaces");
}

}  // namespace detail

template <class... Rules>
struct rewrite_rules {
  using emits = meta::unique_t<meta::concat_t<ops<>, typename Rules::emits...>>;
  /// The ops that the rules' patterns begin with.
  using roots = meta::unique_t<meta::concat_t<ops<>, typename detail::outermost<typename Rules::match>::type...>>;

  /// Replaces the op by what the first rule that fits makes of it. False: none does.
  template <class Emits>
  static bool apply(rewriter<Emits>& r, op_id op) {
    using attempt = bool (*)(rewriter<Emits>&, op_id);
    static constexpr attempt attempts[] = {&one<Rules, Emits>..., nullptr};
    for (size_t i : order)
      if (attempts[i](r, op)) return true;
    return false;
  }

 private:
  static constexpr std::array<size_t, sizeof...(Rules)> order = [] {
    constexpr int benefits[] = {detail::benefit_of<Rules>()..., 0};
    std::array<size_t, sizeof...(Rules)> all{};
    for (size_t i = 0; i < all.size(); ++i) {
      size_t at = i;
      for (; at > 0 && benefits[all[at - 1]] < benefits[i]; --at) all[at] = all[at - 1];
      all[at] = i;
    }
    return all;
  }();

  template <class Rule, class Emits>
  static bool one(rewriter<Emits>& r, op_id op) {
    expect_emissions<Emits>(static_cast<typename Rule::emits*>(nullptr));
    ir::module& m = r.mod();
    auto found = tenon::match<typename Rule::match>(m, op);
    if (!found) return false;
    for (op_id inner : found->ops)
      if (!r.run_together(inner, op)) return false;
    rule_match<Rule> at(rewriter<typename Rule::emits>(m), op, std::move(*found));
    if constexpr (requires { Rule::when(std::as_const(at)); })
      if (!Rule::when(std::as_const(at))) return false;
    const value_id by = Rule::replace(at);
    detail::require_same_kind(m, op, by, meta::unqualified_name<Rule>());
    return r.replace(op, by);
  }
  template <class Emits, class... Ops>
  static constexpr void expect_emissions(ops<Ops...>*) {
    (may_emit<Ops, Emits>::accept(), ...);
  }
};

}  // namespace tenon
