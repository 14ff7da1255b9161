// needs: llvm
// Artifacts: what their types allow, from object to shared object to running code; the module keeps each that was made.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

#include <unistd.h>

#include <tenon/artifacts/elf.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {

ir_module<phases::built> built_module(const char* op = "mul") {
  std::string text = R"(tenon.module phase=ingestion
constant #0 : tensor<3xf32> = [1, 2, 3]
func entry @main(%x: tensor<3xf32>) -> (tensor<3xf32>) inputs("x") outputs("y") {
  %c = constant() {value = #0} : tensor<3xf32>
  %y = OP(%x, %c) : tensor<3xf32>
  return(%y)
})";
  text.replace(text.find("OP"), 2, op);
  return std::move(build<targets::cpu>(parse<phases::ingestion>(text))).edit();
}

}  // namespace

static_assert(can_be<formats::elf_object, can::save> && can_be<formats::elf_object, can::link>);
static_assert(!can_be<formats::elf_object, can::load> && !can_be<formats::elf_shared, can::link>);
static_assert(can_be<formats::elf_shared, can::load> && !can_be<formats::jit, can::save> &&
              !can_be<formats::jit, can::link>);

TEST_CASE("an object becomes a shared object, which becomes running code") {
  const auto built = built_module();
  const artifact<formats::elf_object> object = artifact_of<formats::elf_object>(built);
  CHECK(object.symbol() == "tenon_main");
  CHECK(object.producer() == "generate_code");
  CHECK(symbols_of_elf(object.bytes()).defined == std::vector<std::string>{"tenon_main"});

  const artifact<formats::elf_shared> shared = link(object);
  CHECK(symbols_of_elf(shared.bytes()).defined == std::vector<std::string>{"tenon_main"});
  const loaded_code code = load(shared);
  const float x[3] = {5, 6, 7}, c[3] = {1, 2, 3};
  alignas(64) char arena[4096];
  float y[3] = {};
  const void* constants[] = {c};
  void* in[] = {const_cast<float*>(x)};
  void* out[] = {y};
  const tenon_runtime runtime = make_runtime(1);
  code.call(in, out, arena, constants, &runtime);
  CHECK(std::vector<float>(y, y + 3) == std::vector<float>{5, 12, 21});
  CHECK(code.find("no_such_function") == nullptr);

  const auto wrong = caught([&] { artifact_of<formats::elf_shared>(built); });
  CHECK(wrong.code() == "artifact.missing");
  CHECK(wrong.hint() == "it has elf_object 'tenon_main'");
  CHECK(caught([&] { artifact<formats::elf_shared>(built.body().artifacts().share(0)); }).code() == "artifact.format");
}

TEST_CASE("what is saved is what is there; bytes that are no code are refused") {
  const auto object = artifact_of<formats::elf_object>(built_module());
  const std::string path = "tenon_artifact_" + std::to_string(getpid()) + ".o";
  object.save(path);
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  CHECK(bytes == std::vector<char>(object.bytes().begin(), object.bytes().end()));
  std::remove(path.c_str());
  CHECK(caught([&] { object.save("no/such/folder/code.o"); }).code() == "io.write");

  const std::string nothing = "no code at all";
  CHECK(caught([&] { loaded_code(nothing, "tenon_main"); }).code() == "artifact.load");
  CHECK(caught([&] { symbols_of_elf(nothing); }).code() == "artifact.elf");
  const auto shared = link(object);
  CHECK(caught([&] { loaded_code(shared.bytes(), "another"); }).message() == "the code does not define 'another'");
  for (size_t n = 0; n < object.bytes().size(); n += 37)  // cut short anywhere: an error, or fewer symbols
    caught([&] { symbols_of_elf(object.bytes().first(n)); });
}

TEST_CASE("shared objects that are loaded one after the other are each their own") {
  const std::string path = "tenon_artifact_" + std::to_string(getpid()) + ".tenon";
  const auto first = built_module("mul"), second = built_module("add");
  const loaded_code one = load(link(artifact_of<formats::elf_object>(first)));
  const loaded_code two = load(link(artifact_of<formats::elf_object>(second)));
  CHECK((one.entry() != two.entry()));

  const tensor x = tensor::from<float>({3}, {5, 6, 7});
  std::vector<program> opened;  // all stay open
  for (int round = 0; round < 3; ++round)
    for (const auto* m : {&first, &second}) {
      save(path, *m);
      opened.push_back(program::open(path));
      std::remove(path.c_str());
    }
  for (size_t i = 0; i < opened.size(); ++i) CHECK(opened[i].run({x})[0].at_f64(2) == (i % 2 == 0 ? 21 : 10));
}

TEST_CASE("the set of artifacts is ordered, append-only, and names both producers of a symbol") {
  ir::module m;
  m.add_artifact({"elf_object", "cpu", "encoder", {1}, "generate_code"});
  m.add_artifact({"ptx", "sm_90", "decoder", {2}, "generate_ptx"});
  const ir::module copy = m;
  const error twice = caught([&] { m.add_artifact({"c_source", "c", "encoder", {3}, "emit_c"}); });
  CHECK(twice.code() == "ir.artifact");
  CHECK(
      twice.message() ==
      "symbol 'encoder' is defined twice: by 'generate_code' as elf_object for cpu, and by 'emit_c' as c_source for c");
  CHECK(caught([&] { m.add_artifact({"elf_object", "cpu", "", {3}}); }).code() == "ir.artifact");
  REQUIRE(m.artifacts().size() == 2);
  CHECK(m.artifacts()[0].symbol == "encoder");
  CHECK(m.artifacts()[1].symbol == "decoder");
  CHECK(&copy.artifacts()[0] == &m.artifacts()[0]);  // shared, not copied
  m.compact();
  CHECK(m.artifacts().missing_of(copy.artifacts()) == nullptr);
  CHECK(ir::module().artifacts().missing_of(copy.artifacts())->symbol == "encoder");
  CHECK(parse(print(m)).artifacts()[1] == m.artifacts()[1]);
}

namespace {
/// A pass that makes a new module, and forgets what the old one held.
struct start_over {
  static constexpr fixed_string name = "start_over";
  using runs_in = phases::optimization;
  using needs = facts<>;
  using keeps = all_facts;
  using emits = ops<>;
  void run(ir_module<runs_in>& m, context&) const {
    m = ir_module<runs_in>::adopt(parse("tenon.module phase=optimization"));
  }
};
}  // namespace

TEST_CASE("a pass that loses an artifact is stopped by name") {
  ir::module m;
  m.add_artifact({"c_source", "dsp", "encoder", {'{', '}'}, "run_codegen"});
  context cx;
  const error lost =
      caught([&] { static_cast<void>(run<start_over>(ir_module<phases::optimization>::adopt(std::move(m)), cx)); });
  CHECK(lost.code() == "tenon-E028");
  CHECK(lost.message().find(
            "pass 'start_over' leaves a module without artifact 'encoder' (c_source, made by 'run_codegen')") == 0);
}

TEST_CASE("two programs are called from eight threads at once") {
  const program twice = jit(built_module("mul")), shifted = jit(built_module("add"));
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (size_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const program& p = t % 2 == 0 ? twice : shifted;
      for (int i = 0; i < 200; ++i) {
        const float v = static_cast<float>(i + static_cast<int>(t));
        const auto y = p.run({tensor::from<float>({3}, {v, v, v})}, 2);
        for (i64 k = 0; k < 3; ++k)
          if (y[0].at_f64(k) != (t % 2 == 0 ? v * static_cast<double>(k + 1) : v + static_cast<double>(k + 1)))
            ++wrong[t];
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == std::vector<int>(8, 0));
}
