// needs: llvm
// The kernels of random modules under every check there is: bounds, races with loops in any order, and the memory plan.
// TENON_FUZZ_SEEDS says how many (120), TENON_FUZZ_FROM which first.
#include <doctest/doctest.h>

#include <tenon/compile/instrument.hpp>
#include <tenon/compile/run_pipeline.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/bounds.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/print.hpp>

#include "support/plan_oracle.hpp"
#include "support/random_module.hpp"
#include "support/setting.hpp"

using namespace tenon;

namespace {

using lowered = targets::cpu::pipeline::edit<without<passes::generate_code>>;

/// What one module is put through after each pass.
struct watch {
  u64 seed = 0;
  std::vector<tensor> inputs, want;
  std::string found;
  int parallel_loops = 0, accesses = 0, proven = 0;

  void look(const ir::module& m, std::string_view pass) {
    const double t = 6e-2;
    const std::vector<tensor> got =
        interpret(m, "main", inputs, interpret_options{.shuffle_parallel = seed + 1, .find_races = true});
    for (size_t i = 0; i < want.size(); ++i)
      if (const comparison c = compare(got[i], want[i], {t, t, t, false}); !c.ok)
        say(pass, "result " + std::to_string(i) + ": " + c.message);
    ir::bounds known(m);
    ir::for_each_op(m, [&](op_id op) {
      const auto* l = m.view(op).get_if<loop::for_loop>();
      parallel_loops += l != nullptr && l->kind == loop::loop_kind::parallel;
      if (!m.view(op).is<loop::load>() && !m.view(op).is<loop::store>() && !m.view(op).is<loop::contract>()) return;
      ++accesses;
      proven += known.proven(op);
    });
    if (pass == std::string_view(passes::plan_memory::name))
      if (const std::string wrong = testing::plan_oracle::problem(m); !wrong.empty()) say(pass, wrong);
  }
  void say(std::string_view pass, const std::string& what) {
    if (found.empty()) found = "after " + std::string(pass) + ": " + what;
  }
  void after(const pass_event& e) {
    if (!found.empty() ||
        (e.phase != std::string_view(phases::lowering::name) && e.phase != std::string_view(phases::build::name)))
      return;
    try {
      look(*e.module, e.pass);
    } catch (const error& why) { say(e.pass, why.what()); }
  }
};

}  // namespace

TEST_CASE(
    "kernels stay inside of their buffers, their parallel iterations share nothing, and plans keep what is needed") {
  const u64 from = testing::setting("TENON_FUZZ_FROM", 0), seeds = testing::setting("TENON_FUZZ_SEEDS", 120);
  int parallel_loops = 0, accesses = 0, proven = 0;
  for (u64 seed = from; seed < from + seeds; ++seed) {
    const ir::module m = testing::random_module(seed);
    watch w;
    w.seed = seed, w.inputs = testing::random_inputs(m, seed), w.want = interpret(m, "main", w.inputs);
    context cx;
    targets::cpu target;
    target.threads = 4;
    target.configure(cx);
    cx.set(passes::parallelize{.least_work = 1 + static_cast<i64>(seed % 3) * 40});
    cx.verify_each =
        true;  // the phase's verifier refuses what surely leaves its buffer, the fact's checker what surely races
    attach(cx, w);
    try {
      (void)run_pipeline<lowered>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
    } catch (const error& e) { w.say("the last one", e.what()); }
    CHECK_MESSAGE(w.found.empty(), "seed " << seed << ": " << w.found << "\n" << print(m));
    parallel_loops += w.parallel_loops, accesses += w.accesses, proven += w.proven;
  }
  MESSAGE(parallel_loops << " parallel loops; of " << accesses << " accesses " << proven
                         << " are proven to stay inside");
  CHECK(parallel_loops > static_cast<int>(seeds));
  CHECK(proven * 10 > accesses * 9);
}
