/// @file library_infos: makes what `ir::op_info` says of the ops of this library that the including file asks for. Only
/// definitions include it: those of modules, for what these know by name, and ops/all.ipp, for all.
#pragma once

#include <tenon/op.hpp>

namespace tenon::ir::detail {

template <class Op>
constinit const op_info library_info<Op>::value = make_info<Op>();

}  // namespace tenon::ir::detail
