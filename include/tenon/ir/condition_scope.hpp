/// @file condition_scope: what an op of a branch or of a loop's body takes for granted is not asked of the whole module.
///
/// The region may not run, or run for other sizes than those at hand. Its code, once it is a function of its own
/// (passes/outline_regions.hpp), is made with the conditions that its ops need.
#pragma once

#include <optional>
#include <string>

#include <tenon/ir/module.hpp>

namespace tenon::ir {

/// Conditions (ir/dims.hpp) that arise while it lives, for an op of region `r`, are forgotten if `r` belongs to an op other
/// than a fused group.
class condition_scope {
 public:
  condition_scope(module& m, region_id r) : condition_scope(m, m[r].parent && m.view(m[r].parent).name() != "fused") {}
  condition_scope(module& m, bool forget) : m_(m), inside_(forget) {
    if (const auto at = inside_ ? m.metadata.find("conditions") : m.metadata.end(); at != m.metadata.end()) before_ = at->second;
  }
  condition_scope(const condition_scope&) = delete;
  condition_scope& operator=(const condition_scope&) = delete;
  ~condition_scope() {
    if (!inside_) return;
    if (before_) m_.metadata["conditions"] = *std::move(before_);
    else m_.metadata.erase("conditions");
  }

 private:
  module& m_;
  bool inside_;
  std::optional<std::string> before_;
};

}  // namespace tenon::ir
