// needs: xsimd
// Orders one step away from the pipeline of target xsimd, whose modules are then bound: see orders_test.cpp.
#include <doctest/doctest.h>

#include <tenon/compile/external/runner.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/passes/lower_external_calls.hpp>
#include <tenon/targets/xsimd.hpp>

#include "support/orders.hpp"

using namespace tenon;

namespace {

/// What makes other loops than xsimd runs, and functions for a host to call.
using passes_for_loops =
    pass_list<passes::use_winograd, passes::vectorize, passes::parallelize, passes::tile, passes::outline_regions>;
using every_pass = meta::concat_t<
    meta::without_t<built_in_passes, passes_for_loops>,
    pass_list<passes::use_winograd, passes::lower_external_calls, passes::partition_for<targets::xsimd_library>,
              passes::run_external_codegen<targets::xsimd_library>>>;

std::string attempt(const order& o, testing::order_case& k) {
  context cx;
  targets::xsimd{}.configure(cx);
  cx.verify_each = true;
  if (k.name == "bound") cx.set(passes::input_binding{.shapes = {{2, 3, 8, 8}, {2, 4, 6, 6}}});
  auto body = o.run(std::make_unique<ir::module>(k.module), cx);
  if (!k.seen.insert(print(*body)).second) return "";
  if (o.end_phase() == &phase_desc_of<phases::build> && !fact::static_shapes::obstacle(*body))
    return testing::unlike(load_xsimd(*body).run(k.inputs, 2), k.want);
  return testing::unlike(interpret(*body, "main", k.inputs, external_evaluations<targets::xsimd_library>()), k.want);
}

}  // namespace

TEST_CASE("orders one step away from xsimd's") {
  testing::order_sweep s;
  std::vector<testing::order_case> all = testing::order_cases();
  s.over(testing::one_step_away(testing::names_in<pipeline_of<targets::xsimd>>::get(), registry_of<every_pass>),
         registry_of<every_pass>, all, attempt, testing::may_refuse);
  MESSAGE(s.text(all));
  for (const std::string& w : s.wrong) CHECK_MESSAGE(w.empty(), w);
  CHECK(s.accepted > 0);
}
