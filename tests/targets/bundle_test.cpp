// Program files with a host: what is native in them, what is evaluated and why, and files that are none.
// needs: llvm
#include <tenon/targets/bundle.hpp>

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

/// NonZero makes extents that no one knows before; the reshape behind it needs a number that the host computes.
const char* const growing = R"(tenon.module phase=optimization
constant #0 : tensor<2xi64> = [-1, 2]
func entry @main(%x: tensor<n x4xf32>, %y: tensor<n x4xf32>) -> (tensor<?xf32>, tensor<n x4xf32>) inputs("x", "y") outputs("r", "s") {
  %a = exp(%x) : tensor<n x4xf32>
  %b = sub(%a, %y) : tensor<n x4xf32>
  %n = non_zero(%b) : tensor<2x?xi64>
  %f = cast(%n) {to = f32} : tensor<2x?xf32>
  %g = mul(%f, %f) : tensor<2x?xf32>
  %r = reduce_sum(%g) {axes = [0], keep_dims = false} : tensor<?xf32>
  return(%r, %b)
})";

ir::module split(const char* text) {
  std::string t = text;
  for (size_t at; (at = t.find("n x4")) != t.npos;) t.replace(at, 4, "nx4");
  context cx;
  auto graph = build<targets::graph_level>(ir_module<phases::optimization>::adopt(parse(t)), cx);
  return std::move(run<passes::outline_regions>(run<passes::eliminate_dead>(std::move(graph), cx), cx)).edit().body();
}
bundle built(const ir::module& m) {
  context cx;
  targets::cpu{}.configure(cx);
  cx.target = parse_target("cpu");
  return build_host_bundle(m, cx);
}

tensor numbers(std::vector<i64> shape, u64 seed) {
  tensor t(dtype::f32, std::move(shape));
  for (i64 i = 0; i < t.size(); ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    t.set_f64(i, static_cast<double>(seed >> 40) / 1e7);
  }
  return t;
}

struct temporary {
  std::string path = "tenon_bundle_" + std::to_string(getpid()) + ".tenon";
  ~temporary() { std::remove(path.c_str()); }
};

std::string code_of_error(void (*f)(const std::string&), const std::string& path) {
  try {
    f(path);
  } catch (const error& e) { return e.code(); }
  return "";
}

}  // namespace

TEST_CASE("one file serves every size, and no region is evaluated") {
  const ir::module m = split(growing);
  const temporary file;
  save_bundle(file.path, built(m));
  CHECK(is_bundle_file(file.path));
  const bundle b = read_bundle(file.path);
  CHECK(b.kind == "host");
  CHECK(b.target == "cpu");
  CHECK(b.parts.size() == 2);
  for (const bundle::part& p : b.parts) CHECK_MESSAGE(p.form == "program", p.note);
  CHECK(summary_of(b) == "a host with 2 native regions");
  const auto opened = open_executable(file.path);
  for (const i64 n : {1, 3, 7, 100}) {
    const tensor inputs[] = {numbers({n, 4}, static_cast<u64>(n)), numbers({n, 4}, 5)};
    const auto want = interpret(m, "main", inputs), got = opened->run(inputs, 2);
    REQUIRE(got.size() == 2);
    for (size_t i = 0; i < 2; ++i) CHECK(compare(got[i], want[i], {1e-5, 1e-5, 1e-5}).message == "");
  }
  const host_program::counts c = dynamic_cast<const hosted&>(*opened).host().counted();
  CHECK(c.native == 8);
  CHECK(c.evaluated == 0);
  CHECK(c.compiled == 0);
}

TEST_CASE("inputs are held to their types, extents to each other") {
  const auto opened = load(built(split(growing)));
  const auto code = [&](tensor x, tensor y) {
    const tensor inputs[] = {std::move(x), std::move(y)};
    try {
      opened->run(inputs, 1);
    } catch (const error& e) { return e.code(); }
    return std::string();
  };
  CHECK(code(numbers({2, 4}, 1), numbers({2, 4}, 2)) == "");
  CHECK(code(numbers({2, 5}, 1), numbers({2, 4}, 2)) == "program.type");
  CHECK(code(numbers({8}, 1), numbers({2, 4}, 2)) == "program.type");
  CHECK(code(tensor(dtype::i64, {2, 4}), numbers({2, 4}, 2)) == "program.type");
  const tensor one[] = {numbers({2, 4}, 1)};
  CHECK_THROWS_AS(opened->run(one, 1), error);
}

TEST_CASE("sizes that the code of a region cannot serve are evaluated, and the counts say why") {
  // The two lists are equally long where the code was made for: no one said so, and one may have a single element.
  const char* const text = R"(tenon.module phase=optimization
func entry @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<1x?xi64>) inputs("x", "y") outputs("r", "s") {
  %a = add(%x, %y) : tensor<?xf32>
  %b = mul(%a, %x) : tensor<?xf32>
  %n = non_zero(%b) : tensor<1x?xi64>
  return(%b, %n)
})";
  const ir::module m = split(text);
  const auto opened = load(built(m));
  for (const i64 n : {5, 1, 6}) {
    const tensor inputs[] = {numbers({n == 1 ? 4 : n}, 1), numbers({n}, 2)};
    const auto want = interpret(m, "main", inputs), got = opened->run(inputs, 1);
    CHECK(compare(got[0], want[0], {1e-5, 1e-5, 1e-5}).message == "");
    CHECK(same_bits(got[1], want[1]));
  }
  const host_program::counts c = dynamic_cast<const hosted&>(*opened).host().counted();
  CHECK(c.native == 2);
  CHECK(c.evaluated == 1);
  REQUIRE(c.not_for_all.size() == 1);
  CHECK(c.not_for_all[0].find("they must be equal") != std::string::npos);
}

TEST_CASE("a region without code says why, in the file too") {
  const ir::module m = split(growing);
  const auto refuse = [](const ir::module&, function_id, const void*) { return region_file{{}, "there is a reason"}; };
  const std::string bytes = serialize(host_bundle(m, "cpu", refuse, nullptr));
  const bundle b = read_bundle(bytes, nullptr, "bytes");
  REQUIRE(b.parts.size() == 2);
  CHECK(b.parts[0].form == "none");
  CHECK(b.parts[0].note.find("there is a reason") != std::string::npos);
  CHECK(summary_of(b) == "a host with 0 native regions, 2 that are evaluated");
  const tensor inputs[] = {numbers({3, 4}, 1), numbers({3, 4}, 2)};
  const auto want = interpret(m, "main", inputs), got = load(b)->run(inputs, 1);
  CHECK(same_bits(got[0], want[0]));
}

TEST_CASE("files of another kind are refused by what they are") {
  const temporary file;
  save_bundle(file.path, built(split(growing)));
  CHECK(code_of_error([](const std::string& p) { program::open(p); }, file.path) == "file.kind");
  CHECK(code_of_error([](const std::string& p) { load_module(p); }, file.path) == "file.kind");
  save_program(file.path, program::parts{}, std::string("no code"), "main");
  CHECK(code_of_error([](const std::string& p) { read_bundle(p); }, file.path) == "file.kind");
}

TEST_CASE("parts that do not belong to the module are refused") {
  const ir::module m = split(growing);
  bundle b = built(m);
  std::swap(b.parts[0].bytes, b.parts[1].bytes), std::swap(b.parts[0].owner, b.parts[1].owner);
  CHECK_THROWS_WITH_AS(load(b), doctest::Contains("takes and gives something else"), error);
  b = built(m);
  b.parts[0].name = "main";
  CHECK_THROWS_WITH_AS(load(b), doctest::Contains("no region 'main'"), error);
  b = built(m);
  b.parts[0].name = b.parts[1].name;
  CHECK_THROWS_WITH_AS(read_bundle(serialize(b), nullptr, "bytes"), doctest::Contains("two parts are called"), error);
  b = built(m);
  b.kind = "other";
  CHECK_THROWS_WITH_AS(read_bundle(serialize(b), nullptr, "bytes"), doctest::Contains("which there is not"), error);
}

namespace {
/// A module whose middle is constrained to another member.
template <class Composite>
bundle built_composite(const char* member) {
  register_target<targets::cpu>();
  register_target<targets::interpreter>();
  ir::module m = parse(R"(tenon.module phase=ingestion
constant #0 : tensor<4xf32> = [1, 2, 3, 4]
func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) inputs("x") outputs("y", "z") {
  %w = constant() {value = #0} : tensor<4xf32>
  %a = add(%x, %w) : tensor<2x4xf32>
  %b = tanh(%a) : tensor<2x4xf32>
  %c = mul(%b, %x) : tensor<2x4xf32>
  return(%c, %a)
})");
  std::vector<op_id> tanhs;
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).name() == "tanh") tanhs.push_back(op);
  });
  ir::constrain(m, tanhs.at(0), member);
  context cx;
  Composite{}.configure(cx);
  const auto built = build<Composite>(ir_module<phases::ingestion>::adopt(std::move(m)), cx);
  return linked_bundle(built.body(), spec_of(Composite{}));
}
void check_composite(bundle b) {
  const std::string bytes = serialize(b);
  const tensor x = numbers({2, 4}, 3), inputs[] = {x};
  const auto y = load(read_bundle(bytes, nullptr, "bytes"))->run(inputs, 1);
  REQUIRE(y.size() == 2);
  for (i64 i = 0; i < 8; ++i) {
    const double a = x.at_f64(i) + static_cast<double>(i % 4 + 1);
    CHECK(y[1].at_f64(i) == doctest::Approx(a));
    CHECK(y[0].at_f64(i) == doctest::Approx(std::tanh(a) * x.at_f64(i)));
  }
}
}  // namespace

TEST_CASE("a composite's parts are programs where they are machine code: no target is needed to open the file") {
  bundle b = built_composite<composite<host<targets::cpu>, device<"second", targets::cpu>>>("second");
  CHECK(b.kind == "linked");
  CHECK(b.target == "composite(cpu,second@cpu)");
  CHECK(b.parts.size() == 3);
  for (const bundle::part& p : b.parts) CHECK(p.form == "program");
  CHECK(b.module.artifacts().empty());
  check_composite(b);
  b.target = "composite(cpu@not_here,second@not_here)";
  check_composite(b);
  b.parts.pop_back();
  CHECK_THROWS_WITH_AS(load(b), doctest::Contains("holds no part"), error);
}

TEST_CASE("a part that only its target can load stays a module") {
  bundle b = built_composite<composite<host<targets::cpu>, device<"reference", targets::interpreter>>>("reference");
  size_t modules = 0;
  for (const bundle::part& p : b.parts) modules += p.form == "module" ? 1 : 0;
  CHECK(modules == 1);
  check_composite(b);
  b.target = "composite(cpu,reference@not_here)";
  CHECK_THROWS_WITH_AS(load(b), doctest::Contains("not_here"), error);
}

TEST_CASE("a module that its target runs as it is, is a program file too") {
  register_target<targets::interpreter>();
  const ir::module m = parse(R"(tenon.module phase=optimization
func entry @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") {
  %a = add(%x, %x) : tensor<2x3xf32>
  return(%a)
})");
  const bundle b = module_bundle(ir::module(m), parse_target("interpreter"));
  CHECK(b.phase == "optimization");
  const std::string bytes = serialize(b);
  const bundle again = read_bundle(bytes, nullptr, "bytes");
  CHECK(summary_of(again) == "a module that interpreter runs");
  const tensor inputs[] = {numbers({2, 3}, 4)};
  CHECK(same_bits(load(again)->run(inputs, 1)[0], interpret(m, "main", inputs)[0]));
  bundle other = b;
  other.target = "not_here";
  CHECK_THROWS_WITH_AS(read_bundle(serialize(other), nullptr, "bytes"), doctest::Contains("not_here"), error);
  other = b, other.phase = "ingestion";
  CHECK_THROWS_WITH_AS(read_bundle(serialize(other), nullptr, "bytes"),
                       doctest::Contains("runs no module in phase 'ingestion'"), error);
}

namespace {
/// What is made for it is memory of this process.
struct in_memory {
  static constexpr fixed_string name = "in_memory";
  using abilities = tenon::abilities<can::call>;
};
struct kept_nowhere : targets::interpreter {
  static constexpr fixed_string name = "kept_nowhere";
  struct code_generator {
    using code_format = in_memory;
    using requires_facts = facts<>;
  };
  using format = in_memory;
  struct runtime {
    static constexpr fixed_string name = "of_memory";
    using code_format = in_memory;
    static std::unique_ptr<executable> load(const ir::module& m) { return targets::evaluator::load(m); }
  };
};
}  // namespace

TEST_CASE("what a format says cannot be saved is in no program file, nor is a composite of it") {
  register_target<targets::interpreter>();
  register_target<kept_nowhere>();
  const ir::module m = parse(R"(tenon.module phase=optimization
func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
  %a = add(%x, %x) : tensor<2xf32>
  return(%a)
})");
  check_makes_files(parse_target("composite(interpreter,second@interpreter)"));
  for (const char* target : {"kept_nowhere", "composite(interpreter,second@kept_nowhere)"})
    CHECK_THROWS_WITH_AS(check_makes_files(parse_target(target)), doctest::Contains("of format 'in_memory'"), error);
  const auto code_of = [](auto&& f) {
    try {
      f();
    } catch (const error& e) { return e.code(); }
    return std::string();
  };
  CHECK(code_of([&] { (void)module_bundle(ir::module(m), parse_target("kept_nowhere")); }) == "target.no_program");
  CHECK(code_of([&] { (void)linked_bundle(m, parse_target("composite(interpreter,second@kept_nowhere)")); }) ==
        "target.no_program");
}
