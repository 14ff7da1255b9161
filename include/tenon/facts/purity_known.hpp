/// @file purity_known: which functions do nothing besides computing results, an analysis.
///
/// Whoever deletes ops, or puts them in another order, goes by this, not by what an op says of itself alone: a call is
/// as pure as the function that it calls, an `if_else` as its branches.
#pragma once

#include <vector>

#include <tenon/fact.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::fact {

/// What is known stays true while ops that are pure are made, moved and erased.
class purity {
 public:
  /// Does the op nothing besides computing its results: neither it, nor what it calls or holds in its regions?
  /// Functions that were made since count, too. Cost: O(ops in its regions).
  bool of_op(const ir::module& m, op_id op) const;
  bool operator==(const purity&) const = default;

 private:
  friend struct purity_known;
  bool of_region(const ir::module& m, region_id r) const;
  std::vector<bool> functions_;  ///< by index
};

struct purity_known {
  static constexpr fixed_string name = "purity_known";
  /// Functions that call each other in a circle are not pure: they may not end. Cost: O(ops), times the depth of calls
  /// where callees come first.
  static purity compute(const ir::module& m);
};

}  // namespace tenon::fact
