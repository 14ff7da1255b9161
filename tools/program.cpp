// From a partly compiled module to a program file, whatever the target and whatever the module needs.
#include <filesystem>

#include <fmt/format.h>

#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/judge/fingerprint.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/general_variant.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/spec.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include "common.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"
#include "subject.hpp"
#include "words.hpp"

namespace tenon::tool {

namespace {
/// Of a composite: of the passes that run once, on the whole module.
std::string fingerprint_of_target(const target_spec& spec) {
  if (!spec.members.empty()) {
    const std::vector<linked_member> members = members_of(spec);
    return fingerprint_of_shared(members, common_prefix(members));
  }
  const passes_view& all = find_entry(spec.name).passes;
  return fingerprint_text(fingerprint_of(all.data(), all.size()));
}

void note(ir::module& m, const target_spec& spec) {
  m.build.fingerprint = fingerprint_of_target(spec);
  m.build.target = to_text(spec);
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
/// goes on behind what they gave; of any other all passes of its phase run. `then`: names of passes that follow.
order what_is_left(const passes_view& passes, const target_spec& spec, const module_on_its_way& m,
                   std::string_view then = {}) {
  const phase_desc& phase = find_phase(m.phase);
  const std::vector<std::string> held = known_passes().proven(*m.body, m.facts);
  const bool begun = !m.body->build.target.empty() && m.body->build.fingerprint == fingerprint_of_target(spec);
  std::string names;
  for (size_t i = resume_at(passes, phase, begun ? held : std::vector<std::string>()); i < passes.size(); ++i)
    names += (names.empty() ? "" : ", ") + std::string(std::string_view(passes[i]->name));
  return order::parse(names.append(names.empty() || then.empty() ? "" : ", ").append(then), known_passes(), &phase,
                      held, m.body.get());
}

/// What is known of a module that was divided on its way to a target.
std::vector<std::string> facts_divided(const target_entry& e, const target_spec& spec, const module_on_its_way& m) {
  if (m.phase != "ingestion" && m.phase != std::string_view(phases::optimization::name)) return {};
  const passes_view general(e.passes.begin(), e.passes.begin() + static_cast<std::ptrdiff_t>(e.general));
  return what_is_left(general, spec, m, "eliminate_dead, outline_regions").facts();
}
}  // namespace

target_spec target_to_go_on(const ir::module& m, target_spec asked) {
  const std::string begun = m.build.target;
  if (begun.empty()) {
    if (asked.name.empty()) asked.name = default_target;
    return asked;
  }
  const target_spec before = parse_target(begun);
  if (asked.name.empty()) asked.name = before.name;
  return agreed_target(before, asked);
}

void constrain_nodes(module_on_its_way& m, std::span<const std::string> said, const target_spec& target) {
  if (said.empty()) return;
  if (m.phase != std::string_view(phases::ingestion::name) && m.phase != std::string_view(phases::optimization::name))
    throw usage_error("usage", "--constrain speaks of nodes, and in phase '" + m.phase + "' there are none any more",
                      {}, "constrain them in a module in phase 'ingestion' or 'optimization'");
  for (const std::string& text : said) {
    const auto [node, where] = split_assignment(text, "--constrain", "NODE=TARGET");
    constrain_for(target, *m.body, node, where);
  }
}

target_spec on_this_machine(target_spec spec) {
  for (target_spec& m : spec.members) m = on_this_machine(std::move(m));
#if TENON_HAS_LLVM
  if (spec.name != std::string_view(targets::cpu::name)) return spec;
  targets::cpu said = target_from<targets::cpu>(spec);
  if (said.triple.empty() && said.arch.empty() && said.features.empty()) {
    const targets::cpu here = targets::cpu::host();
    said.triple = here.triple, said.arch = here.arch, said.features = here.features;
  }
  if (said.threads == 0) said.threads = thread_count();
  target_spec all = spec_of(said);
  all.label = spec.label;
  return all;
#else
  return spec;
#endif
}

void configure_target(const std::string& text, context& cx) {
  const target_spec spec = find_target(text);
  check_makes_files(spec);
  compilation_request{.target = spec}.configure(cx);
}

namespace {
/// The passes that all members begin with.
passes_view shared_passes(std::span<const linked_member> members, const context& cx) {
  const passes_view& all = members[0].entry->passes;
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(common_prefix(members, cx))};
}

/// The pass that a module goes on with, of those that run on the whole module before it is split.
size_t next_shared(const module_on_its_way& m, const target_spec& composite, const context& cx) {
  const passes_view shared = shared_passes(members_of(composite), cx);
  const auto end = std::string(std::string_view(phases::optimization::name));
  return shared.size() - what_is_left(up_to(shared, composite, m.phase, end), composite, m).size();
}

/// The program file of a composite.
std::string linked_file(module_on_its_way m, const target_spec& composite, context& cx) {
  if (m.phase == std::string_view(phases::built::name)) return serialize(linked_bundle(*m.body, composite));
  const size_t next = next_shared(m, composite, cx);
  return make_linked_program(std::move(m.body), composite, cx, next);
}

/// Takes a module to that place, or leaves it where it is; what is left of its way is judged first. `plan`: by what.
planned_module planned(module_on_its_way& m, const target_spec& spec, context& cx,
                       decltype(&plan_module) plan = plan_module) {
  const target_entry& e = find_entry(spec.name);
  const passes_view& all = e.passes;
  static_cast<void>(up_to(all, spec, m.phase, std::string(e.end->name)));  // throws where there is no way
  // All of them: some lead through a side phase back to the phase that the module is in, and that the target ends in.
  const order left = what_is_left(all, spec, m);
  note(*m.body, spec);
  return plan(std::move(m.body), spec, cx, all.size() - left.size());
}

/// Why a module is in parts.
std::string sentence_of(const compilation_plan& p) {
  return fmt::format(
      "divided between a host and native regions, since it is not one piece of native code for all inputs: {}",
      p.reason());
}
bool is_divided(const compilation_plan& p) {
  return p.becomes == compilation_form::divided || (p.becomes == compilation_form::open && p.divisible);
}
}  // namespace

namespace {
whole_module unadvised_whole(module_on_its_way m, const std::string& target, context& cx, const std::string& stop) {
  const target_spec spec = parse_target(target);
  const auto none = [](std::string why, const char* hint) {
    return whole_module{{}, error("library.no_code", std::move(why), {}, hint)};
  };
  if (!spec.members.empty()) return none("'" + target + "' makes several parts", "build for one target: cpu, c_source");
  const target_entry& e = find_entry(spec.name);
  const passes_view way = up_to(e.passes, spec, m.phase, stop);
  const order passes = what_is_left(way, spec, m);
  ir::drop_variants(*m.body);  // a library's functions are of one entry, whose results are of one rank
  planned_module p = planned(m, spec, cx);
  if (is_divided(p.plan))
    return none(
        "this model is no one piece of native code: " + p.plan.reason(),
        "give the inputs' shapes or values, --shape and --value; or build a program file, which tenon's runtime runs");
  if (p.plan.why) throw p.plan.why->why;
  return {{e.run(std::move(p.module), cx, p.next, way.size()), stop, passes.facts()}, {}};
}
}  // namespace

whole_module try_whole(module_on_its_way m, const std::string& target, context& cx, const std::string& stop) {
  const auto sizes = m.sizes;
  return advising(sizes, parse_target(target), [&] { return unadvised_whole(std::move(m), target, cx, stop); });
}

module_on_its_way build_whole(module_on_its_way m, const std::string& target, context& cx, const std::string& stop) {
  whole_module whole = try_whole(std::move(m), target, cx, stop);
  if (whole.why) throw *whole.why;
  return std::move(whole.built);
}

std::unique_ptr<ir::module> module_with_conditions(module_on_its_way m) try {
  const target_spec spec = find_target(default_target);
  context cx;
  compilation_request{.target = spec}.configure(cx);
  planned_module p = planned(m, spec, cx);
  return p.plan.becomes == compilation_form::whole ? std::move(p.module) : nullptr;
} catch (const error&) { return nullptr; }

namespace {
std::unique_ptr<executable> unadvised_runnable(module_on_its_way m, const std::string& target, int threads,
                                               bool verify_each, const words* talk) {
  const compilation_request r{.target = find_target(target), .threads = threads, .verify_each = verify_each};
  context cx;
  if (talk) talk->show_diagnostics(cx);
  r.configure(cx);
  if (!r.target.members.empty() && m.phase != std::string_view(phases::ingestion::name))
    throw error("build.phase", "a composite takes modules in phase 'ingestion', and this one is in '" + m.phase + "'");
  planned_module p = r.target.members.empty() ? planned(m, r.target, cx) : plan_module(std::move(m.body), r.target, cx);
  return make_executable(std::move(p), r, cx);
}
}  // namespace

std::unique_ptr<executable> runnable(module_on_its_way m, const std::string& target, int threads, bool verify_each,
                                     const words* talk) {
  const auto sizes = m.sizes;
  return advising(sizes, parse_target(target),
                  [&] { return unadvised_runnable(std::move(m), target, threads, verify_each, talk); });
}

namespace {
std::string unadvised_write_program(const std::string& path, module_on_its_way m, const std::string& target,
                                    context& cx) {
  const target_spec spec = parse_target(target);
  if (!spec.members.empty()) {
    write_atomically(path, linked_file(std::move(m), spec, cx));
    return {};
  }
  const target_entry& e = find_entry(spec.name);
  const bool as_c = std::filesystem::path(path).extension() == ".c";  // of one entry, as a library
  if (as_c) ir::drop_variants(*m.body);
  planned_module p = planned(m, spec, cx, as_c ? plan_module : plan_for_all_sizes);
  if (is_divided(p.plan)) {
    save_bundle(path, host_bundle(std::move(*divide(std::move(p.module), cx)), spec, cx));
    return sentence_of(p.plan);
  }
  if (p.plan.why) throw p.plan.why->why;
  const auto built = e.run(std::move(p.module), cx, p.next, e.passes.size());
  if (e.program_file == nullptr) save_bundle(path, module_bundle(std::move(*built), spec));
  else if (as_c && !artifacts_of<formats::c_source>(*built).empty())
    write_atomically(path, c_file_of(*built, library_symbol(std::filesystem::path(path).stem().string())));
  else if (e.save_program != nullptr) e.save_program(path, *built);
  else write_atomically(path, e.program_file(*built));
  return {};
}
}  // namespace

std::string write_program(const std::string& path, module_on_its_way m, const std::string& target, context& cx) {
  const auto sizes = m.sizes;
  return advising(sizes, parse_target(target), [&] { return unadvised_write_program(path, std::move(m), target, cx); });
}

namespace {
/// A composite stops before what its members share leaves a phase, or when its parts are joined.
void write_stopped_composite(const std::string& path, module_on_its_way m, const target_spec& spec,
                             const std::string& stop, const module_style& style, context& cx) {
  if (stop == std::string_view(phases::built::name)) {
    if (m.phase != stop) {
      const size_t next = next_shared(m, spec, cx);
      m.body = link_planned(plan_module(std::move(m.body), spec, cx, next), spec, cx);
    }
    note(*m.body, spec);
    return write_module(path, *m.body, stop, style);
  }
  const std::vector<linked_member> members = members_of(spec);
  const order passes = what_is_left(up_to(shared_passes(members, cx), spec, m.phase, stop), spec, m);
  // Tuned as the module was begun: the host, which has all common passes, takes that from it.
  m.body = members[0].entry->run(std::move(m.body), cx, 0, 0);
  m.body = passes.run(std::move(m.body), cx);
  note(*m.body, spec);
  write_module(path, *m.body, stop, style, passes.facts());
}
}  // namespace

namespace {
std::string unadvised_write_stopped(const std::string& path, module_on_its_way m, const std::string& target,
                                    const std::string& stop, const module_style& style, context& cx) {
  const target_spec spec = parse_target(target);
  if (!spec.members.empty()) {
    write_stopped_composite(path, std::move(m), spec, stop, style, cx);
    return {};
  }
  const target_entry& e = find_entry(spec.name);
  const passes_view way = up_to(e.passes, spec, m.phase, stop);
  const order passes = what_is_left(way, spec, m);
  const std::vector<std::string> divided_facts =
      e.divisible && way.size() > e.general ? facts_divided(e, spec, m) : std::vector<std::string>();
  note(*m.body, spec);
  const size_t begin = way.size() - passes.size();
  if (way.size() <= e.proven) {  // it stops before what becomes of it matters
    write_module(path, *e.run(std::move(m.body), cx, begin, way.size()), stop, style, passes.facts());
    return {};
  }
  planned_module p = plan_module(std::move(m.body), spec, cx, begin);
  if (is_divided(p.plan)) {
    if (stop != "optimization")
      throw error(
          "build.divided", fmt::format("no one module is in phase '{}': it is {}", stop, sentence_of(p.plan)), {},
          "stop at 'optimization', where the host's graph and its regions are, or give the inputs' shapes: --shape");
    write_module(path, *divide(std::move(p.module), cx), stop, style, divided_facts);
    return sentence_of(p.plan);
  }
  if (p.plan.why) throw p.plan.why->why;
  write_module(path, *e.run(std::move(p.module), cx, p.next, way.size()), stop, style, passes.facts());
  return {};
}
}  // namespace

std::string write_stopped(const std::string& path, module_on_its_way m, const std::string& target,
                          const std::string& stop, const module_style& style, context& cx) {
  const auto sizes = m.sizes;
  return advising(sizes, parse_target(target),
                  [&] { return unadvised_write_stopped(path, std::move(m), target, stop, style, cx); });
}

}  // namespace tenon::tool
