/// @file match: looks for patterns in a module.
///
///     if (auto found = match<conv_relu>(m, op)) use(found->ops, found->at<"weights">());
/// Cost: the size of the pattern, twice for each commutative op in it.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenon/compile/external/pattern.hpp>
#include <tenon/ir/module.hpp>

namespace tenon {

/// What a pattern has matched: its ops, the outermost first, and its captures.
struct matched_ops {
  std::vector<op_id> ops;
  std::vector<std::pair<std::string_view, value_id>> captures;

  value_id find(std::string_view name) const {
    for (const auto& [known, v] : captures)
      if (known == name) return v;
    return {};
  }
};

template <class P>
struct match_of : matched_ops {
  /// The value that was captured; none if the part was optional and absent. Only names that `P` captures compile.
  template <fixed_string Name>
  value_id at() const {
    static_assert(
        [] {
          const auto s = detail::survey_of<P>({});
          for (size_t i = 0; i < s.capture_count; ++i)
            if (s.captures[i] == label(Name)) return true;
          return false;
        }(),
        "the pattern has no capture of this name");
    return find(Name);
  }
};

namespace detail {

/// A match under way: what was found so far can be forgotten again.
struct matching {
  const ir::module& m;
  matched_ops found;
  std::string_view why_not;  ///< the text of the constraint that was met last and did not hold

  struct mark {
    size_t ops, captures;
  };
  mark now() const { return {found.ops.size(), found.captures.size()}; }
  bool back(mark k) {
    found.ops.resize(k.ops);
    found.captures.resize(k.captures);
    return false;
  }
};

template <class... Ops>
bool is_any_of(const ir::op_info& info, one_of<Ops...>*) {
  return ((&info == &ir::info_of<Ops>) || ...);
}
template <class Op>
bool is_any_of(const ir::op_info& info, Op*) {
  return &info == &ir::info_of<Op>;
}

template <class P>
struct part;

template <>
struct part<any> {
  static bool value(matching&, value_id v) { return bool(v); }
};
template <>
struct part<constant> {
  static bool value(matching& s, value_id v) { return s.m.constant_value(v) != nullptr; }
};
template <class Op, class... Ps>
struct part<pattern<Op, Ps...>> {
  static constexpr bool has_rest = (part_survey<Ps>::is_rest || ... || false);

  static bool value(matching& s, value_id v) {
    const op_id d = v ? s.m[v].definition : op_id{};
    return d && op(s, d);
  }
  static bool op(matching& s, op_id o) {
    const ir::op_view v = s.m.view(o);
    if (!is_any_of(v.info(), static_cast<Op*>(nullptr))) return false;
    if (!has_rest && v.operand_count() > static_cast<int>(sizeof...(Ps)))
      for (int i = static_cast<int>(sizeof...(Ps)); i < v.operand_count(); ++i)
        if (v.has_operand(i)) return false;
    const auto begin = s.now();
    if (std::find(s.found.ops.begin(), s.found.ops.end(), o) == s.found.ops.end()) s.found.ops.push_back(o);
    const auto inside = s.now();
    if (operands(s, v, false)) return true;
    s.back(inside);
    if (v.info().traits.commutative && v.operand_count() >= 2 && operands(s, v, true)) return true;
    return s.back(begin);
  }
  static bool operands(matching& s, ir::op_view v, bool exchanged) {
    int i = 0;
    return (one_operand<Ps>(s, v, i, exchanged) && ...);
  }
  template <class P>
  static bool one_operand(matching& s, ir::op_view v, int& i, bool exchanged) {
    if constexpr (part_survey<P>::is_rest) {
      for (; i < v.operand_count(); ++i)
        if (const value_id x = operand(v, i, exchanged); !(x ? part<P>::value(s, x) : part_survey<P>::may_be_absent))
          return false;
      return true;
    } else {
      const value_id x = operand(v, i++, exchanged);
      return x ? part<P>::value(s, x) : part_survey<P>::may_be_absent;
    }
  }
  static value_id operand(ir::op_view v, int i, bool exchanged) {
    const int at = exchanged && i < 2 ? 1 - i : i;
    return v.has_operand(at) ? v.operand(at) : value_id{};
  }
};
/// What is left of a pattern when its outermost op is not there: its first operand.
template <class P>
struct without_op {
  static bool value(matching&, value_id) { return false; }
  static bool op(matching&, op_id) { return false; }
};
template <class Op, class First, class... Ps>
struct without_op<pattern<Op, First, Ps...>> : part<First> {};
template <fixed_string Name, class P>
struct without_op<capture<Name, P>> : without_op<P> {};
template <class P, auto Holds, fixed_string WhyNot>
struct without_op<such_that<P, Holds, WhyNot>> : without_op<P> {};
template <class P>
struct part<maybe<P>> {
  static bool value(matching& s, value_id v) {
    const auto begin = s.now();
    return part<P>::value(s, v) || (s.back(begin), without_op<P>::value(s, v));
  }
  static bool op(matching& s, op_id o) {
    const auto begin = s.now();
    return part<P>::op(s, o) || (s.back(begin), without_op<P>::op(s, o));
  }
};
template <class P>
struct part<rest<P>> : part<P> {};
template <fixed_string Name, class P>
struct part<named<Name, P>> : part<P> {};
template <fixed_string Name, class P>
struct part<capture<Name, P>> {
  static constexpr fixed_string name = Name;
  static bool value(matching& s, value_id v) {
    s.found.captures.emplace_back(std::string_view(name), v);
    return part<P>::value(s, v);
  }
  static bool op(matching& s, op_id o) {
    s.found.captures.emplace_back(std::string_view(name), s.m.result(o));
    return part<P>::op(s, o);
  }
};
template <class P, auto Holds, fixed_string WhyNot>
struct part<such_that<P, Holds, WhyNot>> {
  static constexpr fixed_string why_not = WhyNot;
  static constexpr bool of_module = requires(const ir::module& m, op_id o) { Holds(m, o); };
  static constexpr bool of_op = of_module || requires(ir::op_view o) { Holds(o); };
  static bool holds_of(const ir::module& m, op_id o) {
    if constexpr (of_module) return Holds(m, o);
    else return Holds(m.view(o));
  }
  static bool holds(matching& s, value_id v) {
    if constexpr (of_op) {
      const op_id d = s.m[v].definition;
      if (d && holds_of(s.m, d)) return true;
    } else if constexpr (requires(const tensor& t) { Holds(t); }) {
      if (Holds(*s.m.constant_value(v))) return true;
    } else {
      if (Holds(s.m.type_of(v))) return true;
    }
    if (why_not.size() != 0) s.why_not = why_not;
    return false;
  }
  static bool value(matching& s, value_id v) { return part<P>::value(s, v) && holds(s, v); }
  static bool op(matching& s, op_id o) {
    if (!part<P>::op(s, o)) return false;
    if (holds_of(s.m, o)) return true;
    if (why_not.size() != 0) s.why_not = why_not;
    return false;
  }
};
}  // namespace detail

/// A pattern as data: what passes over patterns work on.
struct pattern_entry {
  std::string_view name;
  bool (*match)(const ir::module& m, op_id outermost, matched_ops& found, std::string_view& why_not);
};

namespace detail {
template <class P>
bool match_entry(const ir::module& m, op_id outermost, matched_ops& found, std::string_view& why_not) {
  matching s{m, {}, {}};
  const bool matches = part<P>::op(s, outermost);
  if (!s.why_not.empty()) why_not = s.why_not;
  if (matches) found = std::move(s.found);
  return matches;
}
template <class... Ps>
std::span<const pattern_entry> entries_of_patterns(pattern_list<Ps...>*) {
  static constexpr pattern_entry entries[] = {{std::string_view(pattern_name<Ps>::value), &match_entry<Ps>}..., {}};
  return {entries, sizeof...(Ps)};
}
}  // namespace detail

template <class Patterns>
std::span<const pattern_entry> pattern_table_of() {
  return detail::entries_of_patterns(static_cast<Patterns*>(nullptr));
}

/// Does the pattern match with `outermost` as its outermost op?
template <class P>
std::optional<match_of<P>> match(const ir::module& m, op_id outermost) {
  std::string_view why_not;
  match_of<P> found;
  if (detail::match_entry<P>(m, outermost, found, why_not)) return found;
  return std::nullopt;
}

}  // namespace tenon
