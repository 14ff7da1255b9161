/// @file attention.ipp: shape and type rule of ops/graph/attention.hpp.
#pragma once

#include <tenon/ops/graph/attention.hpp>

namespace tenon::op {

void infer(const attention&, ir::infer_context& cx) {
  const dtype t = cx.operand(0).elem;
  for (int i = 0; i < cx.operand_count(); ++i) {
    if (!cx.has(i)) continue;
    const ir::type& x = cx.operand(i);
    if (!x.is_tensor()) cx.fail("operand " + std::to_string(i) + " is not a tensor");
    if (i == 3 && x.elem == dtype::boolean) continue;
    if (!is_float(x.elem) || is_narrow(x.elem))
      cx.fail("operand " + std::to_string(i) + " is " + std::string(name_of(x.elem)));
    if (x.elem != t)
      cx.fail("operands of " + std::string(name_of(t)) + " and " + std::string(name_of(x.elem)), "cast one of them");
  }
  const ir::type &q = cx.operand(0), &k = cx.operand(1), &v = cx.operand(2);
  if (!q.ranked || !k.ranked || !v.ranked) return cx.result(ir::type::unranked_tensor(t));
  for (int i = 0; i < 3; ++i)
    if (cx.operand(i).rank() < 2) cx.fail("operand " + std::to_string(i) + " has no rows");
  const auto same = [&](const char* what, ir::dim a, ir::dim b) {
    if (a.is_static() && b.is_static() && a != b)
      cx.fail(std::string(what) + ": " + std::to_string(a.extent()) + " and " + std::to_string(b.extent()));
    if (!a.is_unknown() && !b.is_unknown()) cx.same(a, b);
  };
  const auto leading = [](const ir::type& x) { return std::vector<ir::dim>(x.shape.begin(), x.shape.end() - 2); };
  same("columns of q and rows of k differ", q.shape.back(), k.shape[k.shape.size() - 2]);
  same("columns of k and rows of v differ", k.shape.back(), v.shape[v.shape.size() - 2]);
  std::vector<ir::dim> batch = cx.broadcast(cx.broadcast(leading(q), leading(k)), leading(v));
  if (cx.has(3) && cx.operand(3).ranked) {
    std::vector<ir::dim> scores = batch;
    scores.insert(scores.end(), {q.shape[q.shape.size() - 2], k.shape.back()});
    if (cx.broadcast(scores, cx.operand(3).shape) != scores)
      cx.fail("the mask has more elements than there are scores");
  }
  batch.insert(batch.end(), {q.shape[q.shape.size() - 2], v.shape.back()});
  cx.result(ir::type::tensor(t, std::move(batch)));
}

}  // namespace tenon::op
