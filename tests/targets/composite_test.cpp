// needs: llvm
// Modules split over several targets mean what they mean on one; the common passes ran once.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <random>

#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/importers/graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/host_functions.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/family.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/all.hpp>

#include "../../examples/custom/my_target/npu.hpp"
#include "support/lowered.hpp"
#include "support/random_module.hpp"

#include <support/caught.hpp>
#include <support/skip.hpp>

using namespace tenon;
using testing::caught;

namespace {

using two_cpus = composite<host<targets::cpu>, device<"second", targets::cpu>>;
using mixed = composite<host<targets::cpu>, device<"reference", targets::interpreter>>;
using vectors = composite<host<targets::cpu>, device<"vectors", targets::xsimd>>;
using accelerated = composite<host<targets::cpu>, device<"npu", mine::npu>>;
using plain_c = composite<host<targets::cpu>, device<"plain", targets::c_source>>;
using nested = composite<host<targets::cpu>, device<"board", mixed>>;

size_t runs_of(const context& cx, std::string_view pass) {
  size_t n = 0;
  for (const pass_record& r : cx.records) n += r.name == pass ? 1 : 0;
  return n;
}
size_t count(const ir::module& m, std::string_view name) {
  size_t n = 0;
  ir::for_each_op(m, [&](op_id op) { n += m.view(op).name() == name ? 1 : 0; });
  return n;
}
void check_same(const std::vector<tensor>& got, const std::vector<tensor>& want, const std::string& what) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    const double t = 6e-2;  // 16-bit floats are rounded in other places after fusion
    const comparison c = compare(got[i], want[i], {t, t, t, false});
    CHECK_MESSAGE(c.ok, "result " << i << ": " << c.message << "\n" << what);
  }
}
/// Constrains ops to members at random.
void scatter(ir::module& m, u64 seed, const std::vector<std::string>& members) {
  std::mt19937_64 random(seed);
  std::vector<op_id> ops;
  for (function_id f : m.functions())
    for (op_id op : m[m[f].body].ops)
      if (!m.view(op).info().traits.terminator) ops.push_back(op);
  for (op_id op : ops)
    if (const auto i = random() % (members.size() + 1); i < members.size()) ir::constrain(m, op, members[i]);
}
template <class Target>
std::vector<tensor> ran(const ir::module& m, const std::vector<tensor>& inputs, context& cx,
                        ir::module* linked = nullptr) {
  Target{}.configure(cx);
  const auto built = build<Target>(ir_module<phases::ingestion>::adopt(m), cx);
  if (linked) *linked = built.body();
  return Target::runtime::load(built.body())->run(inputs, 1);
}

struct plain : targets::cpu {
  static constexpr fixed_string name = "plain";
};
/// A target that leaves the way of the others early: behind infer_shapes.
struct of_floats : targets::xsimd {
  static constexpr fixed_string name = "of_floats";
  using pipeline = targets::xsimd::pipeline::edit<without<passes::use_byte_products>>;
};
using early_split = composite<host<targets::cpu>, device<"floats", of_floats>>;
/// A target that runs a pass of the others with options of its own.
struct of_small_scores : targets::cpu {
  static constexpr fixed_string name = "of_small_scores";
  void configure(context& cx) const {
    targets::cpu::configure(cx);
    cx.set(passes::fuse_attention{.least_scores = 1});
  }
};
using tuned = composite<host<targets::cpu>, device<"tuned", of_small_scores>>;

constexpr const char* encoder_decoder = R"(tenon.module phase=ingestion

constant #0 "w" : tensor<8x4xf32> = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8]

func entry @main(%0: tensor<2x8xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) inputs("x") outputs("y", "z") {
  %1 = call(%0) {callee = @encoder} : tensor<2x4xf32>
  %2 = call(%1) {callee = @decoder} : tensor<2x4xf32>
  return(%2, %1)
}

func @encoder(%0: tensor<2x8xf32>) -> (tensor<2x4xf32>) {
  %1 = constant() {value = #0} : tensor<8x4xf32>
  %2 = matmul(%0, %1) : tensor<2x4xf32>
  %3 = tanh(%2) : tensor<2x4xf32>
  return(%3)
}

func @decoder(%0: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
  %1 = exp(%0) : tensor<2x4xf32>
  %2 = softmax(%1) {axis = 1} : tensor<2x4xf32>
  return(%2)
}
)";

tensor ramp(std::vector<i64> shape) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i % 7) / 8 - 0.25);
  return t;
}

}  // namespace

TEST_CASE("a function runs on the member that it is constrained to") {
  const auto m = parse<phases::ingestion>(encoder_decoder);
  const std::vector<tensor> inputs{ramp({2, 8})}, want = interpret(m.body(), "main", inputs);
  for (const char* where : {"", "encoder", "decoder", "main"}) {
    ir::module c = m.body();
    if (*where) ir::constrain(c, where, "second");
    context cx;
    ir::module linked;
    check_same(ran<two_cpus>(c, inputs, cx, &linked), want, where);
    const bool alone = !*where || std::string_view(where) == "main";
    CHECK(count(linked, "launch") == (alone ? 1 : 2));
    CHECK(count(linked, "transfer") == (!*where ? 0 : std::string_view(where) == "main" ? 3 : 2));
    // Whatever the members have in common ran once, on the whole module; the rest once for each part.
    for (const char* pass : {"lift_lambdas", "inline_calls", "infer_shapes", "fuse", "legalize_ops"}) {
      size_t in_list = 0;
      for (const pass_desc* p : passes_of<targets::cpu::pipeline>())
        in_list += std::string_view(p->name) == pass ? 1 : 0;
      CHECK_MESSAGE(runs_of(cx, pass) == in_list, pass);
    }
    CHECK(runs_of(cx, "to_lowering") == count(linked, "launch"));
    CHECK(runs_of(cx, "generate_code") == count(linked, "launch"));
  }
}

TEST_CASE("the common prefix is computed") {
  const auto before = [](std::string_view pass) {  // passes of cpu before the first of this name
    size_t n = 0;
    for (const pass_desc* p : passes_of<targets::cpu::pipeline>()) {
      if (std::string_view(p->name) == pass) break;
      ++n;
    }
    return n;
  };
  CHECK(two_cpus::prefix == before("to_lowering"));
  static_assert(mixed::prefix == 2);  // lift_lambdas, inline_calls
  static_assert(nested::prefix == 2);
  CHECK(accelerated::prefix == before("fold_extents"));  // the made-up accelerator wants static shapes
  CHECK(vectors::prefix == before("fuse"));              // where kernels of xsimd leave the graph
  CHECK(early_split::prefix == before("use_byte_products"));
  CHECK(plain_c::prefix == before("to_lowering"));
  CHECK(common_prefix(two_cpus{}.entries()) == two_cpus::prefix);
  CHECK(common_prefix(mixed{}.entries()) == mixed::prefix);
  CHECK(to_text(two_cpus::spec({})) == "composite(cpu,second@cpu)");
  two_cpus c;
  std::get<1>(c.members).threads = 3;
  CHECK(to_text(two_cpus::spec(c)) == "composite(cpu,second@cpu:threads=3)");
  CHECK(std::get<1>(target_from<two_cpus>(two_cpus::spec(c)).members).threads == 3);
  CHECK(target<nested>);
  CHECK(is_complete<nested>);
}

namespace {
/// The product of x by f32 weights of more digits than narrow ones have, on each member.
ir::module twin_products(std::string_view second) {
  nn::graph g("twins");
  const auto x = g.input<float>("x", {4, 64});
  const auto w = g.constant(testing::random_tensor(dtype::f32, {64, 96}, 5));
  g.output("a", nn::matmul(x, w)), g.output("b", nn::tanh(nn::matmul(x, w)));
  ir::module m = std::move(g).finish().body();
  bool first = true;
  for (function_id f : m.functions())
    for (op_id op : m[m[f].body].ops)
      if (m.view(op).is<op::matmul>() && !std::exchange(first, false)) ir::constrain(m, op, second);
  return m;
}
}  // namespace

TEST_CASE("the common passes make code for each member, with its options") {
  const ir::module m = twin_products("second");
  const std::vector<tensor> x{testing::random_tensor(dtype::f32, {4, 64}, 6)}, want = interpret(m, "main", x);
  const auto distances = [&](const auto& target, const ir::module& of) {
    context cx;
    target.configure(cx);
    using Target = std::remove_cvref_t<decltype(target)>;
    const auto built = build<Target>(ir_module<phases::ingestion>::adopt(ir::module(of)), cx);
    const std::vector<tensor> y = Target::runtime::load(built.body())->run(x, 1);
    return std::pair{testing::distance(y[0], want[0]), testing::distance(y[1], want[1])};
  };
  const double rounded = 1e-4, exact = 1e-5;
  two_cpus rounds;  // the host's weights are of 8 bits
  std::get<0>(rounds.members).precision = passes::precision::int8;
  const auto host_rounds = distances(rounds, m);
  CHECK(host_rounds.first > rounded);
  CHECK(host_rounds.second < exact);
  two_cpus second;  // and those of the other member
  std::get<1>(second.members).precision = passes::precision::int8;
  const auto second_rounds = distances(second, m);
  CHECK(second_rounds.first < exact);
  CHECK(second_rounds.second > rounded);
  const auto by_constraint = distances(two_cpus{}, twin_products("second:precision=int8"));
  CHECK(by_constraint.first < exact);
  CHECK(by_constraint.second > rounded);
  // C reads no narrow weights, and is given none.
  plain_c c;
  std::get<0>(c.members).precision = passes::precision::int8;
  const auto beside_c = distances(c, twin_products("plain"));
  CHECK(beside_c.first > rounded);
  CHECK(beside_c.second < exact);
}

TEST_CASE("the common passes fuse attention for each member that has a kernel for it") {
  const auto attentions = [](const char* where) {
    nn::graph g("scores");
    const auto q = g.input<float>("q", {2, 128, 32}), k = g.input<float>("k", {2, 32, 128});
    const auto v = g.input<float>("v", {2, 128, 32});
    g.output("y", nn::matmul(nn::softmax(nn::matmul(q, k), -1), v));
    ir::module m = std::move(g).finish().body();
    if (*where) ir::constrain(m, "main", where);
    std::vector<tensor> inputs;
    for (const std::vector<i64>& shape : std::vector<std::vector<i64>>{{2, 128, 32}, {2, 32, 128}, {2, 128, 32}})
      inputs.push_back(testing::random_tensor(dtype::f32, shape, 3 + inputs.size()));
    context cx;
    vectors{}.configure(cx);
    const auto common = compile_to<phases::optimization, vectors>(ir_module<phases::ingestion>::adopt(m), cx);
    context whole;
    check_same(ran<vectors>(m, inputs, whole), interpret(m, "main", inputs), where);
    return count(common.body(), "attention");
  };
  CHECK(attentions("") == 1);
  CHECK(attentions("cpu") == 1);
  CHECK(attentions("vectors") == 0);
}

TEST_CASE("the common prefix ends where members give a pass other options") {
  size_t shared = 0;
  const auto& all = passes_of<targets::cpu::pipeline>();
  while (std::string_view(all[shared]->name) != "fuse_attention") ++shared;
  static_assert(tuned::prefix == two_cpus::prefix);  // a type does not say what 'configure' will
  const std::vector<linked_member> members = tuned{}.entries();
  CHECK(common_prefix(members) == shared);
  context cx;
  const error refused = caught([&] { tuned{}.configure(cx); });
  CHECK(refused.code() == "target.tuned");
  CHECK(std::string(refused.what()).find("'tuned' and 'cpu' give pass 'fuse_attention' different options") !=
        std::string::npos);
  // As a text it is a composite all the same, whose members run the pass apart.
  const auto m = parse<phases::ingestion>(encoder_decoder);
  ir::module c = m.body();
  ir::constrain(c, "decoder", "tuned");
  const std::vector<tensor> inputs{ramp({2, 8})};
  context apart;
  const auto built = build_linked(std::make_unique<ir::module>(c), members, 1, apart);
  check_same(built->run(inputs, 1), interpret(m.body(), "main", inputs), "apart");
  CHECK(runs_of(apart, "use_winograd") == 1);
  CHECK(runs_of(apart, "fuse_attention") == 2);
}

TEST_CASE("the split needs what the members rely on") {
  using relied = detail::link_pass<two_cpus>::needs;  // behind legalize_ops
  static_assert(meta::contains_v<fact::ops_legalized, relied> && !meta::contains_v<fact::extents_known, relied>);
  using early = detail::link_pass<early_split>::needs;  // behind infer_shapes
  static_assert(meta::contains_v<fact::shapes_known, early> && !meta::contains_v<fact::channels_last, early>);
  static_assert(meta::size_v<detail::link_pass<mixed>::needs> == 1);  // calls_inlined, which every composite needs
  static_assert(target<edited_target<early_split, insert_after<passes::infer_shapes, passes::eliminate_dead>>>);
  static_assert(  // use_byte_products comes too late
      !target<edited_target<early_split, insert_after<passes::infer_shapes, passes::fold_constants>>>);
  static_assert(!target<edited_target<early_split, without<passes::infer_shapes>>>);
  static_assert(
      !target<edited_target<two_cpus, insert_after<passes::legalize_ops, passes::bind_inputs>>>);  // a window of cpu's
  using board = composite<host<targets::cpu>, device<"inner", early_split>>;  // the members of a member are asked too
  static_assert(target<edited_target<board, insert_after<passes::infer_shapes, passes::fold_extents>>>);
  static_assert(!target<edited_target<board, without<passes::infer_shapes>>>);
}

TEST_CASE("the joined module says what runs where") {
  auto m = parse<phases::ingestion>(encoder_decoder);
  m.constrain("encoder", "reference");
  context cx;
  mixed{}.configure(cx);
  const auto built = build<mixed>(std::move(m), cx);
  const std::string text = print(built);
  INFO(text);
  CHECK(text.find("transfer(%0) {from = \"cpu\", to = \"reference\"}") != text.npos);
  CHECK(text.find("on = \"reference\"") != text.npos);
  CHECK(text.find("await() {on = \"reference\"}") != text.npos);
  CHECK(text.find("transfer(%2) {from = \"reference\", to = \"cpu\"}") != text.npos);
  CHECK(built.body().build.target == "composite(cpu,reference@interpreter)");
  CHECK(print(parse<phases::built>(text)) == text);
  ir::verify<phases::built>(built.body());
}

TEST_CASE("what a whole function is constrained to goes on to the members of a member") {
  const std::vector<tensor> inputs{ramp({2, 8})};
  const auto want = interpret(parse<phases::ingestion>(encoder_decoder).body(), "main", inputs);
  auto m = parse<phases::ingestion>(encoder_decoder);
  m.constrain("main", "board/reference");
  context cx;
  const auto built = build<nested>(std::move(m), cx);
  CHECK(runs_of(cx, "legalize_ops") == 0);  // all of it is interpreted: neither host makes code
  check_same(nested::runtime::load(built.body())->run(inputs, 1), want, "interpreted");
}

TEST_CASE("stopped, changed by hand, constrained, and built on") {
  const std::vector<tensor> inputs{ramp({2, 8})};
  const auto want = interpret(parse<phases::ingestion>(encoder_decoder).body(), "main", inputs);
  context cx;
  two_cpus{}.configure(cx);
  auto graph = compile_to<phases::ingestion, two_cpus>(parse<phases::ingestion>(encoder_decoder), cx);
  auto e = std::move(graph).edit();
  e.constrain("decoder", "second");
  auto halfway = compile_to<phases::optimization, two_cpus>(std::move(e), cx);
  const std::string snapshot = print(halfway);
  CHECK(snapshot.find("target(\"second\")") != snapshot.npos);
  auto again = parse<phases::optimization>(snapshot);
  const auto built = build<two_cpus>(std::move(again), cx);
  CHECK(count(built.body(), "launch") == 2);
  check_same(two_cpus::runtime::load(built.body())->run(inputs, 1), want, print(built));
}

TEST_CASE("errors say who wants what") {
  auto with = [](const char* target) {
    auto m = parse<phases::ingestion>(encoder_decoder);
    m.constrain("encoder", target);
    return m;
  };
  context cx;
  const error none = caught([&] { (void)build<two_cpus>(with("cpi"), cx); });
  CHECK(none.code() == "target.no_member");
  CHECK(none.hint() == "did you mean 'cpu'? the members are: cpu, second");
  CHECK(caught([&] { (void)build<two_cpus>(with("gpu"), cx); }).hint() == "the members are: cpu, second");
  const error alone = caught([&] { (void)build<targets::cpu>(with("gpu"), cx); });
  CHECK(alone.code() == "target.elsewhere");
  CHECK(caught([&] {
          (void)build<composite<host<targets::interpreter>, device<"a", targets::cpu>, device<"b", targets::cpu>>>(
              with("cpu"), cx);
        }).code() == "target.ambiguous");
  (void)build<targets::cpu>(with("cpu"), cx);

  // The interpreter is a target like the others.
  const auto reference = [&](const char* target) {
    context fresh;
    return caught([&] { targets::evaluator::load(build<targets::interpreter>(with(target), fresh).body()); });
  };
  CHECK(reference("gpu").code() == "target.elsewhere");
  CHECK(std::string(reference("gpu").what()).find("is constrained to 'gpu', and this pipeline is for 'interpreter'") !=
        std::string::npos);
  CHECK(reference("interpreter").code() == "none");
}

TEST_CASE("what calls the host within branches keeps its order, whichever members run it") {
  using board = composite<host<targets::interpreter>, device<"second", targets::interpreter>>;
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion

func entry @main(%c: tensor<bool>, %x: tensor<2xf32>) -> (tensor<2xf32>) inputs("c", "x") outputs("y") {
  %y = neg(%x) : tensor<2xf32>
  %a = if_else(%c) : tensor<2xf32> ({
    %e = call_packed(%x) {function = "order.first"} : tensor<2xf32> target("second")
    yield(%e) target("second")
  }, {
    yield(%x) target("second")
  }) target("second")
  %b = if_else(%c) : tensor<2xf32> ({
    %e = call_packed(%x) {function = "order.then"} : tensor<2xf32>
    yield(%e)
  }, {
    yield(%y)
  })
  %z = add(%a, %b) : tensor<2xf32>
  return(%z)
}
)");
  std::vector<std::string> called;
  for (const char* name : {"order.first", "order.then"})
    add_host_function(name, [&called, name](std::span<const tensor> in) {
      called.push_back(name);
      return std::vector<tensor>(in.begin(), in.end());
    });
  context cx;
  const std::vector<tensor> got =
      ran<board>(m.body(), {tensor::from<bool>({}, {true}), tensor::from<float>({2}, {1, 2})}, cx);
  CHECK(called == std::vector<std::string>{"order.first", "order.then"});
  CHECK(got[0].at_f64(1) == 4);
  for (const std::string& name : called) remove_host_function(name);
}

TEST_CASE("random modules, their ops scattered over members") {
  for (u64 seed = 0; seed < 60; ++seed) {
    ir::module m = testing::random_module(7000 + seed);
    const std::vector<tensor> inputs = testing::random_inputs(m, seed), want = interpret(m, "main", inputs);
    const std::string text = print(m);
    INFO(text);
    try {
      ir::module c = m;
      scatter(c, seed, {"second"});
      context cx;
      cx.verify_each = true;
      check_same(ran<two_cpus>(c, inputs, cx), want, print(c));
      c = m;
      scatter(c, seed, {"reference"});
      context other;
      other.verify_each = true;
      check_same(ran<mixed>(c, inputs, other), want, print(c));
      c = m;
      scatter(c, seed, {"vectors"});
      context fourth;
      check_same(ran<vectors>(c, inputs, fourth), want, print(c));
      c = m;
      scatter(c, seed, {"npu"});
      context fifth;
      fifth.verify_each = true;
      check_same(ran<accelerated>(c, inputs, fifth), want, print(c));
      if (seed < 12 && !has_c_compiler()) testing::skip("there is no C compiler");
      else if (seed < 12) {
        c = m;
        scatter(c, seed, {"plain"});
        context sixth;
        sixth.verify_each = true;
        check_same(ran<plain_c>(c, inputs, sixth), want, print(c));
      }
      c = m;
      scatter(c, seed, {"board", "board/reference"});
      context third;
      check_same(ran<nested>(c, inputs, third), want, print(c));
    } catch (const error& e) { FAIL(e.code() << ": " << e.message() << "\n" << text); }
  }
}

TEST_CASE("targets edited together") {
  using family = target_family<targets::cpu, plain>;
  using both = family::edit<without<passes::parallelize>, insert_before<passes::tile, passes::parallelize>>;
  static_assert(target<both::target<1>>);
  static_assert(!family::allows<without<passes::parallelize>>);  // generate_code needs loops_scheduled
}

TEST_CASE("parts of open extents: they find them in their inputs, and what these do not say is asked of the whole") {
  register_target<targets::cpu>();
  register_target<targets::xsimd>();
  const auto with = [](const std::string& where) {
    return ir_module<phases::ingestion>::adopt(parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<nx4xf32>, %z: tensor<mx4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) inputs("x", "z") outputs("r", "s") {
  %a = exp(%x) : tensor<nx4xf32>
  %b = slice(%a) {starts = [0], ends = [9223372036854775807], axes = [0], steps = [2]} : tensor<?x4xf32>
  %c = neg(%b) : tensor<?x4xf32>)" + where + R"(
  %d = exp(%c) : tensor<?x4xf32>
  %e = add(%a, %z) : tensor<?x4xf32>
  %f = neg(%e) : tensor<?x4xf32>)" + where + "\n  return(%d, %f)\n}\n"));
  };
  const std::string file =
      std::filesystem::temp_directory_path() / ("tenon_open_parts_" + std::to_string(::getpid()) + ".tenon");
  for (const std::string member : {"second", "vectors"}) {
    const std::string target = "composite(cpu," + member + (member == "vectors" ? "@xsimd)" : "@cpu)");
    session plain(with(""), {.target = "cpu"}), split(with(" target(\"" + member + "\")"), {.target = target});
    write_atomically(file, make_program(with(" target(\"" + member + "\")"), parse_target(target)));
    const std::unique_ptr<executable> filed = open_executable(file);
    std::filesystem::remove(file);
    for (const i64 n : {3, 6, 1}) {
      CAPTURE(target);
      CAPTURE(n);
      const std::vector<tensor> inputs{testing::random_tensor(dtype::f32, {n, 4}, 1),
                                       testing::random_tensor(dtype::f32, {n, 4}, 2)};
      check_same(split.run(inputs), plain.run(inputs), target);
      check_same(filed->run(inputs, 1), plain.run(inputs), target);
    }
    const std::vector<tensor> apart{tensor(dtype::f32, {3, 4}), tensor(dtype::f32, {5, 4})};
    CHECK(caught([&] { split.run(apart); }).code() == caught([&] { plain.run(apart); }).code());
    CHECK(caught([&] { filed->run(apart, 1); }).code() == "program.condition");
  }
}
