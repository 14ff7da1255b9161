// From a partly compiled module to a program file, whatever the target and whatever the module needs.
#include <filesystem>

#include <fmt/format.h>

#include <tenon/judge/fingerprint.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/spec.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#  include <tenon/targets/host_cpu.hpp>
#endif

#include "common.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"

namespace tenon::tool {

namespace {
/// Of a composite: of the passes that run once, on the whole module.
std::string fingerprint_of_target(const target_spec& spec) {
  if (!spec.members.empty()) {
    const std::vector<linked_member> members = members_of(spec);
    return fingerprint_text(fingerprint_of(members[0].entry->passes.data(), common_prefix(members)));
  }
  const passes_view all = find_target_passes(spec.name).passes;
  return fingerprint_text(fingerprint_of(all.data(), all.size()));
}

void note(ir::module& m, const target_spec& spec) {
  m.metadata["fingerprint"] = fingerprint_of_target(spec);
  m.metadata["target"] = to_text(spec);
}

std::string noted(const ir::module& m, const char* key) {
  const auto it = m.metadata.find(key);
  return it == m.metadata.end() ? std::string() : it->second;
}

/// Those of a list of passes that come up to the end of phase `stop`.
passes_view up_to(const passes_view& all, const target_spec& spec, const std::string& start, const std::string& stop) {
  const u64 from = find_phase(start).key, to = find_phase(stop).key;
  bool begun = false, reached = from == to;
  size_t end = 0;
  for (; end < all.size(); ++end) {
    begun = begun || all[end]->from->key == from;
    if (begun && all[end]->is_transition() && all[end]->from->key == to) break;
    reached = reached || (begun && all[end]->to->key == to);
  }
  if (!reached)
    throw error("build.phase",
                fmt::format("target '{}' leads from phase '{}' to no phase '{}'", to_text(spec), start, stop), {},
                "see `tenon pipeline " + (spec.members.empty() ? spec.name : spec.members.front().name) + "`");
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// What is left of these passes for a module, judged with what is known of it. One that these very passes have begun
/// goes on behind what they gave; of any other all passes of its phase run.
order what_is_left(const passes_view& passes, const target_spec& spec, const module_on_its_way& m) {
  const phase_desc& phase = find_phase(m.phase);
  const std::vector<std::string> held = built_in_passes().proven(*m.body, m.facts);
  const bool begun = !noted(*m.body, "target").empty() && noted(*m.body, "fingerprint") == fingerprint_of_target(spec);
  std::string names;
  for (size_t i = resume_at(passes, phase, begun ? held : std::vector<std::string>()); i < passes.size(); ++i)
    names += (names.empty() ? "" : ", ") + std::string(std::string_view(passes[i]->name));
  return order::parse(names, built_in_passes(), &phase, held);
}
}  // namespace

target_spec target_to_go_on(const ir::module& m, target_spec asked) {
  const std::string begun = noted(m, "target");
  if (begun.empty()) {
    if (asked.name.empty()) asked.name = default_target;
    return asked;
  }
  const target_spec before = parse_target(begun);
  if (asked.name.empty()) asked.name = before.name;
  return agreed_target(before, asked);
}

target_spec on_this_machine(target_spec spec) {
  for (target_spec& m : spec.members) m = on_this_machine(std::move(m));
#if TENON_HAS_LLVM
  if (spec.name != std::string_view(targets::cpu::name)) return spec;
  targets::cpu said = target_from<targets::cpu>(spec);
  if (said.arch.empty() && said.features.empty())
    said.arch = targets::cpu::host().arch, said.features = targets::cpu::host().features;
  if (said.threads == 0) said.threads = thread_count();
  target_spec all = spec_of(said);
  all.label = spec.label;
  return all;
#else
  return spec;
#endif
}

namespace {
/// A target without machine code of its own: a program file holds the module, which the target's runtime runs.
const target_entry& find_program_target(const std::string& name) {
  const target_entry& e = find_entry(name);
  if (e.abi != std::string_view(abis::interpreted::name))
    throw error("target.no_program",
                fmt::format("target '{}' makes no program files: its code is called by {}", name, e.abi), {},
                "keep the module, and finish it where it runs: tenon build --stop-at optimization; or use --target "
                "cpu, c_source, xsimd or composite(...)");
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

/// The passes that all members begin with.
passes_view shared_passes(std::span<const linked_member> members) {
  const passes_view& all = members[0].entry->passes;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(common_prefix(members))};
}

/// What members share runs on the whole module, which is then split.
std::unique_ptr<ir::module> link(module_on_its_way m, const target_spec& composite, context& cx) {
  if (m.phase == std::string_view(phases::built::name)) return std::move(m.body);
  const std::vector<linked_member> members = members_of(composite);
  const passes_view shared = shared_passes(members);
  const order passes = what_is_left(
      up_to(shared, composite, m.phase, std::string(std::string_view(phases::optimization::name))), composite, m);
  m.body = passes.run(std::move(m.body), cx);
  cx.target = to_text(composite);
  note(*m.body, composite);
  return link_parts(*m.body, members, shared.size(), cx);
}

bool makes_machine_code(const target_spec& spec) {
  return spec.name == std::string_view(targets::c_source::name) || spec.name == "cpu";
}

void write_module_program(const std::string& path, module_on_its_way m, const target_spec& spec, context& cx) {
  const target_entry& target = find_program_target(spec.name);
  const order passes = what_is_left(up_to(target.passes, spec, m.phase, std::string(target.end->name)), spec, m);
  note(*m.body, spec);
  save_bundle(path, module_bundle(std::move(*passes.run(std::move(m.body), cx)), spec));
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
/// What `passes` make of a module, in one piece. Null where only a divided one can serve all inputs, and then `why`;
/// the module is left for that.
std::unique_ptr<ir::module> undivided(module_on_its_way& m, const std::string& target, const order& passes, context& cx,
                                      std::string& why) {
  const bool divisible = parse_target(target).name == std::string_view(targets::cpu::name) &&
                         (m.phase == "ingestion" || m.phase == "optimization");
  if (!divisible) return passes.run(std::move(m.body), cx);
  try {
    return passes.run(std::make_unique<ir::module>(*m.body), cx);
  } catch (const error& e) {
    why = fmt::format(
        "divided between a host and native regions, since it is not one piece of native code for all inputs: {}",
        e.what());
    return nullptr;
  }
}

}  // namespace
#endif

std::string write_program(const std::string& path, module_on_its_way m, const std::string& target, context& cx) {
  const target_spec spec = parse_target(target);
  if (!spec.members.empty()) {
    save_bundle(path, linked_bundle(*link(std::move(m), spec, cx), spec, &part_program));
    return {};
  }
  if (!makes_machine_code(spec)) {
    write_module_program(path, std::move(m), spec, cx);
    return {};
  }
  const order passes = what_is_left(up_to(find_target_passes(target).passes, spec, m.phase, "built"), spec, m);
  note(*m.body, spec);
  if (spec.name == std::string_view(targets::c_source::name)) {
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

namespace {
/// A composite stops before what its members share leaves a phase, or when its parts are joined.
void write_stopped_composite(const std::string& path, module_on_its_way m, const target_spec& spec,
                             const std::string& stop, const module_style& style, context& cx) {
  if (stop == std::string_view(phases::built::name)) {
    const auto linked = link(std::move(m), spec, cx);
    note(*linked, spec);
    return write_module(path, *linked, stop, style);
  }
  const std::vector<linked_member> members = members_of(spec);
  const order passes = what_is_left(up_to(shared_passes(members), spec, m.phase, stop), spec, m);
  m.body = passes.run(std::move(m.body), cx);
  note(*m.body, spec);
  write_module(path, *m.body, stop, style, passes.facts());
}
}  // namespace

std::string write_stopped(const std::string& path, module_on_its_way m, const std::string& target,
                          const std::string& stop, const module_style& style, context& cx) {
  const target_spec spec = parse_target(target);
  if (!spec.members.empty()) {
    write_stopped_composite(path, std::move(m), spec, stop, style, cx);
    return {};
  }
  const order passes = what_is_left(up_to(find_target_passes(target).passes, spec, m.phase, stop), spec, m);
  note(*m.body, spec);
#if TENON_HAS_LLVM
  std::string why;
  if (const auto whole = undivided(m, target, passes, cx, why)) {
    write_module(path, *whole, stop, style, passes.facts());
    return {};
  }
  if (stop != "optimization")
    throw error(
        "build.divided", fmt::format("no one module is in phase '{}': it is {}", stop, why), {},
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
