/// @file composite.ipp: definitions of targets/composite.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include <tenon/core/attempt.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/purity.hpp>
#include <tenon/ir/transplant.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/judge/fingerprint.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/linked_program.ipp>

namespace tenon {
namespace detail {

inline std::string list_of(std::span<const linked_member> members) {
  std::string s;
  for (const linked_member& m : members) s += (s.empty() ? "" : ", ") + m.label;
  return s;
}

/// Where "npu/rest" names a member of a member.
inline size_t slash_of(const std::string& target) {
  const size_t end = target.find_first_of("/:");  // options may hold any character
  return end != target.npos && target[end] == '/' ? end : target.npos;
}
/// "npu/rest" without the first name: what the member itself makes of it.
inline std::string inner_constraint(const std::string& target) {
  const size_t slash = slash_of(target);
  return slash == target.npos ? std::string() : target.substr(slash + 1);
}

/// A member, and options that a constraint gives what is to run there, beside the member's own.
struct placement {
  size_t member = 0;
  std::vector<target_option> options;
  friend bool operator==(const placement&, const placement&) = default;
};

/// The options that a member does not say so itself. Error "target.option" for those that its target does not have.
inline std::vector<target_option> options_beside(const linked_member& member, const std::vector<target_option>& said,
                                                 const std::string& origin, const std::string& target) {
  std::vector<target_option> beside;
  for (const target_option& o : said) {
    std::vector<std::string> known;
    for (const option_info& i : member.entry->options) known.push_back(i.name);
    if (std::find(known.begin(), known.end(), o.name) == known.end())
      throw usage_error(
          "target.option",
          origin + " is constrained to '" + target + "', and '" + member.label + "' has no option '" + o.name + "'", {},
          !member.spec.members.empty() ? "it is made of several: name one of them, as " + member.label + "/NAME"
          : known.empty()              ? "it has none"
                                       : nearest(o.name, known));
    const auto& own = member.spec.options;
    if (std::find(own.begin(), own.end(), o) == own.end()) beside.push_back(o);
  }
  return beside;
}

/// What a constraint means: a member by its name, "host", or its target, with options.
inline placement member_for(std::span<const linked_member> members, const std::string& target,
                            const std::string& origin) {
  const std::string first = target.substr(0, slash_of(target));
  if (first.empty()) return {};
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i].label == first) return {i, {}};
  target_spec spec;
  if (attempt([&] { spec = parse_target(first); })) spec.name = first;
  std::vector<size_t> found;
  if (!spec.options.empty())  // a member that is so by itself
    for (size_t i = 0; i < members.size(); ++i)
      if (members[i].entry->name == spec.name && members[i].spec.options == spec.options) found.push_back(i);
  if (found.size() == 1) return {found[0], {}};
  found.clear();
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i].label == spec.name || (i == 0 && spec.name == "host")) found = {i};
  if (found.empty())
    for (size_t i = 0; i < members.size(); ++i)
      if (members[i].entry->name == spec.name) found.push_back(i);
  if (found.size() == 1) return {found[0], options_beside(members[found[0]], spec.options, origin, target)};
  if (found.empty()) {
    std::vector<std::string> known;
    for (const linked_member& m : members) known.push_back(m.label);
    const std::string near = nearest(spec.name, known);
    throw error("target.no_member", origin + " is constrained to '" + target + "', which no member is", {},
                (near.starts_with("did you mean") ? near + " " : "") + "the members are: " + list_of(members));
  }
  throw error("target.ambiguous", origin + " is constrained to '" + target + "', which several members are", {},
              "name one of " + list_of(members));
}

/// A member's target, with the options of what is to run there.
inline target_spec spec_with(const linked_member& member, const std::vector<target_option>& options) {
  target_spec spec = member.spec;
  for (const target_option& o : options) set_option(spec, o);
  return spec;
}

/// What the common passes make code for, member by member.
struct kernels_of_members {
  std::vector<linked_member> members;
  std::vector<passes::kernel_options> options;
};
inline passes::kernel_options kernel_options_of_member(const passes::kernel_options& program, std::string_view said) {
  const auto& all = *static_cast<const kernels_of_members*>(program.members.get());
  const std::string constraint(said);
  placement at;
  if (attempt([&] { at = member_for(all.members, constraint, "an op"); }))
    return program;  // the split says it, and where
  const passes::kernel_options& own = all.options[at.member];
  if (own.members != nullptr) return own.of(inner_constraint(constraint));
  if (at.options.empty()) return own;
  return own.of(to_text({{}, all.members[at.member].spec.name, std::move(at.options), {}}));
}

/// Does each part that uses an op have it for itself? What is known of such values is known in the part, then.
inline bool is_repeated(const ir::module& m, op_id op) {
  if (m.view(op).is<op::constant>()) return true;
  if (!m.view(op).is<op::extents_of>()) return false;
  for (use_id u = m[m.result(op)].first_use; u; u = m[u].next)
    if (m.view(m[u].user).info().traits.terminator && !m[m[m[u].user].parent].parent) return false;  // it is returned
  return true;
}

/// The ops of an entry in parts, each on one member with the same options, in an order of their dependences with few
/// changes of place.
struct module_part {
  placement place;
  std::vector<op_id> ops;
};

class splitter {
 public:
  splitter(const ir::module& m, std::span<const linked_member> members, context& cx)
      : m_(m), members_(members), cx_(cx), purity_(m) {
    const auto built_in = ir::built_in_op_table();
    built_in_.insert(built_in.begin(), built_in.end());
    const function_id f = ir::single_entry(m);
    for (op_id op : m[m[f].body].ops) {
      const ir::op_view v = m.view(op);
      if (is_repeated(m, op) || v.info().traits.terminator) continue;
      if (v.is<op::call>())
        throw error("target.split", "'call' is left in the entry", m.text(v.location()),
                    "run inline_calls before the split");
      ops_.push_back(op);
      place_.push_back(place(op));
    }
  }

  std::vector<module_part> run() {
    const std::vector<std::vector<size_t>> before = ir::dependences(m_, ops_, purity_);
    std::vector<size_t> waits(ops_.size());
    std::vector<std::vector<size_t>> users(ops_.size());
    for (size_t i = 0; i < ops_.size(); ++i) {
      waits[i] = before[i].size();
      for (size_t d : before[i]) users[d].push_back(i);
    }
    std::vector<module_part> parts;
    std::vector<char> done(ops_.size(), 0);
    for (size_t left = ops_.size(); left != 0;) {
      size_t first = 0;
      while (done[first] || waits[first] != 0) ++first;
      module_part p{place_[first], {}};
      // Uses come after definitions, so one walk finds everything that becomes ready.
      for (size_t i = first; i < ops_.size(); ++i) {
        if (done[i] || waits[i] != 0 || !(place_[i] == p.place)) continue;
        done[i] = 1, --left;
        p.ops.push_back(ops_[i]);
        for (size_t u : users[i]) --waits[u];
      }
      parts.push_back(std::move(p));
    }
    return parts;
  }

 private:
  placement place(op_id op) {
    const std::string origin = ir::origin_of(m_, op), target = ir::constraint_of(m_, op);
    placement at = member_for(members_, target, origin);
    const size_t i = at.member;
    for (int r = 0; r < m_.view(op).region_count(); ++r)
      ir::for_each_op(m_, m_.region(op, r), [&](op_id inner) {
        if (member_for(members_, ir::constraint_of(m_, inner), ir::origin_of(m_, inner)) != at)
          throw error("target.split",
                      ir::origin_of(m_, inner) + " is constrained to '" + m_.target(m_[inner].location) +
                          "', and it is inside of " + origin + ", which runs on '" + members_[i].label + "'",
                      {}, "constrain all of it alike");
      });
    if (has(i, op)) return at;
    size_t home = 0;
    while (home < members_.size() && (home == i || !has(home, op))) ++home;
    // Without the op's node, which is the diagnostic's `where`.
    const std::string missed = "'" + members_[i].label + "' does not have op '" + std::string(m_.view(op).name()) + "'";
    if (home == members_.size())
      throw error("target.home", missed + ", nor does another member", m_.text(m_[op].location),
                  "give a member's pipeline the op (with_ops), or a pass before the split that makes others of it; the "
                  "members are: " +
                      list_of(members_));
    cx_.report({severity::note, "target.fallback", missed + ": it runs on '" + members_[home].label + "'",
                m_.text(m_[op].location), "constrain it to a member that has it"});
    return {home, {}};
  }
  /// Does a member have an op, and all that is inside of it? Ops that are not built in are those of its pipeline.
  bool has(size_t member, op_id op) const {
    const target_entry& e = *members_[member].entry;
    const auto one = [&](op_id o) {
      const ir::op_info* info = m_[o].info;
      const bool known = built_in_.contains(info) || std::find(e.ops.begin(), e.ops.end(), info) != e.ops.end();
      return known && (!e.has || m_.view(o).info().traits.terminator || e.has(m_.view(o)));
    };
    bool all = one(op);
    for (int r = 0; r < m_.view(op).region_count(); ++r)
      ir::for_each_op(m_, m_.region(op, r), [&](op_id inner) { all = all && one(inner); });
    return all;
  }

  const ir::module& m_;
  std::span<const linked_member> members_;
  context& cx_;
  ir::purity purity_;
  std::unordered_set<const ir::op_info*> built_in_;
  std::vector<op_id> ops_;
  std::vector<placement> place_;
};

/// One part as a module of its own; what it takes and gives, as values of the whole.
struct cut_part {
  std::unique_ptr<ir::module> module;
  std::vector<value_id> inputs, outputs;
};

/// Inputs of the whole that say extents of which a part speaks, and its own inputs do not.
inline std::vector<value_id> sayers_of_extents(const ir::module& m, const ir::module& part, function_id f) {
  std::set<std::string> missing = ir::names_spoken_of(part);
  for (const std::string& n : ir::names_of_extents(part, f)) missing.erase(n);
  std::vector<value_id> sayers;
  for (value_id a : m[m[ir::single_entry(m)].body].arguments)
    for (ir::dim d : m.type_of(a).shape)
      if (d.is_symbol() && missing.erase(m.name(d.symbol())) != 0 && (sayers.empty() || sayers.back() != a))
        sayers.push_back(a);
  return sayers;
}

/// `more`: values that it takes, too.
inline cut_part cut_out(const ir::module& m, const module_part& part, const std::string& name, bool inner,
                        std::span<const value_id> more = {}) {
  cut_part c{std::make_unique<ir::module>(), {}, {}};
  c.module->build = m.build;
  c.module->metadata = m.metadata;
  ir::transplanter t(m, *c.module);
  std::unordered_map<u32, bool> inside;
  for (op_id op : part.ops) inside[op.index] = true;
  const auto within = [&](op_id op) { return op && inside.contains(op.index); };
  std::vector<op_id> constants;
  std::vector<type_id> types;
  const auto use = [&](value_id v) {
    if (!v) return;
    const op_id d = m[v].definition;
    if (d && is_repeated(m, d)) {
      if (m.function_of(m[d].parent) == ir::single_entry(m) && !m[m[d].parent].parent &&
          std::find(constants.begin(), constants.end(), d) == constants.end())
        constants.push_back(d);
      return;
    }
    region_id r = d ? m[d].parent : m[v].owner;
    if (m[r].parent || within(d) || std::find(c.inputs.begin(), c.inputs.end(), v) != c.inputs.end()) return;
    c.inputs.push_back(v);
    types.push_back(t.type(m[v].type));
  };
  for (op_id op : part.ops) {
    for (value_id v : m.operands(op)) use(v);
    for (int r = 0; r < m.view(op).region_count(); ++r)
      ir::for_each_op(m, m.region(op, r), [&](op_id o) {
        for (value_id v : m.operands(o)) use(v);
      });
  }
  for (op_id op : part.ops)
    for (value_id v : m.results(op)) {
      bool leaves = false;
      for (use_id u = m[v].first_use; u; u = m[u].next) {
        op_id user = m[u].user;
        while (m[m[user].parent].parent) user = m[m[user].parent].parent;
        leaves = leaves || !within(user);
      }
      if (leaves) c.outputs.push_back(v);
    }
  for (value_id v : more) c.inputs.push_back(v), types.push_back(t.type(m[v].type));
  const function_id f = c.module->add_function(name, ir::function_kind::graph, types);
  const region_id body = (*c.module)[f].body;
  for (size_t i = 0; i < c.inputs.size(); ++i) t.map_copy(c.inputs[i], (*c.module)[body].arguments[i]);
  for (op_id op : constants) t.copy(op, body);
  for (op_id op : part.ops) t.copy(op, body, inner ? &inner_constraint : nullptr);
  ir::builder<> b(*c.module, body);
  std::vector<value_id> results;
  std::vector<type_id> result_types;
  for (value_id v : c.outputs) results.push_back(t.at(v)), result_types.push_back((*c.module)[t.at(v)].type);
  b.make_op(op::return_{}, results, {});
  ir::function& made = (*c.module)[f];
  made.entry = true;
  made.discardable = m[ir::single_entry(m)].discardable;
  made.result_types = std::move(result_types);
  if (more.empty())
    if (const std::vector<value_id> sayers = sayers_of_extents(m, *c.module, f); !sayers.empty())
      return cut_out(m, part, name, inner, sayers);
  // What these inputs do not say, the whole asks (linked_program).
  const std::set<std::string> said = ir::names_of_extents(*c.module, f);
  for (const extent_condition& condition : m.conditions.items()) {
    const std::vector<std::string> names = condition.value.names();
    if (std::all_of(names.begin(), names.end(), [&](const std::string& n) { return said.contains(n); }))
      static_cast<void>(c.module->conditions.add(condition));
  }
  ir::name_unknown_extents(*c.module, f);
  return c;
}

/// Writes the entry of the joined module: what is brought where, what is started, what is waited for.
class linker {
 public:
  linker(const ir::module& whole, ir::module& to, std::span<const linked_member> members)
      : whole_(whole), to_(to), members_(members), types_(whole, to), pending_(members.size(), false) {
    const function_id f = ir::single_entry(whole);
    std::vector<type_id> arguments;
    for (value_id v : whole[whole[f].body].arguments) arguments.push_back(types_.type(whole[v].type));
    entry_ = to.add_function(whole[f].name, ir::function_kind::graph, arguments);
    b_ = ir::builder<link_pass_emits>(to, to[entry_].body);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const value_id from = whole[whole[f].body].arguments[i], copy = to[to[entry_].body].arguments[i];
      to.set_discardable(copy, whole.discardable(from));
      places_[from.index] = {{0, copy}};
    }
    to[entry_].entry = true, to[entry_].discardable = whole[f].discardable;
    to[entry_].purity = ir::purity_of_buffers(whole[f].purity);  // parts are launched, and waited for
    to[entry_].argument_names = whole[f].argument_names, to[entry_].result_names = whole[f].result_names;
  }

  void launch(size_t member, const std::string& part, const cut_part& c) {
    std::vector<value_id> operands;
    std::vector<type_id> results;
    for (value_id v : c.inputs) operands.push_back(bring(v, member));
    for (value_id v : c.outputs) results.push_back(types_.type(whole_[v].type));
    const op_id op = b_.make_op(op::launch{part, members_[member].label}, operands, results);
    pending_[member] = true;
    for (size_t i = 0; i < c.outputs.size(); ++i)
      places_[c.outputs[i].index] = {{member, to_.result(op, static_cast<int>(i))}};
  }

  void finish() {
    std::vector<value_id> results;
    const region_id body = whole_[ir::single_entry(whole_)].body;
    for (value_id v : whole_.operands(whole_.terminator(body))) results.push_back(bring(v, 0));
    for (size_t i = 0; i < pending_.size(); ++i) wait(i);
    for (value_id v : results) to_[entry_].result_types.push_back(to_[v].type);
    b_.make_op(op::return_{}, results, {});
  }

 private:
  using link_pass_emits = meta::concat_t<ops<op::return_>, link_ops>;
  struct place {
    size_t member;
    value_id value;
  };
  void wait(size_t member) {
    if (!pending_[member]) return;
    b_.make_op(op::await{members_[member].label}, {}, {});
    pending_[member] = false;
  }
  value_id bring(value_id v, size_t member) {
    auto& all = places_.at(v.index);
    for (const place& p : all)
      if (p.member == member) return p.value;
    const place from = all.front();
    wait(from.member);
    const value_id operand[1] = {from.value};
    const type_id type[1] = {to_[from.value].type};
    const value_id there =
        to_.result(b_.make_op(op::transfer{members_[from.member].label, members_[member].label}, operand, type));
    all.push_back({member, there});
    return there;
  }

  const ir::module& whole_;
  ir::module& to_;
  std::span<const linked_member> members_;
  ir::transplanter types_;
  std::vector<bool> pending_;
  function_id entry_;
  ir::builder<link_pass_emits> b_{to_, {}};
  std::unordered_map<u32, std::vector<place>> places_;
};

}  // namespace detail

std::vector<linked_member> members_of(const target_spec& spec) {
  std::vector<linked_member> members;
  for (const target_spec& m : spec.members) {
    members.push_back({m.label.empty() ? m.name : m.label, &find_entry(m.name), m});
    for (size_t i = 0; i + 1 < members.size(); ++i)
      if (members[i].label == members.back().label)
        throw usage_error("target.members",
                          "two members of '" + to_text(spec) + "' are named '" + members[i].label + "'", {},
                          "give one of them a name of its own: other@" + m.name);
  }
  if (members.empty())
    throw usage_error("target.members", "a composite has members", {}, "write composite(host,device,...)");
  return members;
}

void check_constraint(std::span<const linked_member> members, const std::string& target, const std::string& origin) {
  const detail::placement at = detail::member_for(members, target, origin);
  if (const std::string inner = detail::inner_constraint(target); !inner.empty())
    check_constraint(members_of(members[at.member].spec), inner, origin);
}

namespace detail {

/// What each member says when it is asked alone.
inline std::vector<context> configured_alone(std::span<const linked_member> members, int threads) {
  std::vector<context> alone(members.size());
  for (size_t i = 0; i < members.size(); ++i) members[i].entry->configure(members[i].spec, threads, alone[i]);
  return alone;
}

/// A pass that a member runs with other options than the host.
struct tuning_clash {
  size_t pass = 0, member = 0;
};
/// The first one of `count` passes, which all members begin with.
inline std::optional<tuning_clash> clash_of_tuning(std::span<const linked_member> members,
                                                   std::span<const context> alone, size_t count) {
  const target_entry& host = *members[0].entry;
  for (size_t i = 0; i < count; ++i)
    for (const tuned_pass& p : host.tuned) {
      if (p.name != host.passes[i]->name) continue;
      const auto said = [&](size_t member) { return p.said(alone[member]).value_or(std::vector<named_option>()); };
      for (size_t k = 1; k < members.size(); ++k)
        if (said(k) != said(0)) return tuning_clash{i, k};
    }
  return std::nullopt;
}

/// What was said of a composite in a context.
struct configured_composite {
  std::vector<target_spec> members;
  size_t shared = 0;
};
inline std::vector<target_spec> specs_of(std::span<const linked_member> members) {
  std::vector<target_spec> specs;
  for (const linked_member& m : members) specs.push_back(m.spec);
  return specs;
}

inline size_t common_passes_of(std::span<const linked_member> members, std::span<const context> alone) {
  const passes_view& first = members[0].entry->passes;
  size_t n = 0;
  for (; n < first.size(); ++n) {
    if (first[n]->is_transition() && first[n]->from->key == phase_desc_of<phases::optimization>.key) break;
    const bool all = std::all_of(members.begin(), members.end(), [&](const linked_member& m) {
      return n < m.entry->passes.size() && m.entry->passes[n]->type == first[n]->type;
    });
    if (!all) break;
  }
  const auto clash = clash_of_tuning(members, alone, n);
  return clash ? clash->pass : n;
}

inline void configure_from(std::span<const linked_member> members, std::span<const context> alone, int threads,
                           size_t shared, context& cx) {
  kernels_of_members all{{members.begin(), members.end()}, {}};
  for (const context& one : alone) all.options.push_back(one.get<passes::kernel_options>());
  const own_settings of_host(cx);
  members[0].entry->configure(members[0].spec, threads, cx);
  passes::kernel_options program = cx.get<passes::kernel_options>();
  all.options[0] = program;
  program.members = std::make_shared<const kernels_of_members>(std::move(all));
  program.constrained = &kernel_options_of_member;
  cx.set(std::move(program));
  cx.set(configured_composite{specs_of(members), shared});
}

}  // namespace detail

size_t common_prefix(std::span<const linked_member> members) {
  return detail::common_passes_of(members, detail::configured_alone(members, 0));
}
size_t common_prefix(std::span<const linked_member> members, const context& cx) {
  const auto* known = cx.find<detail::configured_composite>();
  return known && known->members == detail::specs_of(members) ? known->shared : common_prefix(members);
}

std::string fingerprint_of_shared(std::span<const linked_member> members, size_t shared) {
  return fingerprint_text(fingerprint_of(members[0].entry->passes.data(), shared));
}

size_t configure_members(std::span<const linked_member> members, int threads, context& cx) {
  const std::vector<context> alone = detail::configured_alone(members, threads);
  const size_t shared = detail::common_passes_of(members, alone);
  detail::configure_from(members, alone, threads, shared, cx);
  return shared;
}

void configure_members(std::span<const linked_member> members, int threads, size_t shared, context& cx) {
  const std::vector<context> alone = detail::configured_alone(members, threads);
  if (const auto clash = detail::clash_of_tuning(members, alone, shared)) {
    const std::string pass(std::string_view(members[0].entry->passes[clash->pass]->name)),
        &host = members[0].label, &member = members[clash->member].label;
    throw error("target.tuned",
                "'" + member + "' and '" + host + "' give pass '" + pass +
                    "' different options, and a composite by type runs it once for all members",
                {},
                "let the pipeline of '" + member +
                    "' have a pass of its own in its place, or name the composite as "
                    "text, whose common passes end there");
  }
  detail::configure_from(members, alone, threads, shared, cx);
}

void detail::meet_flags_of_members(context& cx, std::span<const linked_member> members) {
  std::vector<const pass_desc*> passes;
  for (const linked_member& m : members) passes.insert(passes.end(), m.entry->passes.begin(), m.entry->passes.end());
  meet_flags(cx, passes.data(), passes.size());
}

std::vector<split_part> split_parts(const ir::module& whole, std::span<const linked_member> members, context& cx) {
  std::vector<split_part> parts;
  for (const detail::module_part& part : detail::splitter(whole, members, cx).run()) {
    detail::cut_part c = detail::cut_out(whole, part, "part", false);
    parts.push_back({part.place.member, detail::spec_with(members[part.place.member], part.place.options),
                     std::move(c.module), std::move(c.outputs)});
  }
  return parts;
}

std::unique_ptr<ir::module> link_parts(const ir::module& whole, std::span<const linked_member> members, size_t prefix,
                                       context& cx) {
  auto linked = std::make_unique<ir::module>();
  linked->conditions = whole.conditions;
  linked->build = whole.build;
  linked->metadata = whole.metadata;
  detail::linker link(whole, *linked, members);
  const std::string name = whole[ir::single_entry(whole)].name;
  std::vector<detail::module_part> parts = detail::splitter(whole, members, cx).run();
  // What is returned and is no op's result, or an input's, must come from somewhere: the host hands constants out.
  detail::module_part handed;
  for (value_id v : whole.operands(whole.terminator(whole[ir::single_entry(whole)].body)))
    if (whole[v].definition && whole.view(whole[v].definition).is<op::constant>() &&
        std::find(handed.ops.begin(), handed.ops.end(), whole[v].definition) == handed.ops.end())
      handed.ops.push_back(whole[v].definition);
  if (!handed.ops.empty()) parts.push_back(std::move(handed));
  for (size_t i = 0; i < parts.size(); ++i) {
    const linked_member& member = members[parts[i].place.member];
    const std::string part = name + ".part" + std::to_string(i);
    const bool inner_members = !member.spec.members.empty();
    detail::cut_part c = detail::cut_out(whole, parts[i], part, inner_members);
    // What the whole entry is constrained to goes on to the members of this member, as what its ops are constrained to
    // does.
    if (const std::string& all = whole[ir::single_entry(whole)].target;
        inner_members && !all.empty() && detail::member_for(members, all, "the entry").member == parts[i].place.member)
      (*c.module)[ir::single_entry(*c.module)].target = detail::inner_constraint(all);
    // What the common passes proved they proved of the whole.
    if (member.entry->extents != extents_asked::nothing && member.entry->proven <= prefix)
      if (const auto open = fact::extents_known::obstacle(*c.module)) throw open->why;
    context inner(&cx, context::for_another_target{});
    const target_spec spec = detail::spec_with(member, parts[i].place.options);
    member.entry->configure(spec, 0, inner);
    inner.target = spec;
    std::unique_ptr<ir::module> built =
        member.entry->run(std::move(c.module), inner, prefix, member.entry->passes.size());
    for (pass_record& r : inner.records) cx.records.push_back(std::move(r));
    detail::store_part(*linked, part, *built, *member.entry);
    link.launch(parts[i].place.member, part, c);
  }
  link.finish();
  return linked;
}

std::unique_ptr<executable> build_linked(std::unique_ptr<ir::module> m, std::vector<linked_member> members, int threads,
                                         context& cx) {
  detail::meet_flags_of_members(cx, members);
  const target_entry& host = *members[0].entry;
  const size_t prefix = configure_members(members, threads, cx);
  target_spec all{{}, "composite", {}, {}};
  for (const linked_member& member : members) all.members.push_back(member.spec);
  cx.target = std::move(all);
  m = host.run(std::move(m), cx, 0, prefix);
  return load_linked(*link_parts(*m, members, prefix, cx), members);
}

}  // namespace tenon
