// Targets as data: text, JSON, options, tags, and back to types.
#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/json.hpp>
#include <tenon/targets/registry.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {

enum class speed { slow, quick };
std::span<const std::string_view> enumerator_names(speed) {
  static constexpr std::string_view names[] = {"slow", "quick"};
  return names;
}
struct board : targets::interpreter {
  static constexpr fixed_string name = "board";
  std::string arch;
  i64 lanes = 8;
  double clock = 1.5;
  bool cooled = false;
  speed pace = speed::slow;
  TENON_OPTIONS(arch, lanes, clock, cooled, pace)
};

std::string failure(const char* text) {
  return caught([&] { parse_target(text); }).code();
}

/// A target's own ops are looked for in a user's phases only.
template <class... Phases>
constexpr bool all_built_in(meta::detail::box<phase_list<Phases...>>) {
  return (std::is_same_v<meta::without_t<typename Phases::op_list, built_in_ops>, ops<>> && ...);
}
static_assert(all_built_in(meta::detail::box<detail::library_phases>{}));

}  // namespace

TEST_CASE("text and back") {
  for (const char* text : {"cpu", "cpu:arch=znver4,threads=2", "cpu:features=\"+avx2,-avx512f\"",
                           "composite(cpu,npu@board:lanes=4,clock=2)",
                           "composite(cpu:threads=2,composite(interpreter,x@cpu:threads=1),npu@board)",
                           "cpu:arch=\"a \\\"b\\\" \\\\c\""}) {
    const target_spec s = parse_target(text);
    CHECK(to_text(s) == text);
    CHECK(parse_target(to_text(s)) == s);
    CHECK(target_from_json(to_json(s)) == s);
  }
  const target_spec s = parse_target(" composite( cpu : threads = 2 , npu@board ) ");
  CHECK(to_text(s) == "composite(cpu:threads=2,npu@board)");
  REQUIRE(s.members.size() == 2);
  CHECK(s.members[0].options == std::vector<target_option>{{"threads", "2"}});
  CHECK(s.members[1].label == "npu");
}

TEST_CASE("what is no target is refused") {
  for (const char* text : {"", ":", "cpu:", "cpu:threads", "cpu:=2", "cpu threads", "composite(", "composite()",
                           "composite(cpu", "composite(cpu,)", "cpu:arch=\"open", "@cpu", "a@", "cpu)", "cpu,cpu"})
    CHECK_MESSAGE(failure(text) == "target.syntax", text);
  CHECK(failure(std::string(1000, '(').c_str()) == "target.syntax");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "c(";
  CHECK(failure(deep.c_str()) == "target.syntax");
  for (const char* text : {"", "[]", "{}", "{\"name\": 3, \"x\": 1}", "{\"name\": \"cpu\", \"options\": []}",
                           "{\"name\": \"cpu\", \"optoins\": {}}", "{\"name\": \"a b\"}",
                           "{\"name\": \"cpu\", \"options\": {\"a\": {}}}", "{\"name\": \"cpu\"", "{\"label\": \"x\"}"})
    CHECK_MESSAGE(caught([&] { target_from_json(text); }).code() == "target.json", text);
}

TEST_CASE("JSON takes numbers, bools and tags") {
  CHECK(target_from_json(R"({"name": "board", "options": {"lanes": 4, "cooled": true, "clock": 2.5}})") ==
        parse_target("board:lanes=4,cooled=true,clock=2.5"));
  CHECK(caught([] { to_json(parse_target("cpu:arch=\xb5")); }).code() == "target.json");  // no UTF-8
  CHECK(target_from_json(R"({"tag": "zen4"})") == parse_target("cpu:arch=znver4"));
  CHECK(target_from_json(R"({"name": "zen4", "options": {"threads": 2}})") == parse_target("zen4:threads=2"));
  CHECK(target_from_json(R"({"options": {"arch": "znver3"}, "tag": "zen4"})") == parse_target("zen4:arch=znver3"));
}

TEST_CASE("JSON says nothing that the text could not") {
  for (const char* text : {R"({"name": "cpu", "options": {"a=b": "1"}})", R"({"name": "cpu", "options": {"": "1"}})",
                           R"({"name": "cpu", "options": {"a:b,c": "1"}})", R"({"name": "cpu", "tag": "zen4"})",
                           R"({"tag": "zen4:threads=2"})"})
    CHECK_MESSAGE(caught([&] { target_from_json(text); }).code() == "target.json", text);
  std::string deep = R"({"name": "cpu"})";
  for (int i = 0; i < target_spec::max_depth; ++i) deep = R"({"name": "c", "members": [)" + deep + "]}";
  CHECK(parse_target(to_text(target_from_json(deep))) == target_from_json(deep));
  CHECK(caught([&] { target_from_json(R"({"name": "c", "members": [)" + deep + "]}"); }).code() == "target.json");
}

TEST_CASE("a tag stands for a target with options") {
  CHECK(to_text(parse_target("zen4")) == "cpu:arch=znver4");
  CHECK(to_text(parse_target("zen4:threads=2")) == "cpu:arch=znver4,threads=2");
  CHECK(to_text(parse_target("zen4:arch=znver3")) == "cpu:arch=znver3");
  CHECK(to_text(parse_target("composite(cpu,fast@zen4)")) == "composite(cpu,fast@cpu:arch=znver4)");
  for (const target_tag& t : target_tags()) CHECK(to_text(parse_target(t.name)) == t.target);
}

TEST_CASE("a tag may stand for a composite, whose members keep their names") {
  register_target_tag({"two-evaluators", "composite(interpreter,second@interpreter)", "for tests"});
  CHECK(to_text(parse_target("two-evaluators")) == "composite(interpreter,second@interpreter)");
  const target_spec both = find_target("two-evaluators");
  REQUIRE(both.members.size() == 2);
  CHECK(both.members[1].label == "second");
  CHECK(to_text(parse_target("composite(interpreter,rest@two-evaluators)")) ==
        "composite(interpreter,rest@composite(interpreter,second@interpreter))");
  CHECK(caught([] { register_target_tag({"both", "composite(interpreter,both)", ""}); }).code() == "target.syntax");
}

TEST_CASE("options are members of the target") {
  const board b = target_from<board>(parse_target("board:arch=v2,lanes=16,clock=0.25,cooled=true,pace=quick"));
  CHECK(b.arch == "v2");
  CHECK(b.lanes == 16);
  CHECK(b.clock == 0.25);
  CHECK(b.cooled);
  CHECK(b.pace == speed::quick);
  CHECK(to_text(spec_of(b)) == "board:arch=v2,lanes=16,clock=0.25,cooled=true,pace=quick");
  CHECK(to_text(spec_of(board{})) == "board");
  CHECK(options_of<board>()[4].kind == "slow or quick");
  const error unknown = caught([] { target_from<board>(parse_target("board:lane=4")); });
  CHECK(unknown.code() == "target.option");
  CHECK(unknown.hint().find("did you mean 'lanes'") == 0);
  for (const char* bad : {"board:lanes=many", "board:lanes=4x", "board:lanes=", "board:cooled=maybe",
                          "board:clock=fast", "board:pace=quik", "board:lanes=99999999999999999999"})
    CHECK_MESSAGE(caught([&] { target_from<board>(parse_target(bad)); }).code() == "target.value", bad);
  CHECK(caught([] { target_from<targets::interpreter>(parse_target("interpreter:x=1")); }).hint() == "it has none");
}

TEST_CASE("a closed registry gives the type back") {
  using all = target_registry<targets::interpreter, board>;
  i64 lanes = 0;
  all::match(parse_target("board:lanes=3"), [&](const auto& t) {
    if constexpr (requires { t.lanes; }) lanes = t.lanes;
  });
  CHECK(lanes == 3);
  CHECK(caught([] { all::match(parse_target("bord"), [](const auto&) {}); }).code() == "target.unknown");
}

TEST_CASE("sessions know targets by their text") {
  CHECK(find_target("interpreter").name == "interpreter");
  CHECK(find_target("composite(interpreter,other@interpreter)").members.size() == 2);
  const error e = caught([] { find_target("interpeter:x=1"); });
  CHECK(e.code() == "target.unknown");
  CHECK(e.hint() == "did you mean 'interpreter'?");
  CHECK(caught([] { find_target("zenn4"); }).hint() == "did you mean 'zen4' or 'zen2' or 'zen3'?");
  CHECK(caught([] { find_target("something"); }).hint().find("there are: ") == 0);
  CHECK(caught([] { find_target("composite(interpreter,nothing)"); }).code() == "target.unknown");
  CHECK(caught([] { find_target("composite(interpreter,interpreter)"); }).code() == "target.members");
}
