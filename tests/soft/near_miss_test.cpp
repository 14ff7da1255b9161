// Members of facts, phases, ops and targets that are nearly named like one that means something, or have another form:
// each is reported, softly here, loudly in tests/fail/near_miss_*.cpp.
#include <doctest/doctest.h>

#include <tenon/judge/plan.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;
using tn::detail::checker_check, tn::detail::fact_misnomer, tn::detail::phase_misnomer, tn::detail::target_misnomer;

template <tn::fixed_string Said, tn::fixed_string Meant>
constexpr bool means(const tn::misnomer& m) {
  return m.said == tn::label(Said) && m.meant == tn::label(Meant);
}
struct named {
  static constexpr tn::fixed_string name = "named";
};

// Facts
namespace of_facts {
struct a : named {
  using absent_op = tn::ops<add>;
};
struct b : named {
  using absentops = tn::ops<add>;
};
struct c : named {
  using absent = tn::ops<add>;
};
struct d : named {
  using no_ops = tn::ops<add>;
};
struct e : named {
  using absent_ops = add;
};
static_assert(means<"absent_op", "absent_ops">(fact_misnomer<a>()));
static_assert(means<"absentops", "absent_ops">(fact_misnomer<b>()));
static_assert(means<"absent", "absent_ops">(fact_misnomer<c>()));
static_assert(means<"no_ops", "absent_ops">(fact_misnomer<d>()));
static_assert(means<"absent_ops", "using absent_ops = ops<...>">(fact_misnomer<e>()));
static_assert(fact_misnomer<named>().said.length == 0 && fact_misnomer<legal>().said.length == 0);
struct f : named {
  static void checks(const tn::ir::module&);
};
struct g : named {
  static void checker(const tn::ir::module&);
};
struct h : named {
  static void check_(const tn::ir::module&);
};
struct i : named {
  static void verify(const tn::ir::module&);
};
struct j : named {
  static void check(tn::ir::module&);
};
struct k : named {
  void check(const tn::ir::module&) const;
};
static_assert(means<"checks", "check">(checker_check<f>::miss) && means<"checker", "check">(checker_check<g>::miss));
static_assert(means<"check_", "check">(checker_check<h>::miss) && means<"verify", "check">(checker_check<i>::miss));
static_assert(means<"check", "static void check(const ir::module&)">(checker_check<j>::miss),
              "it would change the module");
static_assert(means<"check", "static void check(const ir::module&)">(checker_check<k>::miss), "nobody has an object");
static_assert(checker_check<shapes>::ok && checker_check<legal>::ok && checker_check<named>::ok);
}  // namespace of_facts

// Phases
namespace of_phases {
struct p : named {
  using op_list = tn::ops<add>;
};
struct a : p {
  using op_effect = tn::effects<>;
};
struct b : p {
  using effects = tn::effects<>;
};
struct c : p {
  static constexpr bool is_open = true;
};
struct d : p {
  static constexpr bool opened = true;
};
struct e : p {
  using side = graph;
};
struct f : p {
  using side_phase_of = graph;
};
struct g : p {
  using call_into = tn::phase_list<code>;
};
struct h : p {
  using calls = tn::phase_list<code>;
};
struct i : p {
  using early_op = tn::ops<add>;
};
struct j : p {
  using earlyops = tn::ops<add>;
};
struct k : p {
  static void verifies(const tn::ir::module&);
};
struct l : p {
  static void check(const tn::ir::module&);
};
struct m : p {
  static void verify(tn::ir::module&);
};
struct n : named {
  using op_list = add;
};
struct o : p {
  using early_ops = add;
};
static_assert(means<"op_effect", "op_effects">(phase_misnomer<a>()) &&
              means<"effects", "op_effects">(phase_misnomer<b>()));
static_assert(means<"is_open", "open">(phase_misnomer<c>()) && means<"opened", "open">(phase_misnomer<d>()));
static_assert(means<"side", "side_of">(phase_misnomer<e>()) && means<"side_phase_of", "side_of">(phase_misnomer<f>()));
static_assert(means<"call_into", "calls_into">(phase_misnomer<g>()) &&
              means<"calls", "calls_into">(phase_misnomer<h>()));
static_assert(means<"early_op", "early_ops">(phase_misnomer<i>()) &&
              means<"earlyops", "early_ops">(phase_misnomer<j>()));
static_assert(means<"verifies", "verify">(phase_misnomer<k>()) && means<"check", "verify">(phase_misnomer<l>()));
static_assert(means<"verify", "static void verify(const ir::module&)">(phase_misnomer<m>()));
static_assert(means<"op_list", "using op_list = ops<...>">(phase_misnomer<n>()));
static_assert(means<"early_ops", "using early_ops = ops<...>">(phase_misnomer<o>()));
static_assert(phase_misnomer<p>().said.length == 0 && phase_misnomer<graph>().said.length == 0);
}  // namespace of_phases

// Targets, their code generators and devices
namespace of_targets {
struct a : target {
  using end_in = code;
};
struct b : target {
  using ends = code;
};
struct c : target {
  using ends_at = code;
};
struct d : target {
  using pattern = void;
};
struct e : target {
  using external_codegen = void;
};
struct f : target {
  void config(tn::context&) const;
};
struct g : target {
  void configures(tn::context&) const;
};
struct h : target {
  void configure(tn::context&);
};
struct i : target {
  using requires_facts = tn::facts<>;
};
template <class G>
struct made_by : target {
  using code_generator = G;
};
struct ga {
  using requires_fact = tn::facts<>;
};
struct gb {
  using require_facts = tn::facts<>;
};
struct gc {
  using required_facts = tn::facts<>;
};
struct gd {
  using needs_facts = tn::facts<>;
};
struct ge {
  using requires_facts = shapes;
};
template <class D>
struct made_for : target {
  using device = D;
};
struct da : machine {
  using provide = void;
};
struct db : machine {
  using capabilities = void;
};
static_assert(means<"end_in", "ends_in">(target_misnomer<a>()) && means<"ends", "ends_in">(target_misnomer<b>()));
static_assert(means<"ends_at", "ends_in">(target_misnomer<c>()) && means<"pattern", "patterns">(target_misnomer<d>()));
static_assert(means<"external_codegen", "external_code_generator">(target_misnomer<e>()));
static_assert(means<"config", "configure">(target_misnomer<f>()) &&
              means<"configures", "configure">(target_misnomer<g>()));
static_assert(means<"configure", "void configure(context&) const">(target_misnomer<h>()),
              "nobody has one that may change");
static_assert(means<"requires_facts", "requires_facts' in its 'code_generator">(target_misnomer<i>()));
static_assert(means<"requires_fact", "requires_facts">(target_misnomer<made_by<ga>>()));
static_assert(means<"require_facts", "requires_facts">(target_misnomer<made_by<gb>>()));
static_assert(means<"required_facts", "requires_facts">(target_misnomer<made_by<gc>>()));
static_assert(means<"needs_facts", "requires_facts">(target_misnomer<made_by<gd>>()));
static_assert(means<"requires_facts", "using requires_facts = facts<...>">(target_misnomer<made_by<ge>>()));
static_assert(means<"provide", "provides">(target_misnomer<made_for<da>>()));
static_assert(means<"capabilities", "provides">(target_misnomer<made_for<db>>()));
static_assert(tn::target<target> && !tn::target<a> && tn::target_check<a>::value.code == 8);
}  // namespace of_targets

// Lists that are none: they would say nothing.
namespace of_lists {
template <int Which>
struct base {
  static constexpr tn::fixed_string name = "base";
  using runs_in = graph;
};
struct a : base<0> {
  using needs = shapes;
};
struct b : base<1> {
  using needs = tn::facts<>;
  using gives = shapes;
};
struct c : base<2> {
  using needs = tn::facts<>;
  using keeps = shapes;
};
struct d : base<3> {
  using needs = tn::facts<>;
  using breaks = shapes;
};
struct e : base<4> {
  using needs = tn::facts<>;
  using emits = add;
};
struct f : base<5> {
  using needs = tn::facts<>;
  using eliminates = add;
};
struct g : base<6> {
  using needs = tn::facts<>;
  using emits = tn::facts<>;
};
template <class P>
constexpr bool refused = tn::pass_check<P>::fault.code == 18 && tn::verdict_of<lift, P>.code == 18;
static_assert(refused<a> && refused<b> && refused<c> && refused<d> && refused<e> && refused<f> && refused<g>);
struct h : base<7> {
  using needs = tn::facts<of_facts::a>;
};
struct i : base<8> {
  using needs = tn::facts<>;
  using gives = tn::facts<of_facts::a>;
};
struct j : named {
  using runs_in = of_phases::b;
  using needs = tn::facts<>;
};
static_assert(tn::pass_check<h>::fault.code == 8 && tn::pass_check<i>::fault.code == 8 &&
              tn::pass_check<j>::fault.code == 8);
}  // namespace of_lists

// Facts that are nearly declared, in orders that are right but for that: wherever a pass names them, once or twice.
namespace of_orders {
struct base {
  static constexpr tn::fixed_string name = "base";
  using runs_in = graph;
  using needs = tn::facts<>;
};
struct gives_it : base {
  using gives = tn::facts<of_facts::a>;
  using keeps = tn::all_facts;
};
struct needs_it : base {
  static constexpr tn::fixed_string name = "needs_it";
  using needs = tn::facts<shapes, of_facts::a>;
  using keeps = tn::all_facts;
};
struct breaks_it : base {
  using breaks = tn::facts<of_facts::a>;
};
struct keeps_it : base {
  using keeps = tn::facts<shapes, of_facts::a>;
};
struct says_more : gives_it {
  static constexpr bool at_most_once = true;
};
struct breaks_what_is_given : base {
  static constexpr tn::fixed_string name = "breaks_what_is_given";
  using breaks = tn::facts<shapes>;
};
struct right : named {};
struct breaks_what_nobody_gives : base {
  using breaks = tn::facts<right>;
};
static_assert(tn::verdict_of<lift, gives_it>.code == 8 && tn::verdict_of<lift, infer, gives_it>.code == 8);
static_assert(tn::verdict_of<lift, infer, gives_it, needs_it>.code == 8);
static_assert(tn::verdict_of<lift, gives_it, infer, gives_it>.code == 8);
static_assert(tn::verdict_of<lift, breaks_it>.code == 8 && tn::verdict_of<lift, infer, breaks_it>.code == 8);
static_assert(tn::verdict_of<lift, keeps_it>.code == 8 && tn::verdict_of<lift, infer, keeps_it>.code == 8);
static_assert(tn::verdict_of<lift, says_more>.code == 8 && tn::verdict_of<lift, infer, says_more>.code == 8);
static_assert(tn::verdict_of<lift, infer, breaks_it, gives_it>.pass == 2, "the first pass that names it");
static_assert(tn::is_valid<tn::pass_list<lift, infer, breaks_what_is_given, breaks_what_nobody_gives>>);
static_assert(!tn::can_arrange<front, graph, lift, gives_it>);
// The name of a fact is no member of it, though it is found in it.
struct about : named {};
struct gives_about : base {
  using gives = tn::facts<about>;
};
struct needs_about : base {
  static constexpr tn::fixed_string name = "needs_about";
  using needs = tn::facts<about>;
};
static_assert(tn::is_valid<tn::pass_list<lift, gives_about, needs_about>>);
static_assert(tn::verdict_of<lift, needs_about, gives_about>.code == 2);
}  // namespace of_orders

// Passes
namespace of_passes {
struct plain : named {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
static_assert(tn::pass<plain>);
#define NEAR(SAID, MEANT)                                                                                             \
  struct with_##SAID : plain {                                                                                        \
    using SAID = tn::facts<>;                                                                                         \
  };                                                                                                                  \
  static_assert(tn::pass_check<with_##SAID>::fault.code == 8 && tn::verdict_of<with_##SAID>.code == 8);               \
  static_assert(tn::verdict_of<plain, plain, with_##SAID>.code == 8 && tn::verdict_of<with_##SAID, plain>.pass == 0); \
  static_assert(tn::pass_check<with_##SAID>::fault.said == tn::label(tn::fixed_string(#SAID)));                       \
  static_assert(tn::pass_check<with_##SAID>::fault.meant == tn::label(tn::fixed_string(#MEANT)))
NEAR(need, needs);
NEAR(require, needs);
NEAR(requires_, needs);
NEAR(give, gives);
NEAR(provides, gives);
NEAR(emit, emits);
NEAR(eliminate, eliminates);
NEAR(keep, keeps);
NEAR(preserves, keeps);
NEAR(break_, breaks);
NEAR(invalidates, breaks);
NEAR(run_in, runs_in);
NEAR(runs_on, runs_in);
NEAR(delete_, deletes);
NEAR(merge, merges);
NEAR(move, moves);
NEAR(leave, leaves);
NEAR(handle, handles);
NEAR(option, TENON_ATTRIBUTES);
NEAR(after, not_before);
NEAR(runs_after, not_before);
NEAR(before, not_after);
NEAR(makes_functions, adds_functions);
#undef NEAR
struct says_void : plain {
  using preserves = void;
};
static_assert(tn::verdict_of<plain, says_void>.code == 8, "whatever its type is");
}  // namespace of_passes

// Whatever a pass is, it may stand beside any other, twice too: those of which a class cannot derive, of which it could
// not derive together, and one that derives from another.
namespace of_kinds {
struct plain : named {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
};
struct derived : plain {
  static constexpr tn::fixed_string name = "derived";
};
struct sealed final : plain {
  static constexpr tn::fixed_string name = "sealed";
};
struct work {
  virtual void go() {}
};
struct one : plain, virtual work {
  static constexpr tn::fixed_string name = "one";
  void go() override {}
};
struct other : plain, virtual work {
  static constexpr tn::fixed_string name = "other";
  void go() override {}
};
struct data : plain {
  static constexpr tn::fixed_string name = "data";
  int after = 0, before = 0;
};
static_assert(tn::is_valid<tn::pass_list<plain, derived, plain, derived>>);
static_assert(tn::is_valid<tn::pass_list<plain, sealed, sealed, derived>>);
static_assert(tn::is_valid<tn::pass_list<one, other, one, plain>>);
static_assert(tn::is_valid<tn::pass_list<data, plain, data>>);
static_assert(tn::verdict_of<plain, const derived>.code == 18 && tn::verdict_of<plain, int>.code == 18);
struct declared;
static_assert(tn::verdict_of<plain, declared>.code == 18);

// Who says what few passes say is described in full, beside whomever it stands.
#define UNUSUAL(NAME, ...)                                                    \
  struct with_##NAME : plain {                                                \
    __VA_ARGS__;                                                              \
  };                                                                          \
  static_assert(tn::detail::pass_array<plain, with_##NAME, plain>::data[1] != \
                &tn::detail::described<with_##NAME, true>);                   \
  static_assert(tn::detail::pass_array<with_##NAME>::data[0] != &tn::detail::described<with_##NAME, true>)
UNUSUAL(from, using from = graph);
UNUSUAL(to, using to = graph);
UNUSUAL(eliminates, using eliminates = tn::ops<add>);
UNUSUAL(handles, using handles = tn::handled_by_default<"a test">);
UNUSUAL(deletes, using deletes = tn::effects<>);
UNUSUAL(merges, using merges = tn::effects<>);
UNUSUAL(moves, using moves = tn::effects<>);
UNUSUAL(leaves, using leaves = tn::effects<>);
UNUSUAL(not_between, using not_between = tn::interval<derived, data>);
UNUSUAL(immediately_after, using immediately_after = derived);
UNUSUAL(makes_functions_in, using makes_functions_in = graph);
UNUSUAL(condition, using condition = void);
UNUSUAL(at_most_once, static constexpr bool at_most_once = true);
UNUSUAL(version, static constexpr int version = 2);
#undef UNUSUAL
static_assert(tn::detail::pass_array<plain, derived, lift>::data[1] == &tn::detail::described<derived, true>);
static_assert(!tn::is_valid<tn::pass_list<with_at_most_once, derived, with_at_most_once>>);
}  // namespace of_kinds

// A class, and each of its bases, is found in it by its own name: that is no member.
namespace of_names {
struct absent : named {};
struct side : graph {
  using side_of = graph;
};
struct merge : named {
  using runs_in = graph;
  using needs = tn::facts<absent>;
  using keeps = tn::all_facts;
};
struct again : merge {
  static constexpr tn::fixed_string name = "again";
};
static_assert(fact_misnomer<absent>().said.length == 0 && phase_misnomer<side>().said.length == 0);
static_assert(tn::pass<merge> && tn::pass<again>);
struct prepare : merge {
  static constexpr tn::fixed_string name = "prepare";
  using needs = tn::facts<>;
  using gives = tn::facts<absent>;
};
static_assert(tn::is_valid<tn::pass_list<prepare, merge, again, merge>>);
}  // namespace of_names
}  // namespace

TEST_CASE("a near miss is reported by a soft question too") {
  const tn::meta::phrase said = tn::pass_check<of_lists::h>::say();
  CHECK(std::string(said.characters, said.length) ==
        "tenon-E008: pass 'base' names fact 'named', which has a member 'absent_op' that means nothing to the judge: "
        "write 'absent_ops'");
}
