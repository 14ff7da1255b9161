/// @file source.ipp: type rules of ops/graph/source.hpp.
#pragma once

#include <tenon/ops/graph/source.hpp>

namespace tenon::op {

void infer(const decode_image& op, ir::infer_context& cx) {
  const ir::type& t = cx.operand(0);
  if (!t.is_tensor() || t.elem != dtype::u8 || (t.ranked && t.rank() != 1))
    cx.fail("the operand is not a list of bytes");
  const ir::dim unknown = ir::dim::unknown();
  cx.result(ir::type::tensor(dtype::u8, {unknown, unknown, ir::dim(op.pixels == pixel_format::grayscale ? 1 : 3)}));
}
void infer(const draw_seed&, ir::infer_context& cx) { cx.result(ir::type::tensor(dtype::u32, {})); }

}  // namespace tenon::op
