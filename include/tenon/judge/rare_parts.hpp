/// @file rare_parts: what few passes say, as data, apart from what every pass does (pass_desc.hpp).
#pragma once

#include <tenon/judge/barred.hpp>
#include <tenon/judge/interval.hpp>
#include <tenon/phase.hpp>

namespace tenon {

/// The identity of a pass is the address of its tag: a pass may be named where it is only declared. (A hash of the
/// type's name costs four times as much, and nobody orders passes.)
struct pass_tag {};
template <class P>
inline constexpr pass_tag pass_tag_of{};

/// What few passes say.
struct rare_parts {
  bool at_most_once = false;
  const pass_tag *interval_begin = nullptr, *interval_end = nullptr, *after = nullptr;  ///< null: not said
  label interval_begin_name, interval_end_name, after_name;
  const op_set* interval_ops = nullptr;      ///< whose emitters begin the interval, or end one that is open at first
  bool interval_of_rewriters = false;        ///< or who rewrites some
  const pass_tag* const* repeats = nullptr;  ///< the passes that it runs again and again, and a null behind them
  bool touches_effects = false;
  bool copies = false;        ///< it says what it duplicates or recomputes, and nothing of deleting, merging or moving
  effect_list treated;        ///< by its declaration; `treats` is asked apart
  unsigned left = 0;          ///< effects, as bits, of ops that it leaves alone while it moves others
  unsigned copied = 0;        ///< effects, as bits, of ops that it duplicates or recomputes
  unsigned keeps_inside = 0;  ///< effects, as bits, of ops that it leaves in the regions where they stand
  const barred_ops* barred = nullptr;  ///< of its phase, those that do not bear what it does to them
  const phase_desc* makes = nullptr;   ///< the phase of functions that it leaves ahead of the module, if any
  const op_set* works_on = nullptr;    ///< finds nothing where none of these is left, and does not say that it may
  const op_set* patterns = nullptr;    ///< of these, those that it finds alone; behind them sets of the others, each of
                                       ///< which it finds only together; null: all alone
  size_t pattern_count = 0;            ///< of sets of several
  bool may_find_nothing = false;
  const op_set* rewrites = nullptr;  ///< which it works on, and deletes or merges some
  const op_set* outside = nullptr;   ///< what it never puts into a region that does not allow it; without data: all
  const op_set* encloses = nullptr;  ///< what the regions that it makes take in; null: anything
  const op_set* changes = nullptr;   ///< whose attributes, operands or types it changes where they stand; no data: any
  bool adds_functions = false, removes_functions = false, changes_functions = false;
  int version = 1;
  label flag;  ///< of an optional pass: it is there when the flag is `flag_on`
  u64 flag_key = 0;
  bool flag_on = true;
};
inline constexpr rare_parts nothing_rare{};
namespace detail {
/// Is there something that a pass works on, of ops that `there` (a function of keys) says may be left?
template <class There>
constexpr bool finds_some(const rare_parts& r, There there) {
  const op_set& alone = r.patterns ? *r.patterns : *r.works_on;
  for (const op_key& op : alone)
    if (there(op.key)) return true;
  for (size_t k = 1; k <= r.pattern_count; ++k) {
    bool all = true;
    for (const op_key& op : r.patterns[k]) all = all && there(op.key);
    if (all) return true;
  }
  return false;
}
/// Of an interval: does no pass end it; is it open from the start?
constexpr bool is_endless(const rare_parts& r) { return r.interval_end == &pass_tag_of<no_end>; }
constexpr bool is_open_at_first(const rare_parts& r) { return r.interval_begin == &pass_tag_of<no_begin>; }
constexpr bool same_interval(const rare_parts& a, const rare_parts& b) {
  return a.interval_begin == b.interval_begin && a.interval_end == b.interval_end &&
         a.interval_of_rewriters == b.interval_of_rewriters &&
         (a.interval_ops == b.interval_ops ||
          (a.interval_ops && b.interval_ops && a.interval_ops->data == b.interval_ops->data));
}
}  // namespace detail

}  // namespace tenon
