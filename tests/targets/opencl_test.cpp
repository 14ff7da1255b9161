// OpenCL: what the interpreter computes, on whatever device there is; sizes of a run; what is refused.
#include <doctest/doctest.h>

#include <cstdlib>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/random_tensor.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/opencl.hpp>
#include <tenon/targets/opencl_session.hpp>
#include <tenon/targets/program_maker.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/caught.hpp"
#include "support/random_module.hpp"
#include "support/setting.hpp"
#include "support/skip.hpp"
#include "support/unlike.hpp"

using namespace tenon;

static_assert(target<targets::opencl> && is_complete<targets::opencl>);
static_assert(can_be<formats::opencl_c, can::save> && !can_be<formats::opencl_c, can::load>);

namespace {

auto built_from(ir::module m, const targets::opencl& target = {}) {
  context cx;
  target.configure(cx);
  return build<targets::opencl>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
}

/// What differs, or nothing.
std::string difference(const ir::module& m, std::span<const tensor> inputs) {
  return testing::unlike(load_opencl(built_from(m)).run(inputs), interpret(m, "main", inputs), testing::allowed_for(m));
}

bool has_device() {
  if (!opencl_devices().empty()) return true;
  testing::skip("there is no OpenCL device");
  return false;
}

}  // namespace

TEST_CASE("grids compute what the interpreter computes") {
  if (!has_device()) return;
  const u64 seeds = testing::setting("TENON_OPENCL_SEEDS", 12);
  for (u64 seed = 0; seed < seeds; ++seed) {
    const ir::module m = testing::random_module(seed);
    std::string found;
    try {
      found = difference(m, testing::random_inputs(m, seed));
    } catch (const error& e) { found = e.what(); }
    CHECK_MESSAGE(found.empty(), "seed " << seed << ": " << found << "\n" << print(m));
  }
}

TEST_CASE("sums of products are those of the interpreter on the same loops, bit for bit") {
  if (!has_device()) return;
  const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<1x3x9x8xf32>, %w: tensor<5x3x3x3xf32>, %v: tensor<8x41xf32>) -> (tensor<?x?x?x?xf32>) inputs("x", "w", "v") outputs("y") {
  %c = conv(%x, %w) {strides = [1, 1], pads = [1, 1, 1, 1], dilations = [1, 1], group = 1} : tensor<?x?x?x?xf32>
  %y = matmul(%c, %v) : tensor<?x?x?x?xf32>
  return(%y)
})");
  std::vector<tensor> inputs = testing::random_inputs(m, 3);
  for (tensor& t : inputs)
    for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 37 % 101) / 64 - 0.7);
  context cx;
  targets::opencl{}.configure(cx);
  const auto loops = compile_to<phases::build, targets::opencl>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  CHECK(same_bits(load_opencl(built_from(m)).run(inputs)[0], interpret(loops.body(), "main", inputs)[0]));
}

TEST_CASE("grids for any sizes compute what the interpreter computes at each") {
  if (!has_device()) return;
  const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<NxKxf32>, %w: tensor<Kx6xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) inputs("x", "w") outputs("y", "z") {
  %p = matmul(%x, %w) : tensor<?x?xf32>
  %y = tanh(%p) : tensor<?x?xf32>
  %z = reduce_sum(%y) {axes = [1], keep_dims = false} : tensor<?xf32>
  return(%y, %z)
})");
  const program p = load_opencl(built_from(m));
  for (const auto& [n, k] : {std::pair<i64, i64>{3, 4}, {70, 9}, {1, 1}, {0, 5}, {3, 4}}) {
    const std::vector<tensor> inputs{random_tensor(dtype::f32, {n, k}, 1), random_tensor(dtype::f32, {k, 6}, 2)};
    const std::vector<tensor> want = interpret(m, "main", inputs), got = p.run(inputs);
    for (size_t i = 0; i < want.size(); ++i) CHECK(compare(got[i], want[i], {1e-5, 1e-5, 1e-5, false}).ok);
  }
}

TEST_CASE("a model of open sizes is compiled once") {
  if (!has_device()) return;
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<Nx4xf32>) -> (tensor<Nx4xf32>) inputs("x") outputs("y") {
  %y = softmax(%x) {axis = 1} : tensor<Nx4xf32>
  return(%y)
})");
  // [run]
  const auto built = build<targets::opencl>(std::move(m));  // the loops of cpu, bound to grids
  const program p = load_opencl(built);                     // compiled by the device's driver
  const tensor one = p["main"](tensor(dtype::f32, {1, 4})), many = p["main"](tensor(dtype::f32, {300, 4}));
  // [end]
  CHECK(one.at_f64(3) == 0.25);
  CHECK(many.at_f64(1199) == 0.25);
}

TEST_CASE("a program file holds the module, whose text the driver of a device compiles where it is opened") {
  register_target<targets::opencl>();
  const auto file_of = [](const char* text) {
    const auto bytes = std::make_shared<const std::string>(
        make_program(parse<phases::ingestion>(text), parse_target("opencl:check_bounds=off")));
    return read_bundle(*bytes, bytes, "the file");
  };
  const char* const open_sizes = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<Nx4xf32>) -> (tensor<Nx4xf32>) inputs("x") outputs("y") {
  %e = exp(%x) : tensor<Nx4xf32>
  %y = softmax(%e) {axis = 1} : tensor<Nx4xf32>
  return(%y)
})";
  const char* const divided = R"(tenon.module phase=ingestion
func entry @main(%c: tensor<bool>, %x: tensor<Nx4xf32>) -> (tensor<Nx4xf32>) inputs("c", "x") outputs("y") {
  %y = if_else(%c) : tensor<Nx4xf32> ({
    %a = tanh(%x) : tensor<Nx4xf32>
    %b = mul(%a, %x) : tensor<Nx4xf32>
    yield(%b)
  }, {
    yield(%x)
  })
  return(%y)
})";
  bundle whole = file_of(open_sizes);  // no device is needed to build
  CHECK(summary_of(whole) == "a module that opencl:check_bounds=off runs");
  if (!has_device()) return;
  const auto p = load(std::move(whole));
  for (const i64 n : {3, 70, 0}) {
    const tensor x[] = {random_tensor(dtype::f32, {n, 4}, 1)};
    const tensor want = interpret(parse(open_sizes), "main", x)[0];
    CHECK(compare(p->run(x, 1)[0], want, {1e-5, 1e-5, 1e-5, false}).ok);
  }
  const auto hosted = load(file_of(divided));
  for (const bool taken : {true, false}) {
    tensor c(dtype::boolean, {});
    c.set_f64(0, taken ? 1 : 0);
    const tensor inputs[] = {c, random_tensor(dtype::f32, {5, 4}, 2)};
    const tensor want = interpret(parse(divided), "main", inputs)[0];
    CHECK(compare(hosted->run(inputs, 1)[0], want, {1e-5, 1e-5, 1e-5, false}).ok);
  }
}

TEST_CASE("what no device can do is said") {
  const ir::module m = parse(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %y = exp(%x) : tensor<4xf32>
  return(%y)
})");
  auto built = built_from(m);
  ir::module named = built.body();
  named.build.target = "opencl:device_number=1000";
  CHECK(testing::code_of([&] { (void)load_opencl(named); }) == "opencl.no_device");
  context cx;
  CHECK(testing::code_of([&] { targets::opencl{.device_number = -1}.configure(cx); }) == "target.value");
  if (!has_device()) return;
  ir::module broken = parse(R"(tenon.module phase=built
func entry @main(%x: buffer<4xf32>, %y: buffer<4xf32>) -> (buffer<4xf32>) inputs("x") outputs("y") target("opencl") {
  return()
})");
  const std::string source = "__kernel void k() { this is no C; }";
  broken.add_artifact({"opencl_c", "opencl-c-1.2", "tenon_main", {source.begin(), source.end()}, "test"});
  std::string said;
  try {
    (void)load_opencl(broken);
  } catch (const error& e) { said = e.what(); }
  CHECK(said.find("opencl.build") != said.npos);
}

TEST_CASE("a text asks for doubles where a kernel computes in them, and only there") {
  const auto asks = [](const std::string& from, const std::string& to) {
    const auto built =
        built_from(parse("tenon.module phase=ingestion\nfunc entry @main(%0: tensor<3x" + from + ">) -> (tensor<3x" +
                         to + ">) inputs(\"double\") outputs(\"y\") {\n  %1 = cast(" + "%0) {to = " + to +
                         "} : tensor<3x" + to + ">\n  return(%1)\n}\n"));
    std::string text;
    for (const ir::artifact& a : built.body().artifacts()) text.append(a.bytes.begin(), a.bytes.end());
    REQUIRE(!text.empty());
    return text.find("cl_khr_fp64") != text.npos;
  };
  CHECK(asks("f64", "f32"));
  CHECK(asks("i32", "f64"));
  CHECK(!asks("i64", "f32"));
}
