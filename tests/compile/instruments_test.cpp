// Whatever runs passes tells the instruments of a context of each of them; the ready-made ones.
#include <doctest/doctest.h>

#include <tenon/compile/instruments/all.hpp>
#include <tenon/compile/repeat.hpp>
#include <tenon/compile/run_inside.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/tenon.hpp>

#include "support/caught.hpp"

using namespace tenon;
using testing::caught, testing::code_of;

namespace {

constexpr std::string_view text = R"(tenon.module phase=optimization
constant #0 : tensor<f32> = [2]
func entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %1 = constant() {value = #0} : tensor<f32>
  %2 = add(%1, %1) : tensor<f32>
  %3 = mul(%0, %2) : tensor<4xf32>
  return(%3)
}
func @other(%0: tensor<f32>) -> (tensor<f32>) {
  return(%0)
}
)";
using graph = ir_module<phases::optimization>;
graph module_of_text() { return parse<phases::optimization>(text); }

/// Notes whatever it is told.
struct note_taker {
  std::string seen;
  void skipped(const pass_event& e) { note("skip", e); }
  void before(const pass_event& e) { note("before", e); }
  void after(const pass_event& e) { note("after", e); }
  void failed(const pass_event& e, const std::exception&) { note("failed", e); }
  void note(const char* what, const pass_event& e) {
    seen.append(seen.empty() ? "" : " ").append(what).append(e.depth, '.').append(":").append(e.pass);
  }
};

struct quiet {
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
};
/// Doubles the first constant: what is computed is another.
struct spoil : quiet {
  static constexpr fixed_string name = "spoil";
  void run(ir_module<runs_in>& m, context&) const {
    ir::module& body = m.body();
    for (function_id f : body.functions())
      ir::for_each_op(body, body[f].body, [&](op_id op) {
        const auto* c = std::as_const(body).view(op).get_if<op::constant>();
        if (!c) return;
        tensor t = body[c->value].value;
        for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, 2 * t.at_f64(i));
        const op::constant doubled{body.add_constant(t)};
        body.set_attributes(op, body.intern_attributes(body.view(op).info(), &doubled));
      });
  }
};
/// Fails where there are so many ops, or more.
struct fails : quiet {
  static constexpr fixed_string name = "fails";
  i64 at_ops = 1;
  std::string reason = "it had to";
  TENON_ATTRIBUTES(at_ops, reason)
  void run(ir_module<runs_in>& m, context&) const {
    if (static_cast<i64>(instrument::statistics::count(std::as_const(m).body())) >= at_ops)
      throw error("test.fails", reason);
  }
};
fails failing(i64 at_ops, std::string reason = "it had to") {
  fails f;
  f.at_ops = at_ops, f.reason = std::move(reason);
  return f;
}
struct around : quiet {
  static constexpr fixed_string name = "around";
  void run(ir_module<runs_in>& m, context& cx) const { run_inside<fails>(*this, m, cx); }
};
struct tidy : quiet {
  static constexpr fixed_string name = "tidy";
  void run(ir_module<runs_in>&, context&) const {}
};
using maybe = optional<tidy, when<"tidy">>;
using passes::infer_shapes, passes::fold_constants, passes::eliminate_dead;
using known_passes = pass_list<infer_shapes, fold_constants, eliminate_dead, spoil, fails, around, tidy>;

std::unique_ptr<ir::module> body_of_text() { return std::make_unique<ir::module>(parse(text)); }
order parsed(std::string_view passes) {
  return order::parse(passes, registry_of<known_passes>, &phase_desc_of<phases::optimization>);
}
}  // namespace

TEST_CASE("several at once see each pass, whoever runs it") {
  context cx;
  cx.set(failing(1000));
  instruments<note_taker, instrument::timing> watch(cx);
  std::string& seen = watch.get<note_taker>().seen;
  const auto said = [&] { return std::exchange(seen, ""); };

  static_cast<void>(run<infer_shapes>(module_of_text(), cx));
  CHECK(said() == "before:infer_shapes after:infer_shapes");
  static_cast<void>(run_pipeline<pipeline<tidy, eliminate_dead>>(module_of_text(), cx));
  CHECK(said() == "before:tidy after:tidy before:eliminate_dead after:eliminate_dead");
  static_cast<void>(parsed("tidy, fails").run(body_of_text(), cx));
  CHECK(said() == "before:tidy after:tidy before:fails after:fails");
  static_cast<void>(run<around>(module_of_text(), cx));
  CHECK(said() == "before:around before.:fails after.:fails after:around");
  static_cast<void>(run<repeat<tidy>>(module_of_text(), cx));
  CHECK(said() == "before:repeat(tidy) before.:tidy after.:tidy after:repeat(tidy)");
  static_cast<void>(build<targets::interpreter>(module_of_text(), cx));
  const std::string whole = said();
  CHECK(whole.find("after:infer_shapes") != std::string::npos);
  const target_entry& e = entry_of<targets::interpreter>();
  auto m = std::make_unique<ir::module>(*body_of_text());
  static_cast<void>(e.run(std::move(m), cx, e.passes.size() - 1, e.passes.size()));
  CHECK(said() == "before:" + std::string(std::string_view(e.passes[e.passes.size() - 1]->name)) +
                      " after:" + std::string(std::string_view(e.passes[e.passes.size() - 1]->name)));
  CHECK(watch.get<instrument::timing>().text().find("tidy") != std::string::npos);
}

TEST_CASE("they end with their list; a part of a compilation is watched as the whole") {
  context cx;
  {
    instruments watch(cx, note_taker{});
    context part(&cx);
    static_cast<void>(run<tidy>(module_of_text(), part));
    CHECK(watch.get<note_taker>().seen == "before:tidy after:tidy");
  }
  CHECK(cx.instruments.empty());
}

TEST_CASE("a pass that is left out is said to be; what others depend on is not left out") {
  struct skipper {
    std::string_view pass;
    bool skip(const pass_event& e) { return e.pass == pass; }
  };
  context cx;
  instruments watch(cx, note_taker{}, skipper{"eliminate_dead"});
  cx.set_flag("tidy", false);
  static_cast<void>(run_pipeline<pipeline<infer_shapes, maybe, eliminate_dead>>(module_of_text(), cx));
  CHECK(watch.get<note_taker>().seen == "before:infer_shapes after:infer_shapes skip:tidy skip:eliminate_dead");
  watch.get<skipper>().pass = "infer_shapes";
  const error e = caught([&] { static_cast<void>(run<infer_shapes>(module_of_text(), cx)); });
  CHECK(e.code() == "pass.skip");
  CHECK(e.message().find("'infer_shapes'") != std::string::npos);
}

TEST_CASE("a failure says in which pass, and inside of which") {
  context cx;
  instruments<note_taker> watch(cx);
  const error e = caught([&] { static_cast<void>(run_pipeline<pipeline<tidy, around>>(module_of_text(), cx)); });
  CHECK(e.code() == "test.fails");
  CHECK(e.pass() == "fails in around");
  CHECK(watch.get<note_taker>().seen ==
        "before:tidy after:tidy before:around before.:fails failed.:fails failed:around");
}

TEST_CASE("ops are counted, and times added up") {
  context cx;
  instruments<instrument::statistics, instrument::timing> watch(cx);
  static_cast<void>(
      run_pipeline<pipeline<infer_shapes, fold_constants, eliminate_dead, tidy, tidy>>(module_of_text(), cx));
  REQUIRE(cx.records.size() == 5);
  CHECK(cx.records[2].ops_before == cx.records[1].ops_after);
  CHECK(cx.records[2].ops_after < cx.records[2].ops_before);
  const auto& all = watch.get<instrument::timing>().entries;
  REQUIRE(all.size() == 4);
  CHECK(all[3].pass == "tidy");
  CHECK(all[3].runs == 2);
}

TEST_CASE("modules are printed before and after a pass, whole or what it changed") {
  std::string before, after, changed;
  context cx;
  instruments watch(cx, instrument::print_before{.pass = "fold_constants", .to = &before},
                    instrument::print_after{.pass = "eliminate_dead", .to = &after},
                    instrument::print_changed{.to = &changed});
  static_cast<void>(run_pipeline<pipeline<infer_shapes, fold_constants, eliminate_dead>>(module_of_text(), cx));
  CHECK(before.starts_with("// before fold_constants\ntenon.module phase=optimization\n"));
  CHECK(before.find("add(") != std::string::npos);
  CHECK(after.starts_with("// after eliminate_dead\n"));
  CHECK(after.find("add(") == std::string::npos);
  CHECK(changed.find("// infer_shapes changed nothing\n") != std::string::npos);
  CHECK(changed.find("// changed by fold_constants\nfunc entry @main") != std::string::npos);
  CHECK(changed.find("// changed by eliminate_dead; removed: @other\n") != std::string::npos);
}

TEST_CASE("a run stops behind a pass, with the module and what is known of it") {
  context cx;
  instruments watch(cx, instrument::stop_after{.pass = "fold_constants"}, note_taker{});
  using way = pipeline<infer_shapes, fold_constants, eliminate_dead>;
  CHECK_THROWS_AS(static_cast<void>(run_pipeline<way>(module_of_text(), cx)), passes_stopped);
  const auto& at = watch.get<instrument::stop_after>();
  REQUIRE(at.module);
  CHECK(at.facts == std::vector<std::string>{"shapes_known"});
  CHECK(print(*at.module).find("@other") != std::string::npos);
  CHECK(watch.get<note_taker>().seen.find("failed") == std::string::npos);
}

TEST_CASE("bisect finds the pass that changes what is computed") {
  context cx;
  instruments<instrument::bisect> watch(cx);
  static_cast<void>(
      parsed("infer_shapes, fold_constants, tidy, eliminate_dead, spoil, tidy, tidy").run(body_of_text(), cx));
  const auto found = watch.get<instrument::bisect>().find();
  REQUIRE(found);
  CHECK(found->pass == "spoil");
  CHECK(found->number == 5);
  CHECK(found->what.find("result 0") != std::string::npos);

  context other;
  instruments<instrument::bisect> right(other);
  static_cast<void>(parsed("infer_shapes, fold_constants, eliminate_dead").run(body_of_text(), other));
  CHECK_FALSE(right.get<instrument::bisect>().find());
  CHECK(right.get<instrument::bisect>().text() == "no pass changes what is computed\n");
}

namespace {
/// Says of each loop that its iterations are independent.
struct parallelize_all {
  static constexpr fixed_string name = "parallelize_all";
  using runs_in = phases::lowering;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context&) const {
    ir::module& body = m.body();
    for (function_id f : body.functions())
      ir::for_each_op(body, body[f].body, [&](op_id op) {
        if (!std::as_const(body).view(op).get_if<loop::for_loop>()) return;
        loop::for_loop how;
        how.kind = loop::loop_kind::parallel, how.independent = true;
        body.set_attributes(op, body.intern_attributes(body.view(op).info(), &how));
      });
  }
};
}  // namespace
TEST_CASE("bisect finds the pass that marks a loop as parallel whose iterations meet, as only their values say") {
  const std::string last_of_four = R"(tenon.module phase=lowering
kernel @last(%a: buffer<4xf32>, %r: buffer<1xf32>) {
  %0 = loop.literal() {type = index} : index
  %n = loop.literal() {type = index, integer = 4} : index
  loop.for(%0, %n) ({ ^(%i: index):
    %x = loop.load(%a[%i]) : f32
    %at = loop.scalar(%i, %0) {fn = min} : index
    loop.store(%x, %r[%at])
    loop.yield()
  })
  return()
}
func entry @main(%x: buffer<4xf32>, %y: buffer<1xf32>) -> (buffer<1xf32>) inputs("x") outputs("y") {
  call_dps(%x, %y) {kernel = @last, inputs = 1}
  return()
}
)";
  context cx;
  instruments<instrument::bisect> watch(cx);
  static_cast<void>(run<parallelize_all>(parse<phases::lowering>(last_of_four), cx));
  const auto found = watch.get<instrument::bisect>().find();
  REQUIRE(found);
  CHECK(found->pass == "parallelize_all");
  CHECK(found->what.find("interpret.race") != std::string::npos);
}

TEST_CASE("bisect draws inputs for open extents that the module is for") {
  const std::string open = R"(tenon.module phase=optimization conditions("n-3>=0")
func entry @main(%0: tensor<nx2xf32>) -> (tensor<nx2xf32>) inputs("x") outputs("y") {
  %1 = neg(%0) : tensor<nx2xf32>
  return(%1)
}
)";
  context cx;
  instruments<instrument::bisect> watch(cx);
  static_cast<void>(parsed("infer_shapes, tidy").run(std::make_unique<ir::module>(parse(open)), cx));
  CHECK_FALSE(watch.get<instrument::bisect>().find());
}

namespace {
/// Says that it emits nothing.
struct lies : quiet {
  static constexpr fixed_string name = "fails";  // as text finds it
  void run(ir_module<runs_in>& m, context&) const {
    ir::module& body = m.body();
    const region_id r = body[body.find_function("other")].body;
    const std::vector<value_id> arguments = body[r].arguments;
    ir::builder<>(body, r).make_op(op::neg{}, arguments);
  }
};
/// Runs what a file says, as `tenon opt` does.
error rerun(const std::string& file) {
  const text_run run = run_of_text(file);
  const std::vector<std::string> facts = facts_of_text(file);
  context cx;
  cx.verify_each = run.verify_each;
  cx.set_flags(run.flags);
  const auto m = std::make_unique<ir::module>(parse(file));
  const order o = order::parse(run.passes, registry_of<known_passes>, &phase_desc_of<phases::optimization>,
                               registry_of<known_passes>.proven(*m, facts));
  return caught([&] { static_cast<void>(o.run(std::make_unique<ir::module>(*m), cx)); });
}
std::string read(const std::string& path) {
  std::string s;
  std::FILE* f = std::fopen(path.c_str(), "rb");
  for (int c; f && (c = std::fgetc(f)) != EOF;) s += static_cast<char>(c);
  if (f) std::fclose(f);
  return s;
}
}  // namespace

TEST_CASE("what fails leaves a file that fails alike") {
  const std::string path = "instruments_test_reproducer.tir";
  std::remove(path.c_str());
  context cx;
  instruments watch(cx, instrument::reproducer{.path = path});
  cx.set(failing(3, "two words, and \"quotes\""));
  cx.target = target_spec{{}, "interpreter", {}, {}};
  cx.set_flag("tidy", true);
  const error e = caught([&] {
    using way = pipeline<infer_shapes, fold_constants, maybe, fails, eliminate_dead>;
    static_cast<void>(run_pipeline<way>(module_of_text(), cx));
  });
  REQUIRE(watch.get<instrument::reproducer>().written);
  const std::string file = read(path);
  const text_run run = run_of_text(file);
  CHECK(run.passes == R"(fails{at_ops=3, reason="two words, and \"quotes\""}, eliminate_dead)");
  CHECK(run.flags == "tidy=on");
  CHECK(facts_of_text(file) == std::vector<std::string>{"shapes_known"});
  CHECK(parse(file).build.target == "interpreter");
  const error again = rerun(file.substr(0, file.find(" flags=")) + file.substr(file.find(" flags=") + 16));
  CHECK(again.code() == e.code());
  CHECK(again.message() == e.message());
  std::remove(path.c_str());
}

TEST_CASE("so does a pass that verify_each blames, and one by hand") {
  const std::string path = "instruments_test_lies.tir";
  std::remove(path.c_str());
  context cx;
  instruments watch(cx, instrument::verify_each{}, instrument::reproducer{.path = path});
  const error e = caught([&] { static_cast<void>(run<lies>(establish<fact::shapes_known>(module_of_text()), cx)); });
  CHECK(e.code() == "tenon-E030");
  REQUIRE(watch.get<instrument::reproducer>().written);
  const std::string file = read(path);
  CHECK(run_of_text(file).passes == "fails");
  CHECK(run_of_text(file).verify_each);
  CHECK(facts_of_text(file) == std::vector<std::string>{"shapes_known"});
  std::remove(path.c_str());
}

TEST_CASE("a failure that cannot be written down is still that failure") {
  context cx;
  instruments watch(cx, instrument::reproducer{.path = "no_such_folder/x.tir"});
  CHECK(code_of([&] { static_cast<void>(run<fails>(module_of_text(), cx)); }) == "test.fails");
  CHECK_FALSE(watch.get<instrument::reproducer>().written);
}

TEST_CASE("an order that comes as text has options") {
  context cx;
  CHECK(code_of([&] { static_cast<void>(parsed("fails").run(body_of_text(), cx)); }) == "test.fails");
  static_cast<void>(parsed("fails{at_ops=1000}, fails { reason = \"a, b\" , at_ops=1000}").run(body_of_text(), cx));
  CHECK(caught([&] { static_cast<void>(parsed("fails{reason=other}").run(body_of_text(), cx)); }).message() == "other");
  const error unknown = caught([&] { parsed("fails{at_op=3}"); });
  CHECK(unknown.code() == "pass.option");
  CHECK(unknown.hint() == "did you mean 'at_ops'?");
  CHECK(code_of([&] { parsed("tidy{x=1}"); }) == "pass.option");
  CHECK(code_of([&] { parsed("fails{at_ops=many}"); }) == "pass.value");
  for (const char* wrong : {"fails{", "fails{at_ops", "fails{at_ops=1", "fails{at_ops=1 2}", "fails{reason=\"x}", "{}"})
    CHECK_MESSAGE(code_of([&] { parsed(wrong); }) == "pass.syntax", wrong);
  CHECK(parsed("tidy{}, tidy").size() == 2);
}
