/// @file entry_steps: the steps of a module's entry in phase `build`: calls of kernels, and copies, in order.
///
/// Generated code counts them in this order when it tells an observer of a run where it is (runtime/abi.hpp), and a
/// program says by their numbers what they are (runtime/profile.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/loop_work.hpp>
#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Is an op of an entry a step?
bool is_step(const op_view& v);

/// What the loops of a kernel do, from the loops themselves. Cost: O(ops of the kernel).
loop_work work_of(const module& m, function_id kernel);

struct entry_step {
  op_id op;
  std::string name;                  ///< of the kernel; "copy"
  std::vector<std::string> sources;  ///< places in the model, as errors name them
  loop_work work;
};
std::vector<entry_step> entry_steps(const module& m, function_id entry);

/// The location of what several ops become: each of their places once, a line each.
location_id joined_location(module& m, std::span<const op_id> ops, location_id first);
/// The places that a location's text names.
std::vector<std::string> places_of(std::string_view location);

}  // namespace tenon::ir
