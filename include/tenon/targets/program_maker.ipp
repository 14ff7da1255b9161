/// @file program_maker.ipp: definitions of targets/program_maker.hpp.
#pragma once

#include <tenon/core/framed_file.hpp>
#include <tenon/core/freed_memory.hpp>
#include <tenon/ir/constraint.hpp>
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

std::string make_linked_program(std::unique_ptr<ir::module> m, const target_spec& composite, context& cx, size_t from) {
  ir::module entry = *m;
  std::vector<std::string> files;
  for (std::unique_ptr<ir::module>& linked : link_for_all_sizes(std::move(m), composite, cx, from)) {
    if (files.empty()) entry.build = linked->build;
    files.push_back(serialize(linked_bundle(*std::exchange(linked, nullptr), composite)));
  }
  if (files.size() == 1) return std::move(files.front());
  return serialize(alternatives_bundle(entry, composite, std::move(files)));
}

std::string make_program(ir_module<phases::ingestion> m, const target_spec& target, context& cx) {
  if (!target.members.empty())
    return make_linked_program(std::make_unique<ir::module>(std::move(m.body())), target, cx);
  planned_module p = detail::plan_program(std::move(m), target, cx);
  if (p.plan.becomes == compilation_form::divided || (p.plan.becomes == compilation_form::open && p.plan.divisible))
    return serialize(host_bundle(std::move(*divide(std::move(p.module), cx)), target, cx));
  if (p.plan.why) throw p.plan.why->why;
  const target_entry& e = find_entry(target.name);
  const auto built = e.run(std::move(p.module), cx, p.next, e.passes.size());
  return e.program_file == nullptr ? serialize(module_bundle(std::move(*built), target)) : e.program_file(*built);
}

}  // namespace tenon
