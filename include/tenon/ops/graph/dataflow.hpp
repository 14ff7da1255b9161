/// @file dataflow: a region of a graph in which each value is computed by what it is computed from, and nothing else.
///
/// Who writes a region answers for nothing: `ir::verify` proves that all in it is pure, calls too, and that there is no
/// control flow. Passes may order, merge and delete what stands inside by its values alone. `inline_calls` ends
/// regions.
#pragma once

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::op {

/// `%r... = dataflow() ({ …; yield(%r...) })`: what the region yields, with its types. It uses the values around it
/// directly; what it does not yield is not seen outside.
struct dataflow {
  static constexpr fixed_string name = "dataflow";
  static constexpr op_traits traits{.regions = 1, .max_operands = 0, .results = -1};
  using region_forbids = ops<dataflow, if_else, repeat, raise, closure, call_closure>;
};

void infer(const dataflow&, ir::infer_context&);

}  // namespace tenon::op
