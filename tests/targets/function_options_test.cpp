// needs: llvm
// Constraints have options, and what is constrained is compiled with them; or it is refused, and the error says why.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/all.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace {

using two_cpus = composite<host<targets::cpu>, device<"second", targets::cpu>>;

/// Two functions of the same op, large enough for loops on several threads.
ir_module<phases::ingestion> twins(const char* constraint = "") {
  auto m = parse<phases::ingestion>(R"m(tenon.module phase=ingestion
func entry @main(%x: tensor<256x1000xf32>, %z: tensor<256x1000xf32>) -> (tensor<256x1000xf32>, tensor<256x1000xf32>) inputs("x", "z") outputs("a", "b") {
  %a = call(%x) {callee = @first} : tensor<256x1000xf32>
  %b = call(%z) {callee = @second} : tensor<256x1000xf32>
  return(%a, %b)
}
func @first(%x: tensor<256x1000xf32>) -> (tensor<256x1000xf32>) {
  %y = exp(%x) : tensor<256x1000xf32> loc("node 'early' (Exp)")
  return(%y)
}
func @second(%x: tensor<256x1000xf32>) -> (tensor<256x1000xf32>) {
  %y = exp(%x) : tensor<256x1000xf32> loc("node 'late' (Exp)")
  return(%y)
}
)m");
  if (*constraint) m.constrain("second", constraint);
  return m;
}
tensor ramp() {
  tensor t(dtype::f32, {256, 1000});
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i) / 3200 - 60);
  return t;
}
/// Kernels with a parallel loop, and those without, by what they are constrained to.
std::string loops_of(const ir::module& m) {
  std::string s;
  for (function_id f : m.functions()) {
    if (m[f].kind != ir::function_kind::kernel) continue;
    bool parallel = false;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const auto* l = m.view(op).get_if<loop::for_loop>();
      parallel = parallel || (l != nullptr && l->kind == loop::loop_kind::parallel);
    });
    s += (s.empty() ? "" : "; ") + m[f].target + (parallel ? " parallel" : " serial");
  }
  return s;
}
size_t wrong_exps(const tensor& got) {
  const tensor x = ramp();
  size_t wrong = 0;
  for (i64 i = 0; i < x.size(); ++i)
    wrong += static_cast<const float*>(got.data())[i] != std::exp(static_cast<const float*>(x.data())[i]) ? 1 : 0;
  return wrong;
}
/// What each part of a joined module was built for.
std::vector<std::string> targets_of_parts(const ir::module& linked) {
  std::vector<std::string> all;
  for (const ir::artifact& a : linked.artifacts())
    all.push_back(deserialize({a.bytes.data(), a.bytes.size()}).build.target);
  return all;
}

}  // namespace

TEST_CASE("a function is compiled for as many threads as its constraint says") {
  const auto loops = [](const char* constraint, i64 threads) {
    return loops_of(build<targets::cpu>(twins(constraint), {.threads = threads}).body());
  };
  CHECK(loops("", 4) == "cpu parallel");  // one kernel for both
  CHECK(loops("cpu:threads=1", 4) == "cpu parallel; cpu:threads=1 serial");
  CHECK(loops("cpu:threads=4", 1) == "cpu serial; cpu:threads=4 parallel");
  CHECK(loops("cpu", 1) == "cpu serial; cpu serial");
}

TEST_CASE("a function is as exact as its constraint says") {
  const std::vector<tensor> plain = load(build<targets::cpu>(twins())).run({ramp(), ramp()});
  CHECK(wrong_exps(plain[0]) != 0);  // within 4 ulp
  const std::vector<tensor> mixed = load(build<targets::cpu>(twins("cpu:precision=strict"))).run({ramp(), ramp()});
  CHECK(same_bits(mixed[0], plain[0]));
  CHECK(wrong_exps(mixed[1]) == 0);
  const std::vector<tensor> other =
      load(build<targets::cpu>(twins("cpu:precision=standard"), {.precision = targets::precision::strict}))
          .run({ramp(), ramp()});
  CHECK(wrong_exps(other[0]) == 0);
  CHECK(wrong_exps(other[1]) != 0);
}

TEST_CASE("options of a whole program are not those of a function, unless they are the program's") {
  const auto refusal = [](const char* constraint, const targets::cpu& program = {}) {
    return caught([&] { (void)build<targets::cpu>(twins(constraint), program); });
  };
  const error arch = refusal("cpu:arch=x86-64-v2", {.threads = 2});
  CHECK(arch.code() == "target.function_option");
  CHECK(
      arch.message() ==
      "function 'second' is constrained to 'cpu:arch=x86-64-v2', and option 'arch' is one of a whole program, which is "
      "compiled for 'cpu:threads=2'; its functions have options of their own: threads, precision, winograd, "
      "check_bounds");
  CHECK(arch.hint().find("composite(cpu:threads=2)") != std::string::npos);
  CHECK(refusal("cpu:arch=x86-64-v2", {.arch = "x86-64-v2"}).code() == "none");
  CHECK(refusal("cpu:optimize=0").code() == "target.function_option");
  CHECK(refusal("cpu:denormals=flush").code() == "none");  // as it is anyway
  const error misspelt = refusal("cpu:thread=1");
  CHECK(misspelt.code() == "target.option");
  CHECK(misspelt.message() ==
        "function 'second' is constrained to 'cpu:thread=1': target 'cpu' has no option 'thread'");
  CHECK(misspelt.hint() == "did you mean 'threads'?");
  CHECK(refusal("cpu:threads=many").code() == "target.value");
  // Every target says what it cannot do.
  CHECK(caught([&] { (void)build<targets::c_source>(twins("c_source:optimize=1")); }).code() ==
        "target.function_option");
  CHECK(caught([&] { (void)build<targets::xsimd>(twins("xsimd:threads=1")); }).code() == "target.function_option");
  CHECK(caught([&] { (void)build<targets::interpreter>(twins("interpreter:threads=1")); }).code() == "target.option");
  // An op says it of itself.
  auto m = twins();
  ir::for_each_op(m.body(), [&](op_id op) {
    if (ir::called(m.body(), op) == "late") ir::constrain(m.body(), op, "cpu:optimize=0");
  });
  CHECK(caught([&] { (void)build<targets::cpu>(std::move(m)); }).message().find("op 'exp' (node 'late' (Exp))") == 0);
}

TEST_CASE("what is constrained when there are kernels already gets kernels of its own") {
  context cx;
  targets::cpu{.threads = 4}.configure(cx);
  auto half = compile_to<phases::optimization, targets::cpu>(twins(), cx);
  auto e = std::move(half).edit();
  CHECK(ir::constrain_named(e.body(), "late", "cpu:threads=1") == 1);
  auto built = build<targets::cpu>(establish<fact::ops_legalized>(std::move(e)), cx);
  CHECK(loops_of(built.body()) == "cpu parallel; cpu:threads=1 serial");
  const std::vector<tensor> got = load(built).run({ramp(), ramp()}),
                            want = load(build<targets::cpu>(twins())).run({ramp(), ramp()});
  CHECK(same_bits(got[0], want[0]));
  CHECK(same_bits(got[1], want[1]));
}

TEST_CASE("a composite compiles what is constrained with options as a part with these options") {
  const auto parts = [](const char* constraint) {
    const auto built = build<two_cpus>(twins(constraint));
    const std::vector<tensor> got = two_cpus::runtime::load(built.body())->run(std::vector{ramp(), ramp()}, 1);
    const std::vector<tensor> want = interpret(twins().body(), "main", std::vector{ramp(), ramp()});
    for (size_t i = 0; i < 2; ++i)
      for (i64 k = 0; k < want[i].size(); ++k)
        if (std::abs(got[i].at_f64(k) - want[i].at_f64(k)) > 1e-5 * want[i].at_f64(k)) FAIL(got[i].at_f64(k));
    return targets_of_parts(built.body());
  };
  using texts = std::vector<std::string>;
  CHECK(parts("second") == texts{"cpu", "cpu"});
  CHECK(parts("second:arch=x86-64,threads=3") == texts{"cpu", "cpu:arch=x86-64,threads=3"});
  CHECK(parts("host:optimize=0") == texts{"cpu", "cpu:optimize=0"});
  const error none = caught([&] { (void)build<two_cpus>(twins("second:lanes=3")); });
  CHECK(none.code() == "target.option");
  CHECK(none.message().find("'second' has no option 'lanes'") != std::string::npos);
  CHECK(caught([&] { (void)build<two_cpus>(twins("secnd:threads=3")); }).hint() ==
        "did you mean 'second'? the members are: cpu, second");
  // A target that several members are: the one that is so by itself, else nobody knows.
  using three = composite<host<targets::interpreter>, device<"a", targets::cpu>, device<"b", targets::cpu>>;
  three c;
  std::get<2>(c.members).threads = 3;
  const auto built = build<three>(twins("cpu:threads=3"), c);
  CHECK(print(built).find("on = \"b\"") != std::string::npos);
  CHECK(caught([&] { (void)build<three>(twins("cpu:threads=5"), c); }).code() == "target.ambiguous");
}

TEST_CASE("without options a build is for what the target is by itself") {
  struct restored {
    ~restored() { set_thread_count(0); }
  } const guard;
  set_thread_count(3);
  context cx;
  (void)build<targets::cpu>(twins(), cx);
  CHECK(!cx.target);
  CHECK(cx.get<passes::kernel_options>().threads == 3);
  CHECK(cx.get<passes::kernel_options>().borders_in_kernels);
  CHECK(loops_of(build<targets::cpu>(twins()).body()) == "cpu parallel");
  set_thread_count(1);
  CHECK(loops_of(build<targets::cpu>(twins()).body()) == "cpu serial");
  // The same context for another target; and what it says itself stays.
  (void)build<targets::c_source>(twins(), cx);
  CHECK(std::string(cx.get<passes::kernel_options>().target) == "c_source");
  cx.set(passes::kernel_options{.vector_bytes = 16, .threads = 2});
  CHECK(loops_of(build<targets::cpu>(twins(), cx).body()) == "cpu parallel");
  CHECK(cx.get<passes::kernel_options>().vector_bytes == 16);
}
