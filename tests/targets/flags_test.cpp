// Flags of targets: of a target by its type and by its name, and of the members of a composite.
#include <doctest/doctest.h>

#include <algorithm>

#include <tenon/judge/optional.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/tenon.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {
struct tidy : targets::interpreter {
  static constexpr fixed_string name = "flags_test_tidy";
  using pipeline = targets::interpreter::pipeline::edit<append<optional<passes::eliminate_dead, when<"tidy">>>>;
};
using board = composite<host<targets::interpreter>, device<"tidy", tidy>>;
using outer = composite<host<targets::interpreter>, device<"board", board>>;

constexpr std::string_view text = R"(tenon.module phase=ingestion
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = add(%0, %0) : tensor<4xf32>
  %2 = mul(%1, %0) : tensor<4xf32>
  return(%2)
}
)";
struct collected : diagnostic_sink {
  std::vector<diagnostic> all;
  void report(const diagnostic& d) override {
    if (d.code == "flag.unknown") all.push_back(d);
  }
};
/// How often `eliminate_dead` ran, and how many flags were reported, when `run` compiles with the flag set.
template <class Run>
std::pair<size_t, size_t> with_flag(bool on, const Run& run) {
  context cx;
  collected sink;
  cx.diagnostics = &sink;
  cx.set_flag("tidy", on);
  auto m = parse<phases::ingestion>(text);
  run(m, cx);
  const auto is_it = [](const pass_record& r) { return r.name == "eliminate_dead"; };
  return {static_cast<size_t>(std::count_if(cx.records.begin(), cx.records.end(), is_it)), sink.all.size()};
}
using counts = std::pair<size_t, size_t>;
}  // namespace

TEST_CASE("a composite has the flags of its members") {
  const auto run = [](ir_module<phases::ingestion>& m, context& cx) {
    m.constrain("main", "tidy");
    static_cast<void>(build<board>(std::move(m), cx));
  };
  CHECK(with_flag(true, run) == counts(1, 0));
  CHECK(with_flag(false, run) == counts(0, 0));
}

TEST_CASE("and of the members of a member") {
  const auto run = [](ir_module<phases::ingestion>& m, context& cx) {
    m.constrain("main", "board/tidy");
    static_cast<void>(build<outer>(std::move(m), cx));
  };
  CHECK(with_flag(true, run) == counts(1, 0));
  CHECK(with_flag(false, run) == counts(0, 0));
}

TEST_CASE("a target by its name, and a composite as text") {
  register_target<tidy>();
  register_target<targets::interpreter>();
  const auto by_name = [](ir_module<phases::ingestion>& m, context& cx) {
    const target_entry& e = find_entry("flags_test_tidy");
    static_cast<void>(e.run(std::make_unique<ir::module>(m.body()), cx, 0, e.passes.size()));
  };
  CHECK(with_flag(true, by_name) == counts(1, 0));
  CHECK(with_flag(false, by_name) == counts(0, 0));
  const auto linked = [](ir_module<phases::ingestion>& m, context& cx) {
    m.constrain("main", "tidy");
    static_cast<void>(build_linked(std::make_unique<ir::module>(m.body()),
                                   members_of(parse_target("composite(interpreter,tidy@flags_test_tidy)")), 1, cx));
  };
  CHECK(with_flag(true, linked) == counts(1, 0));
  CHECK(with_flag(false, linked) == counts(0, 0));
}

TEST_CASE(
    "a flag of another target is reported, and a misspelled one is an error, by type, by name and in a composite") {
  const auto plain = [](ir_module<phases::ingestion>& m, context& cx) {
    static_cast<void>(build<targets::interpreter>(std::move(m), cx));
  };
  CHECK(with_flag(true, plain) == counts(0, 1));
  const auto misspelled = [](auto&& run) {
    return caught([&] {
      context cx;
      cx.set_flag("tydy", false);
      auto m = parse<phases::ingestion>(text);
      run(m, cx);
    });
  };
  CHECK(misspelled(plain).code() == "flag.unknown");
  CHECK(misspelled(plain).hint() == "did you mean 'tidy'?");
  CHECK(misspelled([](auto& m, context& cx) { static_cast<void>(build<board>(std::move(m), cx)); }).code() ==
        "flag.unknown");
  CHECK(misspelled([](auto& m, context& cx) {
          static_cast<void>(entry_of<targets::interpreter>().run(std::make_unique<ir::module>(m.body()), cx, 0, 3));
        }).code() == "flag.unknown");
}
