/// @file tile: chooses the register blocks of contractions.
///
/// Before: loop.contract {m = [56, 56], n = 32, k = [576]}
/// After:  the same with {rows = 1, inner_rows = 14, vectors = 2}
/// A block of rows (of the last one or two m dimensions) by vectors of n is held in registers while k runs. The
/// choice is the one with the least estimated time over all blocks, the partial ones at the edges counted too. Runs
/// after `parallelize`, which cuts m. Cost: O(contractions).
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/loops_scheduled.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct tile {
  static constexpr fixed_string name = "tile";
  using runs_in = phases::lowering;
  using needs = facts<>;
  // What others say of loops it has never heard of.
  using keeps = facts<fact::loops_scheduled, fact::memory_planned, fact::static_shapes>;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context& cx) const;
};

/// Rows and vectors of a block.
struct register_block {
  i64 outer_rows = 1, inner_rows = 1, vectors = 1;
};

/// The block for `outer` x `inner` rows and `columns` vectors of n, with `depth` steps of k, on a machine with
/// `registers` vector registers of `vector_bytes` bytes.
register_block choose_block(i64 outer, i64 inner, i64 columns, double depth, int registers, int vector_bytes);

}  // namespace tenon::passes
