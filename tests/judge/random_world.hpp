/// @file random_world: passes, facts, phases and ops made at random, and a naive judge of them, for the tests of judge
/// and planner.
#pragma once

#include <deque>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <tenon/judge/judge.hpp>

namespace random_worlds {
namespace tn = tenon;

constexpr int op_total = 12, fact_total = 6, op_set_facts = 2, phase_total = 3;

/// Passes, facts, phases and ops made at random; descriptors point into it.
struct random_world {
  std::vector<tn::op_key> ops;
  std::vector<std::string> names;
  std::vector<std::vector<tn::op_key>> op_sets;
  std::vector<tn::phase_desc> phases;
  std::vector<tn::fact_desc> facts;
  std::vector<tn::fact_bounds> bounds;
  std::vector<tn::op_set> bound_sets;
  std::vector<std::vector<const tn::fact_desc*>> fact_lists;
  struct said {
    tn::pass_tag tag;
    tn::op_set emits, eliminates;
  };
  std::deque<said> declarations;
  std::vector<tn::pass_desc> passes;
  std::vector<tn::rare_parts> rare;
  std::deque<tn::op_set> interval_ops, region_ops;
  std::vector<tn::region_rule> rules;
  std::deque<std::pair<tn::barred_ops, std::vector<tn::effect_bar>>> bars;
  std::mt19937 random;

  explicit random_world(unsigned seed) : random(seed) {
    op_sets.reserve(500), fact_lists.reserve(500), names.reserve(500), passes.reserve(100), rare.reserve(100);
    for (int i = 0; i < op_total; ++i) ops.push_back({static_cast<tn::u64>(i + 1), name("op" + std::to_string(i))});
    for (int i = 0; i < phase_total; ++i)
      phases.push_back(
          {name("phase" + std::to_string(i)), static_cast<tn::u64>(100 + i), some_ops(0.6), {}, {}, false, 0, {}});
    if (seed % 5 == 2) phases[1].side_of = phases[0].key;  // a detour
    if (seed % 7 == 3)
      phases[2].early = common(some_ops(0.2), phases[2].ops);  // functions that are ahead of the module
    for (int i = 0; i < fact_total; ++i)
      facts.push_back(
          {name("fact" + std::to_string(i)), i < op_set_facts, i < op_set_facts ? some_ops(0.2) : tn::op_set{}});
    if (seed % 4 == 1) add_bounds(seed);
    if (seed % 8 == 7) add_partial_facts();
  }
  /// Some facts say themselves what ends them. Draws numbers of its own: the other worlds stay what they are.
  void add_bounds(unsigned seed) {
    std::mt19937 drawn(seed);
    std::swap(drawn, random);
    bounds.reserve(fact_total), bound_sets.reserve(2 * fact_total);
    for (size_t i = op_set_facts; i < facts.size(); ++i) {
      tn::fact_bounds b;
      if (chance(0.3)) b.of_each = &bound_sets.emplace_back(chance(0.2) ? tn::op_set{} : some_ops(0.1));
      if (chance(0.2)) b.of_all = &bound_sets.emplace_back(chance(0.2) ? tn::op_set{} : some_ops(0.1));
      if (chance(0.15)) (chance(0.5) ? b.of_each : b.of_all) = &tn::detail::bound_to_functions;
      if (chance(0.4)) fact_lists.push_back({&facts[random() % i], nullptr}), b.rests_on = fact_lists.back().data();
      if (b.of_each || b.of_all || b.rests_on) bounds.push_back(b), facts[i].bounds = &bounds.back();
    }
    std::swap(drawn, random);
  }
  /// Facts that hold of some functions.
  void add_partial_facts() {
    facts.reserve(facts.size() + 2);  // passes point at them
    for (size_t i = facts.size() - 2, last = facts.size(); i < last; ++i) {
      facts.push_back({name("some_of_" + std::to_string(i)), false, {}});
      facts.back().whole = &facts[i];
    }
  }
  tn::label name(std::string text) {
    names.push_back(std::move(text));
    return {names.back().data(), names.back().size()};
  }
  bool chance(double p) { return std::bernoulli_distribution(p)(random); }
  tn::op_set some_ops(double p) {
    auto& set = op_sets.emplace_back();
    set.reserve(1);  // an empty list, too, stands somewhere: no list is "any op" where a pass says what it emits
    for (const tn::op_key& op : ops)
      if (chance(p)) set.push_back(op);
    return {set.data(), set.size()};
  }
  tn::op_set common(const tn::op_set& a, const tn::op_set& b) {
    auto& set = op_sets.emplace_back();
    set.reserve(1);
    for (const tn::op_key& op : a)
      if (b.contains(op.key)) set.push_back(op);
    return {set.data(), set.size()};
  }
  tn::fact_list some_facts(double p) {
    auto& list = fact_lists.emplace_back();
    for (const tn::fact_desc& f : facts)
      if (chance(p)) list.push_back(&f);
    list.push_back(nullptr);
    return {list.data()};
  }
  void add_pass(int from, int to) {
    const int i = static_cast<int>(passes.size());
    const tn::phase_desc& to_phase = phases[static_cast<size_t>(to)];
    said& d = declarations.emplace_back();
    const tn::fact_list needs = some_facts(0.05), gives = some_facts(0.3);
    tn::fact_list keeps = tn::fact_list_of<tn::detail::unsaid>, breaks = keeps;
    if (chance(0.7)) keeps = chance(0.6) ? tn::fact_list_of<tn::all_facts> : some_facts(0.7);
    else if (chance(0.7)) breaks = some_facts(0.3);
    if (!chance(0.15)) d.emits = common(some_ops(0.1), to_phase.ops);
    if (chance(from != to ? 0.9 : 0.4)) d.eliminates = some_ops(from != to ? 0.8 : 0.4);
    passes.push_back({name("pass" + std::to_string(i)), &d.tag, &phases[static_cast<size_t>(from)], &to_phase,
                      needs.data, gives.data, breaks.data, keeps.data, d.emits, d.eliminates,
                      // who leaves a phase, or eliminates, is no plain pass
                      from != to || d.eliminates.size ? &tn::nothing_rare : nullptr});
    if (bounds.empty() || !chance(0.3)) return;
    tn::rare_parts& r = rare.emplace_back();
    (chance(0.5) ? r.adds_functions : r.removes_functions) = true;
    r.changes_functions = i % 3 == 0;
    passes.back().rare = &r;
  }
  /// An interval that a pass, or whoever emits, or rewrites, one of some ops, begins, or ends; all passes are there.
  void add_interval(tn::rare_parts& r) {
    if (chance(0.15)) {
      r.interval_begin = &tn::pass_tag_of<tn::no_begin>, r.interval_end = passes[random() % passes.size()].type;
      if (!interval_ops.empty() && interval_ops.back().size) r.interval_ops = &interval_ops.back();  // draws nothing
      r.interval_of_rewriters = r.interval_ops && interval_ops.size() % 4 == 0;
      return;
    }
    if (chance(0.4)) r.interval_begin = passes[random() % passes.size()].type;
    else do
        r.interval_ops = &interval_ops.emplace_back(some_ops(0.12));
      while (r.interval_ops->size == 0);
    r.interval_of_rewriters =
        r.interval_ops && interval_ops.size() % 4 == 0;  // draws nothing: other worlds stay as they are
    r.interval_end = chance(0.25) ? &tn::pass_tag_of<tn::no_end> : passes[random() % passes.size()].type;
  }
  /// Ops of which a pass leaves fewer.
  void add_rewritten(tn::rare_parts& r) { r.rewrites = &interval_ops.emplace_back(some_ops(0.2)); }
  /// Regions of some ops are not for every op; phases know it before passes are made.
  void add_regions() {
    for (const tn::op_key& op : ops)
      if (chance(0.2)) rules.push_back({op.name(), op.key, some_ops(0.12)});
    for (tn::phase_desc& p : phases) p.regions = {rules.data(), rules.size()};
  }
  /// What a pass says of regions.
  void add_region_words(tn::rare_parts& r) {
    if (chance(0.5)) r.outside = &region_ops.emplace_back(chance(0.3) ? tn::op_set{} : some_ops(0.6));
    if (chance(0.7)) r.encloses = &region_ops.emplace_back(chance(0.2) ? tn::op_set{} : some_ops(0.4));
  }
  /// Ops that a pass may not find.
  void add_bars(tn::rare_parts& r) {
    auto& [barred, why] = bars.emplace_back();
    barred.ops = some_ops(0.15);
    why.assign(barred.ops.size + 1, {name("effect"), static_cast<tn::bar_kind>(random() % 4)});
    barred.why = why.data();
    r.barred = &barred;
  }
  /// Ops, of which some must be left for a pass.
  void add_work(tn::rare_parts& r, const tn::pass_desc& p) {
    const tn::op_set on = common(some_ops(0.2), p.from->ops);
    if (on.size) r.works_on = &region_ops.emplace_back(on);
  }
  /// What holds of modules that begin in the first phase.
  void add_beginning() {
    auto& list = fact_lists.emplace_back();
    for (const tn::fact_desc& f : facts)
      if (!f.whole && chance(0.3)) list.push_back(&f);
    list.push_back(nullptr);
    phases[0].begins = {list.data()};
  }
  /// Whom a pass follows, and how often it may run.
  void add_place(tn::rare_parts& r, const tn::pass_desc& follows) {
    if (chance(0.5)) r.after = follows.type, r.after_name = follows.name;
    else r.at_most_once = true;
  }
};

/// To the naive judge, what a pass may not find is one fault, for whatever reason.
inline int naive_code(int code) { return code == 45 || code == 46 ? 43 : code; }

struct naive_result {
  int code = 0;
  size_t position = 0;
};

/// Where a module is, in sets; a step at a time.
struct naive_state {
  const tn::phase_desc* phase;
  std::set<tn::u64> present, left;
  std::set<const tn::fact_desc*> held, partial;  ///< `partial`: those of some functions that passes name

  naive_state(const tn::phase_desc& start, const std::vector<const tn::pass_desc*>& passes) : phase(&start) {
    for (const tn::op_key& op : phase->ops) present.insert(op.key);
    for (const tn::fact_desc* f : phase->begins)
      if (!f->op_set_fact) held.insert(f);
      else
        for (const tn::op_key& op : f->absent) present.erase(op.key);
    for (const tn::pass_desc* p : passes)
      for (const tn::fact_list& list : {p->needs(), p->gives(), p->breaks(), p->keeps()})
        for (const tn::fact_desc* f : list)
          if (f->whole) partial.insert(f);
  }
  explicit naive_state(const std::vector<const tn::pass_desc*>& order) : naive_state(*order[0]->from, order) {}
  bool holds(const tn::fact_desc& f) const {
    if (!f.op_set_fact) return held.contains(&f) || (f.whole && held.contains(f.whole));
    for (const tn::op_key& op : f.absent)
      if (present.contains(op.key)) return false;
    return true;
  }
  /// What stops `p`, or 0: then it ran.
  int step(const tn::pass_desc& p) {
    if (p.from != phase) return 1;
    for (const tn::fact_desc* f : p.needs())
      if (!holds(*f)) return 2;
    if (p.to != p.from && left.contains(p.to->key)) return 11;
    bool barred = false, idle = p.more().works_on != nullptr;
    for (size_t k = 0; p.more().barred && k < p.more().barred->ops.size; ++k)
      barred = barred || present.contains(p.more().barred->ops.data[k].key) ||
               (p.more().repeats && makes_one_of(p, {p.more().barred->ops.data + k, 1}));
    for (size_t k = 0; p.more().works_on && k < p.more().works_on->size; ++k)
      idle = idle && !present.contains(p.more().works_on->data[k].key);
    for (const tn::op_key& op : p.eliminates) present.erase(op.key);
    for (const tn::u64 op : present)
      if (p.to != p.from && !p.to->ops.contains(op)) return 4;
    if (misplaces(p)) return 42;
    if (barred) return 43;
    if (idle) return 38;
    go_on(p);
    return 0;
  }
  /// Does it put an op into a region that does not allow it, or take one into a region that it makes?
  bool misplaces(const tn::pass_desc& p) const {
    const auto in = [](const tn::op_set* set, tn::u64 op) {
      return set && (set->data == nullptr || set->contains(op));
    };
    const tn::rare_parts& r = p.more();
    const tn::op_set& emitted = p.emits_any() ? p.to->ops : p.emits;
    for (const tn::region_rule& rule : p.from->regions)
      for (const tn::op_key& op : rule.forbidden) {
        if (present.contains(rule.op) && emitted.contains(op.key) && !in(r.outside, op.key)) return true;
        if (emitted.contains(rule.op) && present.contains(op.key) && (!r.encloses || in(r.encloses, op.key)))
          return true;
      }
    return false;
  }
  /// The same without asking: what is known behind a pass that should not have run.
  void force(const tn::pass_desc& p) {
    for (const tn::op_key& op : p.eliminates) present.erase(op.key);
    if (p.to != p.from) std::erase_if(present, [&](tn::u64 op) { return !p.to->ops.contains(op); });
    go_on(p);
  }
  static bool makes_one_of(const tn::pass_desc& p, const tn::op_set& set) {
    std::set<tn::u64> made;
    for (const tn::op_key& op : p.emits_any() ? p.to->ops : p.emits) made.insert(op.key);
    if (p.to != p.from)
      for (const tn::op_key& op : p.to->early) made.insert(op.key);
    if (set.data == nullptr) return !made.empty();
    for (const tn::op_key& op : set)
      if (made.contains(op.key)) return true;
    return false;
  }
  /// Does a fact that is no op-set fact outlive a pass, of which it may say itself what ends it?
  static bool keeps(const tn::pass_desc& p, const tn::fact_desc& f) {
    const auto names = [&](const tn::fact_list& list) {
      return list.contains(&f) || (f.whole && list.contains(f.whole));
    };
    if (p.says_breaks() ? names(p.breaks()) : !names(p.keeps())) return false;
    for (const tn::fact_desc* g : p.breaks())
      if (p.says_breaks() && g->whole == &f) return false;
    if (!f.bounds) return true;
    for (const tn::fact_desc* const* at = f.bounds->rests_on; at && *at; ++at) {
      const tn::fact_desc& base = **at;
      if (base.op_set_fact ? base.absent.size && makes_one_of(p, base.absent)
                           : !p.gives().contains(&base) && !keeps(p, base))
        return false;
    }
    if (!p.says_breaks() && !p.keeps().all()) return true;
    const auto functions = [](const tn::op_set* b) { return b && b->data == tn::detail::bound_to_functions.data; };
    const auto all = [&](const tn::op_set* b) { return functions(b) || (b && b->data == nullptr); };
    if (p.more().adds_functions && (all(f.bounds->of_each) || all(f.bounds->of_all))) return false;
    if (p.more().removes_functions && all(f.bounds->of_all)) return false;
    if (p.more().changes_functions && (functions(f.bounds->of_each) || functions(f.bounds->of_all))) return false;
    if (f.bounds->of_each && !functions(f.bounds->of_each) && makes_one_of(p, *f.bounds->of_each)) return false;
    if (!f.bounds->of_all || functions(f.bounds->of_all)) return true;
    if (makes_one_of(p, *f.bounds->of_all)) return false;
    for (const tn::op_key& op : p.eliminates)
      if (f.bounds->of_all->data == nullptr || f.bounds->of_all->contains(op.key)) return false;
    return true;
  }
  /// What a pass does besides taking ops away.
  void go_on(const tn::pass_desc& p) {
    if (p.to != p.from) {
      if (p.to->side_of != p.from->key && p.from->side_of != p.to->key) {
        left.insert(p.from->key);
        if (p.from->side_of) left.insert(p.from->side_of);
      }
      phase = p.to;
      for (const tn::op_key& op : phase->early) present.insert(op.key);
    }
    for (const tn::op_key& op : p.emits_any() ? p.to->ops : p.emits) present.insert(op.key);
    std::set<const tn::fact_desc*> kept;
    for (const tn::fact_desc* f : held)
      if (keeps(p, *f)) kept.insert(f);
    for (const tn::fact_desc* f : partial)
      if (held.contains(f->whole) && keeps(p, *f)) kept.insert(f);
    held = kept;
    for (const tn::fact_desc* f : p.gives())
      if (!f->op_set_fact) held.insert(f);
  }
  friend bool operator<(const naive_state& a, const naive_state& b) {
    return std::tie(a.phase, a.present, a.left, a.held) < std::tie(b.phase, b.present, b.left, b.held);
  }
};

/// Does pass `i` run in an interval that it excludes?
inline bool in_interval(const std::vector<const tn::pass_desc*>& order, size_t i) {
  const tn::rare_parts& r = order[i]->more();
  bool open = r.interval_begin == &tn::pass_tag_of<tn::no_begin>;
  size_t emitted = 0, eliminated = 0, rewritten = 0;
  const auto count_ops_of = [&](size_t j) {
    emitted = eliminated = rewritten = 0;
    for (size_t k = 0; r.interval_ops && k < r.interval_ops->size; ++k) {
      for (const tn::op_key& op : order[j]->emits) emitted += op.key == r.interval_ops->data[k].key;
      for (const tn::op_key& op : order[j]->eliminates) eliminated += op.key == r.interval_ops->data[k].key;
      for (size_t n = 0; order[j]->more().rewrites && n < order[j]->more().rewrites->size; ++n)
        rewritten += order[j]->more().rewrites->data[n].key == r.interval_ops->data[k].key;
    }
  };
  for (size_t j = i + 1; open && r.interval_ops && j < order.size(); ++j) {
    count_ops_of(j);
    if (order[j]->to == order[i]->from && order[j]->type != order[i]->type &&
        (r.interval_of_rewriters ? rewritten + eliminated : emitted) != 0)
      return true;
  }
  if (open && r.interval_ops) return false;
  for (size_t j = 0; j < i && r.interval_end; ++j) {
    count_ops_of(j);
    if (r.interval_of_rewriters) open = open || rewritten || eliminated;
    if (r.interval_of_rewriters) continue;
    if (r.interval_ops && eliminated == r.interval_ops->size) open = false;
    if (emitted || order[j]->is(r.interval_begin)) open = true;
  }
  if (open && r.interval_end == &tn::pass_tag_of<tn::no_end>) return true;
  for (size_t j = i + 1; j < order.size(); ++j)
    if (open && order[j]->is(r.interval_end)) return true;
  return false;
}

inline naive_result naive(const std::vector<const tn::pass_desc*>& order) {
  if (order.empty()) return {};
  naive_state s(order);
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i]->from == s.phase) {
      const tn::rare_parts& r = order[i]->more();
      for (size_t j = 0; r.at_most_once && j < i; ++j)
        if (order[j]->type == order[i]->type) return {15, i};
      if (r.after && (i == 0 || order[i - 1]->type != r.after)) return {20, i};
      if (in_interval(order, i)) return {19, i};
    }
    if (const int code = s.step(*order[i])) return {code, i};
  }
  return {};
}

}  // namespace random_worlds
