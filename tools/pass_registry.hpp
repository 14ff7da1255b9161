/// @file pass_registry: the built-in passes, phases, facts and targets as data, for pipelines that are written as text.
///
/// The order of a text pipeline is judged by the judge that judges types, and rejected with the same sentence.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/context.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/pipeline/pass_desc.hpp>
#include <tenon/pipeline/verdict.hpp>

namespace tenon::tool {

struct pass_entry {
  const pass_desc* desc;
  /// Runs the pass with what the context holds for it; under `verify_each`, proves `proofs` of its result.
  std::unique_ptr<ir::module> (*run)(std::unique_ptr<ir::module>, context&, std::span<const proof> proofs);
  std::string_view name() const { return desc->name; }
};

/// In the order in which a pipeline has them.
std::span<const pass_entry> built_in_passes();
/// Throws "opt.pass", with the names that are nearest.
const pass_entry& find_pass(std::string_view name);
/// Throws "opt.phase".
const phase_desc& find_phase(std::string_view name);

/// What the judge says about an order, and what holds after each pass: the proofs for `verify_each`.
struct judgement {
  verdict what;
  std::vector<std::vector<proof>> proofs;
};
judgement judge(std::span<const pass_entry* const> order, const phase_desc& start);

struct target_entry {
  std::string_view name, device;
  std::span<const pass_desc* const> passes;
};
std::span<const target_entry> built_in_targets();
/// Throws "target.unknown".
const target_entry& find_target_entry(const std::string& name);

}  // namespace tenon::tool
