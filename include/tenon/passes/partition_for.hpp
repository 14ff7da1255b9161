/// @file partition_for: cuts the parts that a target's patterns match out into functions constrained to that target.
///
/// Before: %1 = conv(%x, %w); %2 = maximum(%1, %0); %3 = top_k(%2)
/// After:  %2 = call(%x) {callee = @my_npu_0}; %3 = top_k(%2)         @my_npu_0 for "my_npu": { conv; maximum }
/// Patterns claim ops in the order of their priority, each from the end of the graph, so that a match is as large as it
/// can be. A value of a part that others use is one of its results; a match that would make parts depend on each other
/// in a cycle is left. With `merge`, parts that touch become one, as far as no cycle follows. Constants of up to
/// `inner_bytes` go along, larger ones are arguments: artifacts hold no weights. A target whose kernels compute several
/// ops at once says by `joined` which: then a part is what one kernel computes. Ops are put in a new order.
/// What went where and why is in the context: `cx.find<partition_report>()`. Cost: O(ops · patterns); O(ops²) at worst.
#pragma once

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/facts/partitioned_for.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/phases/partitioned.hpp>

namespace tenon {

/// What went where, and what stayed and why; of all partitions of one compilation.
struct partition_report {
  struct part {
    std::string function, target;
    std::vector<std::string> patterns;  ///< one for each match
    size_t ops = 0;
  };
  struct left {
    std::string op, where, target, why;
  };
  std::vector<part> parts;
  std::vector<left> host;

  /// "xsimd_0 for xsimd: 12 ops (3 conv_relu, matmul)", then "left to the host: …", alike ones counted.
  std::string text() const;
};

namespace passes {

/// Are ops one part?
enum class joint : u8 {
  no,
  unfinished,  ///< not yet: what is computed on the way is used by ops that might join
  yes
};

struct partition_options {
  bool merge = true;        ///< parts that touch become one
  i64 inner_bytes = 256;    ///< constants of up to so many bytes go into the parts
  i64 least_ops = 1;        ///< smaller parts stay with the host
  bool one_result = false;  ///< what is used by others within a match is not matched
  /// In place of `merge`: are these matched ops, in the order of the program, one part? A part grows by the next match
  /// that reads one of its values; what is not one by itself stays with the host.
  joint (*joined)(const ir::module& m, std::span<const op_id> ops) = nullptr;
  size_t most_joined = 16;  ///< matches in such a part
};

/// The part of `partition_for` that knows no types.
void partition(ir::module& m, std::string_view target, std::span<const pattern_entry> patterns,
               const partition_options& o, context& cx);

template <class T>
  requires sound_external_target<T>
struct run_external_codegen;

template <class T>
  requires sound_external_target<T>
struct partition_for : partition_options, tenon::detail::works_on_outermost<typename T::patterns> {
  static constexpr auto name = fixed_string("partition_for_") + T::name;
  using from = phases::optimization;
  using to = phases::partitioned;
  using needs = typename decltype(tenon::detail::facts_for<typename T::external_code_generator>(0))::type;
  using gives = facts<fact::partitioned_for<T>>;
  using keeps = graph_facts_of_new_functions;
  using emits = ops<op::constant, op::call, op::return_>;
  using moves = effects<>;
  using recomputes = effects<>;  // small constants, in each part that reads them
  using leaves = side_effects;
  static constexpr bool adds_functions = true;
  // Patterns are of ops, which groups and kernels hide.
  using not_between = interval<emitter_of<op::fused, op::call_kernel>, run_external_codegen<T>>;

  /// As the target says it: `static constexpr passes::partition_options parts{.merge = false}`.
  partition_for() {
    if constexpr (requires { partition_options(T::parts); }) static_cast<partition_options&>(*this) = T::parts;
  }
  ir_module<to> run(ir_module<from>&& m, context& cx) const {
    partition(m.body(), std::string_view(T::name), pattern_table_of<typename T::patterns>(), *this, cx);
    return ir_module<to>::adopt(std::move(m.body()));
  }
};

}  // namespace passes

template <class T>
struct givers_of<fact::partitioned_for<T>> {
  using type = pass_list<passes::partition_for<T>>;
};

}  // namespace tenon
