/// @file grid: what of a kernel is launched at once, where its parallel loops are bound to a grid of threads.
///
///     loop.for {parallel} %i { … loop.for {parallel} %j { … } }   one step: a thread for each (i, j)
///     loop.for %k { … }                                           one step: a single thread
/// Steps run one after the other, and see what those before them stored. A nest of parallel loops at the top of a
/// kernel is a step; what stands between two such nests is one for a single thread. Scalars that follow from sizes
/// alone belong to no step: each computes those that it needs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

struct grid_step {
  std::vector<op_id> loops;  ///< bound to the grid, outermost first; none: a single thread runs `ops`
  std::vector<op_id> ops;    ///< of the kernel's body
};

/// Why a kernel's loops are not bound to a grid; nothing where they are. Its parallel loops are nests at the top that
/// carry no values and whose bounds are known before the kernel runs; beside a loop of a nest stand only scalars, and
/// loads of what the nest does not store; no step uses a value that another one computed from memory or by a loop; no
/// contraction is left.
std::optional<std::string> grid_problem(const module& m, function_id kernel);
/// The steps of a kernel, in order. Error "fact.threads_bound" where it has a problem.
std::vector<grid_step> grid_steps(const module& m, function_id kernel);

/// Does an index follow from numbers and sizes (`loop.extent`) alone?
bool follows_from_sizes(const module& m, value_id index);
/// What it is, where the module's symbols are these numbers. Error "program.sizes" where it has no value.
i64 value_for_sizes(const module& m, value_id index, std::span<const i64> symbols);

}  // namespace tenon::ir
