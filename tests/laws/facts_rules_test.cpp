// One module for each rule of the checkers of facts and phases that breaks just that rule: a rule that is taken away
// fails here (tests/mutation). What holds for all facts is in facts_test.cpp.
#include <doctest/doctest.h>

#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/partitioned.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"

using namespace tenon;

namespace {

template <class Fact> std::string said(const ir::module& m) {
  return testing::caught([&] { Fact::check(m); }).message();
}
ir::module graph(std::string_view text) { return parse("tenon.module phase=optimization\n" + std::string(text)); }
bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

/// A function of one argument that it returns.
ir::module identity(const ir::type& t) {
  ir::module m;
  const type_id list[] = {m.intern(t)};
  const function_id f = m.add_function("main", ir::function_kind::graph, list);
  ir::builder<>(m, m[f].body).make_op(op::return_{}, m[m[f].body].arguments, {});
  return m;
}
const ir::type sequence{ir::type_kind::sequence, dtype::f32, true, 0, {}, {}, {}};
ir::type unranked() {
  ir::type t = ir::type::tensor(dtype::f32, {});
  t.ranked = false;
  return t;
}

}  // namespace

#define SAYS(problem, sentence) CHECK_MESSAGE(has(problem, sentence), std::string(problem))

TEST_CASE("static_shapes") {
  CHECK(said<fact::static_shapes>(identity(ir::type::tensor(dtype::f32, {2}))) == "nothing was thrown");
  SAYS(said<fact::static_shapes>(identity(sequence)), "input '0' of function 'main' is no tensor");
  SAYS(said<fact::static_shapes>(identity(unranked())),
       "input '0' of function 'main' has no known number of dimensions");
  SAYS(said<fact::static_shapes>(identity(ir::type::tensor(dtype::f32, {ir::dim::unknown()}))),
       "has the shape [?], which is not static");
  SAYS(said<fact::static_shapes>(
           graph(R"(func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
    %y = raise() {message = "no"} : tensor<2xf32>
    return(%y)
  })")),
       "runs on the host, between kernels");
  // Kernels, and what graphs become of: buffers.
  const auto loops = [](std::string_view extent, std::string_view body = {}) {
    const std::string type = "buffer<" + std::string(extent) + "xf32>";
    return said<fact::static_shapes>(
        parse("tenon.module phase=lowering\nfunc entry @main(%x: buffer<2xf32>, %y: buffer<2xf32>) -> (tensor<2xf32>) "
              "inputs(\"x\") outputs(\"y\") {\n  call_dps(%x, %y) {kernel = @k, inputs = 1}\n  return()\n}\n"
              "kernel @k(%x: " +
              type + ", %y: " + type + ") {\n" + std::string(body) + "  return()\n}\n"));
  };
  CHECK(loops("2") == "nothing was thrown");
  SAYS(loops("N"), "kernel 'k': argument 0 has the shape [N], which is not static");
  SAYS(loops("2", "  %n = loop.extent() {expression = \"N\"} : index\n"), "kernel 'k': loop.extent asks for a size");
  ir::module m = identity(ir::type::buffer(dtype::f32, {2}));
  CHECK(said<fact::static_shapes>(m) == "nothing was thrown");
  SAYS(said<fact::static_shapes>(identity(ir::type::buffer(dtype::f32, {ir::dim::unknown()}))),
       "input '0' of function 'main' has the shape [?], which is not static");
}

TEST_CASE("extents_known") {
  CHECK(said<fact::extents_known>(identity(ir::type::tensor(dtype::f32, {2}))) == "nothing was thrown");
  SAYS(said<fact::extents_known>(identity(sequence)),
       "input '0' of function 'main' is no tensor, which no input's extents say");
  SAYS(said<fact::extents_known>(identity(unranked())),
       "has no known number of dimensions, which no input's extents say");
  ir::module m = identity(ir::type::tensor(dtype::f32, {2}));
  const auto with = [&](const extent_expr& e) {
    ir::module changed = m;
    const value_id x = changed[changed[changed.find_function("main")].body].arguments[0];
    changed.set_type(x, changed.intern(ir::type::tensor(dtype::f32, {ir::dim_of(changed, e)})));
    return said<fact::extents_known>(changed);
  };
  CHECK(with(extent_expr::name("n")) == "nothing was thrown");
  SAYS(with(extent_expr::name("n") * extent_expr(2)), "which no input's extents say");  // n itself is no input's extent
}

TEST_CASE("shapes_known: an op's type, or what a function states") {
  ir::module m = graph(R"(func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
    %y = neg(%x) : tensor<2xf32>
    return(%y)
  })");
  CHECK(said<fact::shapes_known>(m) == "nothing was thrown");
  const function_id f = m.find_function("main");
  const value_id y = m.result(m[m[f].body].ops[0]);
  ir::module stated = m;
  stated[f].result_types = {stated.intern(ir::type::tensor(dtype::f32, {ir::dim::unknown()}))};
  SAYS(said<fact::shapes_known>(stated), "the result types of a function do not agree with its body");
  m.set_type(y, m.intern(ir::type::tensor(dtype::f32, {ir::dim::unknown()})));
  SAYS(said<fact::shapes_known>(m), "neg: its type rule says more than its type does");
}

namespace {
/// Two buffers of 16 bytes: `first` is written by kernel k, then read by the op that writes `second`, both at offset 0.
struct plan {
  ir::module m;
  function_id f;
  ir::builder<> b;
  value_id x, first, second;
  plan() : f(make()), b(m, m[f].body) {
    x = m[m[f].body].arguments[0];
    first = alloc(), second = alloc();
    call({x, first}, 1);
  }
  function_id make() {
    const type_id t[] = {m.intern(buffer()), m.intern(buffer())};
    m.add_function("k", ir::function_kind::kernel, t);
    return m.add_function("main", ir::function_kind::graph, {t, 1});
  }
  static ir::type buffer() { return ir::type::buffer(dtype::f32, {4}); }
  value_id alloc(i64 offset = 0) {
    const type_id t[] = {m.intern(buffer())};
    return m.result(b.make_op(op::alloc{offset}, {}, t));
  }
  void call(const std::vector<value_id>& operands, i64 inputs, std::vector<i64> in_place = {}) {
    b.make_op(op::call_dps{{"k"}, inputs, std::move(in_place)}, operands, {});
  }
  std::string said() {
    call({second, x}, 1);
    b.make_op(op::return_{}, {}, {});
    return ::said<fact::memory_planned>(m);
  }
};
const char* const overlap = "two buffers that live at once overlap";
}  // namespace

TEST_CASE("memory_planned: who may write where it reads") {
  plan in_place;
  in_place.call({in_place.first, in_place.second}, 1, {0});
  CHECK(in_place.said() == "nothing was thrown");
  plan elsewhere;  // the kernel reads it at another index than it writes
  elsewhere.call({elsewhere.first, elsewhere.second}, 1);
  CHECK(elsewhere.said() == overlap);
  plan twice;  // one of its readers does
  twice.call({twice.first, twice.first, twice.second}, 2, {0});
  CHECK(twice.said() == overlap);
  plan copied;  // no kernel
  copied.b.make_op(op::copy_buffer{}, std::vector{copied.first, copied.second}, {});
  CHECK(copied.said() == overlap);
  plan other;  // the kernel's first result is elsewhere
  const value_id third = other.alloc(64);
  other.call({other.first, third, other.second}, 1, {0});
  CHECK(other.said() == overlap);
}

TEST_CASE("partitioned: functions for a target") {
  const auto phase = [](std::string_view body) {
    const ir::module m = graph(R"(func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs("x") outputs("y") {
      %y = call(%x) {callee = @f} : tensor<2xf32>
      return(%y)
    })" + std::string(body));
    return testing::caught([&] { phases::partitioned::verify(m); }).message();
  };
  const std::string right = R"(func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) target("t") {
    return(%x)
  })",
                    last = R"(func @g(%x: tensor<2xf32>) -> (tensor<2xf32>) target("t") {
    return(%x)
  })";
  CHECK(phase(right) == "nothing was thrown");
  SAYS(phase(right + last), "function 'g' is for target 't', and nothing calls it");
  SAYS(phase(last + right), "function 'g' is for target 't', and nothing calls it");
  SAYS(phase(R"(func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) target("t") {
    %y = call(%x) {callee = @f} : tensor<2xf32>
    return(%y)
  })"),
       "function 'f' is for target 't', and calls another function");
}
