/// @file execute.ipp: what surrounds a pass when it runs.
#pragma once

#include <time.h>

#include <algorithm>
#include <optional>

#include <tenon/compile/execute.hpp>
#include <tenon/compile/instrument.hpp>
#include <tenon/ir/ahead.hpp>
#include <tenon/ir/function_watch.hpp>
#include <tenon/ir/op_watch.hpp>
#include <tenon/ir/options.hpp>

namespace tenon {
namespace detail {

void meet_flags(context& cx, const pass_desc* const* passes, size_t count) {
  if (!cx.sets_flags()) return;
  std::vector<std::string> flags;
  for (size_t i = 0; i < count; ++i)
    if (const rare_parts& r = passes[i]->more(); r.flag_key) flags.emplace_back(std::string_view(r.flag));
  cx.meet_flags(flags);
}

void prove_begun_fact(const ir::module& m, label phase, const proof& what) {
  try {
    what.check(m);
  } catch (const error& e) {
    throw error("fact",
                "phase '" + std::string(std::string_view(phase)) + "' begins with '" + std::string(what.name) +
                    "', which these passes rely on, and of this module it does not hold: " + e.message(),
                e.where(), "run a pass that gives it first");
  }
}

std::string changed_options(std::span<const ir::attribute> list, const void* pass, const void* initial) {
  std::string s;
  for (const named_option& o : ir::read_options(list, pass, initial))
    s += (s.empty() ? "{" : ", ") + o.name + "=" + ir::option_text(o.value);
  return s.empty() ? s : s + "}";
}

// `<chrono>` costs 250 ms a file with g++ 12; the clock is the same.
inline double now_in_milliseconds() {
  timespec t{};
#if defined(CLOCK_MONOTONIC)
  clock_gettime(CLOCK_MONOTONIC, &t);
#else
  timespec_get(&t, TIME_UTC);
#endif
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

class depth_scope {
 public:
  explicit depth_scope(context& cx) : context_(cx), unchanged_(cx.unchanged_) { ++cx.depth_, cx.unchanged_ = false; }
  depth_scope(const depth_scope&) = delete;
  depth_scope& operator=(const depth_scope&) = delete;
  ~depth_scope() { --context_.depth_, context_.unchanged_ = unchanged_; }
  static u32 of(const context& cx) { return cx.depth_; }
  /// Did the pass say that it changed nothing?
  bool is_unchanged() const { return context_.unchanged_; }

 private:
  context& context_;
  bool unchanged_;  ///< of the pass around it
};

/// What is asked of a pass, whatever it does: the artifacts stay; under `verify_each` also what it claims.
class pass_watch {
 public:
  pass_watch(const pass_event& e) : event_(e), artifacts_(e.module->artifacts()) {
    if (!e.cx.verify_each) return;
    ahead_.emplace(*e.module), functions_.emplace(*e.module), ops_.emplace(*e.module, changes() != nullptr);
    const std::vector<std::string> known = e.known();
    for (size_t f = 0; f < e.list.fact_count; ++f) {
      const proof& p = e.list.facts[f];
      if (!p.check_function || std::find(known.begin(), known.end(), p.name) == known.end()) continue;
      for (function_id id : ir::functions_where(*e.module, p.check_function))
        had_.push_back({f, std::string((*e.module)[id].name)});
    }
    if (!e.module->analyses().empty()) hash_ = ir::hash_of_module(*e.module);
  }
  void check(const ir::module& after, bool unchanged) const {
    const std::string name(event_.pass);
    keep_analyses(after, unchanged);
    if (const ir::artifact* lost = after.artifacts().missing_of(artifacts_))
      throw error("tenon-E028",
                  "pass '" + name + "' leaves a module without artifact '" + lost->symbol + "' (" + lost->format +
                      ", made by '" + lost->producer + "'): the artifacts of a module are append-only",
                  {}, "change the module that the pass is given, rather than making another one");
    if (!ops_) return;
    check_analyses(after, unchanged);
    const pass_desc& said = event_.said;
    const rare_parts& more = said.more();
    const schedule& list = event_.list;
    ahead_->check(after, event_.pass, said.from->name);
    prove(after, {event_.phase, list.passes[event_.at].verify});
    for (size_t f = 0; f < list.fact_count; ++f)
      if (list.knows(event_.at, f)) prove(after, list.facts[f]);
    for (const auto& [f, function] : had_)
      if (list.knows(event_.at, f)) prove_kept(after, list.facts[f], function);
    ops_->check(after, event_.pass,
                {said.emits_any(), said.emits, said.is_transition() ? said.to->early : op_set{}, said.eliminates,
                 said.is_transition() || more.touches_effects, more.copied, changes()});
    if (!said.is_transition())
      functions_->check(after, event_.pass, {more.adds_functions, more.removes_functions, more.changes_functions});
  }

 private:
  /// Of passes that are repeated each is held to its own.
  const op_set* changes() const { return event_.said.more().repeats ? nullptr : event_.said.more().changes; }
  void keep_analyses(const ir::module& after, bool unchanged) const {
    const pass_desc& said = event_.said;
    after.analyses().keep_if(unchanged, [&](const ir::analysis_info& what) {
      return unchanged || said.gives().contains(what.fact) || said.keeps_fact(what.fact);
    });
  }
  void check_analyses(const ir::module& after, bool unchanged) const {
    const std::string leaves = "pass '" + std::string(event_.pass) + "' leaves a module ";
    if (unchanged && hash_ && *hash_ != ir::hash_of_module(after))
      throw error("tenon-E030", leaves + "that it changed, and says 'changed_nothing'", {},
                  "say it only where the module is as it was");
    if (const ir::analysis_info* const untrue = after.analyses().first_untrue(after))
      throw error("tenon-E030",
                  leaves + "of which '" + std::string(std::string_view(untrue->fact->name)) +
                      "' is said to be kept, and is another one now than it was",
                  {}, "correct the pass, or what it 'keeps', or the bounds of the fact ('of_each', 'of_all')");
  }
  /// "correct the pass, or what it …" behind what the checker hints at.
  static std::string hint_behind(const error& checked, std::string_view words) {
    return (checked.hint().empty() ? std::string() : checked.hint() + "; else ") + "correct the pass, or what it " +
           std::string(words);
  }
  void prove(const ir::module& after, const proof& p) const {
    if (!p.check) return;
    try {
      p.check(after);
    } catch (const error& e) {
      throw error("tenon-E030",
                  "pass '" + std::string(event_.pass) + "' leaves a module of which '" + std::string(p.name) +
                      "' is said and is not true: " + e.message(),
                  e.where(), hint_behind(e, "'gives', 'breaks' or 'emits'"));
    }
  }

  /// Of a function that had a fact, if it is there and the pass does not give the fact anew.
  void prove_kept(const ir::module& after, const proof& p, const std::string& function) const {
    for (const fact_desc* f : event_.said.gives())
      if (p.name == std::string_view(f->name)) return;
    const function_id id = after.find_function(function);
    if (!id || !after[id].phase.empty()) return;
    try {
      p.check_function(after, id);
    } catch (const error& e) {
      throw error("tenon-E030",
                  "pass '" + std::string(event_.pass) + "' says that it keeps '" + std::string(p.name) +
                      "', and function '" + function + "', which had it, has it no more: " + e.message(),
                  e.where(), hint_behind(e, "'keeps' or 'breaks'"));
    }
  }

  const pass_event& event_;
  std::vector<std::pair<size_t, std::string>> had_;  ///< of each fact of some functions, those of which it held
  ir::artifact_set artifacts_;
  std::optional<u64> hash_;  ///< of the module before, where something was computed of it
  std::optional<ir::ahead_watch> ahead_;
  std::optional<ir::function_watch> functions_;
  std::optional<ir::op_watch> ops_;
};

inline void tell(const pass_event& e, void (*instrument_hooks::*hook)(void*, const pass_event&)) {
  for (const instrument_ref& i : e.cx.instruments)
    if (i.hooks->*hook) (i.hooks->*hook)(i.object, e);
}
/// An instrument that fails on the way hides nothing of what failed first.
inline void tell_failure(const pass_event& e, const std::exception& why) {
  for (const instrument_ref& i : e.cx.instruments) {
    if (!i.hooks->failed) continue;
    try {
      i.hooks->failed(i.object, e, why);
    } catch (const std::exception& second) { e.cx.report({severity::warning, "instrument", second.what(), {}, {}}); }
  }
}
inline bool asks_to_skip(const pass_event& e) {
  bool asked = false;
  for (const instrument_ref& i : e.cx.instruments) asked = (i.hooks->skip && i.hooks->skip(i.object, e)) || asked;
  if (asked && !e.can_be_skipped())
    throw error("pass.skip",
                "an instrument skips pass '" + std::string(e.pass) +
                    "', and what is said of the module behind it depends on that pass",
                {}, "ask pass_event::can_be_skipped first");
  return asked;
}

inline void execute_one(pass_event& e, std::unique_ptr<ir::module>& body) {
  const rare_parts& rare = e.said.more();
  if ((rare.flag_key != 0 && e.cx.flag(std::string_view(rare.flag)) != rare.flag_on) || asks_to_skip(e))
    return tell(e, &instrument_hooks::skipped);
  tell(e, &instrument_hooks::before);
  bool ran = false;
  try {
    const pass_watch watch(e);
    bool unchanged = false;
    {
      const depth_scope inside(e.cx);
      const double start = now_in_milliseconds();
      const scheduled_pass& p = e.list.passes[e.at];
      p.run(p.given, body, e.cx);
      e.record->milliseconds = now_in_milliseconds() - start;
      unchanged = inside.is_unchanged();
    }
    ran = true;
    watch.check(*body, unchanged);
  } catch (const passes_stopped&) { throw; } catch (error& why) {
    e.module = body.get();
    why.note_pass(e.pass, ran);  // who watches a pass says which
    tell_failure(e, why);
    throw;
  } catch (const std::exception& why) {
    e.module = body.get();
    tell_failure(e, why);
    throw;
  }
  e.module = body.get();
  e.cx.records.push_back(std::move(*e.record));
  e.record = &e.cx.records.back();
  tell(e, &instrument_hooks::after);
}

std::unique_ptr<ir::module> execute(const schedule& list, std::unique_ptr<ir::module> body, context& cx, size_t from,
                                    size_t to) {
  for (size_t i = from; i < to; ++i) {
    const pass_desc& said = *list.passes[i].desc;
    pass_record record{std::string(std::string_view(said.name)), std::string(std::string_view(said.to->name)), 0, 0, 0};
    pass_event e{said.name, said.to->name, said, body.get(), cx, &record, depth_scope::of(cx), list, i, to};
    execute_one(e, body);
  }
  return body;
}

std::unique_ptr<ir::module> execute(schedule list, const void* given, std::unique_ptr<ir::module> body, context& cx) {
  scheduled_pass one = *list.passes;
  one.given = given, list.passes = &one;
  return execute(list, std::move(body), cx, 0, 1);
}

}  // namespace detail

bool pass_event::can_be_skipped() const {
  return !said.is_transition() && said.gives().size() == 0 && said.eliminates.size == 0 && !said.more().makes &&
         (at + 1 >= list.count || list.passes[at + 1].desc->more().after != said.type);
}

std::string pass_event::rest() const {
  std::string s;
  for (size_t i = at; i < end; ++i) {
    const detail::scheduled_pass& p = list.passes[i];
    if (const rare_parts& r = p.desc->more(); r.flag_key != 0 && cx.flag(std::string_view(r.flag)) != r.flag_on)
      continue;
    s.append(s.empty() ? "" : ", ").append(std::string_view(p.desc->name));
    if (p.options) s += p.options(p.given, cx);
  }
  return s;
}

namespace detail {
inline std::vector<std::string> known_behind(const schedule& list, size_t pass) {
  std::vector<std::string> names;
  for (size_t f = 0; f < list.fact_count; ++f)
    if (list.knows(pass, f)) names.emplace_back(list.facts[f].name);
  return names;
}
}  // namespace detail

std::vector<std::string> pass_event::known() const {
  if (at != 0) return detail::known_behind(list, at - 1);
  std::vector<std::string> names;
  for (size_t f = 0; f < list.begun_count; ++f) names.emplace_back(std::string_view(list.begun[f]));
  return names;
}
std::vector<std::string> pass_event::known_behind() const { return detail::known_behind(list, at); }

}  // namespace tenon
