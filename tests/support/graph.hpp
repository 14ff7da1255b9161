// Graphs as text for the tests of passes: run a pass, verify, and compare what the module means before and after.
#pragma once

#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/caught.hpp>

namespace graph_test {

using namespace tenon;

inline ir_module<phases::optimization> graph(std::string_view body) {
  return parse<phases::optimization>("tenon.module phase=optimization\n" + std::string(body));
}

/// Tensors for the arguments of `main`: small numbers of both signs, none of them special.
inline std::vector<tensor> some_inputs(const ir::module& m) {
  std::vector<tensor> inputs;
  u64 state = 12345;
  for (value_id v : m[m[m.find_function("main")].body].arguments) {
    const ir::type& t = m.type_of(v);
    tensor x(t.elem, t.extents());
    for (i64 i = 0; i < x.size(); ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const i64 n = static_cast<i64>(state >> 59) - 16;
      if (t.elem == dtype::boolean) x.set_i64(i, n & 1);
      else if (is_float(t.elem)) x.set_f64(i, static_cast<double>(n) / 8 + 0.0625);
      else x.set_i64(i, is_unsigned_int(t.elem) ? n + 16 : n);
    }
    inputs.push_back(std::move(x));
  }
  return inputs;
}

/// Runs a pass and checks that the module is well-formed and means the same afterwards.
template <class Pass>
ir_module<phases::optimization> ran(std::string_view body, const Pass& pass = {}) {
  auto m = graph(body);
  const std::vector<tensor> inputs = some_inputs(m.body()), before = interpret(m.body(), "main", inputs);
  context cx;
  pass.run(m, cx);
  ir::verify<phases::optimization>(m.body());
  const std::vector<tensor> after = interpret(m.body(), "main", inputs);
  REQUIRE(before.size() == after.size());
  for (size_t i = 0; i < before.size(); ++i) {
    const comparison c = compare(after[i], before[i], {1e-5, 1e-5, 1e-5});
    CHECK_MESSAGE(c.ok, c.message << "\n" << print(m));
  }
  return m;
}

/// How often an op occurs, in regions too.
template <class... Facts>
int count(const ir_module<phases::optimization, Facts...>& m, std::string_view op) {
  int n = 0;
  ir::for_each_op(m.body(), [&](op_id o) { n += m.body().view(o).name() == op ? 1 : 0; });
  return n;
}

using testing::caught, testing::code_of;
std::string message_of(auto&& f) { return caught(f).what(); }
}  // namespace graph_test
