// Graph level, closures, kernel calls, destination passing, explicit storage: one meaning in every phase.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/loop_builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ops/graph/elementwise.hpp>

#include <support/caught.hpp>

using namespace tenon;
using ir::function_kind;
using ir::index_expr;
using ir::type;
using testing::code_of;

namespace test_op {
/// Doubles its operand as often as its region, run on the count, says so: an op with a region that a user adds.
struct repeat {
  static constexpr fixed_string name = "test.repeat";
  static constexpr op_traits traits{.regions = 1, .min_operands = 1, .max_operands = 1};
  i64 times = 0;
  TENON_ATTRIBUTES(times)
};
void evaluate(const repeat& r, eval_context& cx) {
  tensor x = cx.operand(0);
  for (i64 i = 0; i < r.times; ++i) x = cx.run_region(0, {{x}})[0];
  cx.result(x);
}
}  // namespace test_op

namespace {

const type vec = type::tensor(dtype::f32, {2});
const type buf = type::buffer(dtype::f32, {2});

tensor pair(float a, float b) { return tensor::from<float>({2}, {a, b}); }

function_id add_function(ir::module& m, const char* name, std::vector<type> types,
                         function_kind kind = function_kind::graph) {
  std::vector<type_id> ids;
  for (const type& t : types) ids.push_back(m.intern(t));
  return m.add_function(name, kind, ids);
}

/// k(x, y, out): out = x + 2 * y
void add_kernel(ir::module& m) {
  const function_id k = add_function(m, "k", {buf, buf, buf}, function_kind::kernel);
  const auto a = m[m[k].body].arguments;
  ir::loop_builder b(m, m[k].body);
  b.for_(0, 2, [&](index_expr i) {
    const value_id twice = b.mul(b.load(a[1], {i}), b.real(dtype::f32, 2));
    b.store(b.add(b.load(a[0], {i}), twice), a[2], {i});
  });
  b.make_op(op::return_{}, {}, {});
}

}  // namespace

TEST_CASE("graph ops, constants and calls") {
  ir::module m;
  const function_id g = add_function(m, "g", {vec, vec}), f = add_function(m, "main", {vec});
  {
    ir::builder<> b(m, m[g].body);
    const auto a = m[m[g].body].arguments;
    b.make_op(op::return_{}, std::vector{b.make(op::mul{}, {a[0], a[1]})}, {});
  }
  ir::builder<> b(m, m[f].body);
  const value_id x = m[m[f].body].arguments[0];
  const value_id c = b.make(op::constant{m.add_constant(pair(10, 20))}, {});
  const value_id s = b.make(op::add{}, {x, c});
  const type_id t[] = {m.intern(vec)};
  const op_id call = b.make_op(op::call{{"g"}}, std::vector{s, s}, t);
  b.make_op(op::return_{}, std::vector{m.result(call), x}, {});
  const auto y = interpret(m, "main", {{pair(1, 2)}});
  REQUIRE(y.size() == 2);
  CHECK(same_bits(y[0], pair(121, 484)));
  CHECK(same_bits(y[1], pair(1, 2)));
  CHECK(code_of([&] { interpret(m, "absent", {}); }) == "interpret.no_function");
  CHECK(code_of([&] { interpret(m, "main", {}); }) == "interpret.arguments");
}

TEST_CASE("closures see their surroundings and may be called later") {
  ir::module m;
  const function_id f = add_function(m, "main", {vec, vec});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const value_id s = b.make(op::add{}, {a[0], a[1]});
  type fn;
  fn.kind = ir::type_kind::function;
  const type_id fn_type[] = {m.intern(fn)}, t[] = {m.intern(vec)};
  const op_id c = b.make_op(op::closure{}, std::vector{s}, fn_type, 1);
  const value_id p = m.add_argument(m.region(c), t[0]);
  ir::builder<> inner(m, m.region(c));
  inner.make_op(op::yield{}, std::vector{inner.make(op::mul{}, {p, s})}, {});
  const op_id call = b.make_op(op::call_closure{}, std::vector{m.result(c), a[0]}, t);
  const op_id again = b.make_op(op::call_closure{}, std::vector{m.result(c), m.result(call)}, t);
  b.make_op(op::return_{}, std::vector{m.result(again)}, {});
  CHECK(same_bits(interpret(m, "main", {{pair(1, 2), pair(3, 4)}})[0], pair(16, 72)));
}

TEST_CASE("fused ops, views and kernel calls") {
  ir::module m;
  add_kernel(m);
  const function_id f = add_function(m, "main", {vec, vec});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(vec)}, row[] = {m.intern(type::tensor(dtype::f32, {1, 2}))};
  const op_id fused = b.make_op(op::fused{}, std::vector{a[0]}, t, 1);
  const value_id p = m.add_argument(m.region(fused), t[0]);
  ir::builder<> inner(m, m.region(fused));
  inner.make_op(op::yield{}, std::vector{inner.make(op::add{}, {p, p})}, {});
  const op_id k = b.make_op(op::call_kernel{{"k"}, {}}, std::vector{m.result(fused), a[1]}, t);
  const op_id v = b.make_op(op::view{}, std::vector{m.result(k)}, row);
  b.make_op(op::return_{}, std::vector{m.result(v)}, {});
  CHECK(same_bits(interpret(m, "main", {{pair(1, 2), pair(3, 4)}})[0], tensor::from<float>({1, 2}, {8, 12})));
}

TEST_CASE("a kernel may see another shape of the same elements") {
  ir::module m;
  add_kernel(m);
  const type row = type::tensor(dtype::f32, {1, 2});
  const function_id f = add_function(m, "main", {row, vec});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(row)};
  b.make_op(op::return_{}, std::vector{m.result(b.make_op(op::call_kernel{{"k"}, {}}, std::vector{a[0], a[1]}, t))},
            {});
  ir::verify(m);
  CHECK(same_bits(interpret(m, "main", {{tensor::from<float>({1, 2}, {1, 2}), pair(3, 4)}})[0],
                  tensor::from<float>({1, 2}, {7, 10})));
  CHECK(code_of([&] { interpret(m, "main", {{tensor(dtype::f32, {1, 3}), pair(3, 4)}}); }) ==
        "interpret.kernel_arguments");
}

TEST_CASE("planned buffers share storage as the plan says") {
  ir::module m;
  add_kernel(m);
  const function_id f = add_function(m, "main", {buf, buf, buf});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(buf)};
  const value_id first = m.result(b.make_op(op::alloc{64}, {}, t));
  b.make_op(op::call_dps{{"k"}, 2, {}}, std::vector{a[0], a[1], first}, {});
  i64 offset = 0;
  SUBCASE("apart") { offset = 0; }
  SUBCASE("in place") { offset = 64; }
  const value_id second = m.result(b.make_op(op::alloc{offset}, {}, t));
  b.make_op(op::call_dps{{"k"}, 2, {0}}, std::vector{first, a[1], second}, {});
  b.make_op(op::call_dps{{"k"}, 2, {}}, std::vector{first, second, a[2]}, {});
  b.make_op(op::return_{}, {}, {});
  // first = {7, 10}, second = {13, 18}; in place, the third call reads 13 and 18 for both.
  const tensor y = interpret(m, "main", {{pair(1, 2), pair(3, 4)}})[0];
  CHECK(same_bits(y, offset == 0 ? pair(33, 46) : pair(39, 54)));
}

TEST_CASE("destination passing: allocation, constants, views, copies") {
  ir::module m;
  add_kernel(m);
  const function_id f = add_function(m, "main", {buf, buf, type::buffer(dtype::f32, {1, 2})});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(buf)}, row[] = {m.intern(type::buffer(dtype::f32, {1, 2}))};
  const value_id c = m.result(b.make_op(op::constant_buffer{m.add_constant(pair(100, 200))}, {}, t));
  const value_id tmp = m.result(b.make_op(op::alloc{}, {}, t));
  b.make_op(op::call_dps{{"k"}, 2, {}}, std::vector{a[0], a[1], tmp}, {});
  b.make_op(op::call_dps{{"k"}, 2, {}}, std::vector{tmp, c, a[1]}, {});
  const value_id flat = m.result(b.make_op(op::view_buffer{}, std::vector{a[1]}, row));
  b.make_op(op::copy_buffer{}, std::vector{flat, a[2]}, {});
  b.make_op(op::return_{}, {}, {});
  SUBCASE("writing an input is an error") {
    CHECK(code_of([&] { interpret(m, "main", {{pair(1, 2), pair(3, 4)}}); }) == "interpret.read_only");
  }
  SUBCASE("one input, two outputs") {
    // The second argument is an output now; it is read before anything wrote it, which shows as NaN.
    const auto y = interpret(m, "main", {{pair(1, 2)}});
    REQUIRE(y.size() == 2);
    CHECK(std::isnan(y[0].at_f64(0)));
    CHECK(same_bits(y[0].reshaped({1, 2}), y[1]));
  }
}

TEST_CASE("explicit storage: slots of one arena may overlap") {
  ir::module m;
  add_kernel(m);
  const function_id f = add_function(m, "main", {buf, buf, buf});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(buf)};
  const value_id s0 = m.result(b.make_op(op::slot{0}, {}, t)), s1 = m.result(b.make_op(op::slot{8}, {}, t)),
                 whole = m.result(b.make_op(op::slot{4}, {}, t));
  b.make_op(op::call_native{{"k"}}, std::vector{a[0], a[1], s0}, {});
  b.make_op(op::call_native{{"k"}}, std::vector{s0, a[1], s1}, {});
  b.make_op(op::copy_buffer{}, std::vector{whole, a[2]}, {});
  b.make_op(op::return_{}, {}, {});
  // s0 = {7, 10}, s1 = {13, 18}; the third slot is the last of s0 and the first of s1.
  CHECK(same_bits(interpret(m, "main", {{pair(1, 2), pair(3, 4)}})[0], pair(10, 13)));
}

TEST_CASE("an op with a region that a user adds") {
  ir::module m;
  const function_id f = add_function(m, "main", {vec, vec});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(vec)};
  const op_id r = b.make_op(test_op::repeat{3}, std::vector{a[0]}, t, 1);
  const value_id p = m.add_argument(m.region(r), t[0]);
  ir::builder<> inner(m, m.region(r));
  inner.make_op(op::yield{}, std::vector{inner.make(op::add{}, {p, a[1]})}, {});
  b.make_op(op::return_{}, std::vector{m.result(r)}, {});
  const auto y = interpret(m, "main", {{pair(1, 2), pair(10, 100)}}, eval_table_of<ops<test_op::repeat>>());
  CHECK(same_bits(y[0], pair(31, 302)));
  CHECK(code_of([&] { interpret(m, "main", {{pair(1, 2), pair(10, 100)}}); }) == "interpret.unknown_op");
}

TEST_CASE("one op alone, and results that belie their type") {
  ir::module m;
  const function_id f = add_function(m, "main", {vec, vec});
  const auto a = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  const value_id s = b.make(op::add{}, {a[0], a[1]});
  const tensor x = pair(1, 2), y = pair(5, 6);
  const tensor* given[] = {&x, &y};
  CHECK(same_bits(evaluate_op(m, m[s].definition, given)[0], pair(6, 8)));
  b.make_op(op::return_{}, std::vector{s}, {});
  m.set_type(s, m.intern(type::tensor(dtype::f32, {3})));
  CHECK(code_of([&] { interpret(m, "main", {{x, y}}); }) == "interpret.result_type");
}

TEST_CASE("endless recursion is an error") {
  ir::module m;
  const function_id f = add_function(m, "main", {vec});
  ir::builder<> b(m, m[f].body);
  const type_id t[] = {m.intern(vec)};
  const op_id call = b.make_op(op::call{{"main"}}, std::vector{m[m[f].body].arguments[0]}, t);
  b.make_op(op::return_{}, std::vector{m.result(call)}, {});
  CHECK(code_of([&] { interpret(m, "main", {{pair(1, 2)}}); }) == "interpret.recursion");
}
