// needs: llvm xsimd
// A model by a library's kernels and by native code in one program: as the reference says, and as each alone.
#include <tenon/targets/cpu_with.hpp>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/all.hpp>

using namespace tenon;

namespace {

using both = targets::cpu_with<"cpu_xsimd", targets::xsimd>;
static_assert(is_complete<both>);

/// Convolutions, pooling and a dense layer have kernels in xsimd; acosh, cumulative sums and top_k have none.
ir_module<phases::ingestion> model() {
  return parse<phases::ingestion>(R"(tenon.module phase=ingestion
constant #0 : tensor<f32> = [0]
func entry @main(%x: tensor<2x3x12x12xf32>, %w: tensor<8x3x3x3xf32>, %b: tensor<8xf32>, %v: tensor<8x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>) inputs("x", "w", "b", "v") outputs("y", "at") {
  %0 = conv(%x, %w, %b) {pads = [1, 1, 1, 1]} : tensor<2x8x12x12xf32>
  %zero = constant() {value = #0} : tensor<f32>
  %1 = maximum(%0, %zero) : tensor<2x8x12x12xf32>
  %2 = cosh(%1) : tensor<2x8x12x12xf32>
  %3 = max_pool(%2) {kernel = [2, 2], strides = [2, 2]} : tensor<2x8x6x6xf32>
  %4 = acosh(%3) : tensor<2x8x6x6xf32>
  %5 = reduce_sum(%4) {axes = [2, 3], keep_dims = false} : tensor<2x8xf32>
  %6 = matmul(%5, %v) : tensor<2x5xf32>
  %7 = tanh(%6) : tensor<2x5xf32>
  %8, %9 = top_k(%7) {k = 3, axis = 1} : (tensor<2x3xf32>, tensor<2x3xi64>)
  return(%8, %9)
})");
}
std::vector<tensor> inputs() {
  std::vector<tensor> in{tensor(dtype::f32, {2, 3, 12, 12}), tensor(dtype::f32, {8, 3, 3, 3}), tensor(dtype::f32, {8}),
                         tensor(dtype::f32, {8, 5})};
  for (tensor& t : in)
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 37 % 23 - 11) / 64);
  return in;
}
void same(const std::vector<tensor>& got, const std::vector<tensor>& want) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const comparison c = compare(got[i], want[i], {1e-5, 1e-5, 1e-5});
    CHECK_MESSAGE(c.ok, c.message);
  }
}

}  // namespace

TEST_CASE("xsimd's kernels and native code are one program, on one thread and on two") {
  const std::vector<tensor> in = inputs(), want = interpret(model().body(), "main", in);
  context cx;
  cx.verify_each = true;
  const auto built = build<both>(model(), cx);
  CHECK(ir::artifact_calls(built.body()).size() >= 2);
  const partition_report* const r = cx.find<partition_report>();
  REQUIRE(r);
  const auto natively = [&](std::string_view op) {
    return std::any_of(r->host.begin(), r->host.end(), [&](const auto& l) { return l.op == op; });
  };
  for (const char* op : {"cosh", "acosh", "top_k"}) CHECK_MESSAGE(natively(op), op);
  for (const char* op : {"conv", "max_pool", "matmul", "tanh"}) CHECK_MESSAGE(!natively(op), op);
  const auto code = both::runtime::load(built.body());
  for (int threads : {1, 2, 1}) same(code->run(in, threads), want);
}

TEST_CASE("a built module is kept as a file, and runs behind it") {
  const std::vector<tensor> in = inputs(), want = interpret(model().body(), "main", in);
  const auto kept = deserialize<phases::built>(serialize(build<both>(model())));
  CHECK(kept.body().artifacts().size() == ir::artifact_calls(kept.body()).size() + 1);  // and the object code
  same(both::runtime::load(kept.body())->run(in, 1), want);
}

TEST_CASE("a module stopped in each phase is finished from there, through a file") {
  const std::vector<tensor> in = inputs(), want = interpret(model().body(), "main", in);
  const auto finish = [&]<class Phase>(const ir_module<Phase>&, const auto& stopped) {
    auto again = deserialize<Phase>(serialize(stopped));
    const auto built = [&] {
      if constexpr (std::is_same_v<Phase, phases::build>)
        return build<both>(establish<fact::loops_scheduled>(std::move(again)));
      else return build<both>(std::move(again));
    }();
    CHECK(ir::artifact_calls(built.body()).size() >= 2);
    same(both::runtime::load(built.body())->run(in, 1), want);
  };
  finish(ir_module<phases::optimization>(), compile_to<phases::optimization, both>(model()));
  finish(ir_module<phases::lowering>(), compile_to<phases::lowering, both>(model()));
  finish(ir_module<phases::build>(), compile_to<phases::build, both>(model()));
}

TEST_CASE("open extents: xsimd takes its patterns with them, the rest is native for all sizes") {
  const auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<Nx6xf32>, %v: tensor<6x5xf32>, %w: tensor<5x6xf32>) -> (tensor<Nx6xf32>) inputs("x", "v", "w") outputs("y") {
  %0 = tanh(%v) : tensor<6x5xf32>
  %1 = matmul(%0, %w) : tensor<6x6xf32>
  %2 = matmul(%x, %1) : tensor<Nx6xf32>
  %3 = cosh(%2) : tensor<Nx6xf32>
  return(%3)
})");
  const auto built = build<both>(m.clone());
  CHECK(ir::artifact_calls(built.body()).size() == 3);
  const auto code = both::runtime::load(built.body());
  for (i64 n : {2, 5, 1}) {
    std::vector<tensor> in{tensor(dtype::f32, {n, 6}), tensor(dtype::f32, {6, 5}), tensor(dtype::f32, {5, 6})};
    for (tensor& t : in)
      for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 37 % 23 - 11) / 64);
    same(code->run(in, 1), interpret(m.body(), "main", in));
  }
}

TEST_CASE("a model that is divided has regions of both, in memory and as a program file") {
  register_target<both>();
  const auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
constant #0 : tensor<f32> = [1.0625]
func entry @main(%x: tensor<1x2x6x6xf32>, %w: tensor<4x2x3x3xf32>) -> (tensor<?xf32>) inputs("x", "w") outputs("y") {
  %0 = conv(%x, %w) {pads = [1, 1, 1, 1]} : tensor<1x4x6x6xf32>
  %1 = cosh(%0) : tensor<1x4x6x6xf32>
  %limit = constant() {value = #0} : tensor<f32>
  %3 = less(%1, %limit) : tensor<1x4x6x6xbool>
  %4 = non_zero(%3) : tensor<4x?xi64>
  %5 = cast(%4) {to = f32} : tensor<4x?xf32>
  %6 = tanh(%5) : tensor<4x?xf32>
  %7 = reduce_sum(%6) {axes = [0], keep_dims = false} : tensor<?xf32>
  return(%7)
})");
  std::vector<tensor> given{tensor(dtype::f32, {1, 2, 6, 6}), tensor(dtype::f32, {4, 2, 3, 3})};
  for (tensor& t : given)
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 29 % 17 - 8) / 16);
  const std::vector<tensor> want = interpret(m.body(), "main", given);
  session s(m.clone(), session_options{.target = "cpu_xsimd:threads=1"});
  same(s.run(given), want);
  CHECK(s.last_plan().becomes == compilation_form::divided);
  const auto* host = dynamic_cast<const hosted*>(&s.prepare(given));
  REQUIRE(host != nullptr);
  CHECK(host->host().counted().native > 0);
  CHECK(host->host().counted().without_code.empty());

  const std::string file = make_program(m.clone(), parse_target("cpu_xsimd:threads=1"));
  const bundle b = read_bundle(file, nullptr, "model.tenon");
  CHECK(b.kind == "host");
  CHECK(std::any_of(b.parts.begin(), b.parts.end(), [](const auto& p) { return p.form == "bundle"; }));
  CHECK(std::none_of(b.parts.begin(), b.parts.end(), [](const auto& p) { return p.form == "none"; }));
  same(load(read_bundle(file, nullptr, "model.tenon"))->run(given, 1), want);
}

TEST_CASE("sessions know it by its name, once it is registered") {
  register_target<both>();
  CHECK(lookup_entry("cpu_xsimd") != nullptr);
  const std::vector<tensor> in = inputs(), want = interpret(model().body(), "main", in);
  session s(model(), session_options{.target = "cpu_xsimd:threads=1"});
  same(s.run(in), want);
}
