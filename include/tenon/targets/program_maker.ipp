/// @file program_maker.ipp: definitions of targets/program_maker.hpp.
#pragma once

#include <tenon/core/framed_file.hpp>
#include <tenon/core/freed_memory.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/general_variant.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {

namespace detail {
inline planned_module plan_program(ir_module<phases::ingestion> m, const target_spec& target, context& cx) {
  auto body = std::make_unique<ir::module>(std::move(m.body()));
  body->build.target = to_text(target);
  return plan_for_all_sizes(std::move(body), target, cx);
}
}  // namespace detail

void constrain_for(const target_spec& program, ir::module& m, std::string_view name, std::string where) {
  const std::string origin = "'" + std::string(name) + "'";
  if (!program.members.empty()) {
    check_constraint(members_of(program), where, origin);
  } else {
    const target_spec to = parse_target(where);
    if (to.members.empty()) find_entry(to.name);
    if (to.name != program.name || !to.members.empty())
      throw error("target.elsewhere",
                  origin + " is constrained to '" + where + "', and the program is for '" + to_text(program) + "'", {},
                  "build for a composite that has both: --target \"composite(" + program.name + "," + to.name + ")\"");
    where = to_text(to);  // a tag is a name for it
  }
  ir::constrain_named(m, name, where);
}

std::string make_program(ir_module<phases::ingestion> m, const target_spec& target) {
  if (target.members.empty()) find_entry(target.name);
  context cx;
  compilation_request{.target = target}.configure(cx);
  return make_program(std::move(m), target, cx);
}

bool save_whole_program(const std::string& path, ir_module<phases::ingestion> m, const target_spec& target,
                        context& cx) {
  if (!target.members.empty()) return false;
  const target_entry& e = find_entry(target.name);
  if (e.program_file == nullptr) return false;
  planned_module p = detail::plan_program(std::move(m), target, cx);
  if (p.plan.becomes != compilation_form::whole) return false;
  {
    const auto built = e.run(std::move(p.module), cx, p.next, e.passes.size());
    if (e.save_program != nullptr) e.save_program(path, *built);
    else write_atomically(path, e.program_file(*built));
  }
  return_freed_memory();
  return true;
}

std::string make_program(ir_module<phases::ingestion> m, const target_spec& target, context& cx) {
  if (!target.members.empty()) {  // each is linked by itself
    const ir::module& body = std::as_const(m).body();
    std::vector<ir::module> all = ir::each_variant_alone(body);
    std::vector<std::string> files;
    for (size_t i = 0; all.size() > 1 && i < all.size(); ++i)
      files.push_back(make_program(ir_module<phases::ingestion>::adopt(std::move(all[i])), target, cx));
    if (!files.empty()) return serialize(alternatives_bundle(body, target, std::move(files)));
  }
  planned_module p = detail::plan_program(std::move(m), target, cx);
  if (p.plan.becomes == compilation_form::divided || (p.plan.becomes == compilation_form::open && p.plan.divisible))
    return serialize(host_bundle(std::move(*divide(std::move(p.module), cx)), target, cx));
  if (p.plan.why) throw p.plan.why->why;
  if (!target.members.empty()) {
    const std::vector<linked_member> members = members_of(target);
    const size_t common = common_prefix(members, cx);
    if (p.next < common) p.module = members[0].entry->run(std::move(p.module), cx, p.next, common);
    cx.target = to_text(target);
    return serialize(linked_bundle(*link_parts(*p.module, members, common, cx), target));
  }
  const target_entry& e = find_entry(target.name);
  const auto built = e.run(std::move(p.module), cx, p.next, e.passes.size());
  return e.program_file == nullptr ? serialize(module_bundle(std::move(*built), target)) : e.program_file(*built);
}

}  // namespace tenon
