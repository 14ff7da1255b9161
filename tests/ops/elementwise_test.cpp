/// @file elementwise_test: types, values and lowerings of the elementwise ops, and the scalar functions beneath them.
#include <array>

#include <doctest/doctest.h>

#include <support/lowered.hpp>

#include <tenon/interpret/scalar.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/ops/graph/elementwise.hpp>

namespace {
using namespace tenon;
using testing::contains, testing::one_op, testing::reals, testing::refusal;
using fn = loop::scalar_fn;
constexpr double inf = std::numeric_limits<double>::infinity(), nan_value = std::numeric_limits<double>::quiet_NaN();

/// The op's value, by evaluation; its lowering must agree.
template <class Op>
tensor value_of(const Op& op, std::vector<tensor> operands) {
  CHECK(testing::lowering_error(op, operands) < 1e-6);
  return one_op<Op>(op, operands).evaluated()[0];
}
template <class T>
tensor vec(std::initializer_list<T> v) {
  return tensor::from<T>({static_cast<i64>(v.size())}, v);
}
using list = std::vector<double>;

/// Type rule for types that are not those of tensors.
template <class Op>
ir::type result_type(const Op& op, std::vector<ir::type> types) {
  ir::module m;
  std::vector<type_id> ids;
  for (const ir::type& t : types) ids.push_back(m.intern(t));
  const function_id f = m.add_function("main", ir::function_kind::graph, ids);
  const std::vector<value_id> arguments = m[m[f].body].arguments;
  ir::builder<> b(m, m[f].body);
  return m.type_of(m.result(b.make_op(op, arguments)));
}
}  // namespace

TEST_CASE("operands broadcast") {
  const tensor a = tensor::from<float>({2, 1}, {1, 10}), b = tensor::from<float>({3}, {1, 2, 3});
  const tensor sum = value_of(op::add{}, {a, b});
  CHECK(sum.describe() == "f32[2,3]");
  CHECK(reals(sum) == list{2, 3, 4, 11, 12, 13});
  CHECK(reals(value_of(op::sub{}, {tensor::scalar(5.0f), b})) == list{4, 3, 2});
  CHECK(value_of(op::mul{}, {tensor(dtype::f32, {0, 1}), b}).describe() == "f32[0,3]");
  CHECK(contains(refusal(op::add{}, {vec<float>({1, 2}), b}), "extents 2 and 3 do not broadcast"));
}

TEST_CASE("the type rule knows what can be known") {
  const ir::dim n = ir::dim::symbol(symbol_id(size_t{0}));
  const auto f32 = [](std::vector<ir::dim> d) { return ir::type::tensor(dtype::f32, std::move(d)); };
  CHECK(result_type(op::add{}, {f32({n, 3}), f32({1})}) == f32({n, 3}));
  CHECK(result_type(op::add{}, {f32({n, 1}), f32({n, 4})}) == f32({n, 4}));
  CHECK(result_type(op::add{}, {f32({ir::dim::unknown()}), f32({4})}) == f32({4}));
  CHECK(result_type(op::less{}, {f32({2}), f32({})}) == ir::type::tensor(dtype::boolean, {2}));
  CHECK(result_type(op::exp{}, {ir::type::unranked_tensor(dtype::f16)}) == ir::type::unranked_tensor(dtype::f16));
  CHECK(result_type(op::cast{dtype::i8}, {f32({n})}) == ir::type::tensor(dtype::i8, {n}));
}

TEST_CASE("wrong types are named") {
  const tensor f = vec<float>({1}), i = vec<i32>({1}), b = vec<bool>({true});
  CHECK(contains(refusal(op::add{}, {f, i}), "add: the operands have the element types f32 and i32; cast one"));
  CHECK(contains(refusal(op::exp{}, {i}), "exp: the element type i32 is not supported"));
  CHECK(contains(refusal(op::add{}, {b, b}), "bool is not supported"));
  CHECK(contains(refusal(op::logical_not{}, {f}), "it takes bool"));
  CHECK(contains(refusal(op::bit_and{}, {f, f}), "it takes integers"));
  CHECK(contains(refusal(op::where{}, {f, f, f}), "the condition has the element type f32, not bool"));
  CHECK(contains(refusal(op::add{}, {f}), "1 operands are given, not 2"));
  CHECK(contains(refusal(op::bit_cast{dtype::i64}, {f}), "different sizes"));
  CHECK(contains(refusal(op::pow{}, {b, f}), "bool has no powers"));
}

TEST_CASE("floats") {
  const tensor x = vec<float>({-2.5f, -0.5f, 0.0f, 0.5f, 1.5f, 2.5f});
  CHECK(reals(value_of(op::abs{}, {x})) == list{2.5, 0.5, 0, 0.5, 1.5, 2.5});
  CHECK(reals(value_of(op::neg{}, {x})) == list{2.5, 0.5, 0, -0.5, -1.5, -2.5});
  CHECK(reals(value_of(op::sign{}, {x})) == list{-1, -1, 0, 1, 1, 1});
  CHECK(reals(value_of(op::round{}, {x})) == list{-2, 0, 0, 0, 2, 2});
  CHECK(reals(value_of(op::floor{}, {x})) == list{-3, -1, 0, 0, 1, 2});
  CHECK(reals(value_of(op::ceil{}, {x})) == list{-2, 0, 0, 1, 2, 3});
  CHECK(reals(value_of(op::trunc{}, {x})) == list{-2, 0, 0, 0, 1, 2});
  CHECK(reals(value_of(op::reciprocal{}, {vec<double>({4, -0.5})})) == list{0.25, -2});
  CHECK(reals(value_of(op::sqrt{}, {vec<double>({4, 2.25})})) == list{2, 1.5});
  CHECK(reals(value_of(op::rsqrt{}, {vec<double>({4, 0})})) == list{0.5, inf});
  CHECK(reals(value_of(op::div{}, {vec<float>({1, 7}), vec<float>({4, 2})})) == list{0.25, 3.5});
  CHECK(reals(value_of(op::fmod{}, {vec<float>({-4.25f, 5}), vec<float>({3, -3})})) == list{-1.25, 2});
  CHECK(reals(value_of(op::mod{}, {vec<float>({-4.25f, 5}), vec<float>({3, -3})})) == list{1.75, -1});
  CHECK(reals(value_of(op::pow{}, {vec<float>({2, 9, -2}), vec<float>({-1, 0.5f, 3})})) == list{0.5, 3, -8});
}

TEST_CASE("transcendental functions") {
  const auto near = [](const tensor& t, double expected) { return std::fabs(t.at_f64(0) - expected) < 1e-12; };
  const tensor x = tensor::scalar(0.5);
  CHECK(near(value_of(op::exp{}, {x}), 1.6487212707001282));
  CHECK(near(value_of(op::log{}, {x}), -0.6931471805599453));
  CHECK(near(value_of(op::tanh{}, {x}), 0.46211715726000976));
  CHECK(near(value_of(op::sigmoid{}, {x}), 0.6224593312018546));
  CHECK(near(value_of(op::erf{}, {x}), 0.5204998778130465));
  CHECK(near(value_of(op::sin{}, {x}), 0.479425538604203));
  CHECK(near(value_of(op::cos{}, {x}), 0.8775825618903728));
  CHECK(near(value_of(op::tan{}, {x}), 0.5463024898437905));
  CHECK(near(value_of(op::asin{}, {x}), 0.5235987755982989));
  CHECK(near(value_of(op::acos{}, {x}), 1.0471975511965979));
  CHECK(near(value_of(op::atan{}, {x}), 0.4636476090008061));
  CHECK(near(value_of(op::sinh{}, {x}), 0.5210953054937474));
  CHECK(near(value_of(op::cosh{}, {x}), 1.1276259652063807));
  CHECK(near(value_of(op::asinh{}, {x}), 0.48121182505960347));
  CHECK(near(value_of(op::acosh{}, {tensor::scalar(1.5)}), 0.9624236501192069));
  CHECK(near(value_of(op::atanh{}, {x}), 0.5493061443340548));
  CHECK(near(value_of(op::log1p{}, {x}), 0.4054651081081644));
  CHECK(near(value_of(op::expm1{}, {x}), 0.6487212707001282));
  CHECK(reals(value_of(op::sigmoid{}, {vec<float>({-1000, 1000})})) == list{0, 1});
}

TEST_CASE("NaN and infinity") {
  const tensor x = vec<double>({nan_value, inf, -inf, 1}), one = tensor::scalar(1.0);
  CHECK(reals(value_of(op::is_nan{}, {x})) == list{1, 0, 0, 0});
  CHECK(reals(value_of(op::is_inf{}, {x})) == list{0, 1, 1, 0});
  CHECK(reals(value_of(op::is_inf{false, true}, {x})) == list{0, 1, 0, 0});
  CHECK(reals(value_of(op::is_inf{true, false}, {x})) == list{0, 0, 1, 0});
  CHECK(reals(value_of(op::is_inf{false, false}, {x})) == list{0, 0, 0, 0});
  for (const tensor& m : {value_of(op::minimum{}, {x, one}), value_of(op::minimum{}, {one, x}),
                          value_of(op::maximum{}, {x, one}), value_of(op::maximum{}, {one, x})})
    CHECK(std::isnan(m.at_f64(0)));
  CHECK(reals(value_of(op::equal{}, {x, x})) == list{0, 1, 1, 1});
  CHECK(reals(value_of(op::not_equal{}, {x, x})) == list{1, 0, 0, 0});
  CHECK(std::isnan(value_of(op::sign{}, {x}).at_f64(0)));
}

TEST_CASE("integers wrap and never trap") {
  const tensor low = vec<i8>({-128, -128, 7, -7, -7}), by = vec<i8>({-1, 0, 0, 2, -2});
  CHECK(reals(value_of(op::div{}, {low, by})) == list{-128, 0, 0, -3, 3});
  CHECK(reals(value_of(op::mod{}, {low, by})) == list{0, 0, 0, 1, -1});
  CHECK(reals(value_of(op::fmod{}, {low, by})) == list{0, 0, 0, -1, -1});
  CHECK(reals(value_of(op::abs{}, {vec<i8>({-128, -3})})) == list{-128, 3});
  CHECK(reals(value_of(op::neg{}, {vec<u8>({1, 0})})) == list{255, 0});
  CHECK(reals(value_of(op::add{}, {vec<u8>({250}), vec<u8>({10})})) == list{4});
  CHECK(reals(value_of(op::mul{}, {vec<i32>({65536}), vec<i32>({65536})})) == list{0});
  constexpr i64 least = std::numeric_limits<i64>::min();
  CHECK(value_of(op::div{}, {vec<i64>({least}), vec<i64>({-1})}).at_i64(0) == least);
  CHECK(value_of(op::mod{}, {vec<i64>({least}), vec<i64>({-1})}).at_i64(0) == 0);
  CHECK(value_of(op::maximum{}, {vec<u64>({~u64{0}}), vec<u64>({1})}).data<u64>()[0] == ~u64{0});
  CHECK(value_of(op::div{}, {vec<u64>({~u64{0}}), vec<u64>({2})}).data<u64>()[0] == ~u64{0} / 2);
  CHECK(reals(value_of(op::less{}, {vec<u64>({~u64{0}, 1}), vec<u64>({1, 2})})) == list{0, 1});
}

TEST_CASE("integer powers") {
  CHECK(reals(value_of(op::pow{}, {vec<i32>({2, -3, 0, 1, -1, 5}), vec<i32>({10, 3, 0, -4, -3, -1})})) ==
        list{1024, -27, 1, 1, -1, 0});
  CHECK(reals(value_of(op::pow{}, {vec<float>({1.5f, 2}), vec<i64>({2, 3})})) == list{2.25, 8});
  CHECK(reals(value_of(op::pow{}, {vec<i32>({4, 9}), vec<float>({0.5f, 2})})) == list{2, 81});
  CHECK(value_of(op::pow{}, {vec<i32>({3}), vec<u8>({4})}).describe() == "i32[1]");
}

TEST_CASE("bits and logic") {
  const tensor a = vec<u8>({0b1100, 0xf0}), b = vec<u8>({0b1010, 0x0f});
  CHECK(reals(value_of(op::bit_and{}, {a, b})) == list{8, 0});
  CHECK(reals(value_of(op::bit_or{}, {a, b})) == list{14, 255});
  CHECK(reals(value_of(op::bit_xor{}, {a, b})) == list{6, 255});
  CHECK(reals(value_of(op::bit_not{}, {a})) == list{243, 15});
  CHECK(reals(value_of(op::bit_not{}, {vec<i16>({0, -1})})) == list{-1, 0});
  CHECK(reals(value_of(op::shift_left{}, {vec<u8>({1, 255, 1}), vec<u8>({7, 1, 8})})) == list{128, 254, 0});
  CHECK(reals(value_of(op::shift_right{}, {vec<u8>({128, 255, 255}), vec<u8>({7, 1, 9})})) == list{1, 127, 0});
  CHECK(value_of(op::shift_left{}, {vec<u64>({1, 1}), vec<u64>({63, 64})}).data<u64>()[1] == 0);
  const tensor p = vec<bool>({false, false, true, true}), q = vec<bool>({false, true, false, true});
  CHECK(reals(value_of(op::logical_and{}, {p, q})) == list{0, 0, 0, 1});
  CHECK(reals(value_of(op::logical_or{}, {p, q})) == list{0, 1, 1, 1});
  CHECK(reals(value_of(op::logical_xor{}, {p, q})) == list{0, 1, 1, 0});
  CHECK(reals(value_of(op::logical_not{}, {p})) == list{1, 1, 0, 0});
  CHECK(reals(value_of(op::equal{}, {p, q})) == list{1, 0, 0, 1});
  CHECK(reals(value_of(op::greater_equal{}, {vec<i64>({1, 2, 3}), vec<i64>({2, 2, 2})})) == list{0, 1, 1});
}

TEST_CASE("where, cast and bit_cast") {
  const tensor c = tensor::from<bool>({2, 1}, {true, false});
  const tensor r = value_of(op::where{}, {c, vec<i16>({1, 2, 3}), tensor::scalar(i16{-7})});
  CHECK(r.describe() == "i16[2,3]");
  CHECK(reals(r) == list{1, 2, 3, -7, -7, -7});
  CHECK(reals(value_of(op::cast{dtype::i32}, {vec<float>({-1.9f, 1.9f, 0})})) == list{-1, 1, 0});
  CHECK(reals(value_of(op::cast{dtype::boolean}, {vec<float>({-0.5f, 0, nanf(""), 2})})) == list{1, 0, 1, 1});
  CHECK(reals(value_of(op::cast{dtype::f16}, {vec<double>({65536, 1.0009765625})})) == list{inf, 1.0009765625});
  CHECK(reals(value_of(op::cast{dtype::u8}, {vec<i64>({-1, 257})})) == list{255, 1});
  const tensor bits = one_op<op::bit_cast>({dtype::u32}, {vec<float>({1.0f})}).evaluated()[0];
  CHECK(bits.data<u32>()[0] == 0x3f800000u);
}

TEST_CASE("16-bit floats are computed in f32") {
  for (const dtype t : {dtype::f16, dtype::bf16}) {
    const tensor a = vec<float>({1, 2, 256}).cast(t), b = vec<float>({0.5f, 3, 256}).cast(t);
    CHECK(value_of(op::add{}, {a, b}).type() == t);
    CHECK(reals(value_of(op::add{}, {a, b})) == list{1.5, 5, 512});
    CHECK(reals(value_of(op::mul{}, {a, b})) == (t == dtype::f16 ? list{0.5, 6, inf} : list{0.5, 6, 65536}));
    CHECK(reals(value_of(op::less{}, {a, b})) == list{0, 1, 0});
    CHECK(testing::lowering_error(op::sigmoid{}, {a}) < 1e-2);
  }
}

TEST_CASE("every type that an op takes is evaluated and lowered alike") {
  constexpr dtype numbers[] = {dtype::f64, dtype::f32, dtype::f16, dtype::bf16, dtype::i64, dtype::i32,
                               dtype::i16, dtype::i8,  dtype::u64, dtype::u32,  dtype::u16, dtype::u8};
  for (const dtype t : numbers) {
    CAPTURE(name_of(t));
    const tensor a = testing::random_tensor(t, {3, 4}, 1), b = testing::random_tensor(t, {4}, 2, 1, 3);
    CHECK(testing::lowering_error(op::add{}, {a, b}) == 0);
    CHECK(testing::lowering_error(op::mul{}, {a, b}) == 0);
    CHECK(testing::lowering_error(op::minimum{}, {a, b}) == 0);
    CHECK(testing::lowering_error(op::mod{}, {a, b}) == 0);
    CHECK(testing::lowering_error(op::sign{}, {a}) == 0);
    CHECK(testing::lowering_error(op::greater{}, {a, b}) == 0);
    CHECK(testing::lowering_error(op::pow{}, {a, b}) == 0);
    CHECK(testing::lowering_error(op::cast{dtype::f32}, {a}) == 0);
    CHECK(testing::lowering_error(op::cast{dtype::boolean}, {a}) == 0);
  }
}

TEST_CASE("scalar functions by themselves") {
  CHECK(apply_scalar<i32>(fn::floor_div, -7, 2) == -4);
  CHECK(apply_scalar<u8>(fn::sub, 1, 2) == 255);
  CHECK(apply_scalar<i32>(fn::fma, 2, 3, 4) == 10);
  CHECK(apply_scalar<float>(fn::fma, 2, 3, 4) == 10);
  CHECK(apply_scalar<double>(fn::round, -0.4) == 0);
  CHECK(std::signbit(apply_scalar<double>(fn::round, -0.4)));
  CHECK(apply_scalar<double>(fn::round, 0.49999999999999994) == 0);
  CHECK(apply_scalar<bool>(fn::bit_not, true) == false);
  CHECK(apply_scalar<bool>(fn::max, false, true) == true);
  CHECK(apply_scalar<i16>(fn::shift_right, -5, 16) == 0);
  CHECK(apply_scalar<i16>(fn::shift_right, -5, 1) == -3);
  CHECK(test_scalar<half>(fn::lt, half(1.0f), half(2.0f)));
  CHECK(test_scalar<u64>(fn::gt, ~u64{0}, 1));
  CHECK_THROWS_AS(apply_scalar<float>(fn::bit_and, 1, 2), error);
}
