// needs: xsimd
// Orders one step away from the pipeline of target xsimd, up to the external code generator: see orders_test.cpp.
#include <doctest/doctest.h>

#include <tenon/passes/all.hpp>
#include <tenon/targets/xsimd.hpp>

#include "support/orders.hpp"

using namespace tenon;

namespace {

using partition = passes::partition_for<targets::xsimd>;
using before_code =
    meta::without_t<pipeline_of<targets::xsimd>, pass_list<passes::run_external_codegen<targets::xsimd>>>;
/// For kernels that are made from loops.
using passes_for_loops = pass_list<passes::use_winograd, passes::to_lowering, passes::vectorize, passes::parallelize,
                                   passes::tile, passes::plan_memory, passes::lower_builtins>;
using every_pass = meta::concat_t<meta::without_t<built_in_passes, passes_for_loops>, pass_list<partition>>;

std::string attempt(const order& o, testing::order_case& k) {
  context cx;
  targets::xsimd{}.configure(cx);
  cx.verify_each = true;
  if (k.name == "bound") cx.set(passes::input_binding{.shapes = {{2, 3, 8, 8}, {2, 4, 6, 6}}});
  auto body = o.run(std::make_unique<ir::module>(k.module), cx);
  if (!k.seen.insert(print(*body)).second) return "";
  if (o.end_phase() != &phase_desc_of<phases::partitioned>)
    return testing::unlike(interpret(*body, "main", k.inputs), k.want);
  body = detail::run_body(passes::run_external_codegen<targets::xsimd>{}, std::move(body), cx);
  const external_program p(std::move(*body), external_formats<targets::xsimd>());
  return testing::unlike(p.run(k.inputs, 2), k.want);
}

}  // namespace

TEST_CASE("orders one step away from xsimd's") {
  testing::order_sweep s;
  std::vector<testing::order_case> all = testing::order_cases();
  s.over(testing::one_step_away(testing::names_in<before_code>::get(), registry_of<every_pass>),
         registry_of<every_pass>, all, attempt, testing::may_refuse);
  MESSAGE(s.text(all));
  for (const std::string& w : s.wrong) CHECK_MESSAGE(w.empty(), w);
  CHECK(s.accepted > 0);
}
