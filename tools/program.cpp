// From a module on its way to a program file, whatever the target and whatever the module needs.
#include <filesystem>

#include <fmt/format.h>

#include <tenon/pipeline/fingerprint.hpp>
#include <tenon/target_spec.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#  include <tenon/targets/host_cpu.hpp>
#endif

#include "common.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"

namespace tenon::tool {

std::string fingerprint_of_target(const std::string& target) {
  const passes_view all = find_target_passes(target).passes;
  return fingerprint_text(fingerprint_of(all.data(), all.size()));
}

void configure_target(const std::string& text, context& cx) {
  const target_spec spec = parse_target(text);
  cx.target = to_text(spec);
  if (spec.name == std::string_view(targets::c_source::name)) return target_from<targets::c_source>(spec).configure(cx);
#if TENON_HAS_LLVM
  if (spec.name == std::string_view(targets::cpu::name)) return target_from<targets::cpu>(spec).configure(cx);
#endif
  throw error("target.no_program", fmt::format("target '{}' makes no program files", text), {}, "use --target cpu or c_source");
}

#if TENON_HAS_LLVM
namespace {

/// The names of the passes that divide a module, those that lead to it from a phase.
std::string dividing_passes(std::string_view phase) {
  std::string names;
  for (const pass_desc* p : passes_of<pipeline_of<targets::host_cpu>>())
    if (phase == "ingestion" || (p->from->key == phase_desc_of<phases::optimization>.key && !p->is_transition()))
      names += (names.empty() ? "" : ", ") + std::string(std::string_view(p->name));
  return names;
}

void write_divided(const std::string& path, module_on_its_way m, context& cx) {
  const order passes = order::parse(dividing_passes(m.phase), built_in_passes(), &find_phase(m.phase));
  m.body = passes.run(std::move(m.body), cx);
  save_bundle(path, build_host_bundle(std::move(*m.body), cx));
}

}  // namespace
#endif

std::string write_program(const std::string& path, module_on_its_way m, const std::string& target, context& cx) {
  const order passes = order::parse(passes_between(target, m.phase, "built"), built_in_passes(), &find_phase(m.phase));
  m.body->metadata["fingerprint"] = fingerprint_of_target(target);
  m.body->metadata["target"] = cx.target;
  if (parse_target(target).name == std::string_view(targets::c_source::name)) {
    m.body = passes.run(std::move(m.body), cx);
    if (std::filesystem::path(path).extension() == ".c") artifact_of<formats::c_source>(*m.body).save(path);
    else save_c_source_program(path, *m.body);
    return {};
  }
#if TENON_HAS_LLVM
  const bool may_be_divided = m.phase == "ingestion" || m.phase == "optimization";
  module_on_its_way whole{may_be_divided ? std::make_unique<ir::module>(*m.body) : std::move(m.body), m.phase};
  try {
    save(path, *passes.run(std::move(whole.body), cx));
    return {};
  } catch (const error& e) {
    if (!may_be_divided || e.code() == "io.write") throw;
    write_divided(path, std::move(m), cx);
    return fmt::format("divided between a host and native regions, since it is not one piece of native code for all inputs: {}", e.what());
  }
#else
  throw error("target.no_program", fmt::format("target '{}' makes no program files here", target));
#endif
}

}  // namespace tenon::tool
