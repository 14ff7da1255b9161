/// @file expected: compares what an op gives with values that were computed by hand.
#pragma once

#include "support/lowered.hpp"

namespace tenon::testing {

/// The type that the op's rule gives its result.
template <class Op> ir::type type_of(const Op& op, std::vector<tensor> operands, int result = 0) {
  one_op<Op> o(op, std::move(operands));
  return o.m.view(o.op).result_type(result);
}

/// These are the bits, and where the op's rule knows extents they are the same.
inline bool same_as(const single_op& o, const std::vector<tensor>& got, const std::vector<tensor>& expected) {
  bool same = got.size() == expected.size();
  for (size_t i = 0; same && i < got.size(); ++i) {
    same = same_bits(got[i], expected[i]);
    const ir::type& t = o.m.view(o.op).result_type(static_cast<int>(i));
    same = same && t.elem == got[i].type();
    if (!t.ranked) continue;
    same = same && t.rank() == got[i].rank();
    for (size_t d = 0; same && d < t.shape.size(); ++d)
      same = !t.shape[d].is_static() || t.shape[d].extent() == got[i].shape()[d];
  }
  return same;
}

/// The evaluation gives these bits; where the rule knows extents they are the same.
template <class Op> bool evaluates(const Op& op, std::vector<tensor> operands, const std::vector<tensor>& expected) {
  one_op<Op> o(op, std::move(operands));
  return same_as(o, o.evaluated(), expected);
}

/// The evaluation and the lowering give these bits, and the rule knows the type exactly.
template <class Op> bool gives(const Op& op, std::vector<tensor> operands, const std::vector<tensor>& expected) {
  if (!evaluates(op, operands, expected)) return false;
  one_op<Op> o(op, std::move(operands));
  const std::vector<tensor> got = o.lowered();
  bool same = got.size() == expected.size();
  for (size_t i = 0; same && i < got.size(); ++i) same = same_bits(got[i], expected[i]);
  return same;
}

}  // namespace tenon::testing
