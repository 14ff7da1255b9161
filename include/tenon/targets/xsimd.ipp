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

/// As the code of other generators is called: `code` is the entry, by its number, and what it throws is reported when
/// the run ends.
template <size_t Number>
void enter(void* const* inputs, void* const* outputs, void* arena, const void* constants, const tenon_runtime* rt) {
  auto& run = tenon::detail::external_run::of(*rt);
  try {
    static_cast<const bound_entry*>(rt->external[Number].code)
        ->run(inputs, outputs, static_cast<char*>(arena), static_cast<const void* const*>(constants), *rt);
  } catch (...) { run.failed = 1, run.error = std::current_exception(); }
}

}  // namespace xsimd_kernels

program load_xsimd(const ir::module& built) {
  static_cast<void>(ir::single_entry(built));  // and maybe a variant of it
  const auto code = std::make_shared<std::vector<std::unique_ptr<const xsimd_kernels::bound_entry>>>();
  std::vector<tensor> constants(built.constant_count());
  program::parts p = detail::parts_of_entries(built, [&](const ir::module&, function_id f) {
    const auto& entry = *code->emplace_back(
        std::make_unique<const xsimd_kernels::bound_entry>(built, f, external_formats<targets::xsimd_library>()));
    const ir::module& m = entry.module();
    for (op_id op : m[m[f].body].ops)
      if (const auto* c = m.view(op).get_if<op::constant_buffer>()) constants[c->value.index] = m[c->value].value;
    program::parts one = detail::entry_parts(m, f);
    one.entry = code->size() == 1 ? &xsimd_kernels::enter<0> : &xsimd_kernels::enter<1>;
    return one;
  });
  p.constants = std::move(constants);
  for (const ir::artifact& a : built.artifacts()) p.code_bytes += static_cast<i64>(a.bytes.size());
  p.target = targets::xsimd::name.data();
  p.code = code;
  for (const auto& entry : *code) p.external.push_back({nullptr, entry.get()});
  return program(std::move(p));
}

std::unique_ptr<executable> targets::xsimd_runtime::load(const ir::module& built) {
  return executable_of(load_xsimd(built));
}

}  // namespace tenon
