// Mistakes of form that a user makes: each is a sentence, and none a hard error or a silence. Members that are forgotten,
// not static, of another kind; facts that are none. (Near misses of names stand in near_miss_test.cpp.)
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <type_traits>

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
struct no_window : sound {
  using not_between = tn::pass_list<infer, sound>;
};
struct window_from_op : sound {
  using not_between = tn::window<add, infer>;
};
struct window_to_op : sound {
  using not_between = tn::window<tn::emitter_of<add>, mul>;
};
struct window_from_emitter_of_pass : sound {
  using not_between = tn::window<tn::emitter_of<infer>, legalize>;
};
struct window_to_emitter : sound {
  using not_between = tn::window<infer, tn::emitter_of<add>>;
};
struct window_from_nothing : sound {
  using not_between = tn::window<tn::emitter_of<>, infer>;
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
  static_assert(fault_code<deletes_without_list> == 18 && fault_code<no_window> == 18);
  static_assert(fault_code<window_from_op> == 18 && fault_code<window_to_op> == 18 && fault_code<window_from_emitter_of_pass> == 18 &&
                fault_code<window_to_emitter> == 18 && fault_code<window_from_nothing> == 18);
  CHECK(has(said<window_from_op>(), "tenon::emitter_of<op>"));
  static_assert(fault_code<once_as_type> == 8 && fault_code<once_of_each> == 8 && fault_code<version_as_text> == 8);
  CHECK(has(said<deletes_without_list>(), "using deletes = tenon::effects<...>"));
  CHECK(has(said<no_window>(), "tenon::window<A, B>"));
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
