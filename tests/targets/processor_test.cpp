// needs: llvm
// Code says what it needs of a processor, and none runs on a processor that lacks it.
#include <doctest/doctest.h>

#include <tenon/artifacts/elf.hpp>
#include <tenon/core/error.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/processor.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/spec.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::code_of;

namespace {

ir_module<phases::built> built_for(const std::string& target) {
  context cx;
  target_from<targets::cpu>(parse_target(target)).configure(cx);
  return build<targets::cpu>(parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<37xf32>) -> (tensor<37xf32>) inputs("x") outputs("y") {
  %y = add(%x, %x) : tensor<37xf32>
  return(%y)
})"),
                             cx);
}
std::string features_of(const ir::module& m) {
  for (const target_option& o : parse_target(m.artifacts().begin()->target).options)
    if (o.name == "features") return "," + o.value + ",";
  return {};
}
/// What no processor has: of all that LLVM knows, both.
constexpr const char* elsewhere = "cpu:features=\"+xop,+amx-tile\"";

}  // namespace

TEST_CASE("this processor has what LLVM says that it has") {
  const std::string host = "," + codegen::host_features() + ",";
  for (const std::string_view f : processor_features()) {
    const bool known = host.find("+" + std::string(f) + ",") != host.npos;
    CHECK_MESSAGE(processor_has(f) == known, f);
    CHECK_MESSAGE((known || host.find(",-" + std::string(f) + ",") != host.npos), f);
  }
  CHECK(missing_features(to_text(spec_of(targets::cpu::host()))).empty());
}

TEST_CASE("code names all that it may use, where only a processor was named too") {
  const std::string old = features_of(built_for("cpu:arch=x86-64-v2").body());
  CHECK(old.find(",+sse4.2,") != old.npos);
  CHECK(old.find(",-avx2,") != old.npos);
  const std::string now =
      features_of(built_for("cpu:arch=graniterapids,features=\"-avx512bw,+prefer-256-bit\"").body());
  for (const char* one : {",+amx-int8,", ",+avx512f,", ",-avx512bw,", ",+prefer-256-bit,"})
    CHECK_MESSAGE(now.find(one) != now.npos, one);
  const auto again =
      built_for(built_for("cpu:arch=haswell").body().artifacts().begin()->target);  // as it stands in a file
  CHECK(again.body().artifacts().begin()->bytes == built_for("cpu:arch=haswell").body().artifacts().begin()->bytes);
}

TEST_CASE("code for another processor is built and kept, and not run") {
  const auto built = built_for(elsewhere);
  CHECK(code_of([&] { load(built); }) == "program.processor");
  const std::string file = program_file(built.body());
  CHECK(code_of([&] { open_program(read_program(file, nullptr, "a.tenon")); }) == "program.processor");
  CHECK(code_of([&] { (void)load(link(artifact_of<formats::elf_object>(built))); }) == "program.processor");
}

TEST_CASE("so are the native parts of a divided program") {
  context cx;
  target_from<targets::cpu>(parse_target(elsewhere)).configure(cx);
  const auto divided = build<targets::host_cpu>(parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<nx3xf32>) -> (tensor<2x?xi64>) inputs("x") outputs("y") {
  %s = abs(%x) : tensor<nx3xf32>
  %y = non_zero(%s) : tensor<2x?xi64>
  return(%y)
})"),
                                                cx);
  const bundle b = build_host_bundle(divided.body(), cx);
  REQUIRE(b.parts.size() == 1);
  REQUIRE(b.parts[0].form == "program");
  const std::string bytes = serialize(b);
  CHECK(code_of([&] { load(read_bundle(bytes, nullptr, "a.tenon")); }) == "program.processor");
}
