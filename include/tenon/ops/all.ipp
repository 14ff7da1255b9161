/// @file all.ipp: what `ir::op_info` says of each built-in op.
#pragma once

#include <tenon/ir/library_infos.hpp>
#include <tenon/ir/op_table.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::ir {

std::span<const op_info* const> built_in_op_table() { return op_table_of<built_in_ops>(); }

}  // namespace tenon::ir
