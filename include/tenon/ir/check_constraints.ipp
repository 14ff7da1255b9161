/// @file check_constraints.ipp: definitions of ir/check_constraints.hpp.
#pragma once

#include <tenon/ir/check_constraints.hpp>
#include <tenon/ir/walk.hpp>

namespace tenon::ir {

bool is_constraint_for(std::string_view constraint, std::string_view target) {
  return constraint.empty() || constraint == target || constraint.substr(0, constraint.find(':')) == target;
}

void check_constraints(const module& m, std::string_view target) {
  if (const std::string_view begun = m.build.target; !begun.empty()) target = begun.substr(0, begun.find(':'));
  const auto check = [&](const std::string& said, const auto& origin) {
    if (is_constraint_for(said, target)) return;
    throw error("target.elsewhere",
                origin() + " is constrained to '" + said + "', and this pipeline is for '" + std::string(target) + "'",
                {}, "build for a composite target that has both as members");
  };
  for (function_id f : m.functions())
    if (m[f].phase.empty()) check(m[f].target, [&] { return origin_of(m, f); });
  for_each_op(m, function_kind::graph,
              [&](op_id op) { check(m.target(m[op].location), [&] { return origin_of(m, op); }); });
}

}  // namespace tenon::ir
