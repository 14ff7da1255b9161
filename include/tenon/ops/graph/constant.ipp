/// @file constant.ipp: the type rule of constants.
#pragma once

#include <tenon/ir/infer.hpp>
#include <tenon/ops/graph/constant.hpp>

namespace tenon::op {

void infer(const constant& c, ir::infer_context& cx) {
  if (!c.value || c.value.index >= cx.mod().constant_count()) cx.fail("its value is not a constant of the module");
  const tensor& t = cx.mod()[c.value].value;
  cx.result(ir::type::tensor(t.type(), {t.shape().begin(), t.shape().end()}));
}

}  // namespace tenon::op
