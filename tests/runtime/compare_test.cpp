#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <tenon/runtime/compare.hpp>

using namespace tenon;

TEST_CASE("compare: equal tensors") {
  const float inf = std::numeric_limits<float>::infinity();
  const tensor a = tensor::from<float>({4}, {1, NAN, inf, -inf});
  const comparison c = compare(a, a.clone());
  CHECK(c.ok);
  CHECK(c.index == -1);
  CHECK(c.max_abs_error == 0);
  CHECK(c.norm_ratio == 0);
  CHECK(c.message.empty());
  CHECK(compare(tensor(dtype::f32, {0}), tensor(dtype::f32, {0})).ok);
}

TEST_CASE("compare: one element too far, with its place") {
  tensor want(dtype::f32, {2, 3});
  for (i64 i = 0; i < 6; ++i) want.set_f64(i, 100);
  tensor got = want.clone();
  got.set_f64(4, 100.2);
  const comparison c = compare(got, want);
  CHECK_FALSE(c.ok);
  CHECK(c.index == 4);
  CHECK(c.bad_elements == 1);
  CHECK(c.max_abs_error == doctest::Approx(0.2).epsilon(1e-3));
  CHECK(c.message.find("[1,1]") != std::string::npos);
  CHECK(c.message.find("1 of 6") != std::string::npos);
}

TEST_CASE("compare: abs and rel add up") {
  const tensor want = tensor::from<double>({1}, {1.0});
  CHECK(compare(tensor::from<double>({1}, {1.00109}), want, {.check_norm = false}).ok);
  CHECK_FALSE(compare(tensor::from<double>({1}, {1.00111}), want, {.check_norm = false}).ok);
}

TEST_CASE("compare: the norm rule can be left out") {
  const tensor want = tensor::from<float>({2}, {1e-5f, 1e-5f}), got = tensor::from<float>({2}, {3e-5f, 1e-5f});
  const comparison c = compare(got, want);
  CHECK_FALSE(c.ok);
  CHECK(c.bad_elements == 0);
  CHECK(c.norm_ratio == doctest::Approx(std::sqrt(2.0)));
  CHECK(c.message.find("norm") != std::string::npos);
  CHECK(compare(got, want, {.check_norm = false}).ok);
}

TEST_CASE("compare: NaN and infinities only equal themselves") {
  const float inf = std::numeric_limits<float>::infinity();
  const auto one = [](float x) { return tensor::from<float>({1}, {x}); };
  CHECK_FALSE(compare(one(NAN), one(1)).ok);
  CHECK_FALSE(compare(one(1), one(NAN)).ok);
  CHECK_FALSE(compare(one(inf), one(-inf)).ok);
  CHECK_FALSE(compare(one(3e38f), one(inf)).ok);
  CHECK(compare(one(1), one(NAN)).max_abs_error == std::numeric_limits<double>::infinity());
}

TEST_CASE("compare: integers and bools are exact") {
  const i64 big = i64{1} << 60;
  CHECK_FALSE(compare(tensor::scalar(big), tensor::scalar(big + 1)).ok);
  CHECK(compare(tensor::scalar(std::numeric_limits<i64>::min()), tensor::scalar(std::numeric_limits<i64>::max())).ok ==
        false);
  CHECK_FALSE(compare(tensor::from<bool>({1}, {true}), tensor::from<bool>({1}, {false})).ok);
  CHECK(compare(tensor::from<u8>({2}, {1, 2}), tensor::from<u8>({2}, {1, 2})).ok);
}

TEST_CASE("compare: other types or shapes are said") {
  const comparison c = compare(tensor(dtype::f32, {2, 3}), tensor(dtype::f16, {2, 3}));
  CHECK_FALSE(c.ok);
  CHECK(c.message == "got f32[2,3], want f16[2,3]");
  CHECK(compare(tensor(dtype::f32, {6}), tensor(dtype::f32, {2, 3})).message == "got f32[6], want f32[2,3]");
}
