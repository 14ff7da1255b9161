/// @file reduce_test: types, values and lowerings of reductions, positions, softmax and running sums.
#include <doctest/doctest.h>

#include <support/lowered.hpp>

#include <tenon/ops/fwd.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/reduce.hpp>

namespace {
using namespace tenon;
using testing::contains, testing::one_op, testing::reals, testing::refusal;
using list = std::vector<double>;
constexpr double inf = std::numeric_limits<double>::infinity();

/// The op's value, by evaluation; its lowering must agree.
template <class Op>
tensor value_of(const Op& op, const tensor& x) {
  CHECK(testing::lowering_error(op, {x}) < 1e-6);
  return one_op<Op>(op, {x}).evaluated()[0];
}

/// The result type for operand types, where symbol 0 is `n`; `axes` becomes a constant second operand when it is
/// defined.
template <class Op>
ir::type result_type(const Op& op, std::vector<ir::type> types, const tensor& axes = {}) {
  ir::module m;
  m.symbol("n");  // number 0
  std::vector<type_id> ids;
  for (const ir::type& t : types) ids.push_back(m.intern(t));
  const function_id f = m.add_function("main", ir::function_kind::graph, ids);
  std::vector<value_id> operands = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  if (axes.defined()) {
    const type_id t[1] = {m.intern(ir::type::tensor(axes.type(), {axes.shape().begin(), axes.shape().end()}))};
    operands.push_back(m.result(b.make_op(op::constant{m.add_constant(axes)}, {}, t)));
  }
  return m.type_of(m.result(b.make_op(op, operands)));
}
ir::type f32(std::vector<ir::dim> d) { return ir::type::tensor(dtype::f32, std::move(d)); }
const tensor x23 = tensor::from<float>({2, 3}, {1, 5, 3, 4, 2, 6});
}  // namespace

TEST_CASE("reductions over one axis, several, and all") {
  CHECK(reals(value_of(op::reduce_sum{{1}, true}, x23)) == list{9, 12});
  CHECK(value_of(op::reduce_sum{{1}, true}, x23).describe() == "f32[2,1]");
  CHECK(reals(value_of(op::reduce_sum{{0}, false}, x23)) == list{5, 7, 9});
  CHECK(reals(value_of(op::reduce_sum{{-2}, false}, x23)) == list{5, 7, 9});
  CHECK(value_of(op::reduce_sum{{0}, false}, x23).describe() == "f32[3]");
  CHECK(reals(value_of(op::reduce_prod{{}, true}, x23)) == list{720});
  CHECK(value_of(op::reduce_prod{{}, true}, x23).describe() == "f32[1,1]");
  CHECK(value_of(op::reduce_prod{{0, 1}, false}, x23).describe() == "f32[]");
  CHECK(reals(value_of(op::reduce_max{{1}, false}, x23)) == list{5, 6});
  CHECK(reals(value_of(op::reduce_min{{0}, false}, x23)) == list{1, 2, 3});
  const tensor x = testing::random_tensor(dtype::f32, {2, 3, 4}, 1);
  for (const auto& axes : std::vector<std::vector<i64>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {-1, 0}, {}})
    for (const bool keep : {false, true}) {
      CHECK(testing::lowering_error(op::reduce_sum{axes, keep}, {x}) == 0);
      CHECK(testing::lowering_error(op::reduce_max{axes, keep}, {x}) == 0);
    }
  CHECK(reals(value_of(op::reduce_sum{}, tensor::scalar(7.0f))) == list{7});
  CHECK(reals(value_of(op::reduce_sum{{1, 3}, false}, tensor::from<float>({2, 1, 2, 1}, {1, 2, 3, 4}))) ==
        list{1, 2, 3, 4});
}

TEST_CASE("reductions of nothing give the identity") {
  const tensor none(dtype::f32, {0, 2});
  CHECK(reals(value_of(op::reduce_sum{{0}, false}, none)) == list{0, 0});
  CHECK(reals(value_of(op::reduce_prod{{0}, false}, none)) == list{1, 1});
  CHECK(reals(value_of(op::reduce_max{{0}, false}, none)) == list{-inf, -inf});
  CHECK(reals(value_of(op::reduce_min{{0}, false}, none)) == list{inf, inf});
  CHECK(value_of(op::reduce_max{{1}, true}, none).describe() == "f32[0,1]");
  CHECK(reals(value_of(op::reduce_max{}, tensor(dtype::i8, {0}))) == list{-128});
  CHECK(value_of(op::reduce_min{}, tensor(dtype::u64, {0})).data<u64>()[0] == ~u64{0});
  CHECK(value_of(op::reduce_max{}, tensor(dtype::i64, {0})).at_i64(0) == std::numeric_limits<i64>::min());
  CHECK(reals(value_of(op::reduce_max{}, tensor(dtype::boolean, {0}))) == list{0});
  CHECK(reals(value_of(op::reduce_min{}, tensor(dtype::boolean, {0}))) == list{1});
}

TEST_CASE("element types of reductions") {
  CHECK(reals(value_of(op::reduce_sum{}, tensor::from<i8>({2}, {100, 100}))) == list{-56});
  CHECK(reals(value_of(op::reduce_prod{}, tensor::from<u8>({3}, {16, 16, 3}))) == list{0});
  CHECK(reals(value_of(op::reduce_max{{1}, false}, tensor::from<bool>({2, 2}, {false, true, false, false}))) ==
        list{1, 0});
  CHECK(reals(value_of(op::reduce_min{{1}, false}, tensor::from<bool>({2, 2}, {false, true, true, true}))) ==
        list{0, 1});
  const float nan_value = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(value_of(op::reduce_max{}, tensor::from<float>({3}, {1, nan_value, 2})).at_f64(0)));
  CHECK(std::isnan(value_of(op::reduce_min{}, tensor::from<float>({3}, {1, nan_value, 2})).at_f64(0)));
  // 2048 + 1 is 2048 in f16: the sum is not kept in it.
  const tensor ones = tensor::from<float>({4}, {2048, 1, 1, 2}).cast(dtype::f16);
  CHECK(reals(value_of(op::reduce_sum{}, ones)) == list{2052});
  for (const dtype t : {dtype::f64, dtype::f16, dtype::bf16, dtype::i64, dtype::i32, dtype::i16, dtype::i8, dtype::u64,
                        dtype::u32, dtype::u16, dtype::u8}) {
    CAPTURE(name_of(t));
    const tensor x = testing::random_tensor(t, {3, 4}, 5);
    CHECK(testing::lowering_error(op::reduce_sum{{0}, false}, {x}) == 0);
    CHECK(testing::lowering_error(op::reduce_prod{{1}, false}, {x}) == 0);
    CHECK(testing::lowering_error(op::reduce_min{{1}, false}, {x}) == 0);
    CHECK(testing::lowering_error(op::arg_max{1, false, false}, {x}) == 0);
    CHECK(testing::lowering_error(op::arg_min{0, true, true}, {x}) == 0);
    CHECK(testing::lowering_error(op::cumulative_sum{0, false, false}, {x}) == 0);
  }
}

TEST_CASE("the type rule of reductions") {
  const ir::dim n = ir::dim::symbol(symbol_id(size_t{0})), unknown = ir::dim::unknown();
  CHECK(result_type(op::reduce_sum{{1}, true}, {f32({n, 3})}) == f32({n, 1}));
  CHECK(result_type(op::reduce_sum{{0}, false}, {f32({n, 3})}) == f32({3}));
  CHECK(result_type(op::reduce_sum{{}, false}, {ir::type::unranked_tensor(dtype::f32)}) == f32({}));
  CHECK(result_type(op::reduce_sum{{1}, false}, {ir::type::unranked_tensor(dtype::f32)}) ==
        ir::type::unranked_tensor(dtype::f32));
  CHECK(result_type(op::arg_max{0, false, false}, {f32({n, 3})}) == ir::type::tensor(dtype::i64, {3}));
  CHECK(result_type(op::softmax{-1}, {f32({n, 3})}) == f32({n, 3}));
  const ir::type two_axes = ir::type::tensor(dtype::i64, {2});
  CHECK(result_type(op::reduce_sum{{}, false}, {f32({4, 5, 6}), two_axes}) == f32({unknown}));
  CHECK(result_type(op::reduce_sum{{}, true}, {f32({4, 1, 6}), two_axes}) == f32({unknown, 1, unknown}));
  CHECK(result_type(op::reduce_sum{{}, false}, {f32({4, 5}), ir::type::tensor(dtype::i64, {unknown})}) ==
        ir::type::unranked_tensor(dtype::f32));
  CHECK(result_type(op::reduce_sum{{}, false}, {f32({4, 5})}, tensor::from<i64>({1}, {-1})) == f32({4}));

  const tensor b(dtype::boolean, {2}), i(dtype::i32, {2});
  CHECK(contains(refusal(op::reduce_sum{{2}, true}, {x23}), "axis 2 is outside of the 2 dimensions"));
  CHECK(contains(refusal(op::reduce_sum{{0, -2}, true}, {x23}), "axis -2 is given twice"));
  CHECK(contains(refusal(op::reduce_sum{}, {b}), "bool has no arithmetic"));
  CHECK(contains(refusal(op::softmax{0}, {i}), "the element type i32 is not a float"));
  CHECK(contains(refusal(op::arg_max{0, true, false}, {tensor(dtype::f32, {0, 2})}), "axis 0 has no elements"));
  CHECK(contains(refusal(op::reduce_sum{}, {x23, x23}), "they must be integers"));
  CHECK(contains(refusal(op::cumulative_sum{3, false, false}, {x23}), "axis 3 is outside"));
}

TEST_CASE("axes by operand") {
  const tensor axis = tensor::from<i64>({1}, {0});
  CHECK(reals(one_op<op::reduce_sum>({{}, false}, {x23, axis}).evaluated()[0]) == list{5, 7, 9});
  CHECK(reals(one_op<op::reduce_sum>({{}, false}, {x23, tensor(dtype::i64, {0})}).evaluated()[0]) == list{21});
  const tensor last = tensor::scalar(i32{-1});
  CHECK(reals(one_op<op::cumulative_sum>({0, false, false}, {x23, last}).evaluated()[0]) == list{1, 6, 9, 4, 6, 12});
  CHECK_THROWS_AS(one_op<op::reduce_sum>({{}, false}, {x23, tensor::from<i64>({1}, {7})}).evaluated(), error);
}

TEST_CASE("positions of extrema") {
  const tensor x = tensor::from<float>({2, 4}, {1, 3, 3, 2, 0, -1, 5, -1});
  CHECK(reals(value_of(op::arg_max{1, false, false}, x)) == list{1, 2});
  CHECK(reals(value_of(op::arg_max{1, false, true}, x)) == list{2, 2});
  CHECK(reals(value_of(op::arg_min{1, false, false}, x)) == list{0, 1});
  CHECK(reals(value_of(op::arg_min{-1, true, true}, x)) == list{0, 3});
  CHECK(value_of(op::arg_min{-1, true, true}, x).describe() == "i64[2,1]");
  CHECK(reals(value_of(op::arg_max{0, false, false}, x)) == list{0, 0, 1, 0});
  const float n = std::numeric_limits<float>::quiet_NaN();
  const tensor with_nan = tensor::from<float>({5}, {1, n, 9, n, 2});
  CHECK(reals(value_of(op::arg_max{0, false, false}, with_nan)) == list{1});
  CHECK(reals(value_of(op::arg_max{0, false, true}, with_nan)) == list{3});
  CHECK(reals(value_of(op::arg_min{0, false, false}, with_nan)) == list{1});
  CHECK(reals(value_of(op::arg_max{0, false, false}, tensor::from<u64>({2}, {1, ~u64{0}}))) == list{1});
}

TEST_CASE("positions of extrema in long rows: ties, what is no number, bounds") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (dtype t : {dtype::f32, dtype::f16, dtype::f64, dtype::i64, dtype::u8, dtype::i8, dtype::boolean}) {
    tensor x(t, {6, 37});
    for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i * 31 % 7);  // all of 7 numbers, each several times
    for (i64 i = 0; i < 37; ++i) {
      x.set_i64(37 + i, 5), x.set_i64(74 + i, i < 36 ? 5 : 6);
      if (is_float(t)) x.set_f64(111 + i, inf), x.set_f64(148 + i, -inf);
    }
    if (is_float(t)) x.set_f64(3, nan), x.set_f64(30, nan), x.set_f64(185 + 36, nan);
    const tensor columns = x.reshaped({37, 6}), rows = x.reshaped({6, 37, 1});
    for (const bool last : {false, true})
      for (const auto& [given, axis] : {std::pair(x, i64{1}), std::pair(columns, i64{0}), std::pair(rows, i64{1})}) {
        CHECK(testing::lowering_error(op::arg_max{axis, true, last}, {given}) == 0);
        CHECK(testing::lowering_error(op::arg_min{axis, false, last}, {given}) == 0);
      }
  }
}

TEST_CASE("softmax along every axis") {
  const auto near = [](const tensor& t, const list& expected) {
    REQUIRE(t.size() == static_cast<i64>(expected.size()));
    for (size_t i = 0; i < expected.size(); ++i)
      CHECK(t.at_f64(static_cast<i64>(i)) == doctest::Approx(expected[i]).epsilon(1e-6));
  };
  const tensor x = tensor::from<float>({2, 3}, {1, 2, 3, 1000, 1000, 999});
  near(value_of(op::softmax{-1}, x), {0.09003057, 0.24472847, 0.66524096, 0.42231880, 0.42231880, 0.15536240});
  near(value_of(op::log_softmax{1}, x), {-2.40760596, -1.40760596, -0.40760596, -0.86199482, -0.86199482, -1.86199482});
  near(value_of(op::softmax{0}, tensor::from<double>({2, 2}, {0, 1, 0, 1})), {0.5, 0.5, 0.5, 0.5});
  near(value_of(op::softmax{0}, tensor::scalar(3.0f)), {1});
  CHECK(value_of(op::softmax{0}, tensor(dtype::f32, {0, 3})).describe() == "f32[0,3]");
  const tensor y = testing::random_tensor(dtype::f32, {2, 3, 4}, 9);
  for (i64 axis = -3; axis < 3; ++axis) {
    CHECK(testing::lowering_error(op::softmax{axis}, {y}) < 1e-6);
    CHECK(testing::lowering_error(op::log_softmax{axis}, {y}) < 1e-6);
    CHECK(testing::lowering_error(op::softmax{axis}, {y.cast(dtype::f16)}) < 1e-3);
  }
  // Rows of which exponentials are kept, fewer and more of them than there are parts.
  for (const std::vector<i64>& shape : {std::vector<i64>{70}, {3, 64}, {3, 1, 7, 100}, {40, 65, 1}}) {
    const tensor long_rows = testing::random_tensor(dtype::f32, shape, 10, -3, 3);
    const i64 axis = shape.back() == 1 ? 1 : -1;
    CHECK(testing::lowering_error(op::softmax{axis}, {long_rows}) < 1e-6);
    CHECK(testing::lowering_error(op::softmax{axis}, {long_rows.cast(dtype::bf16)}) < 1e-2);
  }
}

TEST_CASE("running sums and products") {
  const tensor x = tensor::from<i32>({2, 3}, {1, 2, 3, 4, 5, 6});
  CHECK(reals(value_of(op::cumulative_sum{1, false, false}, x)) == list{1, 3, 6, 4, 9, 15});
  CHECK(reals(value_of(op::cumulative_sum{1, true, false}, x)) == list{0, 1, 3, 0, 4, 9});
  CHECK(reals(value_of(op::cumulative_sum{1, false, true}, x)) == list{6, 5, 3, 15, 11, 6});
  CHECK(reals(value_of(op::cumulative_sum{-1, true, true}, x)) == list{5, 3, 0, 11, 6, 0});
  CHECK(reals(value_of(op::cumulative_sum{0, false, false}, x)) == list{1, 2, 3, 5, 7, 9});
  CHECK(reals(value_of(op::cumulative_prod{1, false, false}, x)) == list{1, 2, 6, 4, 20, 120});
  CHECK(reals(value_of(op::cumulative_prod{0, true, false}, x)) == list{1, 1, 1, 1, 2, 3});
  CHECK(value_of(op::cumulative_sum{0, false, false}, tensor(dtype::f32, {0})).size() == 0);
}

TEST_CASE("a kept last dimension is the innermost independent loop") {
  const auto loops = [](auto op, const tensor& x) {
    one_op<decltype(op)> o(op, {x});
    ir::module k;
    const type_id types[2] = {
        k.intern(ir::type::buffer(x.type(), {x.shape().begin(), x.shape().end()})),
        k.intern(ir::type::buffer(o.m.view(o.op).result_type().elem, o.m.view(o.op).result_type().shape))};
    const function_id f = k.add_function("kernel", ir::function_kind::kernel, types);
    ir::loop_builder b(k, k[f].body);
    testing::plain_lower_context cx(b, o.m, o.op, k[k[f].body].arguments);
    lower(op, cx);
    // The loops of the first path from the outside in: their extents, negative for serial ones.
    std::vector<i64> path;
    region_id r = k[f].body;
    for (bool found = true; found;) {
      found = false;
      for (op_id i : k[r].ops)
        if (const auto* loop = k.view(i).get_if<loop::for_loop>()) {
          const auto& bound = k.view(k[k.operand(i, 1)].definition).as<loop::literal>();
          path.push_back(loop->independent ? bound.integer : -bound.integer);
          r = k.region(i), found = true;
          break;
        }
    }
    return path;
  };
  const tensor x(dtype::f32, {2, 3, 4}), flat(dtype::f32, {2, 3, 1});
  using path = std::vector<i64>;
  CHECK(loops(op::reduce_sum{{1}, true}, x) == path{2, 4, -3});
  CHECK(loops(op::reduce_sum{{2}, true}, x) == path{2, 3, -4});
  CHECK(loops(op::reduce_sum{{0, 2}, true}, x) == path{3, -2, -4});
  CHECK(loops(op::reduce_sum{{0}, true}, flat) == path{3, -2});
  CHECK(loops(op::softmax{1}, x) == path{2, 4, -3});
}
