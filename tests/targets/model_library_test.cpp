// A model as a library: linked by a C compiler into a program of its own, it computes what the interpreter computes.
// needs: llvm
#include <doctest/doctest.h>

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <tenon/compile/artifacts/c_source.hpp>
#include <tenon/compile/artifacts/elf.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/model_library.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"
#include "support/random_module.hpp"
#include "support/skip.hpp"

using namespace tenon;

namespace {

constexpr const char* statically = R"(tenon.module phase=optimization
constant #0 "w" : tensor<3x4xf32> = [0.5, -1, 2, 0.25, 1, 0, -0.5, 3, -2, 1.5, 0.75, 1]
constant #1 "k" : tensor<2x1x3x3xf32> = [1, 2, 1, 0, 0, 0, -1, -2, -1, 1, 0, -1, 2, 0, -2, 1, 0, -1]
func entry @main(%x: tensor<2x3xf32>, %i: tensor<1x1x6x6xf32>) -> (tensor<2x4xf32>, tensor<1x2x4x4xf32>) inputs("x", "an image") outputs("y", "edges:0") {
  %w = constant() {value = #0} : tensor<3x4xf32>
  %k = constant() {value = #1} : tensor<2x1x3x3xf32>
  %m = matmul(%x, %w) : tensor<2x4xf32>
  %s = softmax(%m) {axis = 1} : tensor<2x4xf32>
  %c = conv(%i, %k) {strides = [1, 1], pads = [0, 0, 0, 0], dilations = [1, 1], group = 1} : tensor<1x2x4x4xf32>
  return(%s, %c)
})";

// Buffers are placed, and sizes computed, when it runs.
constexpr const char* dynamically = R"(tenon.module phase=optimization
constant #0 "w" : tensor<3x4xf32> = [0.5, -1, 2, 0.25, 1, 0, -0.5, 3, -2, 1.5, 0.75, 1]
func entry @main(%x: tensor<nx3xf32>, %y: tensor<mx4xf32>) -> (tensor<nxmxf32>, tensor<"m+n"x4xf32>) inputs("x", "y") outputs("z", "both") {
  %w = constant() {value = #0} : tensor<3x4xf32>
  %h = matmul(%x, %w) : tensor<nx4xf32>
  %s = softmax(%h) {axis = 0} : tensor<nx4xf32>
  %t = transpose(%y) {permutation = [1, 0]} : tensor<4xmxf32>
  %p = matmul(%s, %t) : tensor<nxmxf32>
  %q = softmax(%p) {axis = 1} : tensor<nxmxf32>
  %c = concat(%s, %y) {axis = 0} : tensor<"m+n"x4xf32>
  return(%q, %c)
})";

ir::module built(const char* text, targets::cpu target = {}) {
  context cx;
  target.configure(cx);
  return std::move(build<targets::cpu>(ir_module<phases::ingestion>::adopt(parse(text)), cx).body());
}

ir::module built_as_c(const char* text, const std::string& symbol) {
  targets::register_c_source_target();
  context cx;
  targets::c_source{.entry = library_entry(symbol)}.configure(cx);
  return std::move(build<targets::c_source>(ir_module<phases::ingestion>::adopt(parse(text)), cx).body());
}

/// A shared object of libraries and of a driver in C, loaded.
class linked {
 public:
  linked(std::span<const model_library> libraries, const std::string& driver) {
    char name[] = "/tmp/tenonXXXXXX";
    folder_ = ::mkdtemp(name);
    std::string words;
    for (const model_library& l : libraries) {
      write_atomically(folder_ + "/" + l.symbol + ".h", l.c_header);
      write_atomically(folder_ + "/lib" + l.symbol + ".a", l.archive(compiled(l)));
      words += " -l" + l.symbol;
    }
    write_atomically(folder_ + "/driver.c", driver);
    const std::string compile =
        "cc -std=c11 -Wall -Wextra -pedantic -Wshadow -Wconversion -Werror -O1 -fPIC -shared -L" + folder_ + " " +
        folder_ + "/driver.c -o " + folder_ + "/x.so" + words + " -lm";
    REQUIRE(std::system(compile.c_str()) == 0);
    handle_ = ::dlopen((folder_ + "/x.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE_MESSAGE(handle_ != nullptr, ::dlerror());
  }
  ~linked() {
    if (handle_ != nullptr) ::dlclose(handle_);
    static_cast<void>(std::system(("rm -r " + folder_).c_str()));
  }
  template <class F>
  F* find(const char* name) const {
    return reinterpret_cast<F*>(::dlsym(handle_, name));
  }

 private:
  /// The object that the system's compiler makes of a library's source, where it has one.
  std::string compiled(const model_library& l) const {
    if (l.source.empty()) return {};
    const std::string name = folder_ + "/" + l.symbol;
    write_atomically(name + ".c", l.source);
    REQUIRE(std::system(("cc -std=c11 -Wall -Wextra -Werror -O1 -fPIC -c " + name + ".c -o " + name + ".o").c_str()) ==
            0);
    std::ifstream in(name + ".o", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string folder_;
  void* handle_ = nullptr;
};

tensor random_floats(std::vector<i64> shape, double first) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>((i * 7 + 3) % 11) / 8 - first);
  return t;
}
void check_same(const tensor& got, const tensor& want) {
  const comparison c = compare(got, want, {2e-5, 2e-5, 2e-5, false});
  CHECK_MESSAGE(c.ok, c.message);
}

}  // namespace

TEST_CASE("two static models in one program, each with its constants") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const ir::module m = built(statically);
  const model_library both[] = {library_of(m, {"first", "first.onnx"}), library_of(m, {"second", {}})};
  for (const auto& [name, bytes] : both[0].objects)
    for (const std::string& s : symbols_of_elf(bytes).defined) CHECK(s.starts_with("first_"));
  const linked program(both, R"(
#include "first.h"
#include "second.h"
int run_first(const float *x, const float *i, float *y, float *e) { return first_run(x, i, y, e).code; }
static unsigned char memory[second_workspace_bytes + 64];
int run_second(const float *x, const float *i, float *y, float *e, int shift, int less) {
  unsigned char *at = memory + 64 - (uintptr_t)memory % 64 + shift;
  return second_run_in(at, second_workspace_bytes - (size_t)less, 0, x, i, y, e).code;
}
int run_busy(const float *x, const float *i, float *y, float *e) {
  int code;
  first_workspace_busy = 1;
  code = first_run(x, i, y, e).code;
  first_workspace_busy = 0;
  return code;
}
)");
  const tensor inputs[] = {random_floats({2, 3}, 0.5), random_floats({1, 1, 6, 6}, 0.25)};
  const std::vector<tensor> want = interpret(parse(statically), "main", inputs);
  tensor y(dtype::f32, {2, 4}), e(dtype::f32, {1, 2, 4, 4});
  const auto* x = static_cast<const float*>(std::as_const(inputs[0]).data());
  const auto* i = static_cast<const float*>(std::as_const(inputs[1]).data());
  auto* out = static_cast<float*>(y.data());
  auto* edges = static_cast<float*>(e.data());
  using run = int(const float*, const float*, float*, float*);
  using run_in = int(const float*, const float*, float*, float*, int, int);
  CHECK(program.find<run>("run_first")(x, i, out, edges) == 0);
  check_same(y, want[0]), check_same(e, want[1]);
  std::fill_n(out, 8, 0.f), std::fill_n(edges, 32, 0.f);
  const auto second = program.find<run_in>("run_second");
  CHECK(second(x, i, out, edges, 0, 0) == 0);
  check_same(y, want[0]), check_same(e, want[1]);

  CHECK(second(x, i, out, edges, 0, 1) == 2);                        // too small
  CHECK(second(x, i, out, edges, 4, 0) == 2);                        // not aligned
  CHECK(second(x, nullptr, out, edges, 0, 0) == 4);                  // no input
  CHECK(second(x, i, const_cast<float*>(x) + 1, edges, 0, 0) == 4);  // an output on an input
  CHECK(second(x, i, edges + 30, edges, 0, 0) == 4);                 // an output on another one
  CHECK(program.find<run>("run_busy")(x, i, out, edges) == 3);
}

void check_open_sizes(const ir::module& built_openly) {
  const model_library lib[] = {library_of(built_openly, {"open", "open.onnx"})};
  CHECK(lib[0].cpp_header.find("tensor_view<const float, tenon_model::dynamic, 3>") != std::string::npos);
  const linked program(lib, R"(
#include "open.h"
#include <stdlib.h>
int64_t wanted(int64_t n, int64_t m, int64_t *shapes) {
  const open_sizes sizes = {.n = n, .m = m};
  open_plan plan;
  const tenon_model_status s = open_make_plan(&sizes, &plan);
  if (s.code) return -s.code;
  memcpy(shapes, plan.z_shape, sizeof plan.z_shape);
  memcpy(shapes + 2, plan.both_shape, sizeof plan.both_shape);
  return (int64_t)plan.workspace_bytes;
}
int run(int64_t n, int64_t m, const float *x, const float *y, float *z, float *both) {
  const open_sizes sizes = {.n = n, .m = m};
  open_plan plan;
  tenon_model_status s = open_make_plan(&sizes, &plan);
  void *workspace;
  if (s.code) return s.code;
  workspace = aligned_alloc(64, (plan.workspace_bytes + 63) / 64 * 64);
  s = open_run_in(&plan, workspace, plan.workspace_bytes, 0, x, y, z, both);
  free(workspace);
  return s.code;
}
)");
  const auto run = program.find<int(i64, i64, const float*, const float*, float*, float*)>("run");
  const auto wanted = program.find<i64(i64, i64, i64*)>("wanted");
  i64 shapes[4] = {};
  for (const auto& [n, m] : std::vector<std::pair<i64, i64>>{{1, 1}, {5, 2}, {2, 33}, {17, 9}}) {
    const tensor inputs[] = {random_floats({n, 3}, 0.5), random_floats({m, 4}, 0.25)};
    const std::vector<tensor> want = interpret(parse(dynamically), "main", inputs);
    CHECK(wanted(n, m, shapes) > 0);
    CHECK(std::vector<i64>(shapes, shapes + 4) == std::vector<i64>{n, m, n + m, 4});
    tensor z(dtype::f32, {n, m}), both(dtype::f32, {n + m, 4});
    CHECK(run(n, m, static_cast<const float*>(inputs[0].data()), static_cast<const float*>(inputs[1].data()),
              static_cast<float*>(z.data()), static_cast<float*>(both.data())) == 0);
    check_same(z, want[0]), check_same(both, want[1]);
  }
  CHECK(wanted(2, 33, shapes) < wanted(200, 330, shapes));
  CHECK(wanted(-1, 2, shapes) == -1);
  CHECK(wanted(i64{1} << 62, 2, shapes) == -1);
}

TEST_CASE("sizes that are open are checked, and buffers placed for them, in machine code and in C") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  SUBCASE("cpu") { check_open_sizes(built(dynamically)); }
  SUBCASE("c_source") { check_open_sizes(built_as_c(dynamically, "open")); }
}

TEST_CASE("loops run on the threads of the caller") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  targets::cpu target;
  target.threads = 4;
  constexpr const char* text = R"(tenon.module phase=optimization
func entry @main(%x: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>) inputs("x") outputs("y") {
  %y = tanh(%x) : tensor<1024x1024xf32>
  return(%y)
})";
  const model_library lib[] = {library_of(built(text, target), {"wide", {}})};
  const linked program(lib, R"(
#include "wide.h"
static void in_pieces(void *pool, int64_t n, int64_t grain, tenon_model_body body, void *ctx) {
  int64_t begin;
  for (begin = 0; begin < n; begin += grain) {
    body(ctx, begin, begin + grain < n ? begin + grain : n);
    ++*(int *)pool;
  }
}
int pieces(const float *x, float *y) {
  static int count;
  tenon_model_runtime runtime = {0};
  runtime.pool = &count;
  runtime.parallel_for = in_pieces;
  return wide_run_in(wide_workspace, wide_workspace_bytes, &runtime, x, y).code ? -1 : count;
}
)");
  const tensor inputs[] = {random_floats({1024, 1024}, 0.5)};
  tensor y(dtype::f32, {1024, 1024});
  CHECK(program.find<int(const float*, float*)>("pieces")(static_cast<const float*>(inputs[0].data()),
                                                          static_cast<float*>(y.data())) > 1);
  check_same(y, interpret(parse(text), "main", inputs)[0]);
}

TEST_CASE("random modules as libraries compute what the interpreter computes") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  for (u64 seed = 1; seed <= 6; ++seed) {
    const ir::module m = testing::random_module(seed);
    context cx;
    targets::cpu{}.configure(cx);
    const auto code = build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
    const model_library lib[] = {library_of(code.body(), {"drawn", {}})};
    const linked program(lib,
                         "#include \"drawn.h\"\nint run(void **in, void **out) {\n  tenon_model_runtime rt = {0};\n"
                         "  rt.version = 1;\n  rt.parallel_for = tenon_model_serial;\n"
                         "  drawn_entry(in, out, drawn_workspace, drawn_constants, &rt);\n  return 0;\n}\n");
    std::vector<tensor> inputs;
    const tenon::program p = load(code);
    for (const port& i : p.inputs()) {
      inputs.emplace_back(i.type, i.shape);
      for (i64 k = 0; k < inputs.back().size(); ++k) inputs.back().set_f64(k, static_cast<double>((k * 5 + 1) % 7) / 4);
    }
    const std::vector<tensor> want = p.run(inputs);
    std::vector<tensor> got;
    for (const tensor& t : want) got.emplace_back(t.type(), t.shape());
    std::vector<void*> in, out;
    for (tensor& t : inputs) in.push_back(t.data());
    for (tensor& t : got) out.push_back(t.data());
    program.find<int(void**, void**)>("run")(in.data(), out.data());
    for (size_t i = 0; i < want.size(); ++i) {
      const comparison c = compare(got[i], want[i], {0, 0, 0, false});
      CHECK_MESSAGE(c.ok, seed << ": " << c.message);
    }
  }
}

TEST_CASE("headers mean the same where a user has macros of capitals") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  constexpr const char* capitals = R"(tenon.module phase=optimization
func entry @main(%x: tensor<Nx3xf32>, %y: tensor<3xf32>) -> (tensor<Nx3xf32>) inputs("X", "INPUT") outputs("Y") {
  %z = add(%x, %y) : tensor<Nx3xf32>
  return(%z)
})";
  char name[] = "/tmp/tenonXXXXXX";
  const std::string folder = ::mkdtemp(name);
  std::string macros, uses = "int main() { return 0; }\n";
  for (char c = 'A'; c <= 'Z'; ++c) macros += std::string("#define ") + c + " (\n";
  for (const auto& [symbol, text] : {std::pair{"fixed", statically}, {"open", dynamically}, {"named", capitals}}) {
    const model_library lib = library_of(built(text), {symbol, {}});
    write_atomically(folder + "/" + symbol + ".h", lib.c_header);
    write_atomically(folder + "/" + symbol + ".hpp", lib.cpp_header);
    uses = std::string("#include \"") + symbol + ".h\"\n" + uses;
  }
  write_atomically(folder + "/x.c", macros + uses);
  write_atomically(folder + "/x.cpp", macros + R"(#include "fixed.hpp"
#include "named.hpp"
#include "open.hpp"
int main() {
  float x[6], z[6];
  std::array<float, 3> y{};
  static char workspace[4096];
  named::plan plan;
  if (named::make_plan(named::x_t(x, 2), named::input_t(y), plan).code) return 1;
  return named::run(named::x_t(x, 2), y, named::y_t(z, 2), workspace, sizeof workspace).code != (plan.sizes.n == 2);
})");
  CHECK(std::system(("cc -std=c11 -Wall -Wextra -Werror -fsyntax-only " + folder + "/x.c").c_str()) == 0);
  CHECK(std::system(("c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only " + folder + "/x.cpp").c_str()) == 0);
  CHECK(std::system(("rm -r " + folder).c_str()) == 0);
}

TEST_CASE("what cannot be a library is said") {
  const ir::module m = built(statically);
  CHECK(testing::caught([&] { library_of(m, {"two words", {}}); }).code() == "library.symbol");
  CHECK(testing::caught([&] { library_of(m, {"double", {}}); }).code() == "library.symbol");
  CHECK(testing::caught([&] { library_of(parse(statically), {"none", {}}); }).code() == "library.no_code");
  CHECK(library_symbol("squeezenet1.1-7") == "squeezenet1_1_7");
  CHECK(library_symbol("3d") == "n3d");
}
