// needs: llvm
// Lists of sizes as operands: one program for all sizes computes what the interpreter computes for each.
// TENON_FUZZ_SEEDS says how many modules (60), TENON_FUZZ_FROM which first.
#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/print.hpp>

#include "support/random_lists.hpp"
#include "support/setting.hpp"

using namespace tenon;

namespace {}  // namespace

TEST_CASE("parts of axes whose extents are known when the program runs") {
  const u64 from = testing::setting("TENON_FUZZ_FROM", 0), seeds = testing::setting("TENON_FUZZ_SEEDS", 60);
  u64 served = 0;
  for (u64 seed = from; seed < from + seeds; ++seed) {
    const ir::module m = testing::random_lists(seed);
    std::string found;
    try {
      context cx;
      targets::cpu target;
      target.threads = 1 + static_cast<i64>(seed % 2);
      target.configure(cx);
      const program p = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
      for (const i64 rows : {6, 7, 24, 61}) {
        const std::vector<tensor> inputs = testing::random_lists_inputs(seed, rows);
        const std::vector<tensor> want = interpret(m, "main", inputs), got = p.run(inputs);
        for (size_t i = 0; i < want.size(); ++i)
          if (const comparison c = compare(got[i], want[i], {0, 0, 0, false}); !c.ok && found.empty())
            found = std::to_string(rows) + " rows: result " + std::to_string(i) + ": " + c.message;
      }
      ++served;
    } catch (const error& e) {
      if (e.code() != "passes.dynamic_shape" && e.code() != "program.condition")
        found = e.what();  // what depends on values is said so
    }
    CHECK_MESSAGE(found.empty(), "seed " << seed << ": " << found << "\n" << print(m));
  }
  CHECK_MESSAGE(served * 2 > seeds, served << " of " << seeds << " modules had code for all sizes");
}
