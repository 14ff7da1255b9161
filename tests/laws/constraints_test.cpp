// The law of constraints, held by every built-in pass: what was to run on one target runs there, and nowhere else.
//
// The ops of a few kinds are constrained by their kind. No pass makes ops of these kinds from others, so whichever are
// left must be constrained so still: alone, in a fused group, and as the kernel that they became.
#include "laws.hpp"

#include <map>

#include <text/same_module.hpp>

#include <tenon/compile/run.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/targets/cpu.hpp>

using namespace laws;

namespace {

const std::map<std::string_view, std::string> wanted{{"tanh", "cpu:threads=1"},       {"sin", "cpu:threads=2"},
                                                     {"cos", "cpu:threads=2"},        {"sigmoid", "cpu:threads=3"},
                                                     {"matmul", "cpu:threads=4"},     {"conv", "cpu:threads=4"},
                                                     {"erf", "cpu:threads=5"},        {"softmax", "cpu:threads=5"},
                                                     {"reduce_sum", "cpu:threads=6"}, {"max_pool", "cpu:threads=7"}};

/// Those whose kernels can be told from others by a scalar function.
bool is_scalar(std::string_view kind) {
  return kind == "tanh" || kind == "sin" || kind == "cos" || kind == "sigmoid" || kind == "erf";
}

ir::module constrained(ir::module m) {
  ir::for_each_op(m, [&](op_id op) {
    if (const auto it = wanted.find(m.view(op).name()); it != wanted.end()) ir::constrain(m, op, it->second);
  });
  return m;
}

/// How many constrained ops there are, each of which is where it should be.
size_t check_constraints(const ir::module& m, std::string_view pass) {
  size_t found = 0;
  for (function_id f : m.functions())
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      const ir::op_view v = m.view(op);
      if (const auto* s = v.get_if<loop::scalar>()) {
        const std::string_view kind = enumerator_names(s->fn)[static_cast<size_t>(s->fn)];
        if (!is_scalar(kind)) return;
        ++found;
        CHECK_MESSAGE(m[f].target == wanted.at(kind), "after " << pass << ", kernel " << m[f].name << " does '" << kind
                                                               << "' on '" << m[f].target << "'");
      } else if (const auto it = wanted.find(v.name()); it != wanted.end()) {
        ++found;
        std::string target;
        CHECK_NOTHROW(target = ir::constraint_of(m, op));  // no conflict with what is around it
        CHECK_MESSAGE(target == it->second,
                      "after " << pass << ", '" << v.name() << "' is constrained to '" << target << "'");
      }
    });
  return found;
}

template <class P>
std::unique_ptr<ir::module> ran(const ir::module& m) {
  context cx;
  return tenon::detail::run_body(P{}, std::make_unique<ir::module>(m), cx);
}

size_t through(const ir::module& m, const std::vector<named_pass>& passes) {
  auto now = std::make_unique<ir::module>(constrained(m));
  size_t found = 0;
  for (const named_pass& p : passes) {
    const std::string before = print(*now);
    INFO(before);
    context cx;
    now = p.run(std::make_unique<ir::module>(*now), cx);
    found += check_constraints(*now, p.name);
    CHECK(testing::difference(parse(print(*now)), *now) == "");
  }
  return found;
}

}  // namespace

TEST_CASE("constraints survive each pass at its place in the pipeline") {
  const auto passes = passes_before_code(meta::detail::box<targets::cpu::pipeline::passes>{});
  size_t found = 0;
  for (const ir::module& m : corpus(1000, 150)) found += through(m, passes);
  CHECK(found > 1000);  // the law was tried
}

TEST_CASE("two equal ops that are to run on two targets stay two; neighbours are not fused across targets") {
  auto m = parse<phases::optimization>(R"(tenon.module phase=optimization
    func entry @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) inputs("x") outputs("a", "b", "c") {
      %a = tanh(%x) : tensor<4x4xf32> target("cpu:threads=1")
      %b = tanh(%x) : tensor<4x4xf32> target("cpu:threads=2")
      %c = tanh(%x) : tensor<4x4xf32> target("cpu:threads=2")
      %d = exp(%b) : tensor<4x4xf32> target("cpu:threads=3")
      %e = exp(%c) : tensor<4x4xf32> target("cpu:threads=3")
      %f = neg(%d) : tensor<4x4xf32> target("cpu:threads=4")
      %g = neg(%f) : tensor<4x4xf32> target("cpu:threads=5")
      return(%a, %g, %e)
    })");
  const auto common = ran<passes::eliminate_common>(m.body());
  const auto simple = ran<passes::simplify>(*ran<passes::infer_shapes>(*common));
  const auto fused = ran<passes::fuse>(*ran<passes::eliminate_dead>(*simple));
  INFO(print(*fused));
  std::map<std::string, int> kinds;
  ir::for_each_op(*fused, [&](op_id op) { ++kinds[std::string(fused->view(op).name())]; });
  CHECK(kinds["tanh"] == 2);
  CHECK(kinds["exp"] == 1);
  CHECK(kinds["neg"] == 2);
  CHECK(kinds["fused"] == 0);
}
