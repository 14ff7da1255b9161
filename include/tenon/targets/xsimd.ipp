/// @file xsimd.ipp: definitions of targets/xsimd.hpp.
#pragma once

#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/targets/xsimd/plan.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

namespace tenon {
namespace targets {

std::vector<char> xsimd_code_generator::compile(const external_function& part, context&) {
  const ir::module& m = part.module;
  ir::for_each_op(m, m[part.function].body, [&](op_id op) {
    const ir::op_view v = m.view(op);
    if (v.info().traits.terminator || v.is<op::constant>()) return;
    const std::string_view why = xsimd_kernels::why_no_kernel(v);
    if (!why.empty() && !xsimd_kernels::can_be_lowered(m, op))
      part.no_kernel(op, "it asks for " + std::string(why), xsimd::name);
  });
  ir::module alone = m.extract(part.function);
  const std::string text = print(alone, {.phase = "optimization"});
  return {text.begin(), text.end()};
}

std::unique_ptr<external_code> xsimd_code_generator::load(std::span<const char> bytes) {
  ir::module m = parse(std::string_view(bytes.data(), bytes.size()), "artifact of format xsimd_part",
                       {.phase = "optimization", .ops = {}});
  ir::verify<phases::optimization>(m);
  fact::static_shapes::check(m);
  const std::vector<function_id> functions = m.functions();
  if (functions.size() != 1) throw error("external.no_artifact", "an artifact of format xsimd_part holds one function");
  const std::string name = m[functions[0]].name;
  return std::make_unique<xsimd_kernels::plan>(std::move(m), name);
}

void xsimd::configure(context& cx) const {
  passes::kernel_options o = cx.get<passes::kernel_options>();
  o.vector_bytes = xsimd_kernels::kernels().lanes * 4;
  if (threads > 0) o.threads = static_cast<int>(threads);
  o.products_together = 0;
  cx.set(o);
  configure_host(cx);
}

void xsimd::configure_host(context& cx) {
  passes::kernel_options o = cx.get<passes::kernel_options>();
  o.borders_in_kernels = false;
  cx.set(o);
}

}  // namespace targets

}  // namespace tenon
