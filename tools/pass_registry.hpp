/// @file pass_registry: the built-in passes, phases and targets as data, for pipelines that are written as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tenon/judge/order.hpp>
#include <tenon/judge/questions.hpp>

namespace tenon::tool {

/// Every built-in pass, in the order in which a pipeline has them.
const registry& built_in_passes();
/// Throws "opt.phase", with the names that are nearest.
const phase_desc& find_phase(std::string_view name);

struct target_passes {
  std::string_view name, device;
  passes_view passes;
};
/// Targets whose passes are known here, and that cannot compile in this build.
std::span<const target_passes> targets_without_code();
/// By name, or a target's text. Throws "target.unknown".
target_passes find_target_passes(const std::string& text);

}  // namespace tenon::tool
