// A model as a library: linked by a C compiler into a program of its own, it computes what the interpreter computes.
// needs: llvm
#include <doctest/doctest.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <tenon/artifacts/c_source.hpp>
#include <tenon/artifacts/elf.hpp>
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
    if (!l.weights.empty()) write_atomically(name + ".weights", l.weights);
    REQUIRE(std::system(("cc -std=c11 -Wall -Wextra -Werror -O1 -fPIC -Wa,-I" + folder_ + " -c " + name + ".c -o " +
                         name + ".o")
                            .c_str()) == 0);
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

void check_open_sizes(const ir::module& built_openly, const library_request& request) {
  const model_library lib[] = {library_of(built_openly, request)};
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

TEST_CASE("constants of C source may be a file of their own, which the assembler takes in") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  const ir::module m = built_as_c(statically, "both");
  const model_library inside = library_of(m, {"both", {}});
  const model_library apart[] = {library_of(m, {"both", {}, true})};
  CHECK(inside.weights.empty());
  CHECK(inside.source.find("tn_c") != std::string::npos);
  CHECK(apart[0].source.find("tn_c") == std::string::npos);
  CHECK(apart[0].weights.size() >= 128);  // two constants
  CHECK(apart[0].weights.size() % 64 == 0);
  CHECK(apart[0].c_header == inside.c_header);
  const linked program(apart, R"(
#include "both.h"
int run(const float *x, const float *i, float *y, float *e) { return both_run(x, i, y, e).code; }
)");
  const tensor inputs[] = {random_floats({2, 3}, 0.5), random_floats({1, 1, 6, 6}, 0.25)};
  const std::vector<tensor> want = interpret(parse(statically), "main", inputs);
  tensor y(dtype::f32, {2, 4}), e(dtype::f32, {1, 2, 4, 4});
  CHECK(program.find<int(const float*, const float*, float*, float*)>("run")(
            static_cast<const float*>(inputs[0].data()), static_cast<const float*>(inputs[1].data()),
            static_cast<float*>(y.data()), static_cast<float*>(e.data())) == 0);
  check_same(y, want[0]), check_same(e, want[1]);
}

TEST_CASE("sizes that are open are checked, and buffers placed for them, in machine code and in C") {
  if (!has_c_compiler()) return testing::skip("there is no C compiler");
  SUBCASE("cpu") { check_open_sizes(built(dynamically), {"open", "open.onnx"}); }
  SUBCASE("c_source") { check_open_sizes(built_as_c(dynamically, "open"), {"open", "open.onnx"}); }
  SUBCASE("c_source, with its constants apart") {
    check_open_sizes(built_as_c(dynamically, "open"), {"open", "open.onnx", true});
  }
}

namespace {
/// The compilers that take C here.
std::vector<std::string> c_compilers() {
  std::vector<std::string> found;
  for (const char* name : {"gcc", "clang", "clang-22"})
    if (std::system((std::string(name) + " --version > /dev/null 2>&1").c_str()) == 0) found.emplace_back(name);
  return found;
}
/// What a program of one or more C files prints; empty where it is not compiled without a warning.
std::string printed_by(const std::string& folder, const std::string& compiler, const std::string& files) {
  const std::string compile = "cd " + folder + " && " + compiler +
                              " -std=c11 -Wall -Wextra -pedantic -Wshadow -Werror -O3 " + files + " -o x -lm";
  if (std::system(compile.c_str()) != 0) return {};
  REQUIRE(std::system((folder + "/x > " + folder + "/said").c_str()) == 0);
  std::ifstream in(folder + "/said");
  return {std::istreambuf_iterator<char>(in), {}};
}
struct scratch {
  std::string path = "/tmp/tenonXXXXXX";
  scratch() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  ~scratch() { static_cast<void>(std::system(("rm -r " + path).c_str())); }
};
std::string text_of(const tensor& t) {
  std::string s;
  char number[40];
  for (i64 i = 0; i < t.size(); ++i) std::snprintf(number, sizeof number, "%.4f ", t.at_f64(i) + 1e-9), s += number;
  return s;
}
}  // namespace

TEST_CASE("a program includes one file of C, which checks open sizes and says what a run needs") {
  if (c_compilers().empty()) return testing::skip("there is no C compiler");
  const scratch f;
  write_atomically(f.path + "/m.c", c_file_of(built_as_c(dynamically, "m"), "m", "m.onnx"));
  const std::string uses = R"(
#include <stdio.h>
#include <stdlib.h>
static void show(const float *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i) printf("%.4f ", (double)data[i] + 1e-9);
}
static float *counted(int64_t count, float first) {
  float *data = malloc((size_t)count * sizeof *data);
  for (int64_t i = 0; i < count; ++i) data[i] = (float)((i * 7 + 3) % 11) / 8 - first;
  return data;
}
 int main(void) {
  const m_sizes all[] = {{.n = 5, .m = 2}, {.n = 2, .m = 33}, {.n = -1, .m = 2}};
  for (int i = 0; i < 3; ++i) {
    m_plan plan;
    tenon_model_status s = m_make_plan(&all[i], &plan);
    if (s.code) return printf("%s %s", s.name, s.message), 0;
    float *x = counted(all[i].n * 3, 0.5f), *y = counted(all[i].m * 4, 0.25f);
    float *z = malloc((size_t)plan.bytes[2]), *both = malloc((size_t)plan.bytes[3]);
    void *workspace = aligned_alloc(64, (plan.workspace_bytes + 63) / 64 * 64);
    s = m_run_in(&plan, workspace, plan.workspace_bytes, 0, x, y, z, both);
    if (s.code) return 1;
    show(z, plan.z_shape[0] * plan.z_shape[1]), show(both, plan.both_shape[0] * plan.both_shape[1]);
    free(x), free(y), free(z), free(both), free(workspace);
  }
  return 0;
}
)";
  write_atomically(f.path + "/alone.c", "#include \"m.c\"\n" + uses);
  write_atomically(f.path + "/beside.c", "#define tenon_declarations_only\n#include \"m.c\"\n" + uses);
  std::string want;
  for (const auto& [n, m] : {std::pair<i64, i64>{5, 2}, {2, 33}}) {
    const tensor inputs[] = {random_floats({n, 3}, 0.5), random_floats({m, 4}, 0.25)};
    for (const tensor& t : interpret(parse(dynamically), "main", inputs)) want += text_of(t);
  }
  want += "n a size is negative";
  for (const std::string& compiler : c_compilers()) {
    CAPTURE(compiler);
    CHECK(printed_by(f.path, compiler, "alone.c") == want);
    CHECK(printed_by(f.path, compiler, "beside.c m.c") == want);
  }
}

TEST_CASE(
    "of fixed sizes it runs in memory of its own; several entries and several models are apart; C++ may call it") {
  if (c_compilers().empty()) return testing::skip("there is no C compiler");
  const scratch f;
  write_atomically(f.path + "/fixed.c", c_file_of(built_as_c(statically, "fixed"), "fixed"));
  constexpr const char* two = R"(tenon.module phase=optimization
func entry @double(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
  %y = add(%x, %x) : tensor<2xf32>
  return(%y)
}
func entry @square(%x: tensor<kxf32>) -> (tensor<kxf32>) inputs("x") outputs("y") {
  %y = mul(%x, %x) : tensor<kxf32>
  return(%y)
})";
  write_atomically(f.path + "/two.c", c_file_of(built_as_c(two, "two"), "two"));
  const std::string uses = R"(
 #define tenon_declarations_only
#include "fixed.c"
#include "two.c"
#include <stdio.h>
 int main(void) {
  float x[6] = {1, 2, 3, 4, 5, 6}, image[36] = {1}, y[8], edges[32], z[3], v[2];
  two_square_sizes sizes = {3};
  two_square_plan plan;
  if (fixed_run(x, image, y, edges).code != tenon_model_ok) return 1;
  if (two_square_make_plan(&sizes, &plan).code != tenon_model_ok) return 2;
  _Alignas(64) static unsigned char memory[1024];
  if (plan.workspace_bytes > sizeof memory) return 3;
  if (two_square_run_in(&plan, memory, sizeof memory, 0, x, z).code != tenon_model_ok) return 4;
  if (two_run(x, v).code != tenon_model_ok) return 5;
  return printf("%g %g %g %g", (double)edges[0], (double)z[2], (double)v[1], (double)(y[0] + y[1] + y[2] + y[3])) < 0;
}
)";
  write_atomically(f.path + "/uses.c", uses);
  for (const std::string& compiler : c_compilers()) {
    CAPTURE(compiler);
    CHECK(printed_by(f.path, compiler, "uses.c fixed.c two.c") == "1 9 4 1");
  }
  write_atomically(f.path + "/uses.cpp",
                   "#define tenon_declarations_only\n#include \"fixed.c\"\n#include \"two.c\"\nint main() { return "
                   "fixed_run(nullptr, nullptr, nullptr, nullptr).code == tenon_model_ok; }\n");
  CHECK(std::system(("c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only " + f.path + "/uses.cpp").c_str()) == 0);
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
