/// @file resize.lower: resize, grid_sample and affine_grid at loop level: coordinates and weights are loop scalars.
///
/// Sums are in f64 for f64 and integers, in f32 for the other floats. Nearest with a whole ratio is an affine division.
#pragma once

#include <tenon/ops/graph/resize.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

value_id element(const resize&, element_context&, const index_list& at);
/// One axis after the other where that means the same: fewer sums than each element has taps.
void lower(const resize&, lower_context&);
void lower(const grid_sample&, lower_context&);
value_id element(const affine_grid&, element_context&, const index_list& at);

}  // namespace tenon::op
