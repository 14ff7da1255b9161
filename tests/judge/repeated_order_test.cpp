// What passes say that are repeated: the same as a type and in an order that comes as text, for every two and many
// threes.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <tenon/compile/repeat.hpp>
#include <tenon/judge/repeated_order.hpp>

#include <support/caught.hpp>

namespace repeated_members {
namespace tn = tenon;

struct random_state {
  static constexpr tn::fixed_string name = "random_state";
};
struct waiting {
  static constexpr tn::fixed_string name = "waiting";
  static constexpr bool duplicable = true;
};
struct load {
  static constexpr tn::fixed_string name = "load";
};
struct mul {
  static constexpr tn::fixed_string name = "mul";
};
struct draw {
  static constexpr tn::fixed_string name = "draw";
  using effects = tn::effects<random_state>;
};
struct wait {
  static constexpr tn::fixed_string name = "wait";
  using effects = tn::effects<waiting>;
};
struct warps {
  static constexpr tn::fixed_string name = "warps";
  using region_forbids = tn::ops<wait, draw>;
};
struct graph {
  static constexpr tn::fixed_string name = "graph";
  using op_list = tn::ops<load, mul, draw, wait, warps>;
};
struct shapes {
  static constexpr tn::fixed_string name = "shapes";
};
struct lives {
  static constexpr tn::fixed_string name = "lives";
};
struct no_mul {
  static constexpr tn::fixed_string name = "no_mul";
  using absent_ops = tn::ops<mul>;
};

template <int Number>
struct quiet {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct infer : quiet<0> {
  static constexpr tn::fixed_string name = "infer";
  using gives = tn::facts<shapes>;
  static constexpr int version = 3;
};
struct fold : quiet<1> {
  static constexpr tn::fixed_string name = "fold";
  using needs = tn::facts<shapes>;
  using keeps = tn::facts<shapes>;
  using emits = tn::ops<load>;
};
struct spoil {
  static constexpr tn::fixed_string name = "spoil";
  using runs_in = graph;
  using needs = tn::facts<>;
  using breaks = tn::facts<shapes>;
  using gives = tn::facts<lives>;
  using emits = tn::ops<mul>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct expand : quiet<2> {
  static constexpr tn::fixed_string name = "expand";
  using emits = tn::ops<load>;
  using eliminates = tn::ops<mul>;
  using handles = tn::ops<mul>;
};
struct match : quiet<3> {
  static constexpr tn::fixed_string name = "match";
  using works_on = tn::ops<mul, draw>;
};
struct after_expand : quiet<4> {
  static constexpr tn::fixed_string name = "after_expand";
  using not_after = expand;
};
struct before_expand : quiet<13> {
  static constexpr tn::fixed_string name = "before_expand";
  using not_before = expand;
};
struct waits : quiet<5> {
  static constexpr tn::fixed_string name = "waits";
  using emits = tn::ops<wait, load>;
};
struct waits_outside : waits {
  static constexpr tn::fixed_string name = "waits_outside";
  using emits_outside = tn::ops<wait>;
};
struct draws_outside : quiet<6> {
  static constexpr tn::fixed_string name = "draws_outside";
  using emits = tn::ops<wait, draw>;
  using emits_outside = tn::any_ops;
};
struct careful : quiet<7> {
  static constexpr tn::fixed_string name = "careful";
  using emits = tn::any_ops;
  using emits_outside = tn::any_ops;
  using encloses = tn::ops<load>;
  using changes = tn::any_ops;
};
struct outlines : quiet<8> {
  static constexpr tn::fixed_string name = "outlines";
  using emits = tn::ops<warps>;
  using encloses = tn::ops<load, mul>;
  using changes = tn::ops<mul, warps>;
};
struct encloses_all : outlines {
  static constexpr tn::fixed_string name = "encloses_all";
  using encloses = tn::any_ops;
};
struct deletes_draws : quiet<9> {
  static constexpr tn::fixed_string name = "deletes_draws";
  using deletes = tn::effects<random_state, waiting>;
};
struct moves_waits : quiet<10> {
  static constexpr tn::fixed_string name = "moves_waits";
  using changes = tn::ops<load, mul>;
  using moves = tn::effects<waiting>;
  using leaves = tn::effects<random_state>;
};
struct copies_waits : quiet<11> {
  static constexpr tn::fixed_string name = "copies_waits";
  using duplicates = tn::effects<waiting>;
  using leaves = tn::effects<random_state>;
};
struct reruns_all : quiet<12> {
  static constexpr tn::fixed_string name = "reruns_all";
  using recomputes = tn::any_effects;
  using leaves = tn::effects<random_state>;
};

std::set<std::string> names(const tn::op_set& ops) {
  std::set<std::string> r;
  for (const tn::op_key& op : ops) r.emplace(std::string_view(op.name().data(), op.name().size()));
  return r;
}
std::string joined(const std::set<std::string>& parts) {
  std::string r;
  for (const std::string& p : parts) r += " " + p;
  return r;
}
std::string ops_of(const tn::op_set* ops) { return !ops ? " not said" : !ops->data ? " any" : joined(names(*ops)); }
std::string facts_of(const tn::fact_list& list) {
  std::set<std::string> r;
  if (list.all()) return " all";
  for (const tn::fact_desc* f : list) r.emplace(std::string_view(f->name.data(), f->name.size()));
  return joined(r);
}
/// All that the judge reads of a pass, but for what it is called.
std::string said(const tn::pass_desc& p) {
  const tn::rare_parts& r = p.more();
  std::string s = "needs" + facts_of(p.needs()) + "\ngives" + facts_of(p.gives());
  if (p.says_breaks()) s += "\nbreaks" + facts_of(p.breaks());
  if (p.says_keeps()) s += "\nkeeps" + facts_of(p.keeps());
  s += "\nemits" + (p.emits_any() ? " any" : joined(names(p.emits))) + "\neliminates" + joined(names(p.eliminates));
  s += "\nworks on" + ops_of(r.works_on) + "\noutside" + ops_of(r.outside) + "\nencloses" + ops_of(r.encloses) +
       "\nchanges" + ops_of(r.changes);
  s += "\nbarred" + (r.barred ? joined(names(r.barred->ops)) : "");
  std::set<std::string> treated, repeats;
  for (const tn::effect_desc* e : r.treated) treated.emplace(std::string_view(e->name.data(), e->name.size()));
  s += "\ntreats" + joined(treated) + "\ncopied " + std::to_string(r.copied) + (r.touches_effects ? " touches" : "") +
       (r.copies ? " copies" : "");
  return s + "\nversion " + std::to_string(r.version) + (r.interval_end ? " interval" : "") +
         (r.may_find_nothing ? " may" : "");
}
/// What the types say of some passes that are repeated: the pass that they make, or why they make none.
struct repeated_types {
  std::vector<const tn::pass_desc*> members;
  const tn::pass_desc* pass;
  std::string_view why;
};
template <class... Ps>
repeated_types typed() {
  using check = tn::detail::repeat_check<Ps...>;
  if constexpr (check::ok) {
    return {{&tn::pass_desc_of<Ps>...}, &tn::pass_desc_of<tn::repeat<Ps...>>, {}};
  } else {
    static constexpr tn::meta::phrase why = check::say();
    return {{&tn::pass_desc_of<Ps>...}, nullptr, {why.characters, why.length}};
  }
}
void compare(const repeated_types& types) {
  if (types.pass != nullptr) {
    const tn::detail::repeated_order text("repeat", types.members);
    CAPTURE(std::string_view(types.pass->name.data(), types.pass->name.size()));
    CHECK(said(text.desc()) == said(*types.pass));
  } else {
    const std::string text = tn::testing::caught([&] { tn::detail::repeated_order("repeat", types.members); }).what();
    CHECK(text.find(types.why.substr(12)) != std::string::npos);
  }
}
template <class... Ps>
struct members {
  template <class A>
  static void with_each() {
    (compare(typed<A, Ps>()), ...);
  }
  static void compare_pairs() { (with_each<Ps>(), ...); }
  template <class A, class B>
  static void with_two() {
    (compare(typed<A, B, Ps>()), ...);
  }
};
using all = members<infer, fold, spoil, expand, match, after_expand, waits, waits_outside, draws_outside, careful,
                    outlines, encloses_all, deletes_draws, moves_waits, copies_waits, reruns_all>;
}  // namespace repeated_members

TEST_CASE("passes that are repeated say the same as types and as text, two by two") {
  repeated_members::all::compare_pairs();
}
TEST_CASE("and three by three") {
  using namespace repeated_members;
  all::with_two<infer, spoil>();
  all::with_two<waits_outside, draws_outside>();
  all::with_two<outlines, careful>();
  all::with_two<deletes_draws, copies_waits>();
  members<infer, after_expand, before_expand>::with_two<after_expand, before_expand>();
}
