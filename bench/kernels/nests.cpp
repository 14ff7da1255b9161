// What the target xsimd has no kernel for, and runs as loop nests (targets/xsimd/nests.hpp), beside the reference
// evaluation, on one thread.
//   ctest --test-dir build/gcc -L bench -R kernels.nests -V
#include <cstdio>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/random_tensor.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/parse.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

struct measured_op {
  const char *name, *x, *y, *op;
};

}  // namespace

int main() {
  constexpr measured_op all[] = {
      {"add of i64", "256x1024xi64", "256x1024xi64", "add(%0, %0)"},
      {"equal of u8", "256x1024xu8", "256x1024xbool", "equal(%0, %0)"},
      {"cast of f32 to i64", "256x1024xf32", "256x1024xi64", "cast(%0) {to = i64}"},
      {"sin", "256x1024xf32", "256x1024xf32", "sin(%0)"},
      {"reflecting pad", "8x160x160xf32", "8x168x168xf32",
       "pad(%0) {mode = reflect, before = [0, 4, 4], after = [0, 4, 4]}"},
      {"slice (a kernel)", "64x64x512xf32", "64x48x512xf32", "slice(%0) {starts = [8], ends = [56], axes = [1]}"},
      {"channels last (a kernel)", "3x224x224xf32", "224x224x3xf32", "transpose(%0) {permutation = [1, 2, 0]}"},
      {"tile", "64x512xf32", "256x512xf32", "tile(%0) {repeats = [4, 1]}"},
      {"sum of i32 over rows", "256x1024xi32", "256x1xi32", "reduce_sum(%0) {axes = [1]}"},
      {"sum of f32, two axes apart", "32x64x128xf32", "1x64x1xf32", "reduce_sum(%0) {axes = [0, 2]}"},
      {"position of the largest", "256x1024xf32", "256x1xi64", "arg_max(%0) {axis = 1}"},
      {"running sum", "256x1024xf32", "256x1024xf32", "cumulative_sum(%0) {axis = 0}"},
      {"cubic resize", "3x64x64xf32", "3x96x96xf32", "resize(%0) {mode = cubic, sizes = [96, 96], axes = [1, 2]}"},
      {"product of f64", "128x128xf64", "128x128xf64", "matmul(%0, %0)"},
  };
  std::printf("%-28s %12s %12s %8s\n", "us", "nests", "reference", "times");
  for (const measured_op& o : all) {
    const std::string x = std::string("tensor<") + o.x + ">", y = std::string("tensor<") + o.y + ">";
    const auto text = "tenon.module phase=ingestion\nfunc entry @main(%0: " + x + ") -> (" + y + ") {\n  %1 = " + o.op +
                      " : " + y + "\n  return(%1)\n}\n";
    const ir::module m = parse(text);
    const ir::type& t = m.type_of(m[m[m.find_function("main")].body].arguments[0]);
    const tensor in = random_tensor(t.elem, t.extents(), 1);
    context cx;
    targets::xsimd{}.configure(cx);
    const program p = load_xsimd(build<targets::xsimd>(parse<phases::ingestion>(text), cx));
    const std::vector<double> us = least_us({[&] { p.run({&in, 1}, 1); }, [&] { interpret(m, "main", {&in, 1}); }});
    std::printf("%-28s %12.1f %12.1f %8.2f\n", o.name, us[0], us[1], us[1] / us[0]);
  }
}
