// needs: llvm
// Code that checks its accesses: an access that would leave its buffer is an error that names it, and is not made.
#include <doctest/doctest.h>

#include <tenon/compile/run_pipeline.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/bounds.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/judge/order.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "support/caught.hpp"
#include "support/random_module.hpp"
#include "support/skip.hpp"

using namespace tenon;
using testing::caught;

namespace {

/// One kernel over an i64 buffer of positions, an input and an output, called once.
std::string module_text(std::string_view body) {
  return R"(tenon.module phase=lowering
func entry @main(%p: buffer<4xi64>, %x: buffer<6x8xf32>, %y: buffer<6x8xf32>) -> (tensor<6x8xf32>) inputs("p", "x") outputs("y") target("cpu") {
  call_dps(%p, %x, %y) {kernel = @k, inputs = 2}
  return()
}
kernel @k(%p: buffer<4xi64>, %x: buffer<6x8xf32>, %y: buffer<6x8xf32>) {
  %0 = loop.literal() {type = index} : index
  %6 = loop.literal() {type = index, integer = 6} : index
  %8 = loop.literal() {type = index, integer = 8} : index
  %one = loop.literal() {type = f32, real = 1.0} : f32
)" + std::string(body) +
         "\n  return()\n}\n";
}

/// Positions 0 to 3 of `p` as indices %a to %d.
constexpr std::string_view positions = R"(
  %pa = loop.load(%p[0]) : i64
  %a = loop.convert(%pa) {to = index} : index
  %pb = loop.load(%p[1]) : i64
  %b = loop.convert(%pb) {to = index} : index
)";

const std::pair<const char*, const char*> kernels[] = {
    {"store", "loop.store(%one, %y[%a, %b])"},
    {"load", "%v = loop.load(%x[%a, %b]) : f32\n  loop.store(%v, %y[0, 0])"},
    {"vector store",
     "loop.for(%0, %8) {kind = vector, independent = true} ({ ^(%i: index):\n loop.store(%one, %y[%a, %i + %b])\n "
     "loop.yield()\n })"},
    {"vector load",
     "loop.for(%0, %8) {kind = vector, independent = true} ({ ^(%i: index):\n %v = loop.load(%x[%a, %i + %b]) : f32\n "
     "loop.store(%v, %y[0, %i])\n loop.yield()\n })"},
    {"gather",
     "loop.for(%0, %6) {kind = vector, independent = true} ({ ^(%i: index):\n %v = loop.load(%x[%i + %a, %b]) : f32\n "
     "loop.store(%v, %y[%i, 0])\n loop.yield()\n })"},
    {"parallel",
     "loop.for(%0, %6) {kind = parallel, independent = true} ({ ^(%i: index):\n loop.store(%one, %y[%i + %a, %b])\n "
     "loop.yield()\n })"},
    {"parallel of vectors",
     "loop.for(%0, %6) {kind = parallel, independent = true} ({ ^(%i: index):\n loop.for(%0, %8) {kind = vector, "
     "independent = true} ({ ^(%j: index):\n"
     " %v = loop.load(%x[%i + %a, %j + %b]) : f32\n loop.store(%v, %y[%i, %j])\n loop.yield()\n })\n loop.yield()\n "
     "})"},
    {"contraction",
     "loop.contract(%x, %x, %a, %b) {m = [5], k = [4], n = 7, map_a = [[0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 0, 1]], map_b "
     "= [[0, 1, 0, 0, 0, 1], [0, 0, 1, 0, 1, 0]]} "
     "({ ^(%acc: f32, %m: index, %n: index):\n loop.store(%acc, %y[%m, %n])\n loop.yield()\n })"},
};

program compiled(const std::string& text, bounds_checks how = bounds_checks::untrusted, int threads = 2) {
  context cx;
  targets::cpu target;
  target.threads = threads, target.check_bounds = how;
  target.configure(cx);
  return load(build<targets::cpu>(parse<phases::lowering>(text), cx));
}
program compiled_by_c(std::string text) {
  if (const size_t at = text.find(" target(\"cpu\")"); at != text.npos)
    text.erase(at, std::string(" target(\"cpu\")").size());
  context cx;
  targets::c_source{}.configure(cx);
  return load_c_source(build<targets::c_source>(establish<fact::static_shapes>(parse<phases::lowering>(text)), cx));
}
tensor places(i64 a, i64 b) { return tensor::from<i64>({4}, {a, b, 0, 0}); }
tensor numbers() {
  tensor x(dtype::f32, {6, 8});
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i % 7));
  return x;
}
bool mentions(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("kernels that were read are checked where nothing is proven: right positions run, wrong ones are an error") {
  for (const bool in_c : {false, true}) {
    if (in_c && !has_c_compiler()) {
      testing::skip("there is no C compiler");
      continue;
    }
    for (const auto& [name, body] : kernels) {
      const std::string text = module_text(std::string(positions) + body);
      INFO(std::string(name), std::string(in_c ? " in C" : ""));
      const ir::module m = parse(text);
      const program p = in_c ? compiled_by_c(text) : compiled(text);
      for (const auto& [a, b] : {std::pair<i64, i64>{0, 0},
                                 {1, 0},
                                 {0, 1},
                                 {5, 7},
                                 {-1, 0},
                                 {0, -1},
                                 {6, 0},
                                 {0, 8},
                                 {i64{1} << 40, 0},
                                 {i64{1} << 61, 1}}) {
        const std::vector<tensor> inputs{places(a, b), numbers()};
        std::vector<tensor> want;
        const error expected = caught([&] { want = interpret(m, "main", inputs); });
        tensor y(dtype::f32, {6, 8});
        std::vector<tensor> got;
        const error found = caught([&] { got = p.run(inputs, 2); });
        INFO(a, ", ", b);
        CHECK((expected.code() == "interpret.out_of_bounds" || expected.code() == "extent.overflow") ==
              (found.code() == "program.out_of_bounds"));
        if (found.code() == "program.out_of_bounds") {
          CHECK(mentions(found.message(), "kernel 'k': loop."));
          CHECK(mentions(found.message(), " is outside"));
        }
      }
    }
  }
}

TEST_CASE("the error names kernel, op, buffer, dimension and index") {
  const program p = compiled(module_text(std::string(positions) + kernels[0].second));
  const error e = caught([&] { p.run({places(2, 9), numbers()}); });
  CHECK(e.message() ==
        "kernel 'k': loop.store of a buffer<6x8xf32>: index 9 of dimension 1 is outside; the outputs hold nothing of "
        "use");
  CHECK_NOTHROW(p.run({places(2, 7), numbers()}));  // the next run knows nothing of it
}

TEST_CASE("what is right computes the same with checks") {
  for (const auto& [name, body] : kernels) {
    // All of y is written first, so that nothing of it is left open.
    const std::string text = module_text(
        "  loop.for(%0, %6) ({ ^(%i: index):\n loop.for(%0, %8) ({ ^(%j: index):\n loop.store(%one, %y[%i, %j])\n "
        "loop.yield()\n })\n loop.yield()\n })" +
        std::string(positions) + body);
    INFO(std::string(name));
    const std::vector<tensor> inputs{places(0, 1), numbers()};
    const ir::module m = parse(text);
    std::vector<tensor> want;
    if (caught([&] { want = interpret(m, "main", inputs); }).code() != "none") continue;
    for (const bounds_checks how : {bounds_checks::untrusted, bounds_checks::on, bounds_checks::off})
      CHECK(same_bits(compiled(text, how).run(inputs)[0], want[0]));
  }
}

TEST_CASE("the option, and what was read") {
  const std::string text = module_text(std::string(positions) + kernels[0].second);
  const auto checks = [&](ir::module m, bounds_checks how) {
    context cx;
    targets::cpu target;
    target.check_bounds = how;
    target.configure(cx);
    auto built = build<targets::cpu>(ir_module<phases::lowering>::adopt(std::move(m)), cx);
    const auto& bytes = built.body().artifacts().begin()->bytes;
    return std::string(bytes.begin(), bytes.end()).find("loop.store of a buffer") != std::string::npos;
  };
  ir::module read = parse(text), made = read;
  CHECK(read.build.kernels_are_untrusted);
  made.build.kernels_are_untrusted = false;
  CHECK(checks(read, bounds_checks::untrusted));
  CHECK(!checks(made, bounds_checks::untrusted));
  CHECK(checks(made, bounds_checks::on));
  CHECK(!checks(read, bounds_checks::off));
  CHECK(deserialize(serialize(made, "lowering")).build.kernels_are_untrusted);
  CHECK(print(read) == print(made));  // nothing of it is written
  const ir::module graph = parse(
      "tenon.module phase=ingestion\nfunc entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) "
      "inputs(\"x\") outputs(\"y\") {\n  %y = neg(%x) : tensor<2xf32>\n  return(%y)\n}\n");
  CHECK(!graph.build.kernels_are_untrusted);
}

TEST_CASE("lowered models compute the same with every access checked") {
  for (u64 seed = 0; seed < 40; ++seed) {
    const ir::module m = testing::random_module(seed);
    const std::vector<tensor> inputs = testing::random_inputs(m, seed);
    const auto run = [&](bounds_checks how) {
      context cx;
      targets::cpu target;
      target.threads = 2, target.check_bounds = how;
      target.configure(cx);
      return load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx)).run(inputs, 2);
    };
    const std::vector<tensor> plain = run(bounds_checks::off), checked = run(bounds_checks::on);
    for (size_t i = 0; i < plain.size(); ++i)
      CHECK_MESSAGE(same_bits(plain[i], checked[i]), "seed " << seed << ", result " << i);
  }
}

TEST_CASE("a text whose accesses surely leave their buffers is refused where it is read") {
  const std::string text = module_text(
      "  loop.for(%0, %8) {independent = true} ({ ^(%i: index):\n    loop.store(%one, %y[%i, 0])\n    loop.yield()\n  "
      "})");
  const error e = caught([&] { parse(text); });
  CHECK(e.code() == "ir.verify");
  CHECK(e.message() ==
        "function 'k': loop.store: it reaches indices 0 to 7 of dimension 0 of operand 1, a buffer<6x8xf32>");
}
