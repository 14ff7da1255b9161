/// @file function_options.ipp: definitions of targets/function_options.hpp.
#pragma once

#include <algorithm>
#include <set>

#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/targets/function_options.hpp>

namespace tenon::detail {

void check_function_options(const ir::module& m, const target_spec& program, const erased_options& options) {
  std::set<std::string> known;  // few constraints are said of many ops
  const auto check = [&](const std::string& constraint, const auto& origin) {
    if (constraint.find(':') == constraint.npos || !known.insert(constraint).second) return;
    const target_spec said = parse_target(constraint);
    if (said.name != program.name) return;
    const std::string who = origin() + " is constrained to '" + constraint + "'";
    options.reset(options.said, options.program);
    try {
      ir::write_options(options.list, options.said, said.options, "target", said.name);
    } catch (error& e) {
      e.restate(who + ": " + e.message(), e.where(), e.hint());
      throw;
    }
    for (const target_option& o : ir::read_options(options.list, options.said, options.program)) {
      const auto& own = options.of_functions;
      if (std::find(own.begin(), own.end(), o.name) != own.end()) continue;
      std::string those;
      for (std::string_view name : own) (those += those.empty() ? "" : ", ").append(name);
      throw error("target.function_option",
                  who + ", and option '" + o.name + "' is one of a whole program, which is compiled for '" +
                      to_text(program) +
                      "'; its functions have options of their own: " + (those.empty() ? "none" : those),
                  {},
                  "say it of the program, or let what is constrained be a part of its own, which a composite compiles "
                  "with the options of its constraint: composite(" +
                      to_text(program) + ")");
    }
  };
  for (function_id f : m.functions()) check(m[f].target, [&] { return ir::origin_of(m, f); });
  ir::for_each_op(m, ir::function_kind::graph,
                  [&](op_id op) { check(m.target(m[op].location), [&] { return ir::origin_of(m, op); }); });
}

}  // namespace tenon::detail
