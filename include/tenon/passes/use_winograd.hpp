/// @file use_winograd: 3x3 convolutions by constant weights are computed by transformed tiles, where that is faster.
///
/// Before: %y = conv(%x, const [3, 3, C, O], %bias?) {channels_last, stride 1, no padding, one group}, f32
/// After:  %u = const [ceil(O / panel), (tile + 2)², C, panel]
///         %y = winograd_conv(%x, %u, %bias?) {tile, panel, columns = O, block, workspaces}
/// Needs known channels, and weights that are finite. A model of the time that multiplications, transforms and weights
/// take chooses tiles of 2x2 or 4x4 outputs, or leaves the convolution as it is; so do the options precision=strict,
/// bf16, f16 and int8, and winograd=off. A height or width that only a run knows counts as `detail::expected_extent`;
/// blocks are then so many of all tiles. Weights take 16/9 or four times as much memory.
/// The same for convolutions of u8 by i8 with sums in i32, where processors multiply words (kernel_options), by tiles
/// of 2x2 outputs: they are exact, so precision does not matter. Weights of i16 take 32/9 times as much memory. Cost:
/// O(ops + elements of the weights). Idempotent.
#pragma once

#include <optional>

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/ops/graph/winograd.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct use_winograd {
  static constexpr fixed_string name = "use_winograd";
  using runs_in = phases::optimization;
  using needs = facts<fact::channels_last>;  // other convolutions have no such kernel
  using keeps = graph_facts;
  using emits = ops<op::constant, op::winograd_conv>;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = after_packing;
  i64 tile = 0;  ///< 0: as it is faster, if it is; 2 or 4: for each convolution that this can compute (of bytes: 2)
  TENON_ATTRIBUTES(tile)
  void run(ir_module<runs_in>& m, context& cx) const;
};

/// A 3x3 convolution, by the extents of its result.
struct conv_extents {
  i64 images = 1, height = 1, width = 1;  ///< 0: not known
  i64 channels = 1, outputs = 1;
  bool bytes = false;  ///< products of bytes, by those of two words at once
};

/// The fastest form of a convolution by transformed tiles on vectors of `lanes` elements and some threads; nothing when
/// the direct one is about as fast. `tile`: only that one, however fast it is; 0: any.
std::optional<op::winograd_conv> choose_winograd(const conv_extents& e, i64 lanes, i64 threads, i64 tile = 0);

}  // namespace tenon::passes
