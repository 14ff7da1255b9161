/// @file loop_orders: does a kernel compute the same when iterations of its independent loops run in another order?
///
/// Tried by the interpreter, on random numbers: what `ir/races.hpp` cannot know, as behind branches, and with bounds
/// and indices that are no sums of loop indices. Kernels whose addresses, bounds or branches depend on elements are
/// left out, since their callers may promise something of these elements; so are kernels of open shapes, and large
/// ones. Cost: O(iterations), at most 2^15 of them a run, and two runs.
#pragma once

#include <optional>

#include <tenon/core/error.hpp>
#include <tenon/ir/module.hpp>

namespace tenon {

/// What is wrong, as the interpreter says it ("interpret.race", "interpret.order"); nothing where it was not tried.
std::optional<error> order_problem(const ir::module& m, function_id kernel);

}  // namespace tenon
