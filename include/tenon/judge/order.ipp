/// @file order.ipp: judging and running orders of passes that come as text.
#pragma once

#include <algorithm>

#include <tenon/core/attempt.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/judge/fingerprint.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/judge/repeated_order.hpp>

namespace tenon {
namespace detail {

// Bounds of the judge at run time; an order that exceeds them is refused, never cut.
using runtime_judge = order_judge<judge_size<128, 4, 16, 1024>>;
using runtime_numbering = numbering<128, 2048, 4096>;

/// The ops that no phase lists and that a module holds, and who lowers them.
struct added_ops {
  const registry* known = nullptr;
  std::vector<op_key> keys;
  std::vector<u64> bits;  ///< of each, in `registry::lowered`

  added_ops() = default;
  added_ops(const registry& r, const ir::module* m) : known(&r) {
    std::vector<u64> there;
    if (m && r.added.size) ir::for_each_op(*m, [&](op_id op) { there.push_back(m->view(op).info().key); });
    for (size_t i = 0; i < r.added.size && i < 64; ++i)
      if (std::find(there.begin(), there.end(), r.added.data[i].key) != there.end())
        keys.push_back(r.added.data[i]), bits.push_back(u64{1} << i);
  }
  /// Those that `p` may not find.
  void bar(const pass_desc& p, merged_bars& to) const {
    for (size_t i = 0; known->barred && i < known->pass_count; ++i)
      if (p.is(known->passes[i].desc->type)) to.add(known->barred[i]);
  }
  u64 lowered_by(const pass_desc& p) const {
    u64 by = 0;
    for (size_t i = 0; i < known->pass_count; ++i)
      if (p.is(known->passes[i].desc->type)) by |= known->lowered[i];
    u64 r = 0;
    for (size_t i = 0; i < bits.size(); ++i) r |= (by & bits[i] ? u64{1} : 0) << i;
    return r;
  }
};

struct judged_order {
  std::vector<const pass_desc*> all;
  std::vector<u64> lowered;
  std::vector<std::unique_ptr<merged_bars>> bars;
  std::vector<const barred_ops*> barred;
  judge_input input;
  std::unique_ptr<runtime_numbering> numbered;
  std::unique_ptr<runtime_judge> judge;
};

judged_order make_judge(const std::vector<const pass_desc*>& passes, const std::vector<const pass_desc*>& candidates,
                        const phase_desc* start, const fact_list& watched, const fact_list& known = {},
                        const added_ops& added = {}) {
  judged_order h;
  h.all = passes;
  h.all.insert(h.all.end(), candidates.begin(), candidates.end());
  h.input.passes = h.all.data(), h.input.count = passes.size(), h.input.candidates = candidates.size();
  h.input.start = start, h.input.watched = watched, h.input.known = known;
  if (!added.keys.empty()) {
    h.input.added = {added.keys.data(), added.keys.size()};
    for (const pass_desc* p : h.all) h.lowered.push_back(added.lowered_by(*p));
    h.input.lowered = h.lowered.data();
    for (const pass_desc* p : h.all) {
      added.bar(*p, *h.bars.emplace_back(std::make_unique<merged_bars>()));
      h.barred.push_back(h.bars.back()->all());
    }
    h.input.barred = h.barred.data();
  }
  const judge_sizes sizes = measure(h.input);
  const auto too_large = [] {
    throw usage_error("tenon-E026", "an order given as text may have at most 128 passes, 256 facts and 1024 ops");
  };
  if (h.all.size() > 128 || sizes.references > 2048 || sizes.ops > 4096) too_large();
  h.numbered = std::make_unique<runtime_numbering>(h.input);
  if (h.numbered->fact_count > 256 || h.numbered->op_count > 1024 || h.numbered->rows > 1024) too_large();
  h.judge = std::make_unique<runtime_judge>(h.input, *h.numbered);
  return h;
}

/// The facts that passes need or give, of those that are named; null behind the last.
inline std::vector<const fact_desc*> facts_named(const std::vector<const pass_desc*>& passes,
                                                 std::span<const std::string> names) {
  std::vector<const fact_desc*> found;
  for (const pass_desc* p : passes)
    for (const fact_list& list : {p->needs(), p->gives()})
      for (const fact_desc* f : list)
        if (std::find(names.begin(), names.end(), std::string_view(f->name)) != names.end() &&
            std::find(found.begin(), found.end(), f) == found.end())
          found.push_back(f);
  found.push_back(nullptr);
  return found;
}

std::string sentence_text(const verdict& v) {
  const meta::phrase said = sentence_of(v);
  return std::string(said.characters, said.length);
}
}  // namespace detail

const registered_pass* registry::find(std::string_view name) const {
  for (const registered_pass& p : *this)
    if (std::string_view(p.desc->name) == name) return &p;
  return nullptr;
}

std::vector<std::string> registry::proven(const ir::module& m, std::span<const std::string> named) const {
  std::vector<std::string> held;
  for (size_t i = 0; i < fact_count; ++i) {
    const std::string_view name(facts[i].desc->name);
    if (facts[i].check == nullptr || std::find(named.begin(), named.end(), name) == named.end()) continue;
    if (!attempt([&] { facts[i].check(m); })) held.emplace_back(name);  // else what gives it runs again
  }
  return held;
}

size_t resume_at(const std::vector<const pass_desc*>& passes, const phase_desc& start,
                 std::span<const std::string> facts) {
  size_t entry = 0;
  while (entry < passes.size() && passes[entry]->from->key != start.key) ++entry;
  if (entry == passes.size() || facts.empty()) return entry;
  const auto begun = [&](const std::string& name) {
    for (const fact_desc* f : start.begins)
      if (name == std::string_view(f->name)) return true;
    return false;
  };
  if (std::all_of(facts.begin(), facts.end(), begun)) return entry;  // it is at its beginning
  size_t exit = entry;
  while (exit + 1 < passes.size() && !passes[exit]->is_transition()) ++exit;
  const std::vector<const fact_desc*> known = detail::facts_named(passes, facts);
  for (size_t begin = exit; begin > entry; --begin) {
    const std::vector<const pass_desc*> rest(passes.begin() + static_cast<std::ptrdiff_t>(begin), passes.end());
    if (detail::make_judge(rest, {}, &start, {}, {known.data()}).judge->judge().ok()) return begin;
  }
  return entry;
}

verdict judge_order(const std::vector<const pass_desc*>& passes, const std::vector<const pass_desc*>& candidates,
                    const phase_desc* start) {
  if (passes.empty()) return verdict{};
  return detail::make_judge(passes, candidates, start, {}, (start ? start : passes[0]->from)->begins).judge->judge();
}

namespace detail {
/// What `repeat(…)` of a text runs, again and again.
struct repeated_passes {
  i64 most_rounds = 64;
  TENON_ATTRIBUTES(most_rounds)

  std::unique_ptr<const repeated_order> said;
  std::vector<scheduled_pass> members;
  std::vector<std::shared_ptr<const void>> owners;

  static void run(const void* given, std::unique_ptr<ir::module>& body, context& cx) {
    const auto& self = *static_cast<const repeated_passes*>(given);
    const schedule list{.passes = self.members.data(), .count = self.members.size()};
    rounds rounds(*body, self.said->desc().name, static_cast<int>(self.most_rounds));
    do body = execute(list, std::move(body), cx, 0, list.count);
    while (rounds.changed(*body));
  }
};

/// Gives options of a pass their values; an error says where the text has the pass.
inline void give_options(const pass_text& said, std::span<const ir::attribute> list, void* to) {
  try {
    ir::write_options(list, to, said.options, "pass", said.name);
  } catch (error& e) {
    e.restate(e.message() + " (at " + std::to_string(said.position) + ")", e.where(), e.hint());
    throw;
  }
}
}  // namespace detail

order::step order::repeated_step(const pass_text& said, const registry& known) {
  step s;
  const auto made = std::make_shared<detail::repeated_passes>();
  std::vector<const pass_desc*> members;
  for (const pass_text& m : said.members) {
    const step& inner = s.members.emplace_back(step_of(m, known));
    members.push_back(inner.desc), made->members.push_back(inner.scheduled), made->owners.push_back(inner.owner);
  }
  const std::span<const ir::attribute> list = ir::detail::attributes_of<detail::repeated_passes>();
  detail::give_options(said, list, made.get());
  if (made->most_rounds < 1 || made->most_rounds > 1000000)
    throw usage_error("pass.value", "option 'most_rounds' of pass 'repeat' is from 1 to 1000000 (at " +
                                        std::to_string(said.position) + ")");
  const detail::repeated_passes initial;
  s.options = ir::read_options(list, made.get(), &initial);
  s.pass = s.members.front().pass;
  made->said = std::make_unique<const detail::repeated_order>(to_text(text_of(s)), std::move(members));
  s.desc = &made->said->desc();
  s.scheduled = {s.desc, &detail::repeated_passes::run, s.pass->verify, nullptr, made.get()};
  s.owner = made;
  return s;
}

order::step order::step_of(const pass_text& said, const registry& known) {
  if (said.repeats()) return repeated_step(said, known);
  step s;
  s.pass = known.find(said.name);
  if (!s.pass) {
    std::vector<std::string> names;
    for (const registered_pass& q : known) names.emplace_back(q.desc->name.data(), q.desc->name.size());
    throw usage_error("tenon-E026", "there is no pass '" + said.name + "'", {}, nearest(said.name, names));
  }
  s.desc = s.pass->desc, s.scheduled = *s.pass;
  if (said.options.empty()) return s;
  const std::shared_ptr<void> made = s.pass->make ? s.pass->make() : nullptr;
  const std::shared_ptr<void> initial = s.pass->make ? s.pass->make() : nullptr;
  detail::give_options(said, s.pass->attributes(), made.get());
  s.options = ir::read_options(s.pass->attributes(), made.get(), initial.get());
  s.scheduled.given = made.get(), s.owner = made;
  return s;
}

pass_text order::text_of(const step& s) {
  pass_text t;
  t.name = s.members.empty() ? std::string(std::string_view(s.desc->name)) : "repeat";
  t.options = s.options;
  for (const step& m : s.members) t.members.push_back(text_of(m));
  return t;
}

std::string order::text() const {
  std::string all;
  for (const step& s : steps_) all += (all.empty() ? "" : ", ") + to_text(text_of(s));
  return all;
}

u64 order::fingerprint() const {
  std::vector<const pass_desc*> descs;
  std::string options;
  for (const step& s : steps_) {
    descs.push_back(s.desc);
    if (!s.options.empty()) options += to_text(text_of(s)) + '\n';
  }
  const u64 h = fingerprint_of(descs.data(), descs.size());
  return options.empty() ? h : detail::mix(h, label{options.data(), options.size()});
}

order order::parse(std::string_view text, const registry& known, const phase_desc* start,
                   std::span<const std::string> held, const ir::module* module) {
  order o;
  o.known_ = &known;
  std::vector<std::string_view> names;
  for (const registered_pass& p : known) names.emplace_back(p.desc->name);
  for (const pass_text& said : parse_passes(text, names)) o.steps_.push_back(step_of(said, known));
  if (!o.steps_.empty()) o.judge(start, held, module);
  return o;
}

void order::judge(const phase_desc* start, std::span<const std::string> held, const ir::module* module) {
  const registry& known = *known_;
  order& o = *this;
  std::vector<const pass_desc*> descs, others;
  for (const step& s : steps_) descs.push_back(s.desc);
  for (const registered_pass& q : known) {
    bool used = false;
    for (const pass_desc* d : descs) used = used || d == q.desc;
    if (!used && descs.size() + others.size() < 128) others.push_back(q.desc);
  }
  std::vector<const fact_desc*> facts;
  for (size_t f = 0; f < known.fact_count; ++f) facts.push_back(known.facts[f].desc);
  facts.push_back(nullptr);
  std::vector<const fact_desc*> given = detail::facts_named(descs, held);
  const detail::added_ops added(known, module);
  if (const phase_desc& first = start ? *start : *descs[0]->from;
      first.begins.size() && !detail::make_judge(descs, {}, start, {}, {given.data()}, added).judge->judge().ok()) {
    o.begun_in_ = first.name;
    for (const fact_desc* f : first.begins)  // to be proved, where the order relies on them
      for (size_t k = 0; k < known.fact_count; ++k)
        if (known.facts[k].desc == f && std::find(given.begin(), given.end(), f) == given.end()) {
          given.insert(given.end() - 1, f);
          o.begun_.push_back({f->name, known.facts[k].check});
        }
  }
  const detail::judged_order h = detail::make_judge(descs, others, start, {facts.data()}, {given.data()}, added);
  verdict v = h.judge->judge();
  if (v.ok())
    v = detail::find_left_ahead(descs.data(), descs.size(), [&](size_t i, size_t j) {
      return o.steps_[i].pass->callers[o.steps_[j].pass - known.passes];
    });
  if (!v.ok()) {
    const std::string said = detail::sentence_text(v);  // "tenon-E003: pass …"
    throw error(said.substr(0, 10), said.substr(12));
  }
  for (const step& s : steps_) passes_.push_back(s.scheduled);
  const auto trail = std::make_unique<detail::runtime_judge::trail>(h.judge->follow<true>());
  for (size_t f = 0; f < trail->fact_count; ++f) {
    o.proofs_.push_back({trail->fact[f]->name, nullptr});
    for (size_t k = 0; k < known.fact_count; ++k)
      if (known.facts[k].desc == trail->fact[f]) {
        o.proofs_.back().check_function = known.facts[k].check_function;
        if (!known.facts[k].check_function) o.proofs_.back().check = known.facts[k].check;
      }
  }
  o.row_words_ = sizeof trail->held[0] / sizeof(u64);
  o.rows_.assign(&trail->held[0][0], &trail->held[0][0] + descs.size() * o.row_words_);
  for (const fact_desc* f : given)
    if (f) o.known_at_first_.push_back(f->name);
  const size_t last = descs.size() - 1;
  for (size_t f = 0; f < trail->fact_count; ++f)
    if (trail->held[last][f / 64] >> (f % 64) & 1) o.facts_.emplace_back(std::string_view(trail->fact[f]->name));
}

std::unique_ptr<ir::module> order::run(std::unique_ptr<ir::module> body, context& cx) const {
  std::vector<const pass_desc*> descs;
  for (size_t i = 0; known_ && i < known_->pass_count; ++i) {
    descs.push_back(known_->passes[i].desc);  // also of passes left out
    known_->passes[i].provide(cx);
  }
  detail::meet_flags(cx, descs.data(), descs.size());
  for (const proof& p : begun_) detail::prove_begun_fact(*body, begun_in_, p);
  const detail::schedule list{passes_.data(), passes_.size(), proofs_.data(),         proofs_.size(),
                              rows_.data(),   row_words_,     known_at_first_.data(), known_at_first_.size()};
  return detail::execute(list, std::move(body), cx, 0, list.count);
}

}  // namespace tenon
