// Lesson 7: a model ships: a program file is made once, and run where there is no compiler.
// needs: llvm
//
// A file that is one piece of native code needs the runtime headers only (runtime/program.hpp, as tools/runner does it
// in less than 1 MB). A model that a host must follow (its NonZero decides how much there is to do) becomes a file of
// several parts: the host's graph, and native code for operands of any size; `open_executable` opens both.
#include <cstdio>

#include <tenon/ops/all.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/text/all.hpp>

using namespace tenon;

constexpr const char* scores = R"(tenon.module phase=optimization
func entry @main(%x: tensor<nx3xf32>, %y: tensor<nx3xf32>) -> (tensor<nx3xf32>) inputs("x", "y") outputs("z") {
  %d = sub(%x, %y) : tensor<nx3xf32>
  %z = tanh(%d) : tensor<nx3xf32>
  return(%z)
})";

// As many results as there are numbers that are not 0.
constexpr const char* found = R"(tenon.module phase=optimization
func entry @main(%x: tensor<nx3xf32>) -> (tensor<?xf32>) inputs("x") outputs("places") {
  %e = abs(%x) : tensor<nx3xf32>
  %n = non_zero(%e) : tensor<2x?xi64>
  %f = cast(%n) {to = f32} : tensor<2x?xf32>
  %s = reduce_sum(%f) {axes = [0], keep_dims = false} : tensor<?xf32>
  return(%s)
})";

// The one side: a machine with a compiler.
void make_files() {
  context cx;
  targets::cpu target;
  target.arch = "x86-64-v3";  // for more machines than this one
  target.configure(cx);
  save("scores.tenon", build<targets::cpu>(ir_module<phases::ingestion>::adopt(parse(scores)), cx));
  const auto divided = build<targets::host_cpu>(ir_module<phases::ingestion>::adopt(parse(found)), cx);
  const bundle b = build_host_bundle(divided.body(), cx);
  std::printf("%s\n", summary_of(b).c_str());
  save_bundle("found.tenon", b);
}

void show(const char* what, const tensor& t) {
  std::printf("%s %s:", what, t.describe().c_str());
  for (i64 i = 0; i < t.size(); ++i) std::printf(" %g", t.at_f64(i));
  std::printf("\n");
}

// The other side: a machine that runs models. Files that were cut or changed on the way are noticed.
int main() try {
  make_files();
  const program p = program::open("scores.tenon");
  std::printf("takes %s, made for %s\n", p.describe(p.inputs()[0]).c_str(),
              p.description().target.substr(0, 18).c_str());
  const auto host = open_executable("found.tenon");
  for (const i64 n : {1, 2}) {  // one file serves every n
    tensor x(dtype::f32, {n, 3}), y(dtype::f32, {n, 3});
    for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, i % 2 ? 0.0 : 100.0);
    show("scores", p.run({x, y})[0]);
    const tensor inputs[] = {x};
    show("places", host->run(inputs, 1)[0]);
  }
  (void)program::open("found.tenon");  // the small runtime says what it does not run
} catch (const error& e) { std::printf("error %s: %s\n", e.code().c_str(), e.hint().c_str()); }

// CHECK: a host with 2 native regions
// CHECK: takes f32[n,3], made for cpu:arch=x86-64-v3
// CHECK: scores f32[1,3]: 1 0 1
// CHECK: places f32[2]: 0 2
// CHECK: scores f32[2,3]: 1 0 1 0 1 0
// CHECK: places f32[3]: 0 2 2
// CHECK: error file.kind: run it: tenon run FILE
