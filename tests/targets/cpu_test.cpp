// needs: llvm
// The options of `targets::cpu`: what is no processor is refused before code is made; what is one makes code that runs.
#include <doctest/doctest.h>

#include <string>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/processor.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

void configure(std::string_view text, context& cx) { entry_of<targets::cpu>().configure(parse_target(text), 0, cx); }

error refusal(std::string_view text) {
  try {
    context cx;
    configure(text, cx);
  } catch (const error& e) { return e; }
  return error("none", "nothing was thrown");
}

}  // namespace

TEST_CASE("what no processor is, and what no code can run on, is refused") {
  for (const char* text :
       {"cpu:arch=nonsense", "cpu:arch=i386", "cpu:arch=pentium4m", "cpu:arch=help", "cpu:features=avx2",
        "cpu:features=+", "cpu:features=+avx9", "cpu:features=-64bit", "cpu:features=-sse", "cpu:features=+soft-float",
        "cpu:features=\"+avx2, -fma\"", "cpu:optimize=4", "cpu:optimize=-1", "cpu:threads=-1", "cpu:threads=5000"})
    CHECK_MESSAGE(refusal(text).code() == "target.value", text);
  CHECK(refusal("cpu:arch=zenver4").message() == "LLVM knows no processor 'zenver4' of x86_64");
  CHECK(refusal("cpu:arch=zenver4").hint().find("'znver4'") != std::string::npos);
  CHECK(refusal("cpu:features=+avx512g").hint().find("'avx512f'") != std::string::npos);
  CHECK(refusal("cpu:arch=i386").message() == "processor 'i386' cannot run the code: it needs 64-bit mode and SSE2");
}

TEST_CASE("every tag of cpu names a processor") {
  for (const target_tag& t : target_tags())
    if (parse_target(t.name).name == "cpu") CHECK_MESSAGE(refusal(t.name).code() == "none", t.name);
  CHECK(parse_target("gpu:device_number=1").name == "opencl");
}

TEST_CASE("code for the least processor runs everywhere") {
  for (const char* text :
       {"cpu:arch=x86-64", "cpu:arch=x86-64,optimize=0", "cpu:features=-avx512f", "cpu:arch=x86-64,precision=strict"}) {
    context cx;
    configure(text, cx);
    auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<37xf32>) -> (tensor<37xf32>) inputs("x") outputs("y") {
  %y = add(%x, %x) : tensor<37xf32>
  return(%y)
})");
    tensor x(dtype::f32, {37});
    x.set_f64(36, 4);
    const auto built = build<targets::cpu>(std::move(m), cx);
    CHECK(built.body().build.target == text);
    CHECK(targets::native_runtime::load(built.body())->run(std::vector<tensor>{x}, 1)[0].at_f64(36) == 8);
  }
}

TEST_CASE("rests of rows are stored as they are where vectors of an element are several registers") {
  for (const char* arch : {"x86-64", "x86-64-v3"}) {
    if (!missing_features("cpu:features=\"+avx2,+fma\"").empty() && arch == std::string_view("x86-64-v3")) continue;
    for (const char* elem : {"f64", "i64", "f32", "i8"}) {
      CAPTURE(arch);
      CAPTURE(elem);
      const std::string t(elem);
      const ir::module m = parse("tenon.module phase=ingestion\nfunc entry @main(%0: tensor<4x4x" + t +
                                 ">) -> (tensor<5x6x" + t + ">) {\n  %1 = pad(%0) {before = [1, 0], after = [0, 2], " +
                                 "axes = [0, 1]} : tensor<5x6x" + t + ">\n  return(%1)\n}\n");
      tensor x(m.type_of(m[m[m.find_function("main")].body].arguments[0]).elem, {4, 4});
      for (i64 i = 0; i < 16; ++i) x.set_f64(i, static_cast<double>(i + 1));
      context cx;
      configure(std::string("cpu:threads=1,arch=") + arch, cx);
      const program p = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
      CHECK(same_bits(p.run({x})[0], interpret(m, "main", {&x, 1})[0]));
    }
  }
}
