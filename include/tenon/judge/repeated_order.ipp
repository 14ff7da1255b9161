/// @file repeated_order.ipp: definitions of judge/repeated_order.hpp.
#pragma once

#include <algorithm>

#include <tenon/core/error.hpp>
#include <tenon/judge/repeated_order.hpp>

namespace tenon::detail {

inline void add_once(std::vector<const fact_desc*>& to, const fact_desc* f) {
  if (std::find(to.begin(), to.end(), f) == to.end()) to.push_back(f);
}
inline void add_once(std::vector<op_key>& to, const op_set& from) {
  for (const op_key& op : from)
    if (std::none_of(to.begin(), to.end(), [&](const op_key& k) { return k.key == op.key; })) to.push_back(op);
}
inline op_set sorted_set(std::vector<op_key>& keys) {
  std::sort(keys.begin(), keys.end(), [](const op_key& a, const op_key& b) { return a.key < b.key; });
  return keys.empty() ? op_set_of<ops<>> : op_set{keys.data(), keys.size()};
}
void merged_bars::add(const barred_ops* list) {
  for (size_t i = 0; list && i < list->ops.size; ++i) {
    const op_key& op = list->ops.data[i];
    const auto at =
        std::lower_bound(keys_.begin(), keys_.end(), op.key, [](const op_key& k, u64 x) { return k.key < x; });
    if (at != keys_.end() && at->key == op.key) continue;
    why_.insert(why_.begin() + (at - keys_.begin()), list->why[i]);
    keys_.insert(at, op);
  }
}
const barred_ops* merged_bars::all() {
  all_ = {{keys_.data(), keys_.size()}, why_.data()};
  return keys_.empty() ? nullptr : &all_;
}

[[noreturn]] inline void refuse_repeat(const repeat_fault& f) {
  const meta::phrase said = say_unfit(f);  // "tenon-E039: …"
  const std::string text(said.characters, said.length);
  throw error(text.substr(0, 10), text.substr(12));
}

repeated_order::repeated_order(std::string name, std::vector<const pass_desc*> members)
    : name_(std::move(name)), members_(std::move(members)) {
  const round_walk walk{members_.data(), members_.size()};
  repeat_fault fault = walk.find();
  if (fault.kind == unfit::nothing && walk.makes() != nullptr) {
    fault.kind = unfit::ahead, fault.subject = walk.makes()->name;
    for (const pass_desc* p : members_)
      if (p->more().makes) fault.pass = p->name;
  }
  const rare_parts* interval = nullptr;
  for (const pass_desc* p : members_) {
    if (!p->more().interval_end || fault.kind != unfit::nothing) continue;
    const rare_parts& r = p->more();
    if (interval && !same_interval(*interval, r)) fault.kind = unfit::intervals;
    interval = &p->more();
  }
  if (fault.kind != unfit::nothing) refuse_repeat(fault);
  if (interval) rare_ = *interval;
  collect_facts(walk), collect_ops(walk), collect_rare(walk);
  const fact_desc* const* const unsaid_facts = fact_items<unsaid>;
  const op_set& any = op_set_of<any_ops>;
  desc_.reset(new pass_desc{label{name_.data(), name_.size()}, &tag_, members_[0]->from, members_[0]->to, needs_.data(),
                            gives_.data(), says_breaks_ ? breaks_.data() : unsaid_facts,
                            says_breaks_ ? unsaid_facts : keeps_.data(), emits_any_ ? any : emits_, eliminates_,
                            &rare_});
}

void repeated_order::collect_facts(const round_walk& walk) {
  says_breaks_ = walk.keeps_rest();
  for (const pass_desc* p : members_) {
    for (const fact_desc* f : p->needs())
      if (walk.is_needed(f)) add_once(needs_, f);
    for (const fact_desc* f : p->gives())
      if (walk.is_given(f)) add_once(gives_, f);
    if (says_breaks_) {
      if (p->says_breaks())
        for (const fact_desc* f : p->breaks()) add_once(breaks_, f);
    } else if (!p->says_breaks() && !p->keeps().all()) {
      for (const fact_desc* f : p->keeps())
        if (!f->op_set_fact && walk.is_kept(f)) add_once(keeps_, f);
    }
  }
  for (fact_pointers* list : {&needs_, &gives_, &keeps_, &breaks_}) list->push_back(nullptr);
}

void repeated_order::collect_ops(const round_walk& walk) {
  emits_any_ = walk.emits_any();
  for (const pass_desc* p : members_) {
    if (!emits_any_) add_once(emitted_, p->emits);
    add_once(eliminated_, p->eliminates);
    if (p->more().rewrites) add_once(rewritten_, *p->more().rewrites);
    if (const rare_parts& r = p->more(); walk.works_on_others(*p)) {
      add_once(worked_on_, *r.works_on), add_once(alone_, r.patterns ? *r.patterns : *r.works_on);
      for (size_t k = 1; k <= r.pattern_count; ++k) patterns_.push_back(r.patterns[k]);
    }
  }
  std::erase_if(emitted_, [&](const op_key& op) { return !walk.is_emitted(op.key); });
  std::erase_if(eliminated_, [&](const op_key& op) { return !walk.is_eliminated(op.key); });
  emits_ = sorted_set(emitted_), eliminates_ = sorted_set(eliminated_), works_on_ = sorted_set(worked_on_);
  rewrites_ = sorted_set(rewritten_);
  patterns_.insert(patterns_.begin(), sorted_set(alone_));
}

void repeated_order::collect_regions(const round_walk& walk) {
  for (const pass_desc* p : members_) {
    if (const op_set* outside = p->more().outside)
      add_once(outside_ops_, outside->data ? *outside : p->emits_any() ? op_set_of<ops<>> : p->emits);
    if (p->more().encloses && p->more().encloses->data) add_once(enclosed_, *p->more().encloses);
    if (p->more().changes) add_once(changed_, *p->more().changes), rare_.changes = &changes_;
  }
  std::erase_if(outside_ops_, [&](const op_key& op) { return !walk.is_outside(op.key); });
  outside_ = sorted_set(outside_ops_), encloses_ = sorted_set(enclosed_);
  rare_.outside = walk.emits_any() && walk.puts_all_outside() ? &op_set_of<any_ops>
                  : outside_ops_.empty()                      ? nullptr
                                                              : &outside_;
  changes_ = sorted_set(changed_);
  for (const pass_desc* p : members_)
    if (p->more().changes && !p->more().changes->data) rare_.changes = p->more().changes;
  rare_.encloses = walk.says_encloses() ? &encloses_ : nullptr;
}

void repeated_order::collect_rare(const round_walk& walk) {
  unsigned version = 0;
  for (const pass_desc* p : members_) {
    const rare_parts& r = p->more();
    version = version * 31 + static_cast<unsigned>(r.version);
    rare_.touches_effects = rare_.touches_effects || r.touches_effects;
    rare_.copied |= r.copied;
    rare_.adds_functions = rare_.adds_functions || r.adds_functions;
    rare_.removes_functions = rare_.removes_functions || r.removes_functions;
    rare_.changes_functions = rare_.changes_functions || r.changes_functions;
    bars_.add(r.barred);
    if (r.repeats)
      for (const pass_tag* const* at = r.repeats; *at; ++at) tags_.push_back(*at);
    else tags_.push_back(p->type);
    for (const effect_desc* e : r.treated) {
      const bool by_all = std::all_of(members_.begin(), members_.end(), [&](const pass_desc* q) {
        return !q->more().touches_effects || q->more().treated.contains(e->key);
      });
      if (by_all && std::find(treated_.begin(), treated_.end(), e) == treated_.end()) treated_.push_back(e);
    }
  }
  tags_.push_back(nullptr);
  rare_.repeats = tags_.data();
  collect_regions(walk);
  rare_.treated = {treated_.data(), treated_.size()};
  rare_.barred = bars_.all();
  rare_.copies = std::all_of(members_.begin(), members_.end(),
                             [](const pass_desc* p) { return p->more().copies || !p->more().touches_effects; }) &&
                 rare_.touches_effects;
  rare_.at_most_once = false, rare_.after = nullptr, rare_.makes = nullptr, rare_.flag_key = 0;
  rare_.works_on = worked_on_.empty() ? nullptr : &works_on_;
  rare_.rewrites = rewritten_.empty() ? nullptr : &rewrites_;
  rare_.pattern_count = patterns_.size() - 1, rare_.patterns = rare_.pattern_count ? patterns_.data() : nullptr;
  rare_.may_find_nothing = worked_on_.empty();
  rare_.version = static_cast<int>(version & 0x7fffffff);
}

}  // namespace tenon::detail
