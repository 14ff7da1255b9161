/// @file ahead: holds a pass to the functions of its phase: what is ahead of the module must be the same afterwards.
///
/// Cost: O(ops of these functions), before and after; used under `verify_each` only.
#pragma once

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// A hash of all that a function says and holds; the same for equal functions of one module, and of copies of it.
u64 hash_of_function(const module& m, function_id f);
/// A hash of the attributes of an op, less which constants they name (those are numbered anew where a module is
/// compacted), and of the types of its results.
u64 hash_of_op(const module& m, op_id op);
/// A hash of all functions, with the module's symbols, its metadata and how much code it has: whether a pass changed
/// something. Cost: O(ops).
u64 hash_of_module(const module& m);

class ahead_watch {
 public:
  explicit ahead_watch(const module& before) {
    for (function_id f : before.functions())
      if (!before[f].phase.empty()) seen_.push_back({before[f].name, before[f].phase, hash_of_function(before, f)});
  }
  /// Throws "tenon-E030", naming the function, if one that is still there and still ahead was changed.
  void check(const module& after, std::string_view pass, std::string_view phase) const;

 private:
  struct entry {
    std::string name, phase;
    u64 hash;
  };
  std::vector<entry> seen_;
};

}  // namespace tenon::ir
