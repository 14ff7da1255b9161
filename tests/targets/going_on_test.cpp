// needs: llvm
// What compile_to stops is noted for what it was begun for, goes through a file, and is finished for that.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>

#include <tenon/facts/memory_planned.hpp>
#include <tenon/importers/graph.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/text/parse.hpp>

#include "support/lowered.hpp"

using namespace tenon;

namespace {

ir_module<phases::ingestion> model() {
  return parse<phases::ingestion>(R"(tenon.module phase=ingestion
constant #0 "w" : tensor<4x3xf32> = [1, 2.5, -0, 4, 5, 6, -1, 0.5, 0.25, 2, 3, -4]
func entry @main(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>) inputs("x") outputs("y") {
  %w = constant() {value = #0} : tensor<4x3xf32>
  %m = matmul(%x, %w) : tensor<2x3xf32>
  %y = tanh(%m) : tensor<2x3xf32>
  return(%y)
}
)");
}

tensor answer(const ir::module& built) {
  return load(built).run({tensor::from<float>({2, 4}, {0.1f, -0.2f, 0.3f, 0.4f, -0.5f, 0.6f, 0.7f, 0.8f})}, 1).at(0);
}

/// Through a file, as another process would see it: with no facts.
template <class Phase, class... Facts>
ir_module<Phase> through_file(const ir_module<Phase, Facts...>& m) {
  const std::string path = "tenon_going_on_" + std::to_string(getpid()) + ".tmod";
  save_module(path, m);
  auto loaded = load<Phase>(path);
  std::remove(path.c_str());
  return loaded;
}

template <class F>
std::string failure(F&& f) {
  try {
    f();
  } catch (const error& e) { return e.code() + ": " + e.message(); }
  return "no error";
}

/// cpu, with fusion that a flag turns off.
struct tuned : targets::cpu {
  static constexpr fixed_string name = "tuned";
  using pipeline = targets::cpu::pipeline::edit<replace<passes::fuse, optional<passes::fuse, when<"fusing">>>>;
};
template <class Target, class Module>
size_t kernels_of(Module&& m) {
  const auto lowered = compile_to<phases::lowering, Target>(std::forward<Module>(m));
  size_t n = 0;
  for (function_id f : lowered.body().functions()) n += lowered.body()[f].kind == ir::function_kind::kernel ? 1 : 0;
  return n;
}

context for_target(const targets::cpu& target) {
  context cx;
  target.configure(cx);
  return cx;
}

}  // namespace

TEST_CASE("a module stopped in each phase is finished behind a file, with equal results") {
  const tensor want = answer(build<targets::cpu>(model()).body());
  const auto finish = [&](auto&& stopped) {
    CHECK(same_bits(answer(build<targets::cpu>(std::move(stopped)).body()), want));
  };
  finish(through_file(compile_to<phases::ingestion, targets::cpu>(model())));
  finish(through_file(compile_to<phases::optimization, targets::cpu>(model())));
  finish(through_file(compile_to<phases::lowering, targets::cpu>(model())));
  finish(establish<fact::loops_scheduled>(through_file(compile_to<phases::build, targets::cpu>(model()))));
  CHECK(same_bits(answer(through_file(compile_to<phases::built, targets::cpu>(model())).body()), want));
}

TEST_CASE("sizes that only kernels ask for go through a file") {
  nn::graph g("pool");
  g.output("y", nn::global_average_pool(g.input<float>("x", {1, 2, "H", "W"})));
  const ir_module<phases::ingestion> whole = std::move(g).finish();
  const auto stopped = [&] { return ir_module<phases::ingestion>::adopt(ir::module(whole.body())); };
  const auto finish = [&](auto&& half) {
    const tensor x = testing::random_tensor(dtype::f32, {1, 2, 5, 7}, 1);
    const program p = load(build<targets::cpu>(std::move(half)));
    CHECK(testing::distance(p.run({x}, 1).at(0), interpret(whole.body(), "main", {&x, 1}).at(0)) < 1e-6);
  };
  finish(through_file(compile_to<phases::optimization, targets::cpu>(stopped())));
  finish(through_file(compile_to<phases::lowering, targets::cpu>(stopped())));
  finish(establish<fact::loops_scheduled>(through_file(compile_to<phases::build, targets::cpu>(stopped()))));
}

TEST_CASE("what was asked of the target when it was begun is asked of the rest") {
  targets::cpu old;
  old.arch = "x86-64", old.threads = 3;
  context begin = for_target(old);
  auto half = through_file(compile_to<phases::optimization, targets::cpu>(model(), begin));
  CHECK(half.body().build.target == "cpu:arch=x86-64,threads=3");
  CHECK(!half.body().build.fingerprint.empty());
  const auto made_for = [](auto&& m, context& cx) {
    const auto built = build<targets::cpu>(std::move(m), cx);
    const target_spec spec = parse_target(artifact_of<formats::elf_object>(built).target());
    CHECK(threads_of(spec) == 3);
    for (const target_option& o : spec.options)
      if (o.name == "arch") return o.value;
    return std::string();
  };
  context nothing_said;
  CHECK(made_for(half.clone(), nothing_said) == "x86-64");
  CHECK(nothing_said.get<passes::kernel_options>().threads == 3);
  context same = for_target(old), less = for_target({});
  CHECK(made_for(half.clone(), same) == "x86-64");
  CHECK(made_for(half.clone(), less) == "x86-64");
}

TEST_CASE("a target's options are an argument of the build, and are noted") {
  const auto built = build<targets::cpu>(model(), {.arch = "x86-64", .threads = 3});
  CHECK(built.body().build.target == "cpu:arch=x86-64,threads=3");
  const target_spec made = parse_target(artifact_of<formats::elf_object>(built).target());
  CHECK(threads_of(made) == 3);
  // This processor may have products that add in one rounding.
  CHECK(compare(answer(built.body()), answer(build<targets::cpu>(model(), targets::cpu{}).body())).ok);
  // What was begun for something else is not finished so.
  auto half = compile_to<phases::optimization, targets::cpu>(model());
  CHECK(failure([&] { (void)build<targets::cpu>(half.clone(), {.optimize = 9}); }).find("out of range") !=
        std::string::npos);
  context begin = for_target({.arch = "x86-64"});
  auto old = compile_to<phases::optimization, targets::cpu>(model(), begin);
  CHECK(failure([&] { (void)build<targets::cpu>(std::move(old), {.arch = "x86-64-v2"}); }).find("build.target") == 0);
}

TEST_CASE("what tunes passes is noted when a module is stopped, and goes on in another process") {
  const tensor want = answer(build<targets::cpu>(model()).body());
  CHECK(kernels_of<targets::cpu>(model()) == 1);
  context options;
  options.set(passes::fuse{.max_ops = 1});
  auto half = through_file(compile_to<phases::optimization, targets::cpu>(model(), options));
  const ir::build_settings noted{{}, {{"fuse", {{"max_ops", "1"}}}}};
  CHECK(half.body().build.settings == noted);
  CHECK(kernels_of<targets::cpu>(half.clone()) == 2);
  const auto built = build<targets::cpu>(half.clone());
  CHECK(built.body().build.settings == noted);
  CHECK(compare(answer(built.body()), want).ok);
  // What is compiled next with the same context is not tuned so, since the module said it, and not the context.
  context other;
  (void)build<targets::cpu>(half.clone(), other);
  CHECK(build<targets::cpu>(model(), other).body().build.settings == ir::build_settings{});

  context flags;
  flags.set_flag("fusing", false);
  auto apart = through_file(compile_to<phases::optimization, tuned>(model(), flags));
  CHECK(apart.body().build.settings == ir::build_settings{{{"fusing", false}}, {}});
  CHECK(kernels_of<tuned>(model()) == 1);
  CHECK(kernels_of<tuned>(std::move(apart)) == 2);
}

TEST_CASE("who goes on and tunes passes otherwise is told what the module was begun with") {
  context begin;
  begin.set(passes::fuse{.max_ops = 1}), begin.set_flag("fusing", false);
  auto half = compile_to<phases::optimization, tuned>(model(), begin);
  context same, more, initial, flag;
  same.set(passes::fuse{.max_ops = 1}), more.set(passes::parallelize{.least_work = 7});
  initial.set(passes::fuse{}), flag.set_flag("fusing", true);
  CHECK(failure([&] { (void)build<tuned>(half.clone(), same); }) == "no error");
  CHECK(failure([&] { (void)build<tuned>(half.clone(), more); }) == "no error");
  CHECK(failure([&] { (void)build<tuned>(half.clone(), initial); }) ==
        "build.settings: the module was begun with 'fuse{max_ops=1}', and 'fuse' as it is initially is asked");
  CHECK(failure([&] { (void)build<tuned>(half.clone(), flag); }) ==
        "build.settings: the module was begun with flag 'fusing' off, and flag 'fusing' on is asked");
  auto edited = half.clone().edit();
  edited.body().build.settings.passes[0].pass = "fuze";
  CHECK(failure([&] { (void)build<tuned>(std::move(edited)); }) ==
        "build.settings: the module was begun with 'fuze{max_ops=1}', and no pass with options has that name here");
  auto wrong = half.clone().edit();
  wrong.body().build.settings.passes[0].options[0].value = "many";
  CHECK(failure([&] {
          (void)build<tuned>(std::move(wrong));
        }).starts_with("pass.value: option 'max_ops' of pass 'fuse'"));
  auto free = half.clone().edit();
  free.body().build.settings = {};
  CHECK(failure([&] { (void)build<tuned>(std::move(free), flag); }) == "no error");
}

TEST_CASE("what is begun for one target is not finished for another, and both are named") {
  targets::cpu old, other;
  old.arch = "x86-64", other.arch = "x86-64-v2";
  context begin = for_target(old), elsewhere = for_target(other);
  auto half = compile_to<phases::optimization, targets::cpu>(model(), begin);
  CHECK(failure([&] { (void)build<targets::cpu>(half.clone(), elsewhere); }) ==
        "build.target: the module was begun for 'cpu:arch=x86-64', and 'cpu:arch=x86-64-v2' is asked: option 'arch' "
        "was x86-64, and is to be x86-64-v2");
  context cx;
  auto edited = half.clone().edit();
  CHECK(failure([&] { (void)build<targets::c_source>(std::move(edited), cx); }) ==
        "build.target: the module was begun for 'cpu:arch=x86-64', and 'c_source' is asked: 'c_source' is another "
        "target than 'cpu'");
  // Who means it says so.
  auto free = std::move(half).edit();
  free.body().build.target.clear();
  CHECK(failure([&] { (void)build<targets::c_source>(std::move(free), cx); }) == "no error");
}

TEST_CASE("targets agree where one says nothing of what the other says") {
  const auto agreed = [](const char* begun, const char* asked) {
    return failure([&] { throw error("agreed", to_text(agreed_target(parse_target(begun), parse_target(asked)))); });
  };
  CHECK(agreed("cpu:threads=2", "cpu") == "agreed: cpu:threads=2");
  CHECK(agreed("cpu", "cpu:threads=2") == "agreed: cpu:threads=2");
  CHECK(agreed("cpu:threads=2", "cpu:optimize=1") == "agreed: cpu:threads=2,optimize=1");
  CHECK(agreed("composite(cpu,b@cpu:threads=2)", "composite(cpu:optimize=1,b@cpu)") ==
        "agreed: composite(cpu:optimize=1,b@cpu:threads=2)");
  CHECK(agreed("composite(cpu,b@cpu)", "composite(cpu,c@cpu)").find("build.target") == 0);
  CHECK(agreed("composite(cpu,b@cpu)", "composite(cpu,b@cpu,c@cpu)").find("build.target") == 0);
  CHECK(agreed("composite(cpu,b@cpu)", "cpu").find("build.target") == 0);
  CHECK(agreed("cpu:threads=2", "cpu:threads=1").find("build.target") == 0);
}
