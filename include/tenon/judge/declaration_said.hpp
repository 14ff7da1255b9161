/// @file declaration_said: what is wrong with what a pass says of itself, put in words.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/judge/pass_desc.hpp>

namespace tenon {
namespace detail {

/// What is wrong with the declaration of a pass: the code of its error, and what the sentence needs.
struct declaration_fault {
  int code = 0;  ///< 0: sound
  label said, meant;
  label names[4]{};
  size_t shown = 0, total = 0;
  bar_kind bar{};  ///< for 43, 45 and 46

  constexpr void add(label name) { add_sorted(names, shown, total, name); }
};

/// A list that is none: it would say nothing.
constexpr const char* unlisted(const auto& p) {
  if (p.name.length == 0) return "has an empty name: add 'static constexpr tenon::fixed_string name = \"...\"'";
  const auto none = [](const fact_list& list) { return !list.is_list() && !list.all(); };
  if (none(p.needs())) return "says what it 'needs' without a list: write 'using needs = tenon::facts<...>'";
  if (p.needs().all())
    return "'needs' all facts, and there is no list of them all: name those that it relies on; all_facts is for "
           "'keeps' and 'breaks'";
  if (p.gives().all())
    return "'gives' all facts, and there is no list of them all: name those that it establishes; all_facts is for "
           "'keeps' and 'breaks'";
  if (none(p.gives())) return "says what it 'gives' without a list: write 'using gives = tenon::facts<...>'";
  if (none(p.keeps()))
    return "says what it 'keeps' without a list: write 'using keeps = tenon::facts<...>', or tenon::all_facts";
  if (none(p.breaks()))
    return "says what it 'breaks' without a list: write 'using breaks = tenon::facts<...>', or tenon::all_facts";
  if (is_no_list(p.emits)) return "says what it 'emits' without a list: write 'using emits = tenon::ops<...>'";
  if (is_no_list(p.eliminates))
    return "says what it 'eliminates' without a list: write 'using eliminates = tenon::ops<...>'";
  return nullptr;
}

constexpr meta::phrase say_without_base(auto s, const char* says, const auto& f) {
  ((s << " says that it " << says << " ").quoted(f.said) << ", which rests on ").quoted(f.meant);
  return (s << ", and neither keeps nor gives that: do so, or do not list ").quoted(f.said) << " in '" << says << "'";
}

constexpr bool is_nested_list(label op) { return meta::begins_with(op, "ops<"); }
constexpr meta::phrase say_nested(auto& s, label list) {
  return (s << " by a list in a list, ").quoted(list) << ": join them, as in 'these_ops::with<more, ...>'";
}

constexpr meta::phrase say_declaration(auto s, label name, const auto& f) {
  s << "tenon-E0" << (f.code < 10 ? "0" : "") << static_cast<size_t>(f.code) << ": pass ";
  s.quoted(name);
  const bool many = f.total > 1;
  switch (f.code) {
    case 5:
      if (is_nested_list(f.names[0])) return say_nested(s << " says what it 'emits'", f.names[0]);
      say_ops(s << (many ? " emits ops " : " emits op "), f.names, f.shown, f.total);
      (s << ", which phase ").quoted(f.said) << " does not list";
      if (f.meant.length) return say_nested(s << ": its 'op_list' says some", f.meant);
      return s << ": leave " << (many ? "them" : "it") << " out of 'emits', or let the pass run in a phase that lists "
               << (many ? "them" : "it");
    case 6:
      if (f.said.length) {
        (s << " handles the ops of phase ").quoted(f.said);
        say_ops(s << ", and not ", f.names, f.shown, f.total);
        return (s << ": add " << (many ? "them" : "it") << " to its 'handles', or specialize tenon::lower_with<")
               << name << ", " << f.names[0] << ">";
      }
      if (is_nested_list(f.names[0])) return say_nested(s << " says what it 'eliminates'", f.names[0]);
      say_ops(s << " eliminates " << (many ? "ops " : "op "), f.names, f.shown, f.total);
      return (s << " and handles " << (many ? "none of them" : "it nowhere")
                << ": add to its 'handles', or specialize tenon::lower_with<")
             << name << ", " << f.names[0] << ">";
    case 7:
      return s << " says both 'breaks' and 'keeps': say 'breaks' (the rest is kept) or 'keeps' (the rest is broken)";
    case 8:
      if (f.total == 3)
        return (s << " names ").quoted(f.names[0]) << " as a fact, which has no name here: define it before, with "
                                                      "'static constexpr tenon::fixed_string name = \"...\"'";
      if (f.total == 4) return (s << " names pass ").quoted(f.names[0]) << " as a fact: name the fact that it gives";
      if (f.total) {
        (s << (f.total == 1 ? " names fact " : " runs in phase ")).quoted(f.names[0]) << ", which has a member ";
        return s.quoted(f.said) << " that means nothing to the judge: write '" << f.meant << "'";
      }
      (s << " has a member ").quoted(f.said) << ", which means nothing to the judge: ";
      if (f.meant == label{"TENON_ATTRIBUTES", 16})
        return s << "options are members of the pass itself that it lists in TENON_ATTRIBUTES(...)";
      return s << "write '" << f.meant << "'";
    case 16:
      s << (f.meant.length ? " duplicates or recomputes" : " deletes, merges or moves");
      say_ops(s << " ops, and does not say how it treats the effect" << (many ? "s " : " "), f.names, f.shown, f.total);
      return (s << " of phase ").quoted(f.said)
             << ": add " << (many ? "them" : "it") << " to its "
             << (f.meant.length ? "'duplicates', 'recomputes'" : "'deletes', 'merges', 'moves'")
             << " or 'leaves', or specialize tenon::treats<" << name << ", effect>";
    case 17:
      if (f.meant.length) return say_without_base(s, "keeps", f);
      say_ops((s << " says that it keeps ").quoted(f.said) << ", but it may emit ", f.names, f.shown, f.total);
      return (s << ": name what it 'emits' without " << (many ? "them" : "it") << ", or do not list ").quoted(f.said)
             << " in 'keeps'";
    case 21:
      if (f.meant.length) return say_without_base(s, "gives", f);
      say_ops((s << " says that it gives ").quoted(f.said) << ", but it may emit ", f.names, f.shown, f.total);
      return (s << ": name what it 'emits' without " << (many ? "them" : "it") << ", or do not list ").quoted(f.said)
             << " in 'gives'";
    case 35:
      say_ops(s << (many ? " eliminates ops " : " eliminates op "), f.names, f.shown, f.total);
      s << ", and emits " << (many ? "them" : "it");
      return s << ": say what it 'emits' without " << (many ? "them" : "it") << ", or leave " << (many ? "them" : "it")
               << " out of 'eliminates'";
    case 37: (s << " runs in phase ").quoted(f.names[0]) << ", and its op "; return s << f.said;
    case 32:
      (s << " makes functions in phase ").quoted(f.meant) << ", which those of phase ";
      return say_table(s.quoted(f.said) << " may not call", f.said, f.meant);
    case 33:
      if (f.total)
        return say_foreign(s << " makes functions ahead of the module, and ", f.meant, f.names, f.shown, f.total);
      (s << " makes functions in phase ").quoted(f.meant)
          << ", where none can be before its module is: let the phase say ";
      return s << "'early_ops', the ops that such functions may hold";
    default: return s << " " << f.said;
  }
}

}  // namespace detail
}  // namespace tenon
