/// @file kept_inside: ops that belong to each run of a region, as the op around them says by `region_keeps`
/// (judge/barred.hpp).
///
/// Cost: O(ops) of a function.
#pragma once

#include <map>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// A value that a region of `around` keeps, and that what ends the region hands out, by views and inner regions too;
/// none: all of them stay.
value_id kept_value_handed_out(const module& m, op_id around);

/// Of one kind of op that some region keeps: how many stand inside of such a region, and how many do not.
struct kept_count {
  size_t inside = 0, outside = 0;
};
/// By the key of the op with the region, then by that of the op that it keeps.
using kept_counts = std::map<u64, std::map<u64, kept_count>>;
/// The ops of a function that say `region_keeps`, by key, and the effects, as bits, that they keep.
std::map<u64, unsigned> keepers_in(const module& m, function_id f);
kept_counts count_kept(const module& m, function_id f, const std::map<u64, unsigned>& keepers);

}  // namespace tenon::ir
