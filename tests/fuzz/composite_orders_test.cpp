// needs: llvm, xsimd
// Every order that is one step away from the pipeline of a composite: its members' common passes, then the split, which
// runs the rest of each member's own pipeline on each part. See orders_test.cpp.
#include <doctest/doctest.h>

#include <random>

#include <tenon/ir/constraint.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/passes/lower_external_calls.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/xsimd.hpp>

#include "support/orders.hpp"

using namespace tenon;

namespace {

using two_cpus = composite<host<targets::cpu>, device<"other", targets::cpu>>;   // alike up to the lowering
using vectors = composite<host<targets::cpu>, device<"other", targets::xsimd>>;  // an external code generator beside it

using passes_on_loops =
    pass_list<passes::vectorize, passes::parallelize, passes::tile, passes::plan_memory, passes::lower_builtins>;
template <class Composite>
using graph_passes = meta::concat_t<
    meta::without_t<built_in_passes,
                    meta::concat_t<passes_on_loops, pass_list<passes::outline_regions, passes::to_lowering>>>,
    pass_list<detail::link_pass<Composite>>>;
/// No composite can hold one of these: they leave what is no graph, or a graph with calls.
using foreign_passes =
    pass_list<passes::outline_regions, passes::to_lowering, passes::partition_for<targets::xsimd_library>,
              passes::run_external_codegen<targets::xsimd_library>>;
template <class Composite>
using every_pass = meta::concat_t<graph_passes<Composite>, foreign_passes, passes_on_loops,
                                  pass_list<passes::lower_external_calls, passes::generate_code>>;

/// Some neighbours run on the other member.
void scatter(ir::module& m, u64 seed) {
  std::mt19937_64 random(seed);
  bool other = false;
  for (function_id f : m.functions())
    for (op_id op : std::vector<op_id>(m[m[f].body].ops)) {
      if (m.view(op).info().traits.terminator) continue;
      if (random() % 6 == 0) other = !other;
      if (other) ir::constrain(m, op, "other");
    }
}

/// All but the split is run for each order; the parts are built once for each module that orders come to.
template <class Composite>
std::string attempt(const order& o, testing::order_case& k) {
  context cx;
  Composite c;
  std::get<0>(c.members).threads = 2, std::get<0>(c.members).optimize = 0;
  c.configure(cx);
  cx.verify_each = true;
  cx.set(passes::parallelize{.least_work = 200});
  if (k.name == "bound") cx.set(passes::input_binding{.shapes = {{2, 3, 8, 8}, {2, 4, 6, 6}}});
  auto body = std::make_unique<ir::module>(k.module);
  std::string text;
  const bool split = o.end_phase() == &phase_desc_of<phases::built>;
  for (size_t i = 0; i + split < o.size(); ++i) (text += std::string_view(o[i].name)) += ' ';
  body = order::parse(text, registry_of<every_pass<Composite>>, &phase_desc_of<phases::ingestion>)
             .run(std::move(body), cx);
  if (!k.seen.insert(print(*body)).second || !split) return "";
  body = detail::run_body(detail::link_pass<Composite>{}, std::move(body), cx);
  return testing::unlike(load_linked(*body, c.entries())->run(k.inputs, 2), k.want);
}

template <class Target, size_t Begin>
std::vector<std::string_view> rest() {
  return testing::names_in<detail::rest_of<Target, Begin>>::get();
}
template <class Composite, class Other>
void sweep() {
  testing::order_sweep s, foreign;
  s.inside = foreign.inside = {rest<targets::cpu, Composite::prefix>(), rest<Other, Composite::prefix>()};
  std::vector<testing::order_case> all;
  for (testing::order_case& k : testing::order_cases()) {
    scatter(k.module, 3);
    all.push_back(std::move(k));
  }
  // A member may be for static shapes only: the parts that are cut for it hold its own guard.
  const auto may_refuse = [](const order& o, const testing::order_case& k) {
    const bool guarded = meta::same<Other, targets::xsimd> && k.name != "static" && k.name != "a library's kernel" &&
                         k.name.substr(0, 6) != "random";
    return guarded || testing::may_refuse(o, k);
  };
  const auto right = testing::names_in<pipeline_of<Composite>>::get();
  const registry& known = registry_of<every_pass<Composite>>;
  s.over(testing::one_step_away(right, registry_of<graph_passes<Composite>>), known, all, attempt<Composite>,
         may_refuse);
  std::vector<testing::changed_order> with_foreign;
  for (testing::changed_order& c : testing::one_step_away(right, registry_of<foreign_passes>))
    if (c.passes.size() > right.size()) with_foreign.push_back(std::move(c));
  foreign.over(with_foreign, known, all, attempt<Composite>, may_refuse, false);
  MESSAGE(s.text(all) << "; passes that composites cannot hold: " << foreign.accepted << " accepted, "
                      << foreign.refused << " refused");
  for (const std::string& w : s.wrong) CHECK_MESSAGE(w.empty(), w);
  for (const std::string& w : foreign.wrong) CHECK_MESSAGE(w.empty(), w);
  CHECK(s.accepted > 0);
  CHECK(foreign.accepted == 0);
}

}  // namespace

TEST_CASE("orders one step away from that of two processors") { sweep<two_cpus, targets::cpu>(); }
TEST_CASE("orders one step away from that of a processor with an external code generator") {
  sweep<vectors, targets::xsimd>();
}
