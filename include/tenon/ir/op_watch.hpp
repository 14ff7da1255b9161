/// @file op_watch: holds a pass to the ops that it says it emits and eliminates: of all others there is none that was
/// not there.
///
/// And to effects: who says nothing of them leaves the ops that have some where they are, and who does not say that it
/// duplicates or recomputes them leaves no more of them. What a region keeps (`region_keeps`) stays in it. And who says
/// what it `changes` where it stands leaves the attributes and result types of all other ops as they were. Functions of
/// the module's phase count; those that are ahead of it are nobody's. Cost: O(ops), before and after.
#pragma once

#include <map>
#include <set>
#include <string>

#include <tenon/ir/kept_inside.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/judge/op_set.hpp>

namespace tenon::ir {

/// What a pass says of the ops that it leaves.
struct op_claims {
  bool emits_any = false;
  op_set emits;
  op_set early;  ///< of functions that were in the phase to which it leads before the module was
  op_set eliminates;
  bool touches_effects = true;      ///< it says which it deletes, merges or moves, or leads to another phase
  unsigned copied = ~0u;            ///< effects, as bits, of ops that it duplicates or recomputes; ~0: any
  const op_set* changes = nullptr;  ///< ops that it changes where they stand; no data: any; null: it does not say
};

class op_watch {
 public:
  /// `changes`: the pass says what it changes.
  explicit op_watch(const module& before, bool changes = false);

  /// An op that the claims do not allow, or none; `left`: it is of those that the pass says it eliminates; `changed`:
  /// of those that it does not say it changes.
  struct finding {
    op_id op;
    bool left = false, changed = false;
  };
  finding find(const module& after, const op_claims& said) const;
  /// Throws "tenon-E030", naming pass, op and function.
  void check(const module& after, std::string_view pass, const op_claims& said) const;

 private:
  using counts = std::map<u64, size_t>;
  static counts effects_in(const module& m, function_id f);
  void check_effects(const module& after, std::string_view pass, const op_claims& said) const;
  void check_copies(const module& after, std::string_view pass, const op_claims& said) const;
  void check_kept(const module& after, std::string_view pass, const op_claims& said) const;

  std::map<u64, std::string> names_;       ///< of the ops that were there, by key
  std::map<std::string, counts> effects_;  ///< how many ops of each kind that has effects, by function
  std::map<u64, std::set<u64>> forms_;     ///< the hashes of the ops that were there, by key
  struct kept_ops {
    std::map<u64, unsigned> keepers;
    kept_counts counts;
  };
  std::map<std::string, kept_ops> kept_;  ///< what regions keep, by function
};

}  // namespace tenon::ir
