/// @file constraint.ipp: definitions of ir/constraint.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/nearest.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>

namespace tenon::ir {

std::string origin_of(const module& m, op_id op) {
  std::string s = "op '" + std::string(m.view(op).name()) + "'";
  if (const std::string& at = m.text(m[op].location); !at.empty()) s += " (" + at + ")";
  return s;
}
std::string origin_of(const module& m, function_id f) { return "function '" + m[f].name + "'"; }

std::string join(const constraint& a, const constraint& b) {
  if (a.target.empty() || a.target == b.target) return std::string(b.target);
  if (b.target.empty()) return std::string(a.target);
  const auto refines = [](std::string_view more, std::string_view less) {
    return more.size() > less.size() && more.starts_with(less) && more[less.size()] == ':' &&
           less.find(':') == less.npos;
  };
  if (refines(b.target, a.target)) return std::string(b.target);
  if (refines(a.target, b.target)) return std::string(a.target);
  throw error("target.conflict",
              a.origin + " is constrained to '" + std::string(a.target) + "', and " + b.origin + " to '" +
                  std::string(b.target) + "'",
              {}, "let them agree, or leave one of them unconstrained");
}

std::string constraint_of(const module& m, op_id op) {
  std::string all, origin;
  const auto add = [&](const std::string& target, const std::string& by) {
    all = join({all, origin}, {target, by});
    if (!target.empty() && origin.empty()) origin = by;
  };
  add(m.target(m[op].location), origin_of(m, op));
  region_id r = m[op].parent;
  while (r && m[r].parent) {
    add(m.target(m[m[r].parent].location), origin_of(m, m[r].parent));
    r = m[m[r].parent].parent;
  }
  if (r && m[r].function) add(m[m[r].function].target, origin_of(m, m[r].function));
  return all;
}

void constrain(module& m, std::string_view function, std::string_view target) {
  const function_id f = m.find_function(function);
  if (!f) {
    std::vector<std::string> known;
    for (function_id g : m.functions()) known.push_back(m[g].name);
    throw error(
        "target.no_function",
        "there is no function '" + std::string(function) + "' to be constrained to '" + std::string(target) + "'", {},
        nearest(function, known));
  }
  m[f].target = join({m[f].target, origin_of(m, f)}, {target, "the new constraint of it"});
}

void constrain(module& m, op_id op, std::string_view target) {
  const location_id l = m[op].location;
  const std::string text = m.text(l);
  m[op].location = m.location(text, join({m.target(l), origin_of(m, op)}, {target, "the new constraint of it"}),
                              m.discardable_of(l));
}

void constrain_calls(module& m, std::string_view callee, std::string_view target) {
  bool any = false;
  for_each_op(m, function_kind::graph, [&](op_id op) {
    const auto* c = m.view(op).get_if<op::call>();
    if (c == nullptr || c->callee.name != callee) return;
    any = true;
    constrain(m, op, target);
  });
  if (!any)
    throw error("target.no_function", "nobody calls '" + std::string(callee) +
                                          "', whose calls are to be constrained to '" + std::string(target) + "'");
}

std::string_view called(const module& m, op_id op) {
  const std::string_view place = m.text(m[op].location);
  if (place.empty()) return m.view(op).name();
  const size_t open = place.find('\''), close = open == place.npos ? open : place.find('\'', open + 1);
  return close == place.npos ? place : place.substr(open + 1, close - open - 1);
}

namespace detail {
/// Does a name fit a pattern with `*` and `?`? Cost: at most name times pattern.
inline bool fits(std::string_view name, std::string_view pattern) {
  size_t n = 0, p = 0, star = pattern.npos, behind = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++, behind = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != pattern.npos) {
      p = star + 1, n = ++behind;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}
}  // namespace detail

size_t constrain_named(module& m, std::string_view name, std::string_view target) {
  size_t found = 0;
  std::vector<std::string> known;
  const auto is_named = [&](std::string_view it, bool by_pattern) {
    if (it == name || (by_pattern && detail::fits(it, name))) return true;
    if (std::find(known.begin(), known.end(), it) == known.end()) known.emplace_back(it);
    return false;
  };
  for (function_id f : m.functions())
    if (m[f].here(function_kind::graph) && is_named(m[f].name, false)) constrain(m, m[f].name, target), ++found;
  for_each_op(m, function_kind::graph, [&](op_id op) {
    const op_view v = m.view(op);
    if (v.is<op::constant>() || v.info().traits.terminator || !is_named(called(m, op), true)) return;
    constrain(m, op, target), ++found;
  });
  if (found == 0)
    throw error("target.no_node",
                "no function and no node is named '" + std::string(name) + "', to be constrained to '" +
                    std::string(target) + "'",
                {}, nearest(name, known));
  return found;
}

void remove_constraints(module& m) {
  for (function_id f : m.functions()) m[f].target.clear();
  for_each_op(m, [&](op_id op) {
    const location_id l = m[op].location;
    if (m.target(l).empty()) return;
    const std::string text = m.text(l);
    m[op].location = m.location(text, {}, m.discardable_of(l));
  });
}

}  // namespace tenon::ir
