/// @file control.ipp: type rules of ops/graph/control.hpp.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/control.hpp>
#include <tenon/ops/graph/symbolic_values.hpp>

namespace tenon::op {
namespace control_detail {

inline std::vector<value_id> yielded(ir::infer_context& cx, int region) {
  const op_id end = cx.region_count() > region ? cx.mod().terminator(cx.region(region)) : op_id{};
  if (!end) cx.fail("region " + std::to_string(region) + " does not end with yield");
  return cx.mod().operands(end);
}

inline ir::type type_of(ir::infer_context& cx, value_id v) {
  if (!v) cx.fail("a region yields nothing where a value is needed");
  return cx.mod().type_of(v);
}

inline bool is_one(const ir::type& t, dtype elem) {
  return t.is_tensor() && t.elem == elem && (!t.is_static() || t.count() == 1);
}

}  // namespace control_detail

ir::type join(ir::module& m, const ir::type& a, const ir::type& b, location_id at) {
  const auto differ = [&](const char* how) {
    throw rule_error("ir.infer", std::string("values that stand for one another have different ") + how, m.text(at));
  };
  if (a == b) return a;
  // A value that has what an optional may hold is one that has it.
  if (a.kind == ir::type_kind::optional && b.kind != ir::type_kind::optional && b.kind != ir::type_kind::none) {
    ir::type r = a;
    r.parts[0] = m.intern(join(m, ir::type(m[a.parts[0]]), b, at));
    return r;
  }
  if (b.kind == ir::type_kind::optional && a.kind != ir::type_kind::optional) return join(m, b, a, at);
  if (a.kind != b.kind) differ("kinds");
  if (a.kind == ir::type_kind::sequence || a.kind == ir::type_kind::optional) {
    ir::type r = a;
    r.parts[0] = m.intern(join(m, ir::type(m[a.parts[0]]), ir::type(m[b.parts[0]]), at));
    return r;
  }
  if (a.kind != ir::type_kind::tensor) differ("types");
  if (a.elem != b.elem) differ("element types");
  if (!a.ranked || !b.ranked || a.shape.size() != b.shape.size()) return ir::type::unranked_tensor(a.elem);
  ir::type r = a;
  for (size_t d = 0; d < r.shape.size(); ++d)
    if (r.shape[d] != b.shape[d]) r.shape[d] = ir::dim::unknown();
  return r;
}

void infer(const if_else&, ir::infer_context& cx) {
  if (const ir::type& c = cx.operand(0); !control_detail::is_one(c, dtype::boolean))
    cx.fail("the condition is not one bool");
  const auto yes = control_detail::yielded(cx, 0), no = control_detail::yielded(cx, 1);
  if (yes.size() != no.size())
    cx.fail("the regions yield " + std::to_string(yes.size()) + " and " + std::to_string(no.size()) + " values");
  for (size_t i = 0; i < yes.size(); ++i)
    cx.result(join(cx.mod(), control_detail::type_of(cx, yes[i]), control_detail::type_of(cx, no[i])));
}

void infer(const repeat&, ir::infer_context& cx) {
  ir::module& m = cx.mod();
  if (cx.has(0) && !control_detail::is_one(cx.operand(0), dtype::i64)) cx.fail("the number of trips is not one i64");
  if (cx.has(1) && !control_detail::is_one(cx.operand(1), dtype::boolean)) cx.fail("the condition is not one bool");
  const auto out = control_detail::yielded(cx, 0);
  const std::vector<value_id> arguments = m[cx.region(0)].arguments;
  const size_t carried = cx.operand_count() > 2 ? static_cast<size_t>(cx.operand_count() - 2) : 0;
  if (arguments.size() != carried + 2 || out.size() < carried + 1)
    cx.fail("the region does not fit " + std::to_string(carried) + " carried values");
  if (!control_detail::is_one(control_detail::type_of(cx, out[0]), dtype::boolean))
    cx.fail("the region does not yield a condition");
  for (size_t i = 0; i < carried; ++i)
    cx.result(join(m, ir::type(cx.operand(static_cast<int>(i) + 2)), control_detail::type_of(cx, out[i + 1])));
  // The number of runs is known when it is given and nothing ends them before.
  const tensor *goes_on = m.constant_value(out[0]), *begins = cx.constant(1);
  const bool passed_on = out[0] == arguments[1] && (!cx.has(1) || (begins != nullptr && begins->at_i64(0) != 0));
  const bool always =
      (!cx.has(1) || (begins != nullptr && begins->at_i64(0) != 0)) && goes_on != nullptr && goes_on->at_i64(0) != 0;
  const auto count = cx.has(0) && (passed_on || always) ? symbolic_value(m, cx.value(0)) : std::nullopt;
  const bool known = count && count->size() == 1 && count->front();
  const ir::dim runs = known ? cx.extent(tenon::maximum(*count->front(), 0)) : ir::dim::unknown();
  for (size_t i = carried + 1; i < out.size(); ++i) {
    ir::type t = control_detail::type_of(cx, out[i]);
    if (!t.is_tensor()) cx.fail("only tensors are stacked");
    if (t.ranked) t.shape.insert(t.shape.begin(), runs);
    cx.result(t);
  }
}

}  // namespace tenon::op
