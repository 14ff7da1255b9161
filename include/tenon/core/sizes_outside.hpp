/// @file sizes_outside: finds sizes that conditions on extents leave out.
///
///     none left out of {n-1==0} and {n-1!=0};   {n-k==0, k-1>=0} leaves out n = 2, k = 1
///
/// Tried are the numbers about those where conditions change: the ones that they name. Where there is no end of trying,
/// there may be such sizes.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include <tenon/core/extent_condition.hpp>

namespace tenon {

struct sizes_found {
  std::optional<std::map<std::string, i64>> sizes;  ///< of the names that matter
  bool complete = true;                             ///< false: what was tried is not all that could be
  bool may_be() const { return sizes || !complete; }
};

/// Sizes that meet all conditions of one list, and break at least one of each of the others. Conditions that share no
/// name with those that are broken are taken as met; where no list is to be broken, all are met. Cost: at most some
/// 20,000 evaluations of a condition.
sizes_found sizes_outside(const condition_list& met, std::span<const condition_list> broken);

}  // namespace tenon
