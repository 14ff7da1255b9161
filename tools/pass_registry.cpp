// What this command line knows.
#include "pass_registry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tenon/targets/all.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace { parts all; }  // namespace

void set_known(const parts& given) { all = given; }
const registry& known_passes() { return *all.passes; }

std::span<const ir::op_info* const> known_ops() {
  static const std::vector<const ir::op_info*> table = [] {
    const auto built_in = ir::built_in_op_table();
    std::vector<const ir::op_info*> r(built_in.begin(), built_in.end());
    const auto add = [&r](const ir::op_info* op) {
      if (std::find(r.begin(), r.end(), op) == r.end()) r.push_back(op);
    };
    for (const ir::op_info* op : all.ops) add(op);
    for (const target_entry* e : registered_entries())
      for (const ir::op_info* op : e->ops) add(op);
    return r;
  }();
  return table;
}

const known_importer* importer_of(const std::string& path) {
  for (const known_importer& i : all.importers)
    if (path.ends_with(i.extension)) return &i;
  return nullptr;
}

const phase_desc& find_phase(std::string_view name) {
  std::vector<std::string> known;
  for (const phase_desc* p : all.phases) {
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
