/// @file purity: which functions do nothing besides computing results: what they say, and what follows from their
/// bodies.
///
/// The one place that answers it: whoever deletes ops, merges them or puts them in another order goes by this, not by
/// what an op says of itself alone. A call is as pure as the function that it calls, an `if_else` as its branches.
///
///     func @f(%0: tensor<4xf32>) -> (tensor<4xf32>) pure {          // or impure, forced_pure
///
/// | a function says | its calls are | the verifier |
/// |---|---|---|
/// | nothing | as its body is | |
/// | `impure` | never deleted, merged or put in another order | |
/// | `pure` | pure | holds the body to it |
/// | `forced_pure` | pure, whatever the body does: its author answers for it | |
///
/// Functions that call each other in a circle are not pure: they may not end. What writes its results to buffers, as
/// all functions do from phase `lowering` on, cannot be `pure`; what was then is `forced_pure`.
#pragma once

#include <span>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// What is known stays true while ops that are pure are made, moved and erased.
class purity {
 public:
  purity() = default;
  /// Cost: O(ops), times the depth of calls where callees come first.
  explicit purity(const module& m);
  /// Does the op nothing besides computing its results: neither it, nor what it calls or holds in its regions?
  /// Functions that were made since count, too. Cost: O(ops in its regions).
  bool of_op(const module& m, op_id op) const;
  bool of_function(const module& m, function_id f) const;
  /// The first op of a region, or within one of its ops, for which it is not pure; none if it is.
  op_id impure_op(const module& m, region_id r) const;
  bool operator==(const purity&) const = default;

 private:
  std::vector<bool> functions_;  ///< by index
};

/// What each of some ops of a region, in program order, comes after, by number: ops whose results it uses, itself or in
/// its regions, in the order of use, and the last one before it that is not pure either, if it is not.
std::vector<std::vector<size_t>> dependences(const module& m, std::span<const op_id> ops, const purity& pure);

/// What a function says where its results are written to buffers, if it said this before.
inline function_purity purity_of_buffers(function_purity said) {
  return said == function_purity::pure ? function_purity::forced_pure : said;
}

}  // namespace tenon::ir
