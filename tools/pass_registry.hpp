/// @file pass_registry: the passes, phases, ops and targets that this command line knows, as data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tenon/judge/order.hpp>
#include <tenon/judge/questions.hpp>
#include <tenon/tool/main.hpp>

namespace tenon::tool {

/// Says what this program knows, once, before anything else here is asked.
void set_known(const parts& all);
/// Every pass, in the order in which a pipeline has them.
const registry& known_passes();
/// Every op that text and files may name: the built-in ones, those of the targets, and those that were given.
std::span<const ir::op_info* const> known_ops();
/// Whose format a file has, by its extension; null: nobody's that was given.
const known_importer* importer_of(const std::string& path);
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
