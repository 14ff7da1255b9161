// Members at edit distance 1 of those that mean something: each is found, in its form, in each kind of struct.
#include <doctest/doctest.h>

#include <string>

#include <tenon/target.hpp>
#include <tenon/testing/spelling.hpp>

#include "soft/world.hpp"

namespace tenon {
struct in_tenon {
  static constexpr fixed_string name = "in_tenon";
  using runs_in = world::graph;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  using encqloses = ops<world::add>;
};
}  // namespace tenon

namespace {
using namespace world;
template <class... Ps>
using pass_spelling = tn::laws::spelling<tn::pass_list<Ps...>>;
template <class Op>
using op_spelling = tn::laws::spelling<tn::pass_list<>, tn::ops<Op>>;
template <class T>
using target_spelling = tn::laws::spelling<tn::pass_list<>, tn::ops<>, T>;

template <class Spelling, tn::fixed_string Said, tn::fixed_string Meant>
constexpr bool tells = Spelling::found.miss.said == tn::label(Said) && Spelling::found.miss.meant == tn::label(Meant);

struct usual {
  static constexpr tn::fixed_string name = "usual";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  using changes = tn::ops<add>;
  int modes = 4, changed_ops = 0, version_ = 0;  // options: no lists, no constants
};
static_assert(pass_spelling<usual>::ok);

// One letter put in, left out, put in another's place, exchanged with the next; at either end.
struct put_in : usual {
  using encqloses = tn::ops<add>;
};
struct at_the_end : usual {
  using works_onx = tn::ops<add>;
};
struct left_out : usual {
  using looks_trough = tn::any_ops;
};
struct another : usual {
  using zuplicates = tn::effects<>;
};
struct exchanged : usual {
  using eimts_outside = tn::ops<add>;
};
struct flag : usual {
  static constexpr bool at_most_onze = true;
};
struct last final {
  static constexpr tn::fixed_string name = "last";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using recompates = tn::any_effects;
};
static_assert(tells<pass_spelling<put_in>, "encqloses", "encloses">);
static_assert(tells<pass_spelling<at_the_end>, "works_onx", "works_on">);
static_assert(tells<pass_spelling<left_out>, "looks_trough", "looks_through">);
static_assert(tells<pass_spelling<another>, "zuplicates", "duplicates">);
static_assert(tells<pass_spelling<exchanged>, "eimts_outside", "emits_outside">);
static_assert(tells<pass_spelling<flag>, "at_most_onze", "at_most_once">);
static_assert(tells<pass_spelling<last>, "recompates", "recomputes">);
static_assert(tells<pass_spelling<usual, flag, usual>, "at_most_onze", "at_most_once">);
static_assert(tells<pass_spelling<usual, last>, "recompates", "recomputes">);
static_assert(tells<pass_spelling<tn::in_tenon>, "encqloses", "encloses">, "a user's, in the library's namespace");

// Of what a pass names, and of ops and targets.
struct counted {
  static constexpr tn::fixed_string name = "counted";
  using of_eacg = tn::ops<add>;
};
struct counts : usual {
  using gives = tn::facts<counted>;
};
struct own_phase {
  static constexpr tn::fixed_string name = "own_phase";
  using op_list = tn::ops<add>;
  using eavly_ops = tn::ops<add>;
};
struct runs_there {
  static constexpr tn::fixed_string name = "runs_there";
  using runs_in = own_phase;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct shares {
  static constexpr tn::fixed_string name = "shares";
  using aliazes = tn::operands<0>;
};
static_assert(tells<pass_spelling<counts>, "of_eacg", "of_each">);
static_assert(tells<pass_spelling<runs_there>, "eavly_ops", "early_ops">);
static_assert(tells<op_spelling<shares>, "aliazes", "aliases">);

struct maker {
  static constexpr tn::fixed_string name = "maker";
  using code_forxat = tn::facts<>;
};
struct board {
  static constexpr tn::fixed_string name = "board";
};
struct machine {
  static constexpr tn::fixed_string name = "machine";
  using device = board;
  using code_generator = maker;
};
static_assert(tells<target_spelling<machine>, "code_forxat", "code_format">);

#define COUNT(name) +1
// Of a word of n letters: n + 1 places for 27 letters, less those that are alike, n times 26 other letters, n letters
// left out, n - 1 pairs exchanged; the last two less where letters are alike.
static_assert(TENON_SLIPS_pass_changes(COUNT) == 8 * 27 - 7 + 7 * 26 + 7 + 6);
static_assert(TENON_SLIPS_pass_keeps(COUNT) == 6 * 27 - 5 + 5 * 26 + (5 - 1) + (4 - 1));

TEST_CASE("a slip is reported with the struct that has it") {
  tn::laws::check_spelling<usual, lift, infer>();  // compiles
  const auto said = [](const tn::meta::phrase& p) { return std::string(p.characters, p.length); };
  CHECK(said(pass_spelling<put_in>::say()) ==
        "tenon-E008: pass 'usual' has a member 'encqloses', which means nothing to the judge: write 'encloses'");
  CHECK(said(pass_spelling<counts>::say()) ==
        "tenon-E008: fact 'counted' has a member 'of_eacg', which means nothing to the judge: write 'of_each'");
  CHECK(said(pass_spelling<runs_there>::say()) ==
        "tenon-E008: phase 'own_phase' has a member 'eavly_ops', which means nothing to the judge: write 'early_ops'");
  CHECK(said(target_spelling<machine>::say()) ==
        "tenon-E008: code generator 'maker' has a member 'code_forxat', which means nothing to the judge: write "
        "'code_format'");
}
}  // namespace
