/// @file bounds: where the accesses of kernels reach: inside of their buffers, past them, or not known before they run.
///
///     ir::bounds b(m);
///     if (auto o = b.overrun_of(op)) …      // surely outside, whatever the inputs are: the verifier refuses it
///     if (!b.proven(op)) …                  // not known to be inside: generated code may check it
///
/// `ir/bounds_checks.hpp` makes such checks. Indices are sums of loop indices, sizes and other values. An overrun is
/// found by the exact range of such a sum over loops with constant bounds that surely run. A proof also knows sizes
/// (`loop.extent`, extents that are symbols), bounds that depend on outer loops, minima, maxima, quotients and
/// remainders. Products of sizes are taken not to wrap: who runs a program binds sizes and checks that
/// (core/checked.hpp).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// An access that reaches outside of its buffer.
struct overrun {
  int operand = 0;  ///< the buffer, among the op's operands
  size_t dimension = 0;
  i64 low = 0, high = 0;  ///< the least and the greatest index that it takes there

  /// "it reaches indices 0 to 9 of dimension 1 of operand 0, a buffer<2x3xf32>"
  std::string text(const module& m, op_id op) const;
};

class bounds {
 public:
  /// A value whose number in a sum is known exactly: the index of a loop, or of a contraction.
  using atom = u32;
  static constexpr atom column_bit = u32{1} << 31;  ///< column k of a contraction's maps behind its outer operands
  struct range {
    i64 low, high;  ///< both are taken
  };
  struct affine {
    i64 constant = 0;
    std::vector<std::pair<atom, i64>> terms;  ///< by atom; no coefficient is 0
    i64 of(atom a) const;
  };

  explicit bounds(const module& m) : m_(m) {}

  /// What a load, a store, or a contraction's own reads surely do wrong; nothing for other ops.
  std::optional<overrun> overrun_of(op_id op);
  /// Are all accesses that the op itself makes inside of their buffers? True for ops that make none, and for guarded
  /// loads.
  bool proven(op_id op);

  // What the analysis of parallel loops (ir/races.hpp) is made of.
  /// The index of one dimension: nothing where it is no sum of loop indices. `columns`: of a contraction, at this op.
  std::optional<affine> row_of(op_id op, const std::vector<i64>& row, int first, int end);
  /// What an atom runs over, if its loop's bounds are numbers and it runs at all. `op`: whose columns there are.
  std::optional<range> range_of(atom a, op_id op) const;
  /// Is an op in this region run at least once, each time that region `within` is?
  bool surely_runs(region_id r, region_id within = {}) const;

 private:
  struct side {
    const access_map* map;
    int operand, first, end;
  };
  struct sum {
    extent_expr constant;
    std::vector<std::pair<atom, extent_expr>> terms;
  };
  struct limits {
    std::vector<sum> lows, highs;  ///< each of them holds
  };
  std::vector<side> sides_of(op_id op) const;
  const std::optional<affine>& affine_of(value_id v, int depth = 0);
  std::optional<affine> affine_at(value_id v, int depth);
  const sum& sum_of(value_id v, int depth = 0);
  sum sum_at(value_id v, int depth);
  const limits& limits_of(atom a, op_id op);
  limits limits_at(atom a, op_id op);
  sum extent_at(op_id contract, i64 extent);
  void limit(sum s, bool high, op_id op, std::vector<extent_expr>& to, int depth);
  std::vector<extent_expr> limit_of(const sum& s, bool high, op_id op);
  bool side_is_inside(op_id op, const side& s);
  std::pair<int, u32> rank_of(atom a) const;

  const module& m_;
  std::unordered_map<u32, std::optional<affine>> affine_;
  std::unordered_map<u32, sum> sums_;
  std::unordered_map<u32, limits> limits_;
  int steps_ = 0;  ///< of one proof, which gives up rather than to take long
};

}  // namespace tenon::ir
