/// @file movement.lower: data movement at loop level: each result element is an operand's element at a mapped index.
#pragma once

#include <tenon/ops/graph/movement.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

value_id element(const reshape&, element_context&, const index_list& at);
value_id element(const transpose&, element_context&, const index_list& at);
value_id element(const expand&, element_context&, const index_list& at);
value_id element(const slice&, element_context&, const index_list& at);
/// One nest per operand: choosing among operands per element would read them all.
void lower(const concat&, lower_context&);
value_id element(const pad&, element_context&, const index_list& at);
value_id element(const tile&, element_context&, const index_list& at);
void lower(const tile&, lower_context&);
value_id element(const range&, element_context&, const index_list& at);
value_id element(const shape_of&, element_context&, const index_list& at);
value_id element(const extents_of&, element_context&, const index_list& at);
value_id element(const count_of&, element_context&, const index_list& at);
value_id element(const trilu&, element_context&, const index_list& at);
value_id element(const eye_like&, element_context&, const index_list& at);
value_id element(const constant_of_shape&, element_context&, const index_list& at);
value_id element(const reverse_sequence&, element_context&, const index_list& at);

}  // namespace tenon::op
