/// @file control: control flow between graph ops: one of two regions, or a region again and again.
///
/// A region uses the values around it directly. The type of a result is what all its sources share: an extent in which
/// they differ is unknown.
#pragma once

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `%r... = if_else(%condition) ({ …; yield(%r...) }, { …; yield(%r...) })`: the first region when the one element of
/// the condition is true, else the second.
struct if_else {
  static constexpr fixed_string name = "if_else";
  static constexpr op_traits traits{.regions = 2, .min_operands = 1, .max_operands = 1, .results = -1};
};

/// `%carried..., %stacked... = repeat(%trips?, %condition?, %carried...) ({ ^(%i: tensor<i64>, %condition:
/// tensor<bool>, %carried...): …; yield(%condition, %carried..., %part...) })`: runs the region while fewer than
/// `trips` runs are done and the condition, yielded by the run before, is true. Left out, neither ends it. Each `part`
/// is stacked over the runs along a new first dimension; the parts of one result have one shape.
struct repeat {
  static constexpr fixed_string name = "repeat";
  static constexpr op_traits traits{.regions = 1, .results = -1};
};

/// `%r... = raise()`: stops with an error when it runs: what a branch becomes that cannot be compiled for the shapes
/// that are given, and must not be taken. Its results have the types that are asked for.
struct raise {
  static constexpr fixed_string name = "raise";
  static constexpr op_traits traits{.max_operands = 0, .results = -1};
  std::string message;
  i64 branch = -1;              ///< which one of an if_else it takes the place of; -1: of none
  std::vector<i64> sizes = {};  ///< that do not go together, and numbers that one of them was to be
  TENON_ATTRIBUTES(message, branch, sizes)
};

void infer(const if_else&, ir::infer_context&);
void infer(const repeat&, ir::infer_context&);

/// Always an error: "eval".
void evaluate(const raise&, eval_context&);

/// What two types have in common: the type that a value of either has. An error when they are of different kinds or
/// element types.
ir::type join(ir::module& m, const ir::type& a, const ir::type& b, location_id at = {});

}  // namespace tenon::op
