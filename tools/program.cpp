// From a partly compiled module to a program file, whatever the target and whatever the module needs.
#include <filesystem>

#include <fmt/format.h>

#include <tenon/pipeline/fingerprint.hpp>
#include <tenon/target_spec.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#  include <tenon/targets/host_cpu.hpp>
#endif

#include "common.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"

namespace tenon::tool {

std::string fingerprint_of_target(const std::string& target) {
  if (!parse_target(target).members.empty()) return {};
  const passes_view all = find_target_passes(target).passes;
  return fingerprint_text(fingerprint_of(all.data(), all.size()));
}

namespace {
/// A target without machine code of its own: a program file holds the module, which the target's runtime runs.
const target_entry& find_program_target(const std::string& name) {
  const target_entry& e = find_entry(name);
  if (e.abi != std::string_view(abis::interpreted::name))
    throw error("target.no_program", fmt::format("target '{}' makes no program files: its code is called by {}", name, e.abi), {},
                "keep the module, and finish it where it runs: tenon build --stop-at optimization; or use --target cpu, c_source, xsimd or composite(...)");
  return e;
}
}  // namespace

void configure_target(const std::string& text, context& cx) {
  const target_spec spec = parse_target(text);
  cx.target = to_text(spec);
  if (spec.name == std::string_view(targets::c_source::name)) return target_from<targets::c_source>(spec).configure(cx);
#if TENON_HAS_LLVM
  if (spec.name == std::string_view(targets::cpu::name)) return target_from<targets::cpu>(spec).configure(cx);
#endif
  if (!spec.members.empty()) {
    const std::vector<linked_member> members = members_of(spec);
    return members[0].entry->configure(members[0].spec, 0, cx);
  }
  find_program_target(spec.name).configure(spec, 0, cx);
}

namespace {
/// What has machine code is linked; the rest stays what its target loads.
std::string part_program(const ir::module& part, const target_spec&) {
#if TENON_HAS_LLVM
  if (!artifacts_of<formats::elf_object>(part).empty()) return program_file(part);
#endif
  (void)part;
  return {};
}

void write_linked(const std::string& path, module_on_its_way m, const target_spec& composite, context& cx) {
  const std::vector<linked_member> members = members_of(composite);
  const target_entry& host = *members[0].entry;
  const size_t prefix = common_prefix(members);
  size_t begin = 0;  // a module that comes later than from an importer begins where its phase does
  while (begin < prefix && std::string_view(host.passes[begin]->from->name) != m.phase) ++begin;
  if (begin == prefix)
    throw error("build.phase", fmt::format("a module in phase '{}' cannot be split over '{}' any more", m.phase, to_text(composite)), {},
                "begin with the model, or with a module in phase ingestion or optimization");
  m.body = host.run(std::move(m.body), cx, begin, prefix);
  cx.target = to_text(composite);
  save_bundle(path, linked_bundle(*link_parts(*m.body, members, prefix, cx), composite, &part_program));
}

bool makes_machine_code(const target_spec& spec) {
  return spec.name == std::string_view(targets::c_source::name) || spec.name == "cpu";
}

void write_module_program(const std::string& path, module_on_its_way m, const target_spec& spec, context& cx) {
  const target_entry& target = find_program_target(spec.name);
  size_t begin = 0;  // a module that comes later than from an importer begins where its phase does
  while (begin < target.passes.size() && std::string_view(target.passes[begin]->from->name) != m.phase) ++begin;
  if (begin == target.passes.size())
    throw error("build.phase", fmt::format("target '{}' takes no module in phase '{}'", spec.name, m.phase), {},
                "begin with the model, or with a module in phase ingestion or optimization");
  m.body->metadata["fingerprint"] = fingerprint_text(fingerprint_of(target.passes.data(), target.passes.size()));
  m.body->metadata["target"] = cx.target;
  m.body = target.run(std::move(m.body), cx, begin, target.passes.size());
  save_bundle(path, module_bundle(std::move(*m.body), spec));
}
}  // namespace

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

/// The host's graph, in phase `optimization`, with what can be native code outlined.
module_on_its_way divided(module_on_its_way m, context& cx) {
  const order passes = order::parse(dividing_passes(m.phase), built_in_passes(), &find_phase(m.phase));
  return {passes.run(std::move(m.body), cx), "optimization", passes.facts()};
}
/// What `passes` make of a module, in one piece. Null where only a divided one can serve all inputs, and then `why`; the
/// module is left for that.
std::unique_ptr<ir::module> undivided(module_on_its_way& m, const std::string& target, const order& passes, context& cx, std::string& why) {
  const bool divisible = parse_target(target).name == std::string_view(targets::cpu::name) && (m.phase == "ingestion" || m.phase == "optimization");
  if (!divisible) return passes.run(std::move(m.body), cx);
  try {
    return passes.run(std::make_unique<ir::module>(*m.body), cx);
  } catch (const error& e) {
    why = fmt::format("divided between a host and native regions, since it is not one piece of native code for all inputs: {}", e.what());
    return nullptr;
  }
}

}  // namespace
#endif

std::string write_program(const std::string& path, module_on_its_way m, const std::string& target, context& cx) {
  const target_spec spec = parse_target(target);
  if (!spec.members.empty()) {
    m.body->metadata["target"] = to_text(spec);
    write_linked(path, std::move(m), spec, cx);
    return {};
  }
  if (!makes_machine_code(spec)) {
    write_module_program(path, std::move(m), spec, cx);
    return {};
  }
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
  std::string why;
  if (const auto built = undivided(m, target, passes, cx, why)) save(path, *built);
  else save_bundle(path, build_host_bundle(std::move(*divided(std::move(m), cx).body), cx));
  return why;
#else
  throw error("target.no_program", fmt::format("target '{}' makes no program files here", target));
#endif
}

std::string write_stopped(const std::string& path, module_on_its_way m, const std::string& target, const std::string& stop,
                          const module_style& style, context& cx) {
  const order passes = order::parse(passes_between(target, m.phase, stop), built_in_passes(), &find_phase(m.phase));
  m.body->metadata["fingerprint"] = fingerprint_of_target(target);
  m.body->metadata["target"] = cx.target;
#if TENON_HAS_LLVM
  std::string why;
  if (const auto whole = undivided(m, target, passes, cx, why)) {
    write_module(path, *whole, stop, style, passes.facts());
    return {};
  }
  if (stop != "optimization")
    throw error("build.divided", fmt::format("no one module is in phase '{}': it is {}", stop, why), {},
                "stop at 'optimization', where the host's graph and its regions are, or give the inputs' shapes: --shape");
  m = divided(std::move(m), cx);
  write_module(path, *m.body, stop, style, m.facts);
  return why;
#else
  write_module(path, *passes.run(std::move(m.body), cx), stop, style, passes.facts());
  return {};
#endif
}

}  // namespace tenon::tool
