// needs: llvm
// The options of `targets::cpu`: what is no processor is refused before code is made; what is one makes code that runs.
#include <doctest/doctest.h>

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
  CHECK(refusal("cpu:arch=zenver4").message() == "LLVM knows no processor 'zenver4'");
  CHECK(refusal("cpu:arch=zenver4").hint().find("'znver4'") != std::string::npos);
  CHECK(refusal("cpu:features=+avx512g").hint().find("'avx512f'") != std::string::npos);
  CHECK(refusal("cpu:arch=i386").message() == "processor 'i386' cannot run the code: it needs 64-bit mode and SSE2");
}

TEST_CASE("every tag names a processor") {
  for (const target_tag& t : target_tags()) CHECK_MESSAGE(refusal(t.name).code() == "none", t.name);
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
