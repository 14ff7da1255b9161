// A chosen set of ops becomes a function: every set of a graph, against the definition of convexity.
#include <tenon/compile/context.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/ir/check_constraints.hpp>
#include <tenon/passes/outline.hpp>

#include "support/graph.hpp"

using namespace graph_test;
using tenon::testing::caught;

namespace {

constexpr const char* net = R"(
  constant #0 : tensor<f32> = [2]
  func entry @main(%x: tensor<4xf32>, %p: tensor<bool>) -> (tensor<4xf32>, tensor<4xf32>) inputs("x", "p") outputs("y", "z") {
    %two = constant() {value = #0} : tensor<f32>
    %a = mul(%x, %two) : tensor<4xf32>
    %b = neg(%a) : tensor<4xf32>
    %c = abs(%a) : tensor<4xf32>
    %d = if_else(%p) : tensor<4xf32> ({
      %i = add(%b, %two) : tensor<4xf32>
      yield(%i)
    }, {
      yield(%x)
    })
    %e = add(%b, %c) : tensor<4xf32>
    %f = sub(%e, %d) : tensor<4xf32>
    return(%f, %b)
  })";

std::vector<op_id> ops_of(const ir::module& m, std::string_view function = "main") {
  std::vector<op_id> all;
  for (op_id op : m[m[m.find_function(function)].body].ops)
    if (!m.view(op).is<op::constant>() && !m.view(op).info().traits.terminator) all.push_back(op);
  return all;
}
std::string text_of(const ir::module& m, std::string_view function) {
  std::string s;
  for (op_id op : m[m[m.find_function(function)].body].ops)
    s += (s.empty() ? "" : " ") + std::string(m.view(op).name());
  return s;
}

/// Which ops come behind which, straight from the definition: by operands, also of regions, and by effects.
std::vector<u32> behind(const ir::module& m, const std::vector<op_id>& ops) {
  const fact::purity pure = fact::purity_known::compute(m);
  std::vector<u32> before(ops.size(), 0);
  for (size_t i = 0; i < ops.size(); ++i) {
    const auto add = [&](op_id op) {
      for (value_id v : m.operands(op))
        for (size_t k = 0; k < i; ++k)
          if (v && m[v].definition == ops[k]) before[i] |= before[k] | 1u << k;
    };
    add(ops[i]);
    for (int r = 0; r < m.view(ops[i]).region_count(); ++r) ir::for_each_op(m, m.region(ops[i], r), add);
    for (size_t k = 0; k < i; ++k)
      if (!pure.of_op(m, ops[i]) && !pure.of_op(m, ops[k])) before[i] |= before[k] | 1u << k;
  }
  return before;
}
bool convex(const std::vector<u32>& before, u32 set) {
  for (size_t between = 0; between < before.size(); ++between) {
    if (set >> between & 1) continue;
    for (size_t last = 0; last < before.size(); ++last)
      if ((set >> last & 1) && (before[last] >> between & 1) && (before[between] & set)) return false;
  }
  return true;
}
std::vector<op_id> chosen_of(const std::vector<op_id>& ops, u32 set) {
  std::vector<op_id> chosen;
  for (size_t i = 0; i < ops.size(); ++i)
    if (set >> i & 1) chosen.push_back(ops[i]);
  return chosen;
}

}  // namespace

TEST_CASE("every convex set of a graph leaves it without a change of what it computes, and no other set does") {
  const auto whole = graph(net);
  std::vector<tensor> inputs = some_inputs(whole.body());
  const std::vector<u32> before = behind(whole.body(), ops_of(whole.body()));
  size_t left = 0, refused = 0;
  for (u32 set = 1; set < 1u << before.size(); ++set) {
    auto m = graph(net);
    const std::vector<op_id> chosen = chosen_of(ops_of(m.body()), set);
    if (!convex(before, set)) {
      const error e = caught([&] { passes::outline(m.body(), chosen, "part"); });
      CHECK(e.code() == "outline.convex");
      CHECK(print(m) == print(graph(net)));
      ++refused;
      continue;
    }
    passes::outline(m.body(), chosen, "part");
    ++left;
    CHECK(ops_of(m.body(), "part").size() == chosen.size());
    CHECK(ops_of(m.body()).size() == before.size() - chosen.size() + 1);
    ir::verify<phases::optimization>(m.body());
    for (const i64 p : {0, 1}) {
      inputs[1].set_i64(0, p);
      const auto was = interpret(whole.body(), "main", inputs), is = interpret(m.body(), "main", inputs);
      for (size_t i = 0; i < was.size(); ++i) CHECK_MESSAGE(compare(is[i], was[i], {0, 0, 0}).ok, print(m));
    }
  }
  CHECK(left > 20);
  CHECK(refused > 10);
}

TEST_CASE("ops with effects keep their order, whatever leaves") {
  constexpr const char* noisy = R"(
    func entry @main(%x: tensor<4xf32>) -> (tensor<4xf32>) inputs("x") outputs("y") {
      %a = neg(%x) : tensor<4xf32>
      %r = draw_seed() : tensor<u32>
      %b = cast(%r) {to = f32} : tensor<f32>
      %s = draw_seed() : tensor<u32>
      %c = cast(%s) {to = f32} : tensor<f32>
      %d = add(%a, %b) : tensor<4xf32>
      %t = draw_seed() : tensor<u32>
      %e = cast(%t) {to = f32} : tensor<f32>
      %f = sub(%d, %c) : tensor<4xf32>
      %g = sub(%f, %e) : tensor<4xf32>
      return(%g)
    })";
  // Those with effects have their places as locations, which go along.
  const auto named = [&] {
    auto m = graph(noisy);
    const fact::purity pure = fact::purity_known::compute(m.body());
    size_t n = 0;
    for (op_id op : ops_of(m.body()))
      if (!pure.of_op(m.body(), op)) m.body()[op].location = m.body().location(std::to_string(n++));
    REQUIRE(n == 3);
    return m;
  };
  const auto whole = named();
  const std::vector<u32> before = behind(whole.body(), ops_of(whole.body()));
  size_t left = 0;
  for (u32 set = 1; set < 1u << before.size(); ++set) {
    auto m = named();
    const std::vector<op_id> chosen = chosen_of(ops_of(m.body()), set);
    if (!convex(before, set)) {
      CHECK(caught([&] { passes::outline(m.body(), chosen, "part"); }).code() == "outline.convex");
      continue;
    }
    passes::outline(m.body(), chosen, "part");
    ++left;
    ir::verify<phases::optimization>(m.body());
    std::string order;
    const auto add = [&](op_id op) {
      if (m.body().view(op).name() == "draw_seed") order += m.body().text(m.body()[op].location);
    };
    for (op_id op : ops_of(m.body()))
      if (m.body().view(op).is<op::call>())
        for (op_id inner : ops_of(m.body(), "part")) add(inner);
      else add(op);
    CHECK(order == "012");
  }
  CHECK(left > 20);
}

TEST_CASE("the part is a function of its own, that a device may be asked for") {
  auto m = graph(net);
  const std::vector<op_id> ops = ops_of(m.body());
  const op_id chosen[] = {ops[2], ops[4]};  // abs, add
  const op_id call = passes::outline(m.body(), chosen, "slice");
  CHECK(m.body().view(call).get_if<op::call>()->callee.name == "slice");
  CHECK(text_of(m.body(), "slice") == "abs add return");
  CHECK(text_of(m.body(), "main") == "constant mul neg if_else call sub return");
  ir::constrain(m.body(), "slice", "npu");
  CHECK(print(m).find("npu") != std::string::npos);
  CHECK(caught([&] { ir::check_constraints(m.body(), "cpu"); }).code() == "target.elsewhere");
}

TEST_CASE("what cannot leave is refused with its reason") {
  auto m = graph(net);
  const std::vector<op_id> ops = ops_of(m.body());
  const op_id apart[] = {ops[0], ops[4]};  // mul, add: neg and abs stand between
  const error between = caught([&] { passes::outline(m.body(), apart, "part"); });
  CHECK(between.code() == "outline.convex");
  const std::string said = between.what();
  const auto at = [&](const char* text) { return said.find(text); };
  REQUIRE(at("stands between op 'mul'") != said.npos);
  CHECK(at("op 'neg'") < at("stands between op 'mul'"));
  CHECK(at("and op 'add'") != said.npos);
  CHECK(caught([&] { passes::outline(m.body(), {}, "part"); }).code() == "outline.ops");
  const op_id one[] = {ops[0]};
  CHECK(caught([&] { passes::outline(m.body(), one, "main"); }).code() == "outline.name");
  const op_id end[] = {m.body()[m.body()[m.body().find_function("main")].body].ops.back(), ops[0]};
  CHECK(caught([&] { passes::outline(m.body(), end, "part"); }).code() == "outline.ops");
  const op_id nested[] = {ops[0], m.body()[m.body().region(ops[3], 0)].ops[0]};
  CHECK(caught([&] { passes::outline(m.body(), nested, "part"); }).code() == "outline.ops");
}
