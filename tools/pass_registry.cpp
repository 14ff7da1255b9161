// The built-in passes, phases, facts and targets as data.
#include "pass_registry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tenon/facts/calls_inlined.hpp>
#include <tenon/passes/fold_batch_norm.hpp>
#include <tenon/run.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace {

using all_phases = pass_list<phases::ingestion, phases::optimization, phases::lowering, phases::build, phases::built>;
// Without LLVM there is nothing to generate code with.
using all_passes = pass_list<
    passes::lift_lambdas, passes::inline_calls, passes::bind_inputs, passes::infer_shapes, passes::fold_constants,
    passes::simplify, passes::fold_batch_norm, passes::eliminate_common, passes::eliminate_dead, passes::require_static_shapes,
    passes::convert_layout, passes::pack_weights, passes::fuse, passes::legalize_ops, passes::to_lowering, passes::vectorize,
    passes::parallelize, passes::plan_memory, passes::lower_builtins
#if TENON_HAS_LLVM
    , passes::generate_code
#endif
    >;

template <class Pass>
std::unique_ptr<ir::module> run_entry(std::unique_ptr<ir::module> m, context& cx, std::span<const proof> proofs) {
  const Pass* given = cx.find<Pass>();
  return tenon::detail::run_body(given ? *given : Pass{}, std::move(m), cx, proofs.data(), proofs.size());
}

template <class... Ps>
std::span<const pass_entry> entries(pass_list<Ps...>) {
  static constexpr pass_entry table[] = {{&pass_desc_of<Ps>, &run_entry<Ps>}...};
  return table;
}
template <class... Ps>
std::span<const pass_desc* const> descs(pass_list<Ps...>) {
  static constexpr const pass_desc* table[] = {&pass_desc_of<Ps>...};
  return table;
}

struct phase_entry {
  const phase_desc* desc;
  void (*verify)(const ir::module&);
};
template <class... Ps>
std::span<const phase_entry> phase_entries(pass_list<Ps...>) {
  static constexpr phase_entry table[] = {{&phase_desc_of<Ps>, &tenon::detail::verify_phase<Ps>}...};
  return table;
}

/// Every fact that a built-in pass speaks of, with its checker.
struct fact_entry {
  const fact_desc* desc;
  void (*check)(const ir::module&);
};
template <class List>
struct facts_of_passes;
template <class... Ps>
struct facts_of_passes<pass_list<Ps...>> {
  template <class... Fs>
  static std::span<const fact_entry> list(meta::detail::box<facts<Fs...>>) {
    static constexpr fact_entry table[] = {{&fact_desc_of<Fs>, &tenon::detail::prove<Fs>}...};
    return table;
  }
  static std::span<const fact_entry> table() {
    return list(meta::detail::box<tenon::detail::named_facts<Ps...>>{});
  }
};

// Bounds of a text pipeline; `judge` refuses a longer one.
constexpr size_t max_passes = 64, max_references = 512, max_ops = 448, max_rows = 512;
using run_time_numbering = tenon::detail::numbering<max_passes, max_references, max_ops>;
using run_time_court = tenon::detail::court<max_passes, 4, max_ops / 64 + 1, max_rows>;

}  // namespace

std::span<const pass_entry> built_in_passes() { return entries(all_passes{}); }

const pass_entry& find_pass(std::string_view name) {
  std::vector<std::string> known;
  for (const pass_entry& p : built_in_passes()) {
    if (p.name() == name) return p;
    known.emplace_back(p.name());
  }
  throw error("opt.pass", fmt::format("there is no pass '{}'", name), {}, suggestion(name, known));
}

const phase_desc& find_phase(std::string_view name) {
  std::vector<std::string> known;
  for (const phase_entry& p : phase_entries(all_phases{})) {
    if (std::string_view(p.desc->name) == name) return *p.desc;
    known.emplace_back(std::string_view(p.desc->name));
  }
  throw error("opt.phase", fmt::format("there is no phase '{}'", name), {}, suggestion(name, known));
}

judgement judge(std::span<const pass_entry* const> order, const phase_desc& start) {
  judgement j;
  if (order.empty()) return j;
  // Passes that are not in the order are candidates for repairs.
  std::vector<const pass_desc*> passes;
  for (const pass_entry* p : order) passes.push_back(p->desc);
  for (const pass_entry& p : built_in_passes())
    if (passes.size() < max_passes && std::find(passes.begin(), passes.end(), p.desc) == passes.end()) passes.push_back(p.desc);
  judge_input in;
  in.passes = passes.data();
  in.count = order.size();
  in.start = &start;
  const auto sizes = tenon::detail::measure(in);
  if (in.count > max_passes || sizes.references > max_references || sizes.ops > max_ops)
    throw error("opt.length", fmt::format("a pipeline of {} passes is too long to be judged at run time", in.count));
  const auto numbered = std::make_unique<run_time_numbering>(in);
  auto court = std::make_unique<run_time_court>(in, *numbered);
  j.what = court->judge();
  // As with types: where no pass of the order can help, those that give the missing fact are tried.
  if ((j.what.code == 2 || j.what.code == 3) && j.what.repair_count == 0) {
    judge_input wide = in;
    wide.candidates = passes.size() - in.count;
    const auto wide_sizes = tenon::detail::measure(wide);
    if (wide_sizes.references <= max_references && wide_sizes.ops <= max_ops) {
      const auto more = std::make_unique<run_time_numbering>(wide);
      j.what = std::make_unique<run_time_court>(wide, *more)->judge();
    }
  }
  if (!j.what.ok()) return j;
  const auto trail = court->follow();
  j.proofs.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    for (const phase_entry& p : phase_entries(all_phases{}))
      if (p.desc->key == order[i]->desc->to->key) j.proofs[i].push_back({p.desc->name, p.verify});
    for (size_t f = 0; f < trail.fact_count; ++f) {
      if ((trail.held[i][f / 64] >> (f % 64) & 1) == 0) continue;
      for (const fact_entry& known : facts_of_passes<all_passes>::table())
        if (known.desc->key == trail.fact[f]->key) j.proofs[i].push_back({known.desc->name, known.check});
    }
  }
  return j;
}

std::span<const target_entry> built_in_targets() {
  static const target_entry table[] = {
      {targets::cpu::name, targets::cpu::device::name, descs(pipeline_of<targets::cpu>{})},
      {targets::interpreter::name, targets::interpreter::device::name, descs(pipeline_of<targets::interpreter>{})}};
  return table;
}

const target_entry& find_target_entry(const std::string& name) {
  std::vector<std::string> known;
  for (const target_entry& t : built_in_targets()) {
    if (t.name == name) return t;
    known.emplace_back(t.name);
  }
  throw error("target.unknown", fmt::format("there is no target '{}'", name), {}, suggestion(name, known));
}

}  // namespace tenon::tool
