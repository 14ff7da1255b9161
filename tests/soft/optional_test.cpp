// Optional passes: transitions too, where what follows is in its phase whatever flags are on.
#include <doctest/doctest.h>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/judge/order.hpp>

#include "soft/world.hpp"

namespace {
using namespace world;

// Two ways from `graph` to `code`.
struct leave_fast : leave {
  static constexpr tn::fixed_string name = "leave_fast";
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context& cx) const {
    auto left = leave::run(std::move(m), cx);
    left.body().metadata["left"] = "fast";
    return left;
  }
};
struct settle {
  static constexpr tn::fixed_string name = "settle";
  using runs_in = code;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  void run(tn::ir_module<runs_in>& m, tn::context&) const { m.body().metadata["left"] += "."; }
};
template <class P>
using fast = tn::optional<P, tn::when<"fast">>;
template <class P>
using slow = tn::optional<P, tn::unless<"fast">>;

using two_ways = tn::pipeline<lift, infer, legalize, fast<leave_fast>, slow<leave>, settle>;
static_assert(tn::is_valid<two_ways::passes>);

// One of them alone: what follows would run in either of two phases.
constexpr tn::verdict alone = tn::verdict_of<lift, infer, legalize, fast<leave_fast>, settle>;
static_assert(alone.code == 25 && alone.inner == 1 && alone.pass == 4 && !alone.condition_on[0] &&
              alone.repair_count == 1);
constexpr tn::verdict other =
    tn::verdict_of<lift, infer, legalize, fast<leave_fast>, tn::optional<leave, tn::unless<"quick">>, settle>;
static_assert(other.code == 25 && other.condition_count == 2, "of another flag");
constexpr tn::verdict open_end = tn::verdict_of<lift, infer, legalize, fast<leave>>;
static_assert(open_end.code == 25 && open_end.inner == 25 && open_end.subject == graph::name &&
              open_end.other == code::name);
static_assert(!tn::is_valid<tn::pass_list<lift, infer, fast<legalize>, fast<leave_fast>, slow<leave>>>,
              "ops are left when it is slow");
static_assert(tn::is_valid<tn::pass_list<lift, infer, fast<legalize>, slow<legalize>, fast<leave_fast>, slow<leave>>>);

// A detour under one flag: in, what runs there, and back.
struct side {
  static constexpr tn::fixed_string name = "side";
  using op_list = graph::op_list;
  using side_of = graph;
  static constexpr bool open = true;
};
template <class From, class To>
struct go {
  static constexpr tn::fixed_string name = "go";
  using from = From;
  using to = To;
  using needs = tn::facts<>;
  using keeps = tn::all_facts;
  using emits = tn::ops<>;
  tn::ir_module<to> run(tn::ir_module<from>&& m, tn::context&) const {
    return tn::ir_module<to>::adopt(std::move(m.body()));
  }
};
struct go_in : go<graph, side> {
  static constexpr tn::fixed_string name = "go_in";
};
struct go_back : go<side, graph> {
  static constexpr tn::fixed_string name = "go_back";
};
struct beside : settle {
  static constexpr tn::fixed_string name = "beside";
  using runs_in = side;
  void run(tn::ir_module<runs_in>& m, tn::context&) const { m.body().metadata["left"] += "beside,"; }
};
using detour = tn::pipeline<lift, infer, fast<go_in>, fast<beside>, fast<go_back>, fold, legalize, leave>;
static_assert(!tn::is_valid<tn::pass_list<lift, infer, fast<go_in>, beside, fast<go_back>, fold>>,
              "beside runs in graph when it is slow");
static_assert(!tn::is_valid<tn::pass_list<lift, infer, fast<go_in>, fast<beside>, fold>>, "nobody comes back");

template <class Pipeline>
struct way : target {
  using pipeline = Pipeline;
};
template <class Pipeline>
std::string left_by(bool is_fast) {
  tn::context cx;
  cx.verify_each = true;
  cx.set_flag("fast", is_fast);
  auto m = tn::compile_to<code, way<Pipeline>>(tn::ir_module<front>(), cx);
  static_assert(tn::meta::same<tn::root_phase_t<typename decltype(m)::phase>, code>);
  return m.body().metadata.contains("left") ? m.body().metadata.at("left") : "";
}
}  // namespace

TEST_CASE("alternatives run, one or the other") {
  CHECK(left_by<two_ways>(true) == "fast.");
  CHECK(left_by<two_ways>(false) == ".");
}

TEST_CASE("a detour is taken or not") {
  CHECK(left_by<detour>(true) == "beside,");
  CHECK(left_by<detour>(false) == "");
}

TEST_CASE("the sentence names the flag, and what would do") {
  const auto said = [](const tn::verdict& v) {
    const tn::meta::phrase p = tn::sentence_of(v);
    return std::string(p.characters, p.length);
  };
  CHECK(said(alone) ==
        "tenon-E025: when 'fast' is off, pass 'settle' (5th) runs in phase 'code', but the module is in 'graph' since "
        "'lift' (1st): run 'leave_fast' always");
  CHECK(
      said(open_end) ==
      "tenon-E025: when 'fast' is off, the pipeline ends in phase 'graph', and otherwise, after pass 'leave' (4th), in "
      "'code': run 'leave' always");
}

TEST_CASE("text may name optional passes of a registry, and flags hold") {
  const tn::order o =
      tn::order::parse("lift, infer, legalize, leave_fast, leave, settle",
                       tn::registry_of<tn::pass_list<lift, infer, legalize, fast<leave_fast>, slow<leave>, settle>>);
  for (const bool is_fast : {true, false}) {
    tn::context cx;
    cx.set_flag("fast", is_fast);
    const auto m = o.run(std::make_unique<tn::ir::module>(), cx);
    CHECK(m->metadata.at("left") == (is_fast ? "fast." : "."));
  }
}

namespace {
using tuned = tn::pipeline<lift, infer, fast<fold>, tn::optional<legalize, tn::when<"legal">>>;
struct collected : tn::diagnostic_sink {
  std::vector<tn::diagnostic> all;
  void report(const tn::diagnostic& d) override { all.push_back(d); }
};
/// What is thrown, as "code: message hint", or what is reported.
template <class Run>
std::string told_of(std::vector<const char*> flags, const Run& run) {
  tn::context cx;
  collected sink;
  cx.diagnostics = &sink;
  for (const char* f : flags) cx.set_flag(f, true);
  try {
    run(cx);
  } catch (const tn::error& e) { return e.code() + ": " + e.message() + " " + e.hint(); }
  return sink.all.empty() ? "" : "warning " + sink.all.at(0).code + ": " + sink.all.at(0).message;
}
const auto run_tuned = [](tn::context& cx) { static_cast<void>(tn::run_pipeline<tuned>(tn::ir_module<front>(), cx)); };
const auto build_all = [](tn::context& cx) { static_cast<void>(tn::build<way<two_ways>>(tn::ir_module<front>(), cx)); };
}  // namespace

TEST_CASE("a flag that nothing in the program asks for is an error, with the nearest that there is") {
  CHECK(told_of({"fast", "legal"}, run_tuned) == "");
  CHECK(told_of({"fsat"}, run_tuned).starts_with("flag.unknown"));
  CHECK(told_of({"leggal"}, run_tuned) ==
        "flag.unknown: flag 'leggal' was set, and no pass of this program is optional under it did you mean 'legal'?");
  CHECK(told_of({"fastt", "fast"}, run_tuned).starts_with("flag.unknown"));
  CHECK(told_of({"of another program"}, run_tuned).starts_with("flag.unknown"));
  CHECK(told_of({"of another program"}, build_all).starts_with("flag.unknown"));
}

TEST_CASE("one context serves several pipelines: a flag of another one is no error, in whatever order they run") {
  CHECK(told_of({"fast"}, build_all) == "");
  CHECK(told_of({"legal"}, build_all) ==
        "warning flag.unknown: flag 'legal' was set, and no pass of this pipeline is optional under it");
  CHECK(told_of({"legal"}, [](tn::context& cx) { build_all(cx), run_tuned(cx); }).starts_with("warning"));
  CHECK(told_of({"legal"}, [](tn::context& cx) { run_tuned(cx), build_all(cx); }) == "");
  CHECK(told_of({"legal"}, [](tn::context& cx) {
          static_cast<void>(tn::compile_to<graph, way<two_ways>>(tn::ir_module<front>(), cx));
        }).starts_with("warning flag.unknown"));
}

TEST_CASE("a pass may ask for a flag itself, and a context of a part has those of the whole") {
  tn::context cx;
  const auto ask = [](const tn::context& c) { return c.flag<"asked by hand">(); };
  CHECK(ask(cx));
  CHECK(told_of({"asked by hand"}, build_all).starts_with("warning"));
  cx.set_flag("asked by hand", false);
  tn::context part(&cx);
  CHECK(!ask(part));
}

TEST_CASE("text may leave an optional pass out, and its flag is known all the same") {
  const tn::order o = tn::order::parse("lift, infer", tn::registry_of<tn::pass_list<lift, infer, fast<leave_fast>>>);
  const auto run_text = [&](tn::context& cx) { static_cast<void>(o.run(std::make_unique<tn::ir::module>(), cx)); };
  CHECK(told_of({"fast"}, run_text) == "");
  CHECK(told_of({"fasst"}, run_text).starts_with("flag.unknown"));
}

TEST_CASE("what an optional pass gives is not known behind it") {
  CHECK(tn::order::parse("lift, infer", tn::registry_of<tn::pass_list<lift, fast<infer>>>).facts().empty());
  CHECK(tn::order::parse("lift, infer", tn::registry_of<tn::pass_list<lift, infer, fast<fold>>>).facts() ==
        std::vector<std::string>{"shapes"});
}
