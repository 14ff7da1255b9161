// Orders of passes that come as text: the same verdict and sentence as at compile time.
#include <doctest/doctest.h>

#include <tenon/judge/order.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

using all_passes = tn::pass_list<lift, infer, fold, legalize, leave, spoil>;

std::string failure(std::string_view text) {
  try {
    tn::order::parse(text, tn::registry_of<all_passes>);
  } catch (const tn::error& e) { return e.what(); }
  return "accepted";
}

template <class... Passes>
std::string said() {
  constexpr tn::verdict v = tn::verdict_of<Passes...>;
  const tn::meta::phrase p = tn::sentence_of(v);
  return std::string(p.characters, p.length);
}
}  // namespace

TEST_CASE("a right order parses and runs") {
  tn::context cx;
  cx.verify_each = true;
  const tn::order o = tn::order::parse("lift, infer fold,\n legalize, leave", tn::registry_of<all_passes>);
  REQUIRE(o.size() == 5);
  CHECK(std::string_view(o.end_phase()->name) == "code");
  auto body = o.run(std::make_unique<tn::ir::module>(), cx);
  REQUIRE(body);
  REQUIRE(cx.records.size() == 5);
  CHECK(cx.records[2].name == "fold");
  CHECK(cx.records[4].phase == "code");
}

TEST_CASE("the sentence at run time is the one of the compiler") {
  CHECK(failure("lift, infer, legalize, fold, leave") ==
        said<lift, infer, legalize, fold, leave>().substr(12) + " [tenon-E003]");
  CHECK(failure("lift, fold, infer") == said<lift, fold, infer>().substr(12) + " [tenon-E002]");
  CHECK(failure("lift, infer, legalize, leave, fold").find("tenon-E001") != std::string::npos);
}

// Every code that an order can have, at compile time and as text: one sentence.
namespace {
struct softcap {};
template <int Number>
struct quiet {
  using runs_in = graph;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct once : quiet<0> {
  static constexpr tn::fixed_string name = "once";
  static constexpr bool at_most_once = true;
};
struct shy : quiet<1> {
  static constexpr tn::fixed_string name = "shy";
  using not_between = tn::interval<infer, legalize>;
};
struct shy_of_calls : quiet<4> {
  static constexpr tn::fixed_string name = "shy_of_calls";
  using not_between = tn::interval<tn::emitter_of<kernel_call>, leave>;
};
struct follower : quiet<2> {
  static constexpr tn::fixed_string name = "follower";
  using immediately_after = infer;
};
struct spread : quiet<3> {
  static constexpr tn::fixed_string name = "spread";
  using runs_in = tn::extend<graph, softcap>;
  void run(tn::ir_module<runs_in>&, tn::context&) const {}
};
struct jump_out {
  static constexpr tn::fixed_string name = "jump_out";
  using from = graph;
  using to = code;
  using needs = tn::facts<>;
  using emits = tn::ops<jump>;
  tn::ir_module<to> run(tn::ir_module<from>&&, tn::context&) const { return {}; }
};
struct go_back {
  static constexpr tn::fixed_string name = "go_back";
  using from = code;
  using to = graph;
  using needs = tn::facts<>;
  using eliminates = tn::ops<jump>;
  using handles = tn::ops<jump>;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&&, tn::context&) const { return {}; }
};
struct infer_twin : infer {
  static constexpr tn::fixed_string name = "infer";
};
using maybe_infer = tn::optional<infer, tn::when<"shapes">>;
using maybe_fold = tn::optional<fold, tn::when<"folding">>;
using maybe_lift = tn::optional<lift, tn::when<"lifting">>;

/// The text of an order is judged as the compiler judges it; nothing else is known that could cure it.
template <int Code, class... Ps>
void told_alike() {
  constexpr tn::verdict v = tn::verdict_of<Ps...>;
  static_assert(v.code == Code);
  const std::string compiled = said<Ps...>();
  tn::verdict at_run_time = tn::judge_order({&tn::pass_desc_of<Ps>...});
  if (Code == 9) {  // the names are alike: only the compiler knows those of the classes too
    CHECK(at_run_time.pass_name == at_run_time.culprit_name);
    at_run_time.pass_name = v.pass_name, at_run_time.culprit_name = v.culprit_name;
  }
  const tn::meta::phrase judged = tn::sentence_of(at_run_time);
  CHECK(std::string(judged.characters, judged.length) == compiled);
  if constexpr (Code != 9) {  // text finds one pass of a name
    std::string text;
    ((text += std::string(std::string_view(Ps::name)) + ", "), ...);
    using known = tn::meta::unique_t<tn::pass_list<Ps...>>;
    try {
      tn::order::parse(text, tn::registry_of<known>);
      FAIL_CHECK("accepted: " << text);
    } catch (const tn::error& e) {
      CHECK(e.code() + ": " + e.message() == compiled);
      CHECK(e.code() == compiled.substr(0, 10));
    }
  }
}
}  // namespace

TEST_CASE("each code that an order can have is reported in the same words as text") {
  told_alike<1, lift, infer, legalize, leave, fold>();
  told_alike<1, spoil, lift>();
  told_alike<1, lift, spread>();
  told_alike<2, lift, fold, infer>();
  told_alike<2, lift, fold>();
  told_alike<3, lift, infer, legalize, fold, leave>();
  told_alike<3, lift, infer, spoil, fold>();
  told_alike<4, lift, jump_out>();
  told_alike<4, lift, infer, legalize, fold, jump_out>();
  told_alike<9, lift, infer, infer_twin>();
  told_alike<11, lift, infer, legalize, leave, go_back>();
  told_alike<15, lift, once, infer, once>();
  told_alike<19, lift, infer, shy, legalize>();
  told_alike<19, lift, infer, legalize, shy_of_calls, leave>();
  told_alike<20, lift, infer, fold, follower>();
  told_alike<20, lift, follower>();
  told_alike<25, lift, maybe_infer, fold>();
  // where a flag is asked for, every combination is looked at, by another walk
  told_alike<25, maybe_lift, infer>();
  told_alike<1, lift, spread, maybe_infer>();
  told_alike<11, lift, infer, maybe_fold, legalize, leave, go_back>();
  told_alike<15, lift, once, maybe_infer, once>();
  told_alike<19, lift, infer, shy, maybe_fold, legalize>();
  told_alike<20, follower, maybe_infer>();
}

TEST_CASE("a repair may come from the registry") {
  CHECK(failure("lift, fold") ==
        "pass 'fold' (2nd) needs 'shapes', which no pass before it gives: insert 'infer' before 'fold' [tenon-E002]");
}

TEST_CASE("an unknown pass is named, and the nearest one offered") {
  CHECK(failure("lift, infre") == "there is no pass 'infre'; did you mean 'infer'? [tenon-E026]");
  CHECK(failure("lift, xyzzyplugh_unknown").find("there are: ") != std::string::npos);
}

TEST_CASE("an order that starts in a later phase") {
  CHECK_NOTHROW(tn::order::parse("infer, fold", tn::registry_of<all_passes>, &tn::phase_desc_of<graph>));
  CHECK_THROWS_AS(tn::order::parse("lift", tn::registry_of<all_passes>, &tn::phase_desc_of<graph>), tn::error);
}

TEST_CASE("facts that are known behind the last pass") {
  const auto facts = [](std::string_view text) { return tn::order::parse(text, tn::registry_of<all_passes>).facts(); };
  CHECK(facts("lift").empty());
  CHECK(facts("lift, infer") == std::vector<std::string>{"shapes"});
  CHECK(facts("lift, infer, spoil").empty());
}

TEST_CASE("a pass that lies is named by verify_each") {
  tn::context cx;
  cx.verify_each = true;
  cx.set(infer{.lie = true});
  const tn::order o = tn::order::parse("lift, infer, fold", tn::registry_of<all_passes>);
  try {
    o.run(std::make_unique<tn::ir::module>(), cx);
    FAIL("the lie was not found");
  } catch (const tn::error& e) {
    CHECK(e.code() == "tenon-E030");
    CHECK(std::string_view(e.what()).find("pass 'infer' leaves a module of which 'shapes' is said and is not true") !=
          std::string_view::npos);
  }
}

TEST_CASE("too long an order is refused") {
  std::string text = "lift";
  for (int i = 0; i < 200; ++i) text += ",infer";
  CHECK(failure(text).find("at most 128 passes") != std::string::npos);
}

TEST_CASE("nothing to do") {
  tn::context cx;
  const tn::order o = tn::order::parse(" , ", tn::registry_of<all_passes>);
  CHECK(o.size() == 0);
  CHECK(o.run(std::make_unique<tn::ir::module>(), cx) != nullptr);
}
