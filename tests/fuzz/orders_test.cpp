// needs: llvm
// Every order that is one step away from the pipeline of a target: what the judge accepts runs, proves what it claims,
// and computes what the interpreter computes. TENON_FUZZ_SEEDS says how many random orders, too: 4 a seed (200), and as
// many right ones; TENON_FUZZ_FROM with which seed those begin (0); TENON_FUZZ_ONE_IN=1 runs all that are accepted.
#include <doctest/doctest.h>

#include <tenon/passes/all.hpp>
#include <tenon/passes/emit_c.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/host_cpu.hpp>
#include <tenon/targets/interpreter.hpp>

#include "support/orders.hpp"
#include "support/setting.hpp"

using namespace tenon;

namespace {

/// What a user may write: it groups ops, and nobody knows it by name.
struct own_fusion : passes::fuse {
  static constexpr fixed_string name = "own_fusion";
};

using every_pass = meta::concat_t<built_in_passes, pass_list<passes::emit_c, passes::generate_code, own_fusion>>;

void prepare(context& cx, const testing::order_case& k) {
  targets::cpu target;
  target.threads = 2;
  target.configure(cx);
  cx.verify_each = true;
  cx.set(passes::parallelize{.least_work = 200});  // small loops are worth a thread too
  if (k.name == "bound") cx.set(passes::input_binding{.shapes = {{2, 3, 8, 8}, {2, 4, 6, 6}}});
}

/// All but a last pass that makes code, since what they leave can be interpreted; code is made once for each result.
std::string attempt(const order& o, testing::order_case& k) {
  context cx;
  prepare(cx, k);
  auto body = std::make_unique<ir::module>(k.module);
  const bool code = o.end_phase() == &phase_desc_of<phases::built>;
  std::string text;
  for (size_t i = 0; i + code < o.size(); ++i) (text += std::string_view(o[i].name)) += ' ';
  body = order::parse(text, registry_of<every_pass>, &phase_desc_of<phases::ingestion>).run(std::move(body), cx);
  if (!k.seen.insert(print(*body)).second) return "";
  std::string wrong = testing::unlike(interpret(*body, "main", k.inputs), k.want);
  if (!wrong.empty() || !code) return wrong;
  if (std::string_view(o[o.size() - 1].name) == "emit_c") {
    body = detail::run_body(passes::emit_c{}, std::move(body), cx);
    return body->artifacts().empty() ? "no code" : "";
  }
  body = detail::run_body(passes::generate_code{}, std::move(body), cx);
  return testing::unlike(load(*body).run(k.inputs, 2), k.want);
}

template <class Target>
void sweep() {
  testing::order_sweep s;
  std::vector<testing::order_case> all = testing::order_cases();
  s.over(testing::one_step_away(testing::names_in<pipeline_of<Target>>::get(), registry_of<every_pass>),
         registry_of<every_pass>, all, attempt, testing::may_refuse);
  MESSAGE(std::string_view(Target::name) << ": " << s.text(all));
  for (const std::string& w : s.wrong) CHECK_MESSAGE(w.empty(), w);
  CHECK(s.accepted > 0);
}

}  // namespace

TEST_CASE("orders one step away from cpu's") { sweep<targets::cpu>(); }
TEST_CASE("orders one step away from c_source's") { sweep<targets::c_source>(); }
TEST_CASE("orders one step away from host_cpu's") { sweep<targets::host_cpu>(); }
TEST_CASE("orders one step away from the interpreter's") { sweep<targets::interpreter>(); }

TEST_CASE("random orders a few steps away from cpu's") {
  testing::order_sweep s;
  std::vector<testing::order_case> all = testing::order_cases();
  const size_t count = 4 * testing::setting("TENON_FUZZ_SEEDS", 200);
  s.over(
      testing::some_steps_away(testing::names_in<pipeline_of<targets::cpu>>::get(), registry_of<every_pass>, count, 1),
      registry_of<every_pass>, all, attempt, testing::may_refuse, false);
  MESSAGE(s.text(all));
  for (const std::string& w : s.wrong) CHECK_MESSAGE(w.empty(), w);
  CHECK(s.accepted > count / 50);
}

TEST_CASE("right orders far away from cpu's") {
  testing::order_sweep s;
  std::vector<testing::order_case> all = testing::order_cases();
  const size_t count = testing::setting("TENON_FUZZ_SEEDS", 200);
  s.over(testing::right_orders(testing::names_in<pipeline_of<targets::cpu>>::get(), registry_of<every_pass>, count,
                               testing::setting("TENON_FUZZ_FROM", 0)),
         registry_of<every_pass>, all, attempt, testing::may_refuse, false);
  MESSAGE(s.text(all));
  for (const std::string& w : s.wrong) CHECK_MESSAGE(w.empty(), w);
  CHECK(s.refused == 0);
  CHECK(s.accepted * 2 > count);  // the rest came twice
}
