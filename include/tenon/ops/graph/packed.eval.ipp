/// @file packed.eval.ipp: evaluations of ops/graph/packed.hpp.
#pragma once

#include <exception>
#include <utility>

#include <tenon/interpret/eval.hpp>
#include <tenon/ops/graph/packed.hpp>
#include <tenon/runtime/host_functions.hpp>

namespace tenon::op {
namespace detail {

/// Has the tensor the type that the module states? Extents that are not known may be any.
inline bool fits(const tensor& t, const ir::type& stated) {
  if (!t.defined() || !stated.is_tensor() || t.type() != stated.elem) return false;
  if (!stated.ranked) return true;
  if (t.rank() != stated.rank()) return false;
  for (size_t d = 0; d < stated.shape.size(); ++d)
    if (stated.shape[d].is_static() && stated.shape[d].extent() != t.shape()[d]) return false;
  return true;
}
inline std::string described(const ir::type& t) {
  std::string s(name_of(t.elem));
  if (!t.ranked) return s + " of any rank";
  s += '[';
  for (size_t d = 0; d < t.shape.size(); ++d)
    s += (d == 0 ? "" : ",") + (t.shape[d].is_static() ? std::to_string(t.shape[d].extent()) : "?");
  return s + ']';
}

inline void call_host(const std::string& name, eval_context& cx) {
  const host_function f = find_host_function(name);
  std::vector<tensor> operands(static_cast<size_t>(cx.operand_count()));
  for (int i = 0; i < cx.operand_count(); ++i)
    if (cx.has(i)) operands[static_cast<size_t>(i)] = cx.operand(i);
  std::vector<tensor> results;
  try {
    results = f.call(f.state.get(), operands);
  } catch (const std::exception& e) { cx.fail("function '" + name + "' failed: " + e.what()); }
  if (results.size() != static_cast<size_t>(cx.result_count()))
    cx.fail("function '" + name + "' gives " + std::to_string(results.size()) + " results, and the module states " +
            std::to_string(cx.result_count()));
  for (int i = 0; i < cx.result_count(); ++i) {
    tensor& t = results[static_cast<size_t>(i)];
    if (!fits(t, cx.result_type(i)))
      cx.fail("result " + std::to_string(i) + " of function '" + name + "' is " +
              (t.defined() ? t.describe() : "no tensor") + ", and the module states " + described(cx.result_type(i)));
    cx.result(i, std::move(t));
  }
}

}  // namespace detail

void evaluate(const call_packed& op, eval_context& cx) { detail::call_host(op.function, cx); }
void evaluate(const call_pure_packed& op, eval_context& cx) { detail::call_host(op.function, cx); }

}  // namespace tenon::op
