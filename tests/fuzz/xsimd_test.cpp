// needs: xsimd
// Random modules on the target xsimd and in the interpreter. TENON_FUZZ_SEEDS says how many (200), TENON_FUZZ_FROM
// which first.
#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/text/print.hpp>

#include "support/random_module.hpp"
#include "support/setting.hpp"
#include "support/unlike.hpp"

using namespace tenon;

namespace {

/// What differs, or nothing. `parts` counts what was given to kernels.
std::string difference(const ir::module& m, std::span<const tensor> inputs, size_t& parts) {
  context cx;
  targets::xsimd{}.configure(cx);
  auto done = build<targets::xsimd>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  parts += cx.find<partition_report>()->parts.size();
  const program p = load_xsimd(done);
  const std::vector<tensor> want = interpret(m, "main", inputs);
  for (int threads : {1, 2})
    if (std::string found = testing::unlike(p.run(inputs, threads), want, testing::allowed_for(m)); !found.empty())
      return found;
  return "";
}

}  // namespace

TEST_CASE("vectorized kernels compute what the interpreter computes") {
  const u64 from = testing::setting("TENON_FUZZ_FROM", 0), seeds = testing::setting("TENON_FUZZ_SEEDS", 200);
  size_t parts = 0;
  for (u64 seed = from; seed < from + seeds; ++seed) {
    const ir::module m = testing::random_module(seed);
    const std::vector<tensor> inputs = testing::random_inputs(m, seed);
    std::string wrong;
    try {
      wrong = difference(m, inputs, parts);
    } catch (const error& e) {
      if (e.code() != "passes.dynamic_shape") wrong = e.what();  // shapes that depend on values are not for this target
    }
    CHECK_MESSAGE(wrong.empty(), "seed " << seed << ": " << wrong << "\n" << print(m));
  }
  CHECK(parts > seeds / 2);
}
