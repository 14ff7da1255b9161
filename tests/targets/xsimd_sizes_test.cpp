// needs: xsimd
// Programs of xsimd whose extents are symbols: compiled once, and run for sizes of every kind beside the interpreter.
#include <thread>

#include <tenon/compile/session.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/runtime/profile.hpp>
#include <tenon/targets/xsimd/part.hpp>
#include <tenon/targets/xsimd_session.hpp>

#include <support/on_xsimd.hpp>

using namespace graph_test;

namespace sizes_test {

/// Inputs of a graph whose symbols have these values.
std::vector<tensor> inputs_for(const ir::module& m, const ir::symbol_values& sizes) {
  ir::module bound(m);
  ir::bind_symbols(bound, sizes);
  return some_inputs(bound);
}

std::string numbers(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i ? ", " : "") + std::to_string(i * 37 % 11 - 5);
  return all;
}

struct graph_of_sizes {
  explicit graph_of_sizes(std::string_view text)
      : source(parse<phases::ingestion>("tenon.module phase=ingestion\n" + std::string(text))) {
    context cx;
    targets::xsimd{}.configure(cx);
    cx.verify_each = true;
    auto built = build<targets::xsimd>(source.clone(), cx);
    ir::for_each_op(built.body(), [&](op_id op) {
      const bool external = ir::called_artifact(built.body(), op) != nullptr;
      kernels += external;
      nests += !external && built.body().view(op).is<op::call_native>();
    });
    code = load_xsimd(built);
  }
  /// Empty, or what differs.
  std::string differs(const ir::symbol_values& sizes, int threads) const {
    const std::vector<tensor> inputs = inputs_for(source.body(), sizes);
    const std::vector<tensor> want = interpret(source.body(), "main", inputs), got = code->run(inputs, threads);
    for (size_t i = 0; i < want.size(); ++i)
      if (const comparison c = compare(got[i], want[i], {2e-5, 2e-5, 1e-5}); !c.ok) return c.message;
    return {};
  }
  void check(std::initializer_list<i64> values) const {
    for (i64 n : values)
      for (int threads : {1, 3}) CHECK_MESSAGE(differs({{"n", n}}, threads) == "", "n = " << n);
  }

  ir_module<phases::ingestion> source;
  std::optional<program> code;
  size_t kernels = 0, nests = 0;
};

}  // namespace sizes_test

using namespace sizes_test;

TEST_CASE("vectorized kernels are bound for the sizes of a run") {
  const graph_of_sizes g(R"(
constant #0 : tensor<3x4xf32> = [1, -2, 3, 4, 5, 6, -7, 8, 9, 10, 11, -12]
func entry @main(%0: tensor<2xnx3xf32>, %1: tensor<nx1xf32>) -> (tensor<2xnx4xf32>, tensor<2x1x4xf32>, tensor<2xnx4xf32>) {
  %2 = constant() {value = #0} : tensor<3x4xf32>
  %3 = matmul(%0, %2) : tensor<2xnx4xf32>
  %4 = add(%3, %1) : tensor<2xnx4xf32>
  %5 = reduce_sum(%4) {axes = [1]} : tensor<2x1x4xf32>
  %6 = softmax(%4) {axis = 1} : tensor<2xnx4xf32>
  return(%4, %5, %6)
})");
  CHECK(g.kernels == 3);
  CHECK(g.nests == 0);
  g.check({5, 1, 0, 300, 7});
}

TEST_CASE("images of open sizes, with what follows from them: strides, padding, sampling") {
  const graph_of_sizes g(R"(
constant #0 : tensor<4x3x3x3xf32> = [)" +
                         numbers(108) +
                         R"(]
func entry @main(%0: tensor<1x3xnx9xf32>) -> (tensor<1x4x?x5xf32>, tensor<1x4x?x2xf32>, tensor<1x4x?x10xf32>) {
  %1 = constant() {value = #0} : tensor<4x3x3x3xf32>
  %2 = conv(%0, %1) {pads = [1, 1, 1, 1], strides = [2, 2]} : tensor<1x4x?x5xf32>
  %3 = max_pool(%2) {kernel = [2, 3], strides = [2, 2], pads = [1, 0, 0, 0]} : tensor<1x4x?x2xf32>
  %4 = resize(%2) {mode = linear, scales = [2, 2], axes = [2, 3]} : tensor<1x4x?x10xf32>
  return(%2, %3, %4)
})");
  CHECK(g.kernels != 0);
  g.check({9, 1, 2, 40, 9});
}

TEST_CASE("loop nests read strides, bounds and memory from the sizes of a run") {
  for (const char* t : {"i64", "f64", "u8"}) {
    CAPTURE(t);
    const auto type = [&](const char* shape) { return "tensor<" + std::string(shape) + "x" + t + ">"; };
    const graph_of_sizes g("func entry @main(%0: " + type("3xnx2") + ", %1: " + type("nx2") + ") -> (" + type("3xnx2") +
                           ", " + type("nx2x3") + ", " + type("3x2") + ", " + type("3xnx2") +
                           ") {\n  %2 = add(%0, %1) : " + type("3xnx2") +
                           "\n  %3 = transpose(%2) {permutation = [1, 2, 0]} : " + type("nx2x3") +
                           "\n  %4 = reduce_max(%2) {axes = [1], keep_dims = false} : " + type("3x2") +
                           "\n  %5 = cumulative_sum(%0) {axis = 1, reverse = true} : " + type("3xnx2") +
                           "\n  return(%2, %3, %4, %5)\n}\n");
    CHECK(g.nests != 0);
    g.check({4, 1, 0, 200, 4});
  }
  const graph_of_sizes products(R"(
func entry @main(%0: tensor<3xnxf64>, %1: tensor<nx5xf64>, %2: tensor<nx4xi32>, %3: tensor<4xnxi32>) -> (tensor<3x5xf64>, tensor<nxnxi32>) {
  %4 = matmul(%0, %1) : tensor<3x5xf64>
  %5 = matmul(%2, %3) : tensor<nxnxi32>
  return(%4, %5)
})");
  CHECK(products.nests == 2);
  products.check({4, 1, 0, 150, 4});
}

TEST_CASE("what a model asks of sizes is checked when it runs") {
  const graph_of_sizes g(R"(
func entry @main(%0: tensor<nx3xf32>, %1: tensor<mx3xf32>) -> (tensor<nx3xf32>) {
  %2 = add(%0, %1) : tensor<nx3xf32>
  return(%2)
})");
  CHECK(g.differs({{"n", 4}, {"m", 4}}, 1) == "");
  const std::vector<tensor> unequal = inputs_for(g.source.body(), {{"n", 4}, {"m", 5}});
  CHECK(code_of([&] { g.code->run(unequal); }) == "program.condition");
}

TEST_CASE("more sizes than stay bound, from several threads at once") {
  const graph_of_sizes g(R"(
func entry @main(%0: tensor<nx5xf32>) -> (tensor<nx5xf32>, tensor<5xnxf32>) {
  %1 = softmax(%0) : tensor<nx5xf32>
  %2 = transpose(%1) {permutation = [1, 0]} : tensor<5xnxf32>
  %3 = exp(%2) : tensor<5xnxf32>
  return(%1, %3)
})");
  std::vector<std::string> wrong(4);
  std::vector<std::thread> threads;
  for (size_t k = 0; k < wrong.size(); ++k)
    threads.emplace_back([&, k] {
      for (i64 i = 0; i < 60; ++i)
        wrong[k] +=
            g.differs({{"n", (i * static_cast<i64>(k + 3)) % (2 * static_cast<i64>(xsimd_kernels::part::kept))}}, 1);
    });
  for (std::thread& t : threads) t.join();
  for (const std::string& w : wrong) CHECK(w == "");
}

TEST_CASE("a session compiles once for all sizes") {
  targets::register_xsimd_target();
  const auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<nx4xf32>) -> (tensor<nx4xf32>) inputs("x") outputs("y") {
  %1 = softmax(%0) : tensor<nx4xf32>
  %2 = sin(%1) : tensor<nx4xf32>
  return(%2)
})");
  session s(m.clone(), {.target = "xsimd"});
  for (i64 n : {3, 0, 17, 3}) {
    const std::vector<tensor> inputs = inputs_for(m.body(), {{"n", n}});
    CHECK(compare(s.run(inputs)[0], interpret(m.body(), "main", inputs)[0]).ok);
  }
  CHECK(s.compilations() == 1);
}

TEST_CASE("a program says what its code and constants take, and what its nests do: of kernels nobody knows it") {
  const graph_of_sizes g(R"(
constant #0 : tensor<3x40xf32> = [)" +
                         numbers(120) +
                         R"(]
func entry @main(%0: tensor<nx3xf32>, %1: tensor<nx4xi64>) -> (tensor<nx40xf32>, tensor<nx4xi64>) {
  %2 = constant() {value = #0} : tensor<3x40xf32>
  %3 = matmul(%0, %2) : tensor<nx40xf32>
  %4 = add(%1, %1) : tensor<nx4xi64>
  return(%3, %4)
})");
  REQUIRE(g.kernels == 1);
  REQUIRE(g.nests == 1);
  const program::parts& said = g.code->description();
  CHECK(said.code_bytes > 0);
  i64 bytes = 0;
  for (const tensor& c : said.constants) bytes += c.defined() ? c.bytes() : 0;
  CHECK(bytes >= 3 * 40 * 4);
  profile seen(100);
  {
    const observed_runs watch(seen);
    g.code->run(inputs_for(g.source.body(), {{"n", 5}}));
  }
  for (const profile::row& r : seen.rows()) {
    CAPTURE(r.step.name);
    if (r.step.name.starts_with("xsimd_")) CHECK_FALSE(r.has_work);
    else if (r.step.kind == run_step::kind_t::kernel) CHECK(r.work.bytes_written == 5 * 4 * 8);
  }
  CHECK(seen.rows().size() >= 2);
}
