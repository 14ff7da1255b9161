// needs: llvm
// A target whose runtime does not take what its code generator makes is none, as far as its parts say; else loading
// says so.
#include <doctest/doctest.h>

#include <tenon/targets/c_source.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

template <class Format, class Runtime>
struct joined {
  static constexpr fixed_string name = "joined";
  using device = host_device;
  using code_generator = passes::generate_code;
  using format = Format;
  using abi = abis::c_entry;
  using runtime = Runtime;
  using pipeline = targets::cpu::pipeline;
};
static_assert(is_complete<joined<formats::elf_object, targets::native_runtime>>);
static_assert(!is_complete<joined<formats::elf_object, targets::evaluator>>);
static_assert(!is_complete<joined<formats::elf_object, targets::c_compiler>>);
static_assert(!is_complete<joined<formats::c_source, targets::native_runtime>>);
static_assert(!is_complete<joined<formats::c_source, targets::c_compiler>>);

/// A runtime that says nothing of formats may take any.
struct hopeful_runtime {
  static constexpr fixed_string name = "hopeful";
  static std::unique_ptr<executable> load(const ir::module& m) { return targets::evaluator::load(m); }
};
static_assert(is_complete<joined<formats::elf_object, hopeful_runtime>>);

constexpr const char* text = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
  %y = exp(%x) : tensor<4xf32>
  return(%y)
}
)";

template <class F>
std::string code_of(F&& f) {
  try {
    f();
  } catch (const error& e) { return e.code(); }
  return "no error";
}

}  // namespace

TEST_CASE("a runtime is not given code of another format in silence") {
  const auto built = build<joined<formats::elf_object, hopeful_runtime>>(parse<phases::ingestion>(text));
  CHECK(code_of([&] { hopeful_runtime::load(built.body()); }) == "program.format");
  CHECK(code_of([&] { targets::c_compiler::load(built.body()); }) == "artifact.missing");
  CHECK(code_of([&] { targets::native_runtime::load(built.body()); }) == "no error");
  const auto graph = build<targets::interpreter>(parse<phases::ingestion>(text));
  CHECK(code_of([&] { targets::evaluator::load(graph.body()); }) == "no error");
  CHECK(code_of([&] { targets::native_runtime::load(graph.body()); }) == "program.no_code");
}
