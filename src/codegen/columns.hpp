/// @file columns.hpp: loops that reduce columns side by side.
#pragma once

#include <tenon/ir/module.hpp>

namespace tenon::codegen {

/// How many vectors of columns to reduce together, so that whole lines are read of a row: rows are far apart, often so
/// that one cache set takes all of them, and what is left of a line would be read again. 1 where a loop does something
/// else. `trips` may be negative: unknown.
unsigned columns_together(const ir::module& m, op_id op, i64 trips, unsigned lanes);

}  // namespace tenon::codegen
