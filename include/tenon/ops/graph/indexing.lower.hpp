/// @file indexing.lower: gather, scatter, top_k and one_hot at loop level.
///
/// Indices are clamped to what exists where they are read through, and skipped where they are written through: native
/// code cannot fail. non_zero, compress, unique and non_max_suppression have no lowering: the extents of their results
/// are data.
#pragma once

#include <tenon/ops/graph/indexing.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

value_id element(const gather&, element_context&, const index_list& at);
value_id element(const gather_elements&, element_context&, const index_list& at);
value_id element(const gather_nd&, element_context&, const index_list& at);
value_id element(const one_hot&, element_context&, const index_list& at);
void lower(const scatter_elements&, lower_context&);
void lower(const scatter_nd&, lower_context&);
/// O(n + k sqrt(n)) for few of a row, O(n + k log k) otherwise; O(k n) for few of rows that stand side by side.
void lower(const top_k&, lower_context&);

}  // namespace tenon::op
