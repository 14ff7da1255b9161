/// @file order.ipp: judging and running orders of passes that come as text.
#pragma once

#include <algorithm>

#include <tenon/core/nearest.hpp>
#include <tenon/judge/order.hpp>

namespace tenon {
namespace detail {

// Bounds of the judge at run time; an order that exceeds them is refused, never cut.
using runtime_court = court<128, 4, 16, 1024>;
using runtime_numbering = numbering<128, 2048, 4096>;

struct runtime_hearing {
  std::vector<const pass_desc*> all;
  judge_input input;
  std::unique_ptr<runtime_numbering> numbered;
  std::unique_ptr<runtime_court> judge;
};

runtime_hearing hear(const std::vector<const pass_desc*>& passes, const std::vector<const pass_desc*>& candidates,
                     const phase_desc* start, const fact_list& watched, const fact_list& known = {}) {
  runtime_hearing h;
  h.all = passes;
  h.all.insert(h.all.end(), candidates.begin(), candidates.end());
  h.input.passes = h.all.data(), h.input.count = passes.size(), h.input.candidates = candidates.size();
  h.input.start = start, h.input.watched = watched, h.input.known = known;
  const judge_sizes sizes = measure(h.input);
  const auto too_large = [] {
    throw error("tenon-E026", "an order given as text may have at most 128 passes, 256 facts and 1024 ops");
  };
  if (h.all.size() > 128 || sizes.references > 2048 || sizes.ops > 4096) too_large();
  h.numbered = std::make_unique<runtime_numbering>(h.input);
  if (h.numbered->fact_count > 256 || h.numbered->op_count > 1024 || h.numbered->rows > 1024) too_large();
  h.judge = std::make_unique<runtime_court>(h.input, *h.numbered);
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

/// Reads `name`, or `name{option=value, …}`, one after the other.
class order_reader {
 public:
  explicit order_reader(std::string_view text) : text_(text) {}
  std::string name;
  std::vector<ir::named_option> options;

  bool next() {
    constexpr std::string_view separators = ", \t\n";
    options.clear();
    at_ = std::min(text_.find_first_not_of(separators, at_), text_.size());
    if (at_ == text_.size()) return false;
    name = word(", \t\n{");
    blanks();
    if (!take('{')) return true;
    for (blanks(); !take('}'); blanks()) {
      ir::named_option& o = options.emplace_back();
      o.name = word(" \t\n=,}");
      blanks();
      if (o.name.empty() || !take('=')) fail("expected an option, as in {max_ops=8}");
      blanks();
      o.value = take('"') ? quoted() : word(" \t\n,}");
      blanks();
      if (!take(',') && (at_ == text_.size() || text_[at_] != '}')) fail("expected ',' or '}'");
    }
    return true;
  }

 private:
  void blanks() { at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size()); }
  bool take(char c) { return at_ < text_.size() && text_[at_] == c && ++at_ != 0; }
  std::string word(std::string_view ends) {
    const size_t start = at_;
    at_ = std::min(text_.find_first_of(ends, at_), text_.size());
    return std::string(text_.substr(start, at_ - start));
  }
  std::string quoted() {
    std::string s;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      s += text_[at_];
    }
    if (!take('"')) fail("expected a closing quote");
    return s;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw error("tenon-E026", "after pass '" + name + "': " + what);
  }

  std::string_view text_;
  size_t at_ = 0;
};

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
    try {
      facts[i].check(m);
      held.emplace_back(name);
    } catch (const error&) {  // what gives it runs again
    }
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
    if (detail::hear(rest, {}, &start, {}, {known.data()}).judge->judge().ok()) return begin;
  }
  return entry;
}

verdict judge_order(const std::vector<const pass_desc*>& passes, const std::vector<const pass_desc*>& candidates,
                    const phase_desc* start) {
  if (passes.empty()) return verdict{};
  return detail::hear(passes, candidates, start, {}, (start ? start : passes[0]->from)->begins).judge->judge();
}

order order::parse(std::string_view text, const registry& known, const phase_desc* start,
                   std::span<const std::string> held) {
  order o;
  o.known_ = &known;
  std::vector<const pass_desc*> descs, others;
  std::vector<const registered_pass*> named;
  for (detail::order_reader words(text); words.next();) {
    const registered_pass* p = known.find(words.name);
    if (!p) {
      std::vector<std::string> names;
      for (const registered_pass& q : known) names.emplace_back(q.desc->name.data(), q.desc->name.size());
      throw error("tenon-E026", "there is no pass '" + words.name + "'", {}, nearest(words.name, names));
    }
    if (!words.options.empty()) {
      if (!p->make) ir::write_options({}, nullptr, words.options, "pass", words.name);
      o.given_.push_back(p->make(words.options));
    }
    named.push_back(p), descs.push_back(p->desc), o.passes_.push_back(*p);
    if (!words.options.empty()) o.passes_.back().given = o.given_.back().get();
  }
  if (descs.empty()) return o;
  for (const registered_pass& q : known) {
    bool used = false;
    for (const pass_desc* d : descs) used = used || d == q.desc;
    if (!used && descs.size() + others.size() < 128) others.push_back(q.desc);
  }
  std::vector<const fact_desc*> facts;
  for (size_t f = 0; f < known.fact_count; ++f) facts.push_back(known.facts[f].desc);
  facts.push_back(nullptr);
  std::vector<const fact_desc*> given = detail::facts_named(descs, held);
  if (const phase_desc& first = start ? *start : *descs[0]->from;
      first.begins.size() && !detail::hear(descs, {}, start, {}, {given.data()}).judge->judge().ok()) {
    o.begun_in_ = first.name;
    for (const fact_desc* f : first.begins)  // to be proved, where the order relies on them
      for (size_t k = 0; k < known.fact_count; ++k)
        if (known.facts[k].desc == f && std::find(given.begin(), given.end(), f) == given.end()) {
          given.insert(given.end() - 1, f);
          o.begun_.push_back({f->name, known.facts[k].check});
        }
  }
  const detail::runtime_hearing h = detail::hear(descs, others, start, {facts.data()}, {given.data()});
  verdict v = h.judge->judge();
  if (v.ok())
    v = detail::find_left_behind(descs.data(), descs.size(),
                                 [&](size_t i, size_t j) { return named[i]->callers[named[j] - known.passes]; });
  if (!v.ok()) {
    const std::string said = detail::sentence_text(v);  // "tenon-E003: pass …"
    throw error(said.substr(0, 10), said.substr(12));
  }
  const auto trail = std::make_unique<detail::runtime_court::trail>(h.judge->follow<true>());
  for (size_t f = 0; f < trail->fact_count; ++f) {
    o.proofs_.push_back({trail->fact[f]->name, nullptr});
    for (size_t k = 0; k < known.fact_count; ++k)
      if (known.facts[k].desc == trail->fact[f]) o.proofs_.back().check = known.facts[k].check;
  }
  o.row_words_ = sizeof trail->held[0] / sizeof(u64);
  o.rows_.assign(&trail->held[0][0], &trail->held[0][0] + descs.size() * o.row_words_);
  for (const fact_desc* f : given)
    if (f) o.known_at_first_.push_back(f->name);
  const size_t last = descs.size() - 1;
  for (size_t f = 0; f < trail->fact_count; ++f)
    if (trail->held[last][f / 64] >> (f % 64) & 1) o.facts_.emplace_back(std::string_view(trail->fact[f]->name));
  return o;
}

std::unique_ptr<ir::module> order::run(std::unique_ptr<ir::module> body, context& cx) const {
  std::vector<const pass_desc*> descs;
  for (size_t i = 0; known_ && i < known_->pass_count; ++i)
    descs.push_back(known_->passes[i].desc);  // also of passes left out
  detail::meet_flags(cx, descs.data(), descs.size());
  for (const proof& p : begun_) detail::prove_begun_fact(*body, begun_in_, p);
  const detail::schedule list{passes_.data(), passes_.size(), proofs_.data(),         proofs_.size(),
                              rows_.data(),   row_words_,     known_at_first_.data(), known_at_first_.size()};
  return detail::execute(list, std::move(body), cx, 0, list.count);
}

}  // namespace tenon
