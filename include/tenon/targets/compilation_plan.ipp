/// @file compilation_plan.ipp: definitions of targets/compilation_plan.hpp.
#pragma once

#include <algorithm>

#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/legalize_ops.hpp>
#include <tenon/passes/outline_regions.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/compilation_plan.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {
namespace detail {

/// What keeps a graph from being one piece of the target's code.
inline std::optional<ir::obstacle> obstacle_to(const ir::module& m, const target_entry& e, const context& cx) {
  std::optional<ir::obstacle> o;
  if (e.extents == extents_asked::numbers) o = fact::static_shapes::obstacle(m);
  else if (e.extents == extents_asked::known) o = fact::extents_known::obstacle(m);
  return o || !e.makes_kernels ? std::move(o) : passes::legalize_ops::obstacle(m, cx);
}

inline compilation_plan decided(const ir::module& m, std::optional<ir::obstacle> why, bool divisible) {
  compilation_plan p;
  if (!why) return p;
  p.needs = ir::needs_of(m, *why);
  // An op that has kernels for other operands has them as soon as more is known; what depends on values always will.
  const bool opens = !p.needs.empty() && (why->kind == ir::obstacle_kind::no_kernel || !divisible);
  p.becomes = opens ? compilation_form::open : divisible ? compilation_form::divided : compilation_form::none;
  p.divisible = divisible;
  if (!opens) p.needs.clear();
  p.why = std::move(why);
  return p;
}

/// Of parts that are compiled apart each is judged by its own member, where that takes something for granted: a copy of
/// it, since the parts are cut again when they are compiled. Common passes that prove it prove it of the whole.
inline planned_module plan_linked(std::unique_ptr<ir::module> m, const target_spec& target, context& cx, size_t from) {
  const std::vector<linked_member> members = members_of(target);
  const target_entry& host = *members[0].entry;
  const size_t common = common_prefix(members, cx);
  const bool proven = host.extents != extents_asked::nothing && common > host.proven;
  const size_t stop = proven ? host.proven : common;
  meet_flags_of_members(cx, members);
  if (from < stop) m = host.run(std::move(m), cx, from, stop);
  planned_module p{{}, std::move(m), std::max(from, stop)};
  const ir::module& whole = *p.module;
  if (proven) {
    p.plan = decided(whole, obstacle_to(whole, host, cx), false);
    if (p.plan.becomes != compilation_form::whole || !fact::static_shapes::obstacle(whole)) return p;
  }
  context trial(&cx);
  trial.diagnostics = nullptr, trial.instruments.clear();  // said when it is split and compiled
  for (split_part& part : split_parts(whole, members, trial)) {
    const linked_member& member = members[part.member];
    if (member.entry->extents == extents_asked::nothing) continue;
    // What is proven of the whole: a part must have inputs that say its extents.
    std::optional<ir::obstacle> why;
    if (proven || member.entry->proven < stop) {
      why = fact::extents_known::obstacle(*part.module);
    } else {
      context inner(&trial, context::for_another_target{});
      member.entry->configure(part.spec, 0, inner);
      part.module = member.entry->run(std::move(part.module), inner, stop, member.entry->proven);
      why = obstacle_to(*part.module, *member.entry, inner);
    }
    if (!why) continue;
    for (function_id f : whole.functions())
      if (whole[f].entry) p.plan.needs = ir::needs_of(whole, f, part.outputs);
    p.plan.becomes = p.plan.needs.empty() ? compilation_form::none : compilation_form::open;
    p.plan.why = std::move(why);
    break;
  }
  return p;
}

size_t first_in_optimization(const target_entry& e) {
  size_t i = 0;
  while (i < e.passes.size() && e.passes[i]->from->key != phase_desc_of<phases::optimization>.key) ++i;
  return i;
}

/// A region alone, through the rest of a target's passes.
struct compiled_piece {
  std::unique_ptr<ir::module> built;
  std::string why;  ///< there is none
};
inline compiled_piece compile_piece(ir::module region, const target_entry& e, context& cx) {
  auto body = e.run(std::make_unique<ir::module>(std::move(region)), cx, first_in_optimization(e), e.proven);
  if (const auto o = obstacle_to(*body, e, cx)) return {nullptr, o->why.what()};
  return {e.run(std::move(body), cx, e.proven, e.passes.size()), {}};
}

class entry_regions final : public region_compiler {
 public:
  explicit entry_regions(compilation_request r) : request_(std::move(r)), entry_(find_entry(request_.target.name)) {}
  region_code compile(const ir::module& host, function_id region, std::span<const tensor> operands) override {
    return code_of(region_module(host, region, operands));
  }
  region_code compile_for_all(const ir::module& host, function_id region) override {
    if (request_.specialize) return {{}, "code for each set of shapes was asked for [session.specialize]"};
    if (const auto o = rank_obstacle(host, region)) return {{}, o->why.what()};
    return code_of(region_module(host, region));
  }

 private:
  region_code code_of(ir::module m) const {
    context cx;
    request_.configure(cx);
    const compiled_piece piece = compile_piece(std::move(m), entry_, cx);
    if (!piece.built) return {{}, piece.why};
    const auto code = entry_.load(*piece.built);
    if (code->native() == nullptr)
      return {{}, "target '" + std::string(entry_.name) + "' makes no code that a host could call"};
    return {*code->native(), {}};
  }

  compilation_request request_;
  const target_entry& entry_;
};

}  // namespace detail

void compilation_request::configure(context& cx) const {
  if (prepare) prepare(cx, prepare_user);
  cx.verify_each = cx.verify_each || verify_each;
  if (target.members.empty()) return find_entry(target.name).configure(target, threads, cx);
  const std::vector<linked_member> members = members_of(target);
  configure_members(members, threads, cx);
  cx.target = target;
}

std::unique_ptr<ir::module> enter(ir_module<phases::ingestion> m, const target_spec& target) {
  std::vector<op_key> added;
  const auto add = [&added](const target_entry& e) {
    for (const ir::op_info* op : e.ops) added.push_back({op->key, {}});
  };
  if (target.members.empty()) add(find_entry(target.name));
  else
    for (const linked_member& member : members_of(target)) add(*member.entry);
  std::sort(added.begin(), added.end(), [](const op_key& a, const op_key& b) { return a.key < b.key; });
  const op_set own{added.data(), added.size()};
  try {
    return detail::enter_with<phase_list<>>(std::move(m), own);
  } catch (error& e) {
    std::string foreign;  // the first op that neither the phase nor the target has
    const ir::module& body = std::as_const(m).body();
    for (function_id f : body.functions())
      ir::for_each_op(body, body[f].body, [&](op_id op) {
        const ir::op_info& info = *body[op].info;
        if (foreign.empty() && body[f].phase.empty() && !op_set_of<phases::ingestion::op_list>.contains(info.key) &&
            !own.contains(info.key))
          foreign = info.name;
      });
    if (!foreign.empty() && e.hint().empty())
      e.restate(e.message(), e.where(),
                "take a target whose pipeline says with_ops<" + foreign + ">; '" + to_text(target) + "' does not");
    throw;
  }
}

planned_module plan_module(std::unique_ptr<ir::module> m, const target_spec& target, context& cx, size_t from) {
  if (!target.members.empty()) {
    ir::drop_variants(*m);
    return detail::plan_linked(std::move(m), target, cx, from);
  }
  const target_entry& e = find_entry(target.name);
  if (!e.runs_variants && !e.divisible) ir::drop_variants(*m);
  if (from > e.proven) return {{}, std::move(m), from};
  if (from < e.general) m = e.run(std::move(m), cx, std::exchange(from, e.general), e.general);
  // What leads on from here is for modules in one piece: the graph is kept for the case that it is none.
  std::unique_ptr<ir::module> kept = e.divisible ? std::make_unique<ir::module>(*m) : nullptr;
  context trial(&cx);
  if (from < e.proven) m = e.run(std::move(m), trial, from, e.proven);
  std::optional<ir::obstacle> why = detail::obstacle_to(*m, e, trial);
  // Code for given sizes only is made as soon as these are known: a host would have no more to say.
  const bool sizes_alone =
      why && e.extents == extents_asked::numbers &&
      (why->kind == ir::obstacle_kind::input_extents || why->kind == ir::obstacle_kind::result_extents) &&
      !fact::extents_known::obstacle(*m);
  planned_module p{detail::decided(*m, std::move(why), e.divisible && !sizes_alone), nullptr, e.proven};
  const bool whole = p.plan.becomes == compilation_form::whole;
  p.module = whole || !kept ? std::move(m) : std::move(kept);
  if (whole)
    for (pass_record& r : trial.records) cx.records.push_back(std::move(r));
  return p;
}

compilation_plan plan_of(const ir::module& m, const target_spec& target) {
  context cx;
  compilation_request{.target = target}.configure(cx);
  return plan_module(enter(ir_module<phases::ingestion>::adopt(ir::module(m)), target), target, cx).plan;
}

std::unique_ptr<ir::module> divide(std::unique_ptr<ir::module> graph, context& cx) {
  static_cast<void>(ir::single_entry(*graph));  // a host's program has one
  auto known = establish<fact::shapes_known>(ir_module<phases::optimization>::adopt(std::move(*graph)));
  auto split = run<passes::outline_regions>(run<passes::eliminate_dead>(std::move(known), cx), cx);
  return std::make_unique<ir::module>(std::move(std::move(split).edit().body()));
}

std::unique_ptr<ir::module> link_planned(planned_module p, const target_spec& composite, context& cx) {
  if (p.plan.why) throw p.plan.why->why;
  const std::vector<linked_member> members = members_of(composite);
  const size_t common = common_prefix(members, cx);
  if (p.next < common) p.module = members[0].entry->run(std::move(p.module), cx, p.next, common);
  p.module->build.target = to_text(composite);
  p.module->build.fingerprint = fingerprint_of_shared(members, common);
  return link_parts(*p.module, members, common, cx);
}

std::unique_ptr<executable> make_executable(planned_module p, const compilation_request& r, context& cx) {
  const compilation_form form = p.plan.becomes;
  std::unique_ptr<executable> made;
  if (form == compilation_form::divided || (form == compilation_form::open && p.plan.divisible))
    return std::make_unique<hosted>(
        std::make_unique<host_program>(std::move(*divide(std::move(p.module), cx)), compile_regions(r)));
  if (form != compilation_form::whole) throw p.plan.why->why;
  if (!r.target.members.empty()) return load_linked(*link_planned(std::move(p), r.target, cx), members_of(r.target));
  const target_entry& e = find_entry(r.target.name);
  made = e.load(*e.run(std::move(p.module), cx, p.next, e.passes.size()));
  // Also left in the context, for those who want to know its size or its arena.
  if (const program* code = made->native()) cx.set(program(*code));
  return made;
}

region_file make_region_file(const ir::module& host, function_id region, const target_entry& target, context& whole) {
  if (const auto o = rank_obstacle(host, region)) return {{}, o->why.what()};
  context cx(&whole);
  const detail::compiled_piece piece = detail::compile_piece(region_module(host, region), target, cx);
  if (!piece.built) return {{}, piece.why};
  if (target.program_file != nullptr) return {target.program_file(*piece.built), {}};
  return {serialize(module_bundle(std::move(*piece.built),
                                  whole.target.value_or(target_spec{{}, std::string(target.name), {}, {}}))),
          {}};
}

std::unique_ptr<region_compiler> compile_regions(compilation_request r) {
  return std::make_unique<detail::entry_regions>(std::move(r));
}

}  // namespace tenon
