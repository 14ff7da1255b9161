// needs: llvm
// What steps of programs take and do: counts against formulas, whoever runs, and whoever watches.
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <tenon/ir/entry_steps.hpp>
#include <tenon/runtime/profile.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

ir_module<phases::built> built(const std::string& text) {
  context cx;
  targets::cpu{.threads = 2}.configure(cx);
  return build<targets::cpu>(parse<phases::ingestion>(text), cx);
}

std::string weights(int n) {
  std::string s;
  for (int i = 0; i < n; ++i) s += i == 0 ? "0.5" : ", 0.5";
  return s;
}
/// Set while it lives.
struct environment {
  const char* name;
  environment(const char* n, const std::string& value) : name(n) { ::setenv(n, value.c_str(), 1); }
  ~environment() { ::unsetenv(name); }
};

/// y = relu(conv(x, w)), z = x * x + x, with a node's name at each op.
const std::string convolution = R"text(tenon.module phase=ingestion
constant #0 "w" : tensor<8x4x3x3xf32> = [)text" +
                                weights(288) +
                                R"text(]
constant #1 "zero" : tensor<f32> = [0]
func entry @main(%x: tensor<1x4x10x10xf32>) -> (tensor<1x8x8x8xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<8x4x3x3xf32>
  %z = constant() {value = #1} : tensor<f32>
  %c = conv(%x, %w) : tensor<1x8x8x8xf32> loc("node 'conv1' (Conv)")
  %y = maximum(%c, %z) : tensor<1x8x8x8xf32> loc("node 'relu1' (Relu)")
  return(%y)
})text";
std::string product(const std::string& rows) {
  return "tenon.module phase=ingestion\nfunc entry @main(%x: tensor<" + rows +
         "x8xf32>, %w: tensor<8x5xf32>) -> (tensor<" + rows +
         "x5xf32>) inputs(\"x\", \"w\") outputs(\"y\") {\n  %y = matmul(%x, %w) : tensor<" + rows +
         "x5xf32> loc(\"node 'product' (MatMul)\")\n  return(%y)\n}\n";
}
const std::string squares = R"text(tenon.module phase=ingestion
func entry @main(%x: tensor<1000xf32>) -> (tensor<1000xf32>) inputs("x") outputs("y") {
  %s = mul(%x, %x) : tensor<1000xf32> loc("node 'square' (Mul)")
  %y = add(%s, %x) : tensor<1000xf32> loc("node 'sum' (Add)")
  return(%y)
})text";

std::vector<tensor> inputs_of(const program& p, i64 n) {
  std::vector<tensor> list;
  for (const port& i : p.inputs()) {
    std::vector<i64> shape = i.shape;
    for (i64& d : shape) d = d < 0 ? n : d;
    tensor t(i.type, shape);
    for (i64 k = 0; k < t.size(); ++k) t.set_f64(k, 0.25 * static_cast<double>(k % 7));
    list.push_back(std::move(t));
  }
  return list;
}

std::vector<profile::row> watched(const program& p, i64 n = 1, int runs = 1) {
  const std::vector<tensor> inputs = inputs_of(p, n);
  profile seen(1000);
  const observed_runs watch(seen);
  for (int i = 0; i < runs; ++i) p.run(inputs, 2);
  CHECK(seen.lost() == 0);
  return seen.rows();
}
work_total sum_of(const std::vector<profile::row>& rows) {
  work_total t;
  for (const profile::row& r : rows) {
    CHECK(r.has_work);
    t.flops += r.work.flops, t.bytes_read += r.work.bytes_read, t.bytes_written += r.work.bytes_written;
    t.exact = t.exact && r.work.exact;
  }
  return t;
}
bool computes(const std::vector<profile::row>& rows, const std::string& place) {
  return std::any_of(rows.begin(), rows.end(), [&](const profile::row& r) {
    return std::find(r.step.sources.begin(), r.step.sources.end(), place) != r.step.sources.end();
  });
}

}  // namespace

TEST_CASE("operations and bytes of kernels are those of the formulas") {
  const work_total c = sum_of(watched(load(built(convolution))));
  CHECK(c.flops == 2 * 8 * 8 * 8 * 4 * 3 * 3 + 8 * 8 * 8);  // products and sums; one comparison an element
  CHECK(c.exact);
  const work_total p = sum_of(watched(load(built(product("6")))));
  CHECK(p.flops == 2 * 6 * 8 * 5);
  const work_total s = sum_of(watched(load(built(squares))));
  CHECK(s.flops == 2 * 1000);
  CHECK(s.bytes_read == 4 * 1000);  // x is read twice, and comes from memory once
  CHECK(s.bytes_written == 4 * 1000);
}

TEST_CASE("a profile of a program") {
  const program p = load(built(squares));
  const std::vector<tensor> inputs = inputs_of(p, 1);
  // [profile]
  profile seen;
  {
    const observed_runs watch(seen);  // runs that this thread starts are watched, while it lives
    p.run(inputs);                    // a program, an executable, a session
  }
  for (const profile::row& r : seen.rows())
    std::printf("%s: %.3f ms\n", r.step.name.c_str(), static_cast<double>(r.nanoseconds) * 1e-6);  // and r.work.flops
  // [end]
  CHECK(seen.rows().size() == 1);
}

TEST_CASE("kernels are told with all nodes that they compute, once a call") {
  const auto rows = watched(load(built(convolution)), 1, 3);
  CHECK(computes(rows, "node 'conv1' (Conv)"));
  CHECK(computes(rows, "node 'relu1' (Relu)"));
  for (const profile::row& r : rows) {
    CHECK(r.calls % 3 == 0);
    CHECK(r.nanoseconds > 0);
    CHECK_FALSE(r.step.name.empty());
  }
}

TEST_CASE("sizes that are known when the program runs count as they are") {
  const program p = load(built(product("n")));
  CHECK(sum_of(watched(p, 7)).flops == 2 * 7 * 8 * 5);
  CHECK(sum_of(watched(p, 31)).flops == 2 * 31 * 8 * 5);
  CHECK(sum_of(watched(p, 7, 4)).flops == 4 * 2 * 7 * 8 * 5);
}

TEST_CASE("a program file tells what the program in memory tells") {
  const auto m = built(convolution);
  const auto bytes = std::make_shared<const std::string>(program_file(m.body()));
  const auto rows = watched(open_program(read_program(*bytes, bytes, "test"))), direct = watched(load(m));
  REQUIRE(rows.size() == direct.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].step == direct[i].step);
    CHECK(rows[i].work.flops == direct[i].work.flops);
  }
}

TEST_CASE("the interpreter tells the ops that it evaluates") {
  context cx;
  const auto m = build<targets::interpreter>(parse<phases::ingestion>(squares), cx);
  const auto code = targets::interpreter::runtime::load(m.body());
  profile seen;
  {
    const observed_runs watch(seen);
    code->run(std::vector<tensor>{tensor(dtype::f32, {1000})}, 1);
  }
  code->run(std::vector<tensor>{tensor(dtype::f32, {1000})}, 1);  // nobody watches
  const auto rows = seen.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].step.kind == run_step::kind_t::host);
  CHECK(rows[0].step.name == "mul");
  CHECK(rows[0].calls == 1);
  CHECK(computes(rows, "node 'sum' (Add)"));
}

TEST_CASE("one profile watches many threads; others are not watched; a trace has each call") {
  const program p = load(built(squares));
  profile seen(100000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const std::vector<tensor> inputs = inputs_of(p, 1);
      const auto run = [&] {
        for (int i = 0; i < 50; ++i) p.run(inputs, 1);
      };
      if (t == 0) return run();
      const observed_runs watch(seen);
      run();
    });
  for (std::thread& t : threads) t.join();
  u64 calls = 0;
  for (const profile::row& r : seen.rows()) calls += r.calls;
  CHECK(calls == 150 * seen.rows().size());
  CHECK(seen.events().size() == calls);
  const std::string trace = seen.trace();
  CHECK(trace.find("\"ph\": \"X\"") != trace.npos);
  CHECK(trace.find("\"tid\": 2") != trace.npos);
  CHECK(trace.find("node 'square' (Mul)") != trace.npos);
}

TEST_CASE("where code cannot be linked for want of a folder, the folder is named") {
  const auto m = built(convolution);
  const environment nowhere("TMPDIR", "/nowhere");
  try {
    program_file(m.body());
    FAIL("it is linked");
  } catch (const error& e) {
    CHECK(e.code() == "codegen.link");
    CHECK(e.message().find("in '/nowhere': ") != std::string::npos);
  }
}

TEST_CASE("profilers and debuggers find the kernels of code in memory, and of program files, and who called them") {
  const environment map("TENON_PERF_MAP", "1");
  const auto m = built(convolution);
  const std::string folder = "/tmp/tenon_profile_test_" + std::to_string(::getpid());
  REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
  const environment there("TMPDIR", folder);
  const auto bytes = std::make_shared<const std::string>(program_file(m.body()));
  const program p = load(m), q = open_program(read_program(*bytes, bytes, "test"));
  for (const char* number : {"1", "2"}) {
    const std::string object = folder + "/tenon-" + std::to_string(::getpid()) + "-" + number + ".so";
    std::ifstream linked(object, std::ios::binary);
    std::stringstream code;
    code << linked.rdbuf();
    for (const std::string& part : {"k_" + p.description().steps.back().name, std::string(".symtab"),
                                    std::string(".eh_frame"), std::string(".eh_frame_hdr")})
      CHECK_MESSAGE(code.str().find(part + std::string(1, '\0')) != std::string::npos, part << " of " << number);
    std::remove(object.c_str());
  }
  ::rmdir(folder.c_str());
}
