/// @file all: the built-in ops.
#pragma once

#include <tenon/ops/graph/attention.hpp>
#include <tenon/ops/graph/block_product.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/dataflow.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/graph/linear_algebra.hpp>
#include <tenon/ops/graph/link.hpp>
#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/graph/normalization.hpp>
#include <tenon/ops/graph/packed.hpp>
#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/graph/pool.hpp>
#include <tenon/ops/graph/recurrence.hpp>
#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/graph/resize.hpp>
#include <tenon/ops/graph/sequence.hpp>
#include <tenon/ops/graph/source.hpp>
#include <tenon/ops/graph/strings.hpp>
#include <tenon/ops/graph/winograd.hpp>
#include <tenon/ops/loop/loop.hpp>

namespace tenon::ir {

/// The built-in ops, for whoever reads modules of any phase.
std::span<const op_info* const> built_in_op_table();

}  // namespace tenon::ir
