/// @file convert_layout: convolutions read images with the channels last, and transposes leave the graph where they
/// can.
///
/// Before: %y = conv(%x, %w) {pads = [1,1,1,1]}     After: %a = transpose(%x) {permutation = [0,2,3,1]}
///                                                         %b = pad(%a) {axes = [1,2]}
///                                                         %c = conv(%b, transpose(%w)) {layout = channels_last}
///                                                         %y = transpose(%c) {permutation = [0,3,1,2]}
///         %y = conv_transpose(%x, %w)                     the same, where no tap reads outside of the padded image
///         %y = conv(%x, 1 x 1 weight)                     a matmul of [N*H*W, C] by [C, O] between reshapes, or of
///                                                         [O, C] by [N, C, H*W] where nothing has the channels last
///         %y = max(transpose(%x), 0)                      %y = transpose(max(%x, 0))
///         transpose(transpose(%x))                        %x
/// Transposes move down through elementwise ops, ops that say what it makes of them (`move_transpose`: pools, pad,
/// slice, resize, reductions, softmax, and a user's), concat and reshapes that split or merge dimensions, until they
/// meet their inverse or the end. Where only dimensions of extent 1 move, a transpose becomes a reshape. Weights get
/// transposes of their own, which fold_constants computes. Where kernels see to borders (`kernel_options`),
/// convolutions of each channel by itself keep their pads, images of 2 to 8 channels are padded before they are
/// transposed, and a product whose result gets borders stays a convolution. Cost: O(ops). Needs ranks; with static
/// shapes it does more. Not idempotent: a second run moves transposes below the pads that the first one made.
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/passes/graph_facts.hpp>
#include <tenon/passes/intervals.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct convert_layout {
  static constexpr fixed_string name = "convert_layout";
  using runs_in = phases::optimization;
  using needs = facts<fact::shapes_known>;  // ranks at least
  using gives = facts<fact::channels_last>;
  using keeps = graph_facts;
  using emits = graph_ops;
  using deletes = effects<>;
  using leaves = side_effects;
  using not_between = while_grouped;
  void run(ir_module<runs_in>& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::givers_of<tenon::fact::channels_last> {
  using type = tenon::pass_list<tenon::passes::convert_layout>;
};
