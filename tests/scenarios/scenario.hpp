/// @file scenario: what the scenarios share: each is a bug that a real compiler shipped, rebuilt.
///
/// A file is compiled three ways: as the wrong program, which is rejected; with TENON_TWIN, as the right one; and with
/// TENON_RUN besides, as a test, in which the right pipeline runs on a small module and the values are compared.
#pragma once

#include <tenon/pipeline.hpp>

#include <tenon/phases/all.hpp>

namespace tn = tenon;

namespace tenon {
class context;
template <class Phase, class... Facts>
class ir_module;
namespace ir { class module; }
}  // namespace tenon

#ifdef TENON_RUN
#  include <doctest/doctest.h>

#  include <tenon/compile/build.hpp>
#  include <tenon/interpret/interpreter.hpp>
#  include <tenon/ir/builder.hpp>
#  include <tenon/ir/walk.hpp>
#  include <tenon/ops/graph/call.hpp>
#  include <tenon/ops/graph/elementwise.hpp>
#  include <tenon/ops/graph/movement.hpp>

namespace scenario {
using namespace tenon;

struct bench {
  static constexpr fixed_string name = "bench";
  static constexpr device_kind kind = device_kind::cpu;
};
/// The smallest target: a pipeline, and the phase that it ends in.
template <class Pipeline, class End>
struct desk {
  static constexpr fixed_string name = "desk";
  using device = bench;
  struct code_generator {};
  using pipeline = Pipeline;
  using ends_in = End;
};
/// Runs the whole pipeline, and the checker of every fact after each pass.
template <class Pipeline, class End, class Phase>
auto through(ir_module<Phase>&& m, context& cx) {
  cx.verify_each = true;
  return build<desk<Pipeline, End>>(std::move(m), cx);
}
template <class Pipeline, class End, class Phase>
auto through(ir_module<Phase>&& m) {
  context cx;
  return through<Pipeline, End>(std::move(m), cx);
}

inline ir::type vector_of(i64 n, dtype t = dtype::f32) { return ir::type::tensor(t, {n}); }

/// Adds a function; `write(builder, arguments)` makes its body and returns its results.
template <class F>
function_id add_function(ir::module& m, std::string_view name, const std::vector<ir::type>& arguments, F&& write) {
  std::vector<type_id> types;
  for (const ir::type& t : arguments) types.push_back(m.intern(t));
  const function_id f = m.add_function(name, ir::function_kind::graph, types);
  ir::builder<> b(m, m[f].body);
  const std::vector<value_id> given = m[m[f].body].arguments;
  const std::vector<value_id> results = write(b, given);
  for (value_id r : results) m[f].result_types.push_back(m[r].type);
  b.make_op(op::return_{}, results, {});
  return f;
}
/// A module whose entry is `main`.
template <class Phase, class F>
ir_module<Phase> make_module(const std::vector<ir::type>& arguments, F&& write) {
  ir::module m;
  m[add_function(m, "main", arguments, write)].entry = true;
  return ir_module<Phase>::adopt(std::move(m));
}
inline value_id constant(ir::inserter& at, tensor t) {
  const op::constant c{at.mod().add_constant(std::move(t))};
  return at.mod().result(at.make_erased(ir::info_of<op::constant>, &c, {}));
}
inline tensor floats(std::initializer_list<float> v) { return tensor::from<float>({static_cast<i64>(v.size())}, v); }

/// What the first result of `main` is, by the reference interpreter.
template <class Module>
std::vector<double> values(const Module& m, const std::vector<tensor>& inputs, std::span<const eval_entry> more = {}) {
  const tensor y = interpret(m.body(), "main", inputs, more).at(0);
  std::vector<double> v;
  for (i64 i = 0; i < y.size(); ++i) v.push_back(y.at_f64(i));
  return v;
}
using numbers = std::vector<double>;

/// How often `Op` occurs, in regions too.
template <class Op>
int count(const ir::module& m) {
  int n = 0;
  ir::for_each_op(m, [&](op_id o) { n += m.view(o).is<Op>() ? 1 : 0; });
  return n;
}
/// Each op of that kind; the visitor may replace it.
template <class Op, class F>
void for_each(ir::module& m, F&& f) {
  ir::for_each_op(m, [&](op_id o) {
    if (m.view(o).is<Op>()) f(m.view(o));
  });
}
/// The one result of an op is `v` from now on.
inline void replace_op(ir::module& m, op_id o, value_id v) {
  m.replace_uses(m.result(o), v);
  m.erase(o);
}
/// A builder of `Emits` that puts ops before `o`.
template <class Emits>
ir::builder<Emits> before(ir::module& m, op_id o) {
  ir::builder<Emits> b(m, m[o].parent);
  b.before(o);
  return b;
}
}  // namespace scenario
using namespace scenario;
#endif
