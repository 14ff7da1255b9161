/// @file reduce.lower: loop nests of reductions.
///
/// Before: %r = reduce_sum(%x[N,K,M]) {axes = [1]}
/// After:  for n, for m (independent): s = reduce k from 0 { s + x[n,k,m] }; r[n,0,m] = s
/// Kept dimensions are outside in order, so that the innermost independent loop runs along the contiguous one where it
/// is kept, and the innermost serial loop where it is reduced. 16-bit floats accumulate in f32.
#pragma once

#include <tenon/ops/graph/reduce.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

void lower(const reduce_sum&, lower_context&);
void lower(const reduce_prod&, lower_context&);
void lower(const reduce_max&, lower_context&);
void lower(const reduce_min&, lower_context&);
void lower(const arg_max&, lower_context&);
void lower(const arg_min&, lower_context&);
void lower(const softmax&, lower_context&);
void lower(const log_softmax&, lower_context&);
void lower(const cumulative_sum&, lower_context&);
void lower(const cumulative_prod&, lower_context&);

}  // namespace tenon::op
