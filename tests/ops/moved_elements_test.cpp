// What is done to a weight in several steps is what each of them alone makes of it, computed when it is read.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/ops/graph/moved_elements.hpp>

#include "support/lowered.hpp"

using namespace tenon;
using op::combining, op::moved_elements;
using testing::random_tensor;

namespace {

tensor moved(const tensor& x, const std::vector<i64>& p) {
  moved_elements m(x);
  m.transpose(p);
  return m.result();
}
/// An element after the other.
tensor slowly_moved(const tensor& x, const std::vector<i64>& p) {
  std::vector<i64> shape;
  for (i64 d : p) shape.push_back(x.shape()[static_cast<size_t>(d)]);
  tensor y(x.type(), shape);
  const std::vector<i64> from = row_major_strides(x.shape()), to = row_major_strides(shape);
  for (i64 i = 0; i < y.size(); ++i) {
    i64 at = 0;
    for (size_t d = 0; d < p.size(); ++d) at += i / to[d] % shape[d] * from[static_cast<size_t>(p[d])];
    y.set_f64(i, x.at_f64(at));
  }
  return y;
}
tensor slowly_combined(const tensor& x, combining how, const tensor& list, size_t dimension) {
  tensor y(x.type(), x.shape());
  const i64 below = row_major_strides(x.shape())[dimension];
  for (i64 i = 0; i < x.size(); ++i) {
    const double a = x.at_f64(i), b = list.at_f64(list.size() == 1 ? 0 : i / below % x.shape()[dimension]);
    y.set_f64(i, how == combining::add ? a + b : how == combining::sub ? a - b : how == combining::mul ? a * b : a / b);
  }
  return y;
}
tensor slowly_packed(const tensor& x, i64 panel) {
  const i64 columns = x.shape().back(), rows = x.size() / columns, panels = (columns + panel - 1) / panel;
  std::vector<i64> shape{panels};
  shape.insert(shape.end(), x.shape().begin(), x.shape().end() - 1);
  shape.push_back(panel);
  tensor y(x.type(), shape);
  for (i64 r = 0; r < rows; ++r)
    for (i64 c = 0; c < columns; ++c) y.set_f64((c / panel * rows + r) * panel + c % panel, x.at_f64(r * columns + c));
  return y;
}

}  // namespace

TEST_CASE("any order of dimensions, of elements of any size") {
  const std::vector<i64> shape{5, 70, 3, 9};
  std::vector<i64> p{0, 1, 2, 3};
  do {
    for (dtype t : {dtype::u8, dtype::f16, dtype::f32, dtype::f64}) {
      CAPTURE(shape_text(p));
      const tensor x = random_tensor(t, shape, 1);
      CHECK(same_bits(moved(x, p), slowly_moved(x, p)));
    }
  } while (std::next_permutation(p.begin(), p.end()));
  CHECK(same_bits(moved(tensor::scalar(3.f), {}), tensor::scalar(3.f)));
  CHECK(moved(tensor(dtype::f32, {3, 0, 2}), {2, 0, 1}).shape() == std::vector<i64>{2, 3, 0});
}

TEST_CASE("the steps of a convolution's weight: by a number for each output, channels last, in panels") {
  for (const std::vector<i64>& shape : {std::vector<i64>{40, 129, 3, 3}, {37, 300, 1, 1}, {8, 8, 1, 1}})
    for (const combining how : {combining::add, combining::sub, combining::mul, combining::div}) {
      CAPTURE(shape_text(shape));
      const tensor w = random_tensor(dtype::f32, shape, 1), scale = random_tensor(dtype::f32, {shape[0]}, 2),
                   other = random_tensor(dtype::f32, {shape[1]}, 3), one = tensor::scalar(0.3f);
      moved_elements m(w);
      m.combine(how, scale, 0), m.combine(combining::mul, one, 0), m.combine(combining::add, other, 1);
      const std::vector<i64> p{2, 3, 1, 0};
      m.transpose(p), m.pack(16);
      tensor expected = slowly_combined(w, how, scale, 0);
      expected = slowly_combined(slowly_combined(expected, combining::mul, one, 0), combining::add, other, 1);
      expected = slowly_packed(slowly_moved(expected, p), 16);
      CHECK(same_bits(m.result(), expected));
      CHECK(same_bits(m.deferred(), expected));
      // Parts by themselves, into memory that held something else.
      std::vector<char> part(m.part_bytes(), 'x');
      for (u64 i = 0; i < m.parts(); ++i) {
        m.write(part.data(), i, 1);
        CHECK(std::memcmp(part.data(), static_cast<const char*>(std::as_const(expected).data()) + i * part.size(),
                          part.size()) == 0);
      }
    }
}

TEST_CASE("what is made of elements that nobody has read goes on from where they come from") {
  const tensor w = random_tensor(dtype::f32, {64, 96, 1, 1}, 1), scale = random_tensor(dtype::f32, {64}, 2);
  moved_elements scaled(w);
  scaled.combine(combining::mul, scale, 0);
  const tensor first = scaled.deferred();
  moved_elements turned(first.reshaped({64, 96}));  // dimensions of one element come and go
  turned.transpose(std::vector<i64>{1, 0});
  const tensor second = turned.deferred();
  moved_elements packed(second.reshaped({1, 96, 64}));
  packed.pack(48);
  const tensor third = packed.deferred();
  const tensor expected =
      slowly_packed(slowly_moved(slowly_combined(w, combining::mul, scale, 0).reshaped({64, 96}), {1, 0}), 48);
  CHECK(same_bits(third.reshaped(expected.shape()), expected));
  CHECK(first.source() != nullptr);
  CHECK(second.source() != nullptr);
  CHECK(third.source() == nullptr);
  // Another shape has other rows: then they are computed.
  moved_elements flat(first.reshaped({96, 64}));
  flat.transpose(std::vector<i64>{1, 0});
  CHECK(flat.result().at_f64(1) == first.at_f64(64));
  CHECK(first.source() == nullptr);
}

TEST_CASE("elements at an odd address are read where they are") {
  const tensor w = random_tensor(dtype::f32, {40, 30}, 1), scale = random_tensor(dtype::f32, {40}, 2);
  const auto file = std::make_shared<std::vector<char>>(static_cast<size_t>(w.bytes()) + 1);
  std::memcpy(file->data() + 1, w.data(), static_cast<size_t>(w.bytes()));
  const tensor odd = tensor::deferred(
      dtype::f32, {40, 30},
      std::make_shared<const stored_bytes>(std::string_view(file->data() + 1, static_cast<size_t>(w.bytes())), file));
  CHECK(odd.stored() == file->data() + 1);
  for (const bool scaled : {false, true}) {
    moved_elements a(odd), b(w);
    if (scaled) a.combine(combining::mul, scale, 0), b.combine(combining::mul, scale, 0);
    a.pack(16), b.pack(16);
    CHECK(same_bits(a.result(), b.result()));
    CHECK(a.same(b));
  }
  CHECK(odd.source() != nullptr);
  CHECK(same_bits(odd, w));
  CHECK(odd.source() == nullptr);
  CHECK(odd.stored() != file->data() + 1);
}

TEST_CASE("the same steps on equal elements are the same") {
  const tensor w = random_tensor(dtype::f32, {64, 96}, 1);
  const auto made = [&](const tensor& from, double by, i64 panel) {
    moved_elements m(from);
    m.combine(combining::mul, tensor::scalar(static_cast<float>(by)), 0);
    m.pack(panel);
    return m;
  };
  const moved_elements a = made(w, 2, 16);
  CHECK(a.same(made(w, 2, 16)));
  CHECK(a.same(made(w.clone(), 2, 16)));
  CHECK(a.hash() == made(w.clone(), 2, 16).hash());
  CHECK(!a.same(made(w, 3, 16)));
  CHECK(!made(w, 0.0, 16).same(made(w, -0.0, 16)));
  CHECK(!a.same(made(w, 2, 32)));
  CHECK(!a.same(made(random_tensor(dtype::f32, {64, 96}, 2), 2, 16)));
}

TEST_CASE("whether all are finite is known of what they are made of") {
  const i64 outputs = 64;
  tensor w = random_tensor(dtype::f32, {outputs, 300, 3, 3}, 1);
  const auto scaled = [&](combining how, float number) {
    moved_elements m(w);
    tensor list(dtype::f32, {outputs});
    for (i64 i = 0; i < outputs; ++i) list.set_f64(i, i == 5 ? static_cast<double>(number) : 1);
    m.combine(how, list, 0);
    m.transpose(std::vector<i64>{2, 3, 1, 0});
    return m.deferred();
  };
  for (const combining how : {combining::add, combining::sub, combining::mul, combining::div}) {
    const tensor ordinary = scaled(how, 0.5f);
    CHECK(op::all_finite(ordinary));
    CHECK(ordinary.source() != nullptr);  // nothing was moved
  }
  for (const float large : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    CHECK_FALSE(op::all_finite(scaled(combining::mul, large)));
    CHECK_FALSE(op::all_finite(scaled(combining::add, large)));
  }
  CHECK_FALSE(op::all_finite(scaled(combining::div, 0)));
  CHECK(op::all_finite(scaled(combining::div, std::numeric_limits<float>::infinity())));  // the elements say so
  // The greatest element and the greatest number may meet, or not.
  w.set_f64(0, 1e30);
  CHECK(op::all_finite(scaled(combining::mul, 1e20f)));
  w.set_f64(5 * 300 * 9, 1e30);
  CHECK_FALSE(op::all_finite(scaled(combining::mul, 1e20f)));
  w.set_f64(0, std::numeric_limits<double>::quiet_NaN());
  CHECK_FALSE(op::all_finite(scaled(combining::mul, 1)));
}
