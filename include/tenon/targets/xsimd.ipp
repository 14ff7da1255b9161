/// @file xsimd.ipp: definitions of targets/xsimd.hpp.
#pragma once

#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/runtime/external_run.hpp>
#include <tenon/targets/program_parts.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/targets/xsimd/entry.hpp>
#include <tenon/targets/xsimd/part.hpp>
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
    if (!why.empty()) part.no_kernel(op, "it asks for " + std::string(why), xsimd::name);
  });
  ir::module alone = m.extract(part.function);
  const std::string text = print(alone, {.phase = "optimization"});
  return {text.begin(), text.end()};
}

std::unique_ptr<external_code> xsimd_code_generator::load(std::span<const char> bytes) {
  ir::module m = parse(std::string_view(bytes.data(), bytes.size()), "artifact of format xsimd_part",
                       {.phase = "optimization", .ops = {}});
  ir::verify<phases::optimization>(m);
  const std::vector<function_id> functions = m.functions();
  if (functions.size() != 1) throw error("external.no_artifact", "an artifact of format xsimd_part holds one function");
  const std::string name = m[functions[0]].name;
  return std::make_unique<xsimd_kernels::part>(std::move(m), name);
}

void xsimd::configure(context& cx) const {
  passes::kernel_options o = cx.get<passes::kernel_options>();
  o.target = "xsimd";
  o.vector_bytes = xsimd_kernels::kernels().lanes * 4;
  if (threads > 0) o.threads = static_cast<int>(threads);
  o.products_together = 0;
  o.winograd = winograd == targets::winograd::on;
  o.narrow_weights = o.attention = false;
  cx.set(o);
  configure_host(cx);
  cx.set(passes::outline_regions{xsimd::name.data()});  // of what a host divides, the regions
}

void xsimd_library::configure_host(context& cx) {
  passes::kernel_options o = cx.get<passes::kernel_options>();
  o.borders_in_kernels = false;
  cx.set(o);
}

}  // namespace targets

namespace xsimd_kernels {

/// As the code of other generators is called: `code` is the program, and what it throws is told when the run ends.
inline void enter(void* const* inputs, void* const* outputs, void* arena, const void* constants,
                  const tenon_runtime* rt) {
  auto& run = tenon::detail::external_run::of(*rt);
  try {
    static_cast<const bound_entry*>(rt->external[0].code)
        ->run(inputs, outputs, static_cast<char*>(arena), static_cast<const void* const*>(constants), *rt);
  } catch (...) { run.failed = 1, run.error = std::current_exception(); }
}

}  // namespace xsimd_kernels

program load_xsimd(const ir::module& built) {
  const auto code =
      std::make_shared<const xsimd_kernels::bound_entry>(built, external_formats<targets::xsimd_library>());
  const ir::module& m = code->module();
  program::parts p = detail::entry_parts(m, code->function());
  p.constants.resize(m.constant_count());
  for (op_id op : m[m[code->function()].body].ops)
    if (const auto* c = m.view(op).get_if<op::constant_buffer>()) p.constants[c->value.index] = m[c->value].value;
  for (const ir::artifact& a : m.artifacts()) p.code_bytes += static_cast<i64>(a.bytes.size());
  p.fingerprint = built.build.fingerprint;
  p.target = targets::xsimd::name.data();
  p.entry = &xsimd_kernels::enter, p.code = code;
  p.external.push_back({nullptr, code.get()});
  return program(std::move(p));
}

std::unique_ptr<executable> targets::xsimd_runtime::load(const ir::module& built) {
  return executable_of(load_xsimd(built));
}

}  // namespace tenon
