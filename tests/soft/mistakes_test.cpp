// Mistakes of form that a user makes: each is a sentence, and none a hard error or a silence. Members that are
// forgotten, not static, of another kind; facts that are none. (Near misses of names stand in near_miss_test.cpp.)
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/judge/plan.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

template <class P>
std::string said() {
  constexpr tn::meta::phrase s = tn::pass_check<P>::say();
  return {s.characters, s.length};
}
template <class P>
constexpr int fault_code = tn::pass_check<P>::fault.code;
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct sound {
  static constexpr tn::fixed_string name = "sound";
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
};
struct name_of_each {
  tn::fixed_string<4> name = "each";
  using runs_in = graph;
  using needs = tn::facts<>;
};
struct name_empty : sound {
  static constexpr tn::fixed_string name = "";
};
struct name_pointer : sound {
  static constexpr const char* name = "text";
};
struct needs_all : sound {
  using needs = tn::all_facts;
};
struct gives_all : sound {
  using gives = tn::all_facts;
};
struct deletes_without_list : sound {
  using deletes = tn::effect::writes;
};
struct no_interval : sound {
  using not_between = tn::pass_list<infer, sound>;
};
struct interval_from_op : sound {
  using not_between = tn::interval<add, infer>;
};
struct interval_to_op : sound {
  using not_between = tn::interval<tn::emitter_of<add>, mul>;
};
struct interval_from_emitter_of_pass : sound {
  using not_between = tn::interval<tn::emitter_of<infer>, legalize>;
};
struct interval_to_emitter : sound {
  using not_between = tn::interval<infer, tn::emitter_of<add>>;
};
struct interval_from_nothing : sound {
  using not_between = tn::interval<tn::emitter_of<>, infer>;
};
struct once_as_type : sound {
  using at_most_once = std::true_type;
};
struct once_of_each : sound {
  bool at_most_once = true;
};
struct version_as_text : sound {
  static constexpr const char* version = "1.2";
};
struct nameless_fact {};
struct declared_fact;
struct fact_of_each {
  tn::fixed_string<4> name = "each";
};
struct both {
  static constexpr tn::fixed_string name = "both";
  using absent_ops = tn::ops<add>;
  static bool check(const tn::ir::module&);
};
template <class Fact>
struct giving : sound {
  using gives = tn::facts<Fact>;
};
template <class Fact>
struct needing : sound {
  using needs = tn::facts<Fact>;
};
struct last final : sound {};
struct fast {};
}  // namespace

TEST_CASE("a name that cannot be read, and an empty one") {
  static_assert(fault_code<sound> == 0);
  static_assert(fault_code<name_of_each> == 18 && fault_code<name_empty> == 18 && fault_code<name_pointer> == 18);
  static_assert(!tn::is_valid<tn::pass_list<lift, name_of_each>> && !tn::is_valid<tn::pass_list<lift, name_empty>>);
  CHECK(has(said<name_of_each>(), "has no name that can be read"));
  CHECK(has(said<name_empty>(), "has an empty name"));
}

TEST_CASE("all facts can be kept or broken, and not needed or given") {
  static_assert(fault_code<needs_all> == 18 && fault_code<gives_all> == 18);
  static_assert(!tn::is_valid<tn::pass_list<lift, needs_all>> && !tn::is_valid<tn::pass_list<lift, gives_all>>);
  CHECK(has(said<needs_all>(), "'needs' all facts"));
  CHECK(has(said<gives_all>(), "'gives' all facts"));
}

TEST_CASE("members of another kind") {
  static_assert(fault_code<deletes_without_list> == 18 && fault_code<no_interval> == 18);
  static_assert(fault_code<interval_from_op> == 18 && fault_code<interval_to_op> == 18 &&
                fault_code<interval_from_emitter_of_pass> == 18 && fault_code<interval_to_emitter> == 18 &&
                fault_code<interval_from_nothing> == 18);
  CHECK(has(said<interval_from_op>(), "tenon::emitter_of<op>"));
  static_assert(fault_code<once_as_type> == 8 && fault_code<once_of_each> == 8 && fault_code<version_as_text> == 8);
  CHECK(has(said<deletes_without_list>(), "using deletes = tenon::effects<...>"));
  CHECK(has(said<no_interval>(), "tenon::interval<A, B>"));
  CHECK(has(said<once_as_type>(), "static constexpr bool at_most_once = true"));
  CHECK(has(said<version_as_text>(), "static constexpr int version = 1"));
}

TEST_CASE("facts that are none: without a name, only declared, a pass, with a check that nobody asks") {
  static_assert(fault_code<giving<nameless_fact>> == 8 && fault_code<needing<nameless_fact>> == 8);
  static_assert(fault_code<giving<declared_fact>> == 8 && fault_code<needing<fact_of_each>> == 8);
  static_assert(fault_code<needing<infer>> == 8 && fault_code<giving<both>> == 8 && fault_code<needing<both>> == 8);
  static_assert(!tn::is_valid<tn::pass_list<lift, giving<nameless_fact>>>);
  static_assert(!tn::is_valid<tn::pass_list<lift, infer, needing<infer>>>);
  CHECK(has(said<giving<nameless_fact>>(), "names 'nameless_fact' as a fact, which has no name here"));
  CHECK(has(said<needing<infer>>(), "names pass 'infer' as a fact: name the fact that it gives"));
}

TEST_CASE("passes that are none: const, a reference, a pointer, a pipeline") {
  static_assert(fault_code<const sound> == 18 && fault_code<sound&> == 18 && fault_code<sound*> == 18);
  static_assert(fault_code<tn::pipeline<lift, infer>> == 18);
  CHECK(has(said<tn::pipeline<lift, infer>>(), "is a pipeline, not a pass"));
}

TEST_CASE("optional takes a pass that can be derived from, once, and a condition") {
  using tn::detail::optional_check;
  static_assert(optional_check<infer, tn::when<"fast">>::ok);
  static_assert(optional_check<last, tn::when<"fast">>::fault == 2);
  static_assert(optional_check<tn::optional<infer, tn::when<"fast">>, tn::when<"far">>::fault == 3);
  static_assert(optional_check<infer, fast>::fault == 4);
}

TEST_CASE("is_valid takes a pipeline too") {
  static_assert(tn::is_valid<tn::pipeline<lift, infer>> && !tn::is_valid<tn::pass_list<infer, lift>>);
}

namespace {
template <class Check>
std::string told() {
  constexpr tn::meta::phrase s = Check::say();
  return {s.characters, s.length};
}
template <class T>
using module_of = tn::detail::phase_check<T>;
using tn::detail::arranged, tn::detail::shortened;
struct later;
struct phase_of_each {
  tn::fixed_string<4> name = "each";
  using op_list = tn::ops<add>;
};
}  // namespace

TEST_CASE("what stands where the phase of a module is meant") {
  static_assert(module_of<graph>::ok && module_of<tn::extend<graph, closure>>::ok);
  static_assert(!module_of<infer>::ok && !module_of<lift>::ok && !module_of<later>::ok && !module_of<int>::ok);
  static_assert(!module_of<tn::pipeline<lift>>::ok && !module_of<legal>::ok && !module_of<phase_of_each>::ok);
  CHECK(told<module_of<infer>>() ==
        "tenon-E034: 'infer' is a pass, and stands where a phase is meant: name the phase that it runs in, 'graph'");
  CHECK(has(told<module_of<lift>>(), "name the phase that it leaves, 'front', or leads to, 'graph'"));
  CHECK(has(told<module_of<tn::pipeline<lift>>>(), "is a pipeline, and stands"));
  CHECK(has(told<module_of<legal>>(), "'legal' is a fact, and stands"));
  CHECK(has(told<module_of<shapes>>(), "'shapes' is a fact, and stands"));
  CHECK(has(told<module_of<later>>(), "'later' is only declared here, and stands"));
  CHECK(has(told<module_of<phase_of_each>>(), "is without a static 'name' that can be read"));
  CHECK(has(told<module_of<int>>(), "is no struct, and stands"));
}

TEST_CASE("a plan begins with phases") {
  static_assert(!tn::can_arrange<> && !tn::can_arrange<front> && !tn::can_arrange<lift, infer> &&
                !tn::can_arrange<front, lift, infer>);
  static_assert(!tn::can_reach<> && !tn::can_reach<front> && !tn::can_reach<front, shapes, lift> &&
                !tn::can_reach<lift, tn::goal<graph>, lift>);
  CHECK(told<arranged<front, lift, infer>>() ==
        "tenon-E034: 'lift' is a pass, and stands where a phase is meant: write arrange<From, To, passes...>");
  CHECK(has(told<arranged<front, tn::detail::unwritten>>(), "nothing stands where a phase is meant"));
  CHECK(has(told<shortened<shapes, graph, lift>>(),
            "'shapes' is a fact, and stands where a phase is meant: write minimal<From, goal<"));
  CHECK(has(told<shortened<tn::facts<shapes>, graph, lift>>(), "a list of facts stands where a phase is meant"));
  CHECK(has(told<shortened<front, infer, lift>>(), "'infer' is a pass, and stands where a phase is meant"));
  CHECK(has(told<shortened<front, tn::all_facts, lift>>(), "stands where a phase is meant"));
}

TEST_CASE("what stands where the facts of a goal are meant") {
  static_assert(!tn::can_reach<front, tn::goal<graph, shapes>, lift, infer>);
  static_assert(!tn::can_reach<front, tn::goal<graph, tn::all_facts>, lift, infer>);
  CHECK(has(told<shortened<front, tn::goal<graph, shapes>, lift, infer>>(),
            "'shapes' stands where a list of facts is meant"));
  CHECK(has(told<shortened<front, tn::goal<graph, tn::facts<infer>>, lift, infer>>(),
            "'infer' is a pass, and stands where a fact is meant"));
  CHECK(has(told<shortened<front, tn::goal<graph, tn::facts<nameless_fact>>, lift, infer>>(),
            "is not fully declared as a fact"));
}

TEST_CASE("a phase is a goal, and a pipeline is a list of passes") {
  static_assert(tn::meta::same<tn::minimal<front, graph, lift, infer>, tn::pipeline<lift>>);
  static_assert(tn::meta::same<tn::arrange<front, graph, infer, tn::pipeline<lift>>, tn::pipeline<lift, infer>>);
}

namespace {
struct both_ways : sound {
  using eliminates = tn::ops<add, mul>;
  using handles = tn::ops<add, mul>;
  using emits = tn::ops<mul, kernel_call>;
};
struct any_way : both_ways {
  using emits = tn::any_ops;
};
struct added_way : both_ways {
  using runs_in = tn::extend<graph, closure>;
  using eliminates = tn::ops<closure>;
  using handles = tn::ops<closure>;
  using emits = tn::ops<closure>;
};
struct one_way : both_ways {
  using emits = tn::ops<kernel_call>;
};
struct of_others : both_ways {  // which users may add
  using eliminates = tn::ops<closure>;
  using handles = tn::ops<closure>;
  using emits = tn::ops<add>;
};
struct over {
  static constexpr tn::fixed_string name = "over";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
  using eliminates = graph::op_list;
  using handles = graph::op_list;
  using emits = tn::ops<kernel_call>;
};
}  // namespace

TEST_CASE("of an op that a pass eliminates none is left") {
  static_assert(fault_code<both_ways> == 35 && fault_code<added_way> == 35);
  static_assert(!tn::is_valid<tn::pass_list<lift, both_ways>>);
  static_assert(tn::is_valid<tn::pass_list<lift, any_way>>,
                "who does not say what it emits may emit it: it may be there");
  static_assert(!tn::is_valid<tn::pass_list<both_ways>> && tn::is_valid<tn::pass_list<one_way>>);
  static_assert(fault_code<one_way> == 0 && fault_code<of_others> == 0 && fault_code<over> == 0);
  CHECK(said<both_ways>() ==
        "tenon-E035: pass 'sound' eliminates op 'mul', and emits it: say what it 'emits' without it, or leave it out "
        "of 'eliminates'");
}
