// needs: llvm
// External code beside native code: what libraries take of a graph is called by the code that LLVM makes of the rest.
#include "library.hpp"

#include <tenon/compile/build.hpp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/executable.hpp>
#include <tenon/runtime/profile.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu_with.hpp>
#include <tenon/targets/registry.hpp>

#include <support/caught.hpp>

using namespace external_test;

namespace {

using beside = targets::cpu_with<"cpu_library", library>;
using beside_two = targets::cpu_with<"cpu_libraries", library, other_library>;
static_assert(pass<passes::partition_for<library>> && pass<passes::lower_external_calls>);
static_assert(target<beside> && is_complete<beside> && is_complete<beside_two>);
static_assert(target<targets::cpu_with<"cpu_alone">>, "no library at all is cpu");

const char* const net = R"(tenon.module phase=ingestion
constant #0 : tensor<3x4xf32> = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
constant #1 : tensor<f32> = [0]
func entry @main(%0: tensor<2x3xf32>, %1: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) inputs("x", "b") outputs("y", "z") {
  %2 = constant() {value = #0} : tensor<3x4xf32>
  %3 = constant() {value = #1} : tensor<f32>
  %4 = matmul(%0, %2) : tensor<2x4xf32>
  %5 = add(%4, %1) : tensor<2x4xf32>
  %6 = maximum(%5, %3) : tensor<2x4xf32>
  %7 = softmax(%6) : tensor<2x4xf32>
  %8 = mul(%7, %6) : tensor<2x4xf32>
  %9 = add(%8, %7) : tensor<2x4xf32>
  return(%6, %9)
})";

std::vector<tensor> inputs() {
  return {tensor::from<float>({2, 3}, {1, -2, 3, -1, 0.5f, 2}), tensor::from<float>({4}, {-1, 0, 1, 30})};
}
void same(const std::vector<tensor>& got, const std::vector<tensor>& want) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const comparison c = compare(got[i], want[i]);
    CHECK_MESSAGE(c.ok, c.message);
  }
}

/// Where `run_into` is given its buffers, and what it was told before.
struct seen {
  static inline std::vector<const void*> data;
  static inline std::vector<bool> known;
  static inline int prepared = 0;
  static inline bool fails = false;
};
class direct final : public external_code {
 public:
  explicit direct(std::unique_ptr<external_code> c) : code_(std::move(c)) {}
  std::vector<tensor> run(std::span<const tensor> in, int threads) const override { return code_->run(in, threads); }
  void run_into(std::span<const external_buffer> buffers, int threads) const override {
    if (seen::fails) throw error("direct", "as it was told to");
    for (const external_buffer& b : buffers) seen::data.push_back(b.data);
    external_code::run_into(buffers, threads);
  }
  size_t result_count() const override { return code_->result_count(); }
  void prepare(std::span<const tensor* const> known) override {
    ++seen::prepared;
    for (const tensor* t : known) seen::known.push_back(t != nullptr);
  }

 private:
  std::unique_ptr<external_code> code_;
};
struct direct_generator : listing_generator {
  static std::unique_ptr<external_code> load(std::span<const char> bytes) {
    return std::make_unique<direct>(listing_generator::load(bytes));
  }
};
struct direct_library : library {
  static constexpr fixed_string name = "direct";
  using external_code_generator = direct_generator;
  static constexpr passes::partition_options parts{.merge = false, .inner_bytes = 4};
};
using beside_direct = targets::cpu_with<"cpu_direct", direct_library>;

/// Whose generator takes numbers only.
struct exact_generator : listing_generator {
  using requires_facts = facts<fact::static_shapes>;
};
struct exact_library : library {
  static constexpr fixed_string name = "exact";
  using external_code_generator = exact_generator;
};
using beside_exact = targets::cpu_with<"cpu_exact", exact_library>;
static_assert(is_complete<beside_exact>);

/// `net` for any number of rows.
std::string open_net() {
  std::string text = net;
  for (size_t at = text.find("func"); (at = text.find("<2x", at)) != std::string::npos;) text.replace(at, 3, "<Nx");
  return text;
}
std::vector<tensor> rows(i64 n) {
  std::vector<tensor> in{tensor(dtype::f32, {n, 3}), inputs()[1]};
  for (i64 i = 0; i < in[0].size(); ++i) in[0].set_f64(i, static_cast<double>(i * 7 % 11 - 5) / 4);
  return in;
}

}  // namespace

TEST_CASE("where extents are open, external code is given buffers with those of the run") {
  const auto m = parse<phases::ingestion>(open_net());
  context cx;
  cx.verify_each = true;
  const auto built = build<beside_two>(m.clone(), cx);
  CHECK(ir::artifact_calls(built.body()).size() == 3);
  const auto code = beside_two::runtime::load(built.body());
  for (i64 n : {1, 5, 2, 0, 33})
    for (int threads : {1, 2}) same(code->run(rows(n), threads), interpret(m.body(), "main", rows(n)));
}

TEST_CASE("a library that needs numbers gets them, or the model is refused") {
  const auto exact = build<beside_exact>(parse<phases::ingestion>(net));
  same(beside_exact::runtime::load(exact.body())->run(inputs(), 1), interpret(parse(net), "main", inputs()));
  CHECK(code_of([&] { (void)build<beside_exact>(parse<phases::ingestion>(open_net())); }) == "passes.dynamic_shape");
}

TEST_CASE("a program file names what its code calls, and runs where the target is known") {
  const auto m = parse<phases::ingestion>(open_net());
  const std::string file = beside_two::runtime::program_file(build<beside_two>(m.clone()).body());
  const auto open = [&] { return load(read_bundle(file, nullptr, "model.tenon")); };
  const error e = tenon::testing::caught([&] { (void)open(); });
  CHECK(e.code() == "bundle.target");
  CHECK(std::string(e.what()).find("'cpu_libraries', which this process does not have, and calls code of listing") !=
        std::string::npos);
  register_target<beside_two>();
  const bundle b = read_bundle(file, nullptr, "model.tenon");
  REQUIRE(b.parts.size() == 1);
  CHECK(b.parts[0].name == "listing");
  CHECK(b.parts[0].form == "needed");
  const auto code = open();
  for (i64 n : {3, 7}) same(code->run(rows(n), 1), interpret(m.body(), "main", rows(n)));
}

TEST_CASE("what a library takes is called by native code, and the whole means the same") {
  const auto m = parse<phases::ingestion>(net);
  const std::vector<tensor> want = interpret(m.body(), "main", inputs());
  context cx;
  cx.verify_each = true;
  const auto built = build<beside>(m.clone(), cx);
  CHECK(ir::artifact_calls(built.body()).size() == 2);
  CHECK(cx.find<partition_report>()->host.size() == 2);  // softmax and mul
  const auto code = beside::runtime::load(built.body());
  for (int threads : {1, 2}) same(code->run(inputs(), threads), want);
  same(code->run(inputs(), 1), want);

  context two;
  const auto both = build<beside_two>(m.clone(), two);
  CHECK(ir::artifact_calls(both.body()).size() == 3);
  same(beside_two::runtime::load(both.body())->run(inputs(), 1), want);
}

TEST_CASE("what means the same is interpreted in every phase on the way, as text and as a file too") {
  const auto m = parse<phases::ingestion>(net);
  const std::vector<tensor> want = interpret(m.body(), "main", inputs());
  const auto check = [&](const auto& stopped, std::string_view phase) {
    INFO(std::string(phase));
    const auto more = external_evaluations<library>();
    same(interpret(stopped.body(), "main", inputs(), more), want);
    const std::string text = print(stopped);
    const ir::module again = parse(text, "again");
    CHECK(print(again, {.phase = phase}) == print(stopped.body(), {.phase = phase}));
    same(interpret(again, "main", inputs(), more), want);
    const ir::module kept = deserialize(serialize(stopped.body(), phase), "kept", {phase, {}, nullptr});
    same(interpret(kept, "main", inputs(), more), want);
  };
  check(compile_to<phases::lowering, beside>(m.clone()), "lowering");
  check(compile_to<phases::build, beside>(m.clone()), "build");
}

TEST_CASE("buffers are passed where they are, and constants are told once, before the first run") {
  seen::data.clear(), seen::known.clear(), seen::prepared = 0;
  const auto m = parse<phases::ingestion>(net);
  const auto built = build<beside_direct>(m.clone());
  const program p = load(built.body(), external_formats<direct_library>());
  CHECK(seen::prepared == 2);
  CHECK(std::count(seen::known.begin(), seen::known.end(), true) == 1);  // the matrix, which is no small constant
  std::vector<tensor> in = inputs(), out{tensor(dtype::f32, {2, 4}), tensor(dtype::f32, {2, 4})};
  p.run_into(in, out, 1);
  same(out, interpret(m.body(), "main", inputs()));
  const auto given = [](const tensor& t) {
    return std::count(seen::data.begin(), seen::data.end(), std::as_const(t).data());
  };
  CHECK(given(in[0]) == 1);
  CHECK(given(in[1]) == 1);
  CHECK(given(out[0]) == 1);
  CHECK(given(out[1]) == 1);
  p.run_into(in, out, 1);
  CHECK(seen::prepared == 2);
}

TEST_CASE("what external code throws ends the run, and the next one is well again") {
  const auto m = parse<phases::ingestion>(net);
  const auto built = build<beside_direct>(m.clone());
  const program p = load(built.body(), external_formats<direct_library>());
  seen::fails = true;
  CHECK(code_of([&] { (void)p.run(inputs(), 1); }) == "direct");
  seen::fails = false;
  same(p.run(inputs(), 1), interpret(m.body(), "main", inputs()));
}

TEST_CASE("who watches a run is told of external calls, each as a step") {
  const auto m = parse<phases::ingestion>(net);
  const program p = load(build<beside>(m.clone()).body(), external_formats<library>());
  profile told;
  {
    const observed_runs watch(told);
    (void)p.run(inputs(), 1);
  }
  size_t external = 0;
  for (const profile::row& r : told.rows()) external += r.step.name.starts_with("library_") ? r.calls : 0;
  CHECK(external == 2);
}

TEST_CASE("without the library its calls are refused") {
  const auto built = build<beside>(parse<phases::ingestion>(net));
  CHECK(code_of([&] { (void)load(built.body()); }) == "external.no_format");
}

TEST_CASE("one_result leaves matches of which others use a part") {
  const char* text = R"(
constant #0 : tensor<2x2xf32> = [1, 2, 3, 4]
constant #1 : tensor<f32> = [0]
func entry @main(%0: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %1 = constant() {value = #0} : tensor<2x2xf32>
  %2 = constant() {value = #1} : tensor<f32>
  %3 = matmul(%0, %1) : tensor<2x2xf32>
  %4 = add(%3, %0) : tensor<2x2xf32>
  %5 = maximum(%4, %2) : tensor<2x2xf32>
  %6 = neg(%3) : tensor<2x2xf32>
  return(%5, %6)
})";
  context cx;
  (void)partitioned<library>(text, cx, {.merge = false, .one_result = true});
  const partition_report* r = cx.find<partition_report>();
  REQUIRE(r->parts.size() == 2);  // matmul and add, each by itself
  bool said = false;
  for (const auto& l : r->host) said = said || l.why == "linear matches, but others use what it computes on its way";
  CHECK(said);
}

TEST_CASE("an artifact is no function, and a call that finds neither is an error") {
  const auto text = [](const char* called) {
    return std::string("tenon.module phase=optimization\nfunc entry @main(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n") +
           "  %1 = " + called +
           " : tensor<2xf32>\n  return(%1)\n}\nartifact code : listing target(\"library\") = dense_hex\"\"\n";
  };
  (void)parse<phases::optimization>(text("call_kernel(%0) {kernel = @code}"));
  CHECK(code_of([&] { (void)parse(text("call_kernel(%0) {kernel = @other}")); }) == "text.undefined");
  CHECK(code_of([&] { (void)parse(text("call(%0) {callee = @code}")); }) != "");
  const auto m = parse(text("call_kernel(%0) {kernel = @code}"));
  CHECK(message_of([&] {
          (void)interpret(m, "main", std::vector{tensor(dtype::f32, {2})});
        }).find("nobody here runs artifacts of format 'listing'") != std::string::npos);
}
