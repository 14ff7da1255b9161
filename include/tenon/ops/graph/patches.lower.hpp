/// @file patches.lower: max_unpool, col2im and roi_align at loop level.
///
/// Each result of col2im is a sum over the block elements that reach it: nothing is written twice. The coordinates of
/// roi_align are computed in f64, as in the evaluation: a number of samples is rounded from them.
#pragma once

#include <tenon/ops/graph/patches.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

void lower(const max_unpool&, lower_context&);
void lower(const col2im&, lower_context&);
void lower(const roi_align&, lower_context&);

}  // namespace tenon::op
