/// @file verdict: what the judge says about an order of passes, as a value.
#pragma once

#include <tenon/judge/calls.hpp>
#include <tenon/judge/pass_desc.hpp>
#include <tenon/meta/sentence.hpp>

namespace tenon {

enum class repair_kind : u8 {
  none,
  move_before,
  move_after,
  insert_before,
  insert_after,
  run_again_after,
  run_before,
  drop,
  lower,
  always,
  when_flag,
  unless_flag
};

/// A change of the order that the judge tried, and that cures what the verdict complains of.
struct repair {
  repair_kind kind = repair_kind::none;
  label what, where;
  bool at_begin = false;  ///< insert at the very beginning: `where` is empty
  label before{};         ///< run again in front of `what`, which needs what it gives; empty: nothing
};

/// Positions count from 0; -1: none. Labels refer to names of passes, facts, phases and ops, which live forever.
struct verdict {
  int code = 0;   ///< 0: the order is right; 3: tenon-E003
  int inner = 0;  ///< for 25: the code of what goes wrong in the combination of flags that `conditions` names
  label conditions[4]{};
  bool condition_on[4]{};
  size_t condition_count = 0;
  int pass = -1, culprit = -1, giver = -1;
  label pass_name, culprit_name, giver_name;
  label subject;     ///< the fact, phase, op or name that it is about
  label other;       ///< the phase that the module is in
  label names[4]{};  ///< ops or effects
  size_t shown = 0, total = 0;
  /// For 2 and 3: what else the pass needs in vain, for the same reason, and for others.
  struct facts_missed {
    label names[4]{};
    size_t shown = 0, total = 0;
    constexpr void add(label name) { add_sorted(names, shown, total, name); }
  };
  facts_missed also, besides;
  bool takes_in = false;         ///< for 42: the pass makes the op with the region, around what is there
  bar_kind bar{};                ///< for 43, 45 and 46: what it does to ops that do not bear it
  bool partly = false;           ///< for 2: the giver gives the fact, of some functions
  bool each_other = false;       ///< for 2: who would give the fact needs one that this pass gives
  bool where_it_begins = false;  ///< for 2: the pass runs in the phase in which the order begins; for 43, 45, 46: the
                                 ///< module may have had the ops from the start
  bool copies = false;    ///< for 16: it duplicates or recomputes, and does nothing else with ops that have effects
  bool unkept = false;    ///< for 3: the culprit does not say that it breaks the fact
  detail::ending ending;  ///< for 3: what of the culprit ended the fact, where it does not say that it breaks it
  repair repairs[2];
  size_t repair_count = 0;
  bool together = false;  ///< neither of the two repairs cures it without the other; they are made in this order

  constexpr bool ok() const { return code == 0; }
  constexpr void add(label name) { add_sorted(names, shown, total, name); }
};

namespace detail {
template <class Phrase>
constexpr Phrase& say_pass(Phrase& s, label name, int position) {
  s.quoted(name);
  if (position < 0) return s;
  s << " (";
  return s.ordinal(static_cast<size_t>(position) + 1) << ")";
}

template <class Phrase>
constexpr Phrase& say_repairs(Phrase& s, const auto& v) {
  for (size_t i = 0; i < v.repair_count; ++i) {
    const repair& r = v.repairs[i];
    s << (i == 0 ? ": " : v.together ? ", and " : ", or ");
    switch (r.kind) {
      case repair_kind::move_before: (s << "move ").quoted(r.what) << " before "; break;
      case repair_kind::move_after: (s << "move ").quoted(r.what) << " after "; break;
      case repair_kind::insert_before: (s << "insert ").quoted(r.what) << " before "; break;
      case repair_kind::insert_after: (s << "insert ").quoted(r.what) << " after "; break;
      case repair_kind::run_again_after:
        s << "run ";
        if (r.before.length) s.quoted(r.before) << " and ";
        s.quoted(r.what) << " again after ";
        if (i > 0 && v.repairs[i - 1].what == r.where) {
          s << "it";
          continue;
        }
        break;
      case repair_kind::run_before: ((s << "run ").quoted(r.what) << " before ").quoted(r.where) << " too"; continue;
      case repair_kind::drop: (s << (r.where.length ? "drop the first " : "drop ")).quoted(r.what); continue;
      case repair_kind::always: (s << "run ").quoted(r.what) << " always"; continue;
      case repair_kind::when_flag: (s << "run ").quoted(r.what) << " only when '" << r.where << "' is on"; continue;
      case repair_kind::unless_flag: (s << "run ").quoted(r.what) << " only when '" << r.where << "' is off"; continue;
      case repair_kind::lower: s << "specialize tenon::lower_with<" << r.where << ", " << r.what << ">"; continue;
      default: break;
    }
    s.quoted(r.where);
  }
  return s;
}

/// What follows the name of a pass that nobody answered for: effects of ops that `who` adds, or an op whose effects are
/// unknown.
constexpr meta::phrase say_untreated(auto s, label pass, const label* names, size_t shown, size_t total, label unseen,
                                     const char* who, bool copies) {
  s << (copies ? " duplicates or recomputes ops, and " : " deletes, merges or moves ops, and ");
  if (unseen.length)
    return s.quoted(unseen) << ", which this " << who
                            << " adds, is only declared here, so that nobody knows its effects: include the header "
                               "that defines it first";
  say_ops(s << "does not say how it treats the effect" << (total > 1 ? "s " : " "), names, shown, total);
  return s << " of an op that this " << who << " adds: specialize tenon::treats<" << pass << ", effect>";
}

/// The facts that a pass needs, and misses for one reason.
template <class Phrase>
constexpr Phrase& say_missed(Phrase& s, const auto& v) {
  label names[5]{v.subject};
  for (size_t i = 0; i < v.also.shown; ++i) names[i + 1] = v.also.names[i];
  return say_ops(s << " needs ", names, v.also.shown + 1, v.also.total + 1);
}
constexpr void say_besides(auto& s, const auto& v) {
  if (v.besides.total) say_ops(s << ", and misses ", v.besides.names, v.besides.shown, v.besides.total) << " too";
}
constexpr void say_ending(auto& s, const auto& e) {
  switch (e.how) {
    case fact_end::base: (s << " with ").quoted(e.what) << ", on which it rests,"; break;
    case fact_end::emission: (s << ", since it emits ").quoted(e.what) << ","; break;
    case fact_end::any_emission: s << ", since it does not say what it emits,"; break;
    case fact_end::elimination: (s << ", since it eliminates ").quoted(e.what) << ","; break;
    case fact_end::in_place: (s << ", since it changes ").quoted(e.what) << ","; break;
    case fact_end::change: s << ", since it deletes, merges or moves ops,"; break;
    case fact_end::added: s << ", since it adds functions,"; break;
    case fact_end::removed: s << ", since it removes functions,"; break;
    case fact_end::renewed: s << ", since it changes functions,"; break;
    case fact_end::copy: s << ", since it duplicates ops,"; break;
    default: break;
  }
}

constexpr meta::phrase say_region(auto s, const auto& v) {
  const char* const it = v.total > 1 ? "them" : "it";
  const char* const made = v.takes_in && v.total > 1 ? "such" : "it";
  if (v.takes_in) {
    say_ops(s << " may take ", v.names, v.shown, v.total) << " into a region of ";
    s.quoted(v.subject) << ", which does not allow " << it << ", and there may be some: ";
  } else {
    say_ops(s << " may emit ", v.names, v.shown, v.total) << ", which a region of ";
    s.quoted(v.subject) << " does not allow, and there may be one: ";
  }
  if (v.culprit >= 0) say_pass(s << "pass ", v.culprit_name, v.culprit) << " emits " << made;
  else (s << "phase ").quoted(v.other) << " lists " << made;
  say_repairs(s, v);
  s << (v.repair_count ? ", or say '" : ": say '");
  if (v.takes_in) return s << "using encloses = tenon::ops<...>', what its regions take in";
  s << "using emits_outside = tenon::ops<";
  for (size_t i = 0; i < v.shown; ++i) s << (i ? ", " : "") << v.names[i];
  return s << (v.total > v.shown ? ", ..." : "") << ">' if it never puts " << it << " there";
}

/// What a pass may do to ops that do not bear it; `effect`: theirs, or of what is taken out of their regions.
template <class Phrase>
constexpr Phrase& say_bar(Phrase& s, bar_kind kind, label effect, const label* names, size_t shown, size_t total) {
  if (kind == bar_kind::any_taken_out)
    return say_ops(s << " may take ops out of a region of ", names, shown, total) << ", which keeps what stands in it";
  if (kind == bar_kind::taken_out) {
    say_ops((s << " may take an op with effect ").quoted(effect) << " out of a region of ", names, shown, total);
    return s << ", each run of which has its own";
  }
  if (kind == bar_kind::shares_memory) {
    say_ops(s << " does not look through ", names, shown, total);
    return s << (total > 1 ? ", whose results share" : ", whose result shares") << " memory of an operand";
  }
  const bool again = kind == bar_kind::runs_again;
  say_ops(s << (again ? " may run " : " may leave more than one of "), names, shown, total);
  return (s << (again ? " again, whose effect " : ", whose effect ")).quoted(effect) << " does not allow that";
}
template <class Phrase>
constexpr Phrase& say_bar_answer(Phrase& s, bar_kind kind, label effect) {
  if (kind == bar_kind::shares_memory) return s << "list in its 'looks_through' the ops that it follows";
  if (kind == bar_kind::any_taken_out)
    return s << "say 'using keeps_inside = tenon::any_effects' if ops stay in the regions where they stand";
  if (kind == bar_kind::taken_out)
    return s << "say 'using keeps_inside = tenon::effects<" << effect
             << ">' if such ops stay in the regions where they stand";
  return s << "say 'using leaves = tenon::effects<" << effect << ">' if the pass leaves such ops alone";
}
constexpr meta::phrase say_barred(auto& s, const auto& v) {
  say_bar(s, v.bar, v.subject, v.names, v.shown, v.total) << ", and ";
  if (v.culprit >= 0) say_pass(s << "pass ", v.culprit_name, v.culprit) << " emits " << (v.total > 1 ? "some" : "it");
  else (s << "phase ").quoted(v.other) << " lists " << (v.total > 1 ? "them" : "it");
  say_repairs(s, v);
  say_bar_answer(s << (v.repair_count ? ", or " : ": "), v.bar, v.subject);
  if (!v.where_it_begins) return s;
  say_ops(s << ", or, if modules come without ", v.names, v.shown, v.total);
  return s << ", let the phase say so: 'using begins_with = tenon::facts<...>' of a fact with 'absent_ops'";
}

constexpr meta::phrase say_verdict(auto s, const auto& v) {
  if (v.ok()) return s << "every pass finds what it needs";
  s << "tenon-E0" << (v.code < 10 ? "0" : "") << static_cast<size_t>(v.code) << ": ";
  const bool many = v.total > 1;
  for (size_t i = 0; i < v.condition_count; ++i)
    (s << (i ? " and " : "when ")).quoted(v.conditions[i]) << (v.condition_on[i] ? " is on" : " is off");
  if (v.condition_count) s << ", ";
  const int code = v.code == 25 ? v.inner : v.code;
  if (code != 12 && code != 11 && code != 24 && code != 25) say_pass(s << "pass ", v.pass_name, v.pass);
  switch (code) {
    case 1:
      (s << " runs in phase ").quoted(v.subject);
      if (v.total) {
        say_ops(s << " extended with ", v.names, v.shown, v.total);
        const auto list = [&] {
          for (size_t i = 0; i < v.shown; ++i) s << (i ? ", " : "") << v.names[i];
          return label{">", 1};
        };
        s << ", which this pipeline does not add: write pipeline_with_ops<ops<", s << list();
        return s << ", ...>, or edit<add_ops<", s << list() << ", ...> of a pipeline without this pass";
      }
      (s << ", but the module is in ").quoted(v.other);
      if (v.culprit >= 0) say_pass(s << " since ", v.culprit_name, v.culprit);
      else s << " from the start";
      if (!v.repair_count) return s << ": no place in this pipeline would do, so leave it out or add the transition";
      break;
    case 2:
      if (v.partly)
        say_pass(say_missed(s, v) << ", which pass ", v.giver_name, v.giver) << " gives of some functions only";
      else say_missed(s, v) << ", which no pass before it gives";
      say_besides(s, v);
      if (v.partly) {
        say_repairs(s, v);
        return s << (v.repair_count ? ", or let " : ": let ")
                 << "it take those, with 'using needs = tenon::facts<tenon::of_some<" << v.subject << ">>'";
      }
      if (!v.repair_count && v.other.length)
        return ((s << ": ").quoted(v.other) << " would, and needs ").quoted(v.names[0])
               << (v.each_other ? ", which this one gives: let one of them need less, or make them one pass"
                                : " itself: put what gives that before both");
      if (!v.repair_count && v.total && !v.also.total) {
        say_ops(s << ", since the module may hold ", v.names, v.shown, v.total);
        s << ": run a pass before it that eliminates " << (many ? "them" : "it");
        return s << ", or let the phase say 'using begins_with = tenon::facts<" << v.subject << ">'";
      }
      if (!v.repair_count && v.also.total)
        s << ", nor any pass known to give them would: add some before it that 'give' them";
      else if (!v.repair_count) s << ", nor any pass known to give it would: add one before it that 'gives' it";
      if (!v.repair_count && v.where_it_begins && !v.also.total)
        s << ", or, if modules come with it, let the phase say 'using begins_with = tenon::facts<" << v.subject << ">'";
      break;
    case 3: {
      const char* const it = v.also.total ? "them" : "it";
      say_pass(say_missed(s, v) << ", which pass ", v.culprit_name, v.culprit) << " breaks";
      say_ending(s, v.ending);
      if (v.giver >= 0) say_pass(s << " after ", v.giver_name, v.giver) << " gave " << it;
      else s << " after " << (v.also.total ? "they" : "it") << " held from the start";
      say_besides(s, v);
      if (v.repair_count) break;
      s << ": no order of these passes was found that keeps " << it << "; add a pass behind ";
      s.quoted(v.culprit_name) << " after which " << (v.also.total ? "they hold" : "it holds") << " again";
      if (v.unkept && v.ending.how != fact_end::base)
        (s << ", or, if " << (v.also.total ? "they are" : "it is") << " still true there, let ").quoted(v.culprit_name)
            << " say so in its 'keeps'";
      break;
    }
    case 4:
      (s << " enters phase ").quoted(v.subject);
      say_ops(s << ", which does not list ", v.names, v.shown, v.total);
      if (v.culprit >= 0) {
        s << ", and pass ";
        say_pass(s, v.culprit_name, v.culprit) << " may emit " << (many ? "them" : "it");
        if (v.giver >= 0) say_pass(s << " after ", v.giver_name, v.giver) << " eliminated " << (many ? "them" : "it");
      } else {
        s << ", and no pass before it eliminates " << (many ? "them" : "it");
      }
      if (v.repair_count) break;
      (s << ": put a pass before it that 'eliminates' " << (many ? "them" : "it") << ", or let ").quoted(v.pass_name);
      s << " eliminate " << (many ? "them" : "it") << " itself";
      break;
    case 9:
      if (v.other.length) {
        say_pass((s << " names a fact ").quoted(v.other) << ", and pass ", v.culprit_name, v.culprit);
        return s << " another one of that name: a name belongs to one fact, since texts go by it; rename one of them";
      }
      (s << " has the name ").quoted(v.subject);
      return say_pass(s << ", which another pass, ", v.culprit_name, v.culprit)
             << ", has too: a name belongs to one pass, since fingerprints and text pipelines go by it; rename one of "
                "them";
    case 11:
      say_pass(s << "the phases of a pipeline form a chain, and pass ", v.pass_name, v.pass)
          << " takes the module back to ";
      s.quoted(v.subject);
      if (v.culprit >= 0) say_pass(s << ", which it left by ", v.culprit_name, v.culprit);
      if (!v.repair_count) s << ": leave it out";
      break;
    case 12:
      s << "target ";
      s.quoted(v.pass_name) << " requires ";
      if (v.other.length) {
        s << "its pipeline to end in phase ";
        return (s.quoted(v.subject) << ", and it ends in ").quoted(v.other)
               << ": append the passes that lead there, or leave out what leads elsewhere";
      }
      s.quoted(v.subject) << " of the module that its code generator gets, ";
      if (v.culprit >= 0) {
        s << "which pass ";
        say_pass(s, v.culprit_name, v.culprit) << " breaks";
        say_ending(s, v.ending);
        if (v.giver >= 0) say_pass(s << " after ", v.giver_name, v.giver) << " gave it";
      } else {
        s << "and no pass of its pipeline gives it";
      }
      if (!v.repair_count) s << ": add a pass that 'gives' it";
      break;
    case 15:
      s << " may run at most once, and ran before";
      if (v.culprit >= 0) (s << " (").ordinal(static_cast<size_t>(v.culprit) + 1) << ")";
      break;
    case 16:
      return say_untreated(s, v.pass_name, v.names, v.shown, v.total, v.subject,
                           v.other.length ? "module's phase" : "pipeline", v.copies);
    case 19:
      if (v.giver < 0) say_pass(s << " may not run before ", v.culprit_name, v.culprit);
      else say_pass(s << (v.culprit < 0 ? " may not run after " : " may not run between "), v.giver_name, v.giver);
      if (v.subject.length) (s << (v.other.length ? ", which rewrites " : ", which emits ")).quoted(v.subject);
      if (v.giver < 0) break;
      if (v.subject.length && v.culprit >= 0) s << ",";
      if (v.culprit >= 0) say_pass(s << " and ", v.culprit_name, v.culprit);
      else if (!v.repair_count) s << ": leave it out, or run it before";
      break;
    case 20:
      (s << " must run immediately after ").quoted(v.subject);
      if (v.culprit >= 0) say_pass(s << ", and it follows ", v.culprit_name, v.culprit);
      else s << ", and nothing runs before it";
      break;
    case 38:
      say_ops(s << (v.other.length ? " matches patterns of " : " works on "), v.names, v.shown, v.total) << ", and ";
      if (v.culprit >= 0 && v.other.length)
        (say_pass(s << "pass ", v.culprit_name, v.culprit) << " leaves no ").quoted(v.other);
      else if (v.other.length) ((s << "phase ").quoted(v.subject) << " does not list ").quoted(v.other);
      else if (v.culprit >= 0)
        say_pass(s << "pass ", v.culprit_name, v.culprit) << " leaves none of " << (many ? "these" : "it");
      else (s << "phase ").quoted(v.subject) << (many ? " lists none of these" : " does not list it");
      if (!v.repair_count) s << ": leave the pass out, or say 'static constexpr bool may_find_nothing = true'";
      break;
    case 42: return say_region(s, v);
    case 43:
    case 45:
    case 46: return say_barred(s, v);
    case 24:
      (s << "the pipeline of target ").quoted(v.pass_name) << " does not lead from phase ";
      return (s.quoted(v.other) << " to phase ").quoted(v.subject)
             << ": compile to a phase that is not behind the module, with a target whose pipeline has both";
    case 25:
      (s << "the pipeline ends in phase ").quoted(v.subject);
      say_pass((s << ", and otherwise, after pass "), v.pass_name, v.pass) << ", in ";
      s.quoted(v.other);
      if (!v.repair_count) s << ": add the transition for the other case";
      break;
    case 32:
      (s << " takes the module to phase ").quoted(v.other);
      say_pass(s << ", whose functions may not call those that ", v.giver_name, v.giver);
      (s << " left in phase ").quoted(v.subject);
      return say_table((s << ": enter ").quoted(v.subject) << " on the way", v.other, v.subject, ", add ");
    default: break;
  }
  return say_repairs(s, v);
}
}  // namespace detail

/// The verdict as a sentence; the same at compile time and at run time.
constexpr meta::phrase sentence_of(const auto& v) { return detail::say_verdict(meta::phrase{}, v); }

}  // namespace tenon
