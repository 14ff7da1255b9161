// The built-in passes, phases and targets as data.
#include "pass_registry.hpp"

#include <fmt/format.h>

#include <tenon/passes/all.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/registry.hpp>

#include "common.hpp"
#if TENON_HAS_XSIMD
#  include <tenon/targets/xsimd.hpp>
#endif

namespace tenon::tool {
namespace {

using all_passes =
    pass_list<passes::lift_lambdas, passes::inline_calls, passes::bind_inputs, passes::infer_shapes,
              passes::fold_constants, passes::simplify, passes::fold_batch_norm, passes::use_byte_products,
              passes::eliminate_common, passes::eliminate_dead, passes::fold_extents, passes::outline_regions,
              passes::require_static_shapes, passes::require_known_extents, passes::convert_layout,
              passes::pack_weights, passes::fuse, passes::legalize_ops, passes::to_lowering, passes::vectorize,
              passes::parallelize, passes::tile, passes::plan_memory, passes::lower_builtins, passes::emit_c
#if TENON_HAS_LLVM
              ,
              passes::generate_code
#endif
#if TENON_HAS_XSIMD
              ,
              passes::partition_for<targets::xsimd>, passes::run_external_codegen<targets::xsimd>
#endif
              >;

}  // namespace

const registry& built_in_passes() { return registry_of<all_passes>; }

const phase_desc& find_phase(std::string_view name) {
  static constexpr const phase_desc* phases[] = {
      &phase_desc_of<phases::ingestion>, &phase_desc_of<phases::optimization>, &phase_desc_of<phases::partitioned>,
      &phase_desc_of<phases::lowering>,  &phase_desc_of<phases::build>,        &phase_desc_of<phases::built>};
  std::vector<std::string> known;
  for (const phase_desc* p : phases) {
    if (std::string_view(p->name) == name) return *p;
    known.emplace_back(std::string_view(p->name));
  }
  throw error("opt.phase", fmt::format("there is no phase '{}'", name), {}, suggestion(name, known));
}

std::span<const target_passes> targets_without_code() {
#if TENON_HAS_LLVM
  return {};
#else
  static const target_passes table[] = {
      {targets::cpu::name, targets::cpu::device::name, passes_of<pipeline_of<targets::cpu>>()}};
  return table;
#endif
}

target_passes find_target_passes(const std::string& text) {
  const std::string name = parse_target(text).name;
  for (const target_passes& t : targets_without_code())
    if (t.name == name) return t;
  const target_entry& e = find_entry(name);
  return {e.name, e.device, e.passes};
}

}  // namespace tenon::tool
