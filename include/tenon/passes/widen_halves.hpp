/// @file widen_halves: what is f16 or bf16 between ops is held in f32, as these compute in it anyway.
///
/// Before: %1 = add(%x, %y) : f16                After: %1 = add(cast(%x), cast(%y)) : f32
///         %2 = sigmoid(%1) : f16                       %2 = sigmoid(%1) : f32
///         return(%2)                                   return(cast(%2) {excess})
/// Each op computes 16-bit floats in f32 and rounds its result. Where the next op widens it again both conversions go,
/// and with them the rounding: results have excess precision, and none is infinite that f32 holds. ONNX Runtime
/// computes so on processors. Arithmetic is widened wherever it stands. What only moves elements is f32 where all that
/// it moves is, and something computes with the result; else it moves halves. As they were stay the entry's inputs and
/// results, what regions, calls and sequences hand on, constants (cast where they are used), and what an op sees that
/// decides by values or converts them: comparisons, arg_max, top_k, floor, casts to integers. `cast` to a half rounds,
/// unless it says `excess`. Nothing is done with precision=strict, or where `kernel_options` say so. Cost: O(ops).
/// Idempotent.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct widen_halves {
  static constexpr fixed_string name = "widen_halves";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = graph_facts;
  using emits = ops<op::cast>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes
