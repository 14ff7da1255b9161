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
/// Only captures of the pattern and ops of `emits` compile. Ops become one only where their constraints agree.
/// `return found.update(op::reshape{…}, x)` changes the op where it stands, for a rule whose outcome is an op of its
/// kind. An op simplifies itself by rules (simplification.hpp), and `passes::rewrite` is a pass that is made of them.
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
  /// The op of a part that is a pattern.
  template <fixed_string Name>
  ir::op_view op_of() const {
    return r_.mod().view(r_.mod()[at<Name>()].definition);
  }
  template <fixed_string Name>
  bool used_once() const {
    return r_.mod().use_count(at<Name>()) == 1;
  }

  /// The op itself, with other attributes and one operand. Cost: O(1), where a new op costs O(ops of its region).
  template <class Op>
  value_id update(const Op& attributes, value_id operand) {
    static_assert(meta::same<typename detail::outermost<typename Rule::match>::type, ops<Op>>,
                  "a rule changes the op that its pattern begins with; `make` another one");
    may_emit<Op, typename Rule::emits>::accept();
    r_.update(root_, attributes, operand);
    return r_.mod().result(root_);
  }
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

/// Asked before a pattern is matched, which takes memory: are the op's operands of ops that it names? Most are not.
template <class P>
struct glance {
  static bool value(const ir::module&, value_id) { return true; }
};
template <>
struct glance<constant> {
  static bool value(const ir::module& m, value_id v) { return !v || m.constant_value(v) != nullptr; }
};
template <class Op, class... Ps>
struct glance<pattern<Op, Ps...>> {
  static bool value(const ir::module& m, value_id v) {
    const op_id d = v ? m[v].definition : op_id{};
    return !v || (d && is_any_of(m.view(d).info(), static_cast<Op*>(nullptr)));
  }
  static bool op(const ir::module& m, op_id o) {
    const ir::op_view v = m.view(o);
    if (!is_any_of(v.info(), static_cast<Op*>(nullptr))) return false;
    return operands(m, v, false) || (v.info().traits.commutative && operands(m, v, true));
  }
  static bool operands(const ir::module& m, ir::op_view v, [[maybe_unused]] bool exchanged) {
    [[maybe_unused]] int i = 0;
    return (glance<Ps>::value(m, part<pattern<Op, Ps...>>::operand(v, i++, exchanged)) && ...);
  }
};
template <fixed_string Name, class P>
struct glance<capture<Name, P>> : glance<P> {};
template <fixed_string Name, class P>
struct glance<named<Name, P>> : glance<P> {};
template <class P, auto Holds, fixed_string WhyNot>
struct glance<such_that<P, Holds, WhyNot>> : glance<P> {};

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
  template <class Rewriter>
  static bool apply(Rewriter& r, op_id op) {
    using attempt = bool (*)(Rewriter&, op_id);
    static constexpr attempt attempts[] = {&one<Rules, Rewriter>..., nullptr};
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

  template <class Rule, class Rewriter>
  static bool one(Rewriter& r, op_id op) {
    expect_emissions<typename Rewriter::emits>(static_cast<typename Rule::emits*>(nullptr));
    ir::module& m = r.mod();
    if constexpr (requires { detail::glance<typename Rule::match>::op(m, op); })
      if (!detail::glance<typename Rule::match>::op(m, op)) return false;
    auto found = tenon::match<typename Rule::match>(m, op);
    if (!found) return false;
    for (op_id inner : found->ops)
      if (!r.run_together(inner, op)) return false;
    rule_match<Rule> at(rewriter<typename Rule::emits>(m), op, std::move(*found));
    if constexpr (requires { Rule::when(std::as_const(at)); })
      if (!Rule::when(std::as_const(at))) return false;
    const value_id by = Rule::replace(at);
    if (by == m.result(op)) return r.changed = true;
    detail::require_same_kind(m, op, by, meta::unqualified_name<Rule>());
    return r.replace(op, by);
  }
  template <class Emits, class... Ops>
  static constexpr void expect_emissions(ops<Ops...>*) {
    (may_emit<Ops, Emits>::accept(), ...);
  }
};

}  // namespace tenon
