#include <cmath>
#include <limits>
#include <memory>

#include <doctest/doctest.h>

#include <tenon/runtime/tensor.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::code_of;

TEST_CASE("tensor: a new one is zeroed, aligned and row-major") {
  tensor t(dtype::f32, {2, 3});
  CHECK(t.type() == dtype::f32);
  CHECK(t.rank() == 2);
  CHECK(t.size() == 6);
  CHECK(t.bytes() == 24);
  CHECK(reinterpret_cast<std::uintptr_t>(t.data()) % 64 == 0);
  for (float x : t.data<float>()) CHECK(x == 0);
  CHECK(t.describe() == "f32[2,3]");
  CHECK(row_major_strides(std::vector<i64>{2, 3, 4}) == std::vector<i64>{12, 4, 1});
}

TEST_CASE("tensor: no elements, a scalar, nothing at all") {
  CHECK(tensor(dtype::i8, {3, 0, 2}).size() == 0);
  CHECK(tensor(dtype::i8, {3, 0, 2}).defined());
  const tensor s = tensor::scalar(i64{42});
  CHECK(s.rank() == 0);
  CHECK(s.size() == 1);
  CHECK(s.at_i64(0) == 42);
  CHECK(s.describe() == "i64[]");
  CHECK_FALSE(tensor().defined());
  CHECK(tensor().size() == 0);
  CHECK(tensor().clone().size() == 0);
}

TEST_CASE("tensor: impossible shapes and wrong counts are errors") {
  CHECK(code_of([] { tensor(dtype::f32, {2, -1}); }) == "tensor.shape");
  CHECK(code_of([] { tensor(dtype::f32, {i64{1} << 40, i64{1} << 40}); }) == "tensor.shape");
  CHECK(code_of([] { tensor(dtype::f32, {0, i64{1} << 40, i64{1} << 40}); }) == "tensor.shape");
  CHECK(code_of([] { tensor::from<float>({2, 2}, {1, 2, 3}); }) == "tensor.shape");
  CHECK(code_of([] { (void)tensor::from<float>({2, 2}, {1, 2, 3, 4}).reshaped({3}); }) == "tensor.shape");
}

TEST_CASE("tensor: elements are read as their own type only, and within bounds") {
  tensor t = tensor::from<float>({2}, {1, 2});
  CHECK(code_of([&] { (void)t.data<double>(); }) == "tensor.dtype");
  CHECK(code_of([&] { (void)t.at_f64(2); }) == "tensor.index");
  CHECK(code_of([&] { (void)t.at_i64(-1); }) == "tensor.index");
  CHECK(code_of([&] { t.set_f64(2, 0); }) == "tensor.index");
  CHECK(tensor(dtype::index, {4}).data<i64>().size() == 4);
}

TEST_CASE("tensor: a copy shares, a clone does not") {
  tensor a = tensor::from<i32>({3}, {1, 2, 3});
  const tensor b = a, c = a.clone();
  a.set_i64(1, 20);
  CHECK(b.at_i64(1) == 20);
  CHECK(c.at_i64(1) == 2);
  CHECK(a.reshaped({3, 1}).data() == a.data());
}

TEST_CASE("tensor: a view keeps its owner, and a write goes to a copy") {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  std::weak_ptr<std::vector<float>> alive = owner;
  const void* p = owner->data();
  tensor t = tensor::view(dtype::f32, {2, 2}, p, owner);
  const tensor shared = t;
  CHECK(t.is_view());
  CHECK(std::as_const(t).data() == p);
  t.set_f64(0, 9);
  CHECK_FALSE(t.is_view());
  CHECK((*owner)[0] == 1);
  CHECK(shared.at_f64(0) == 1);
  CHECK(t.at_f64(0) == 9);
  owner.reset();
  CHECK_FALSE(alive.expired());
  CHECK(shared.at_f64(3) == 4);
}

TEST_CASE("tensor: borrowed memory is written where it is, and a copy shares it") {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  std::weak_ptr<std::vector<float>> alive = owner;
  tensor t = tensor::borrow(dtype::f32, {2, 2}, owner->data(), owner);
  CHECK_FALSE(t.is_view());
  tensor shared = t.reshaped({4});
  t.set_f64(0, 9);
  t.data<float>()[1] = 8;
  CHECK((*owner)[0] == 9);
  CHECK((*owner)[1] == 8);
  CHECK(shared.at_f64(0) == 9);
  shared.set_i64(3, -4);
  CHECK((*owner)[3] == -4);
  const tensor own = t.clone();
  t.set_f64(0, 1);
  CHECK(own.at_f64(0) == 9);
  owner.reset();
  t = tensor();
  CHECK_FALSE(alive.expired());
  shared = tensor();
  CHECK(alive.expired());
  // Without an owner, the caller keeps the memory. Without elements, there is none.
  float x = 2;
  tensor::borrow(dtype::f32, {}, &x).set_f64(0, 5);
  CHECK(x == 5);
  CHECK(tensor::borrow(dtype::f32, {0, 3}, nullptr).size() == 0);
}

TEST_CASE(
    "tensor: borrowed memory that is not aligned, or is not there, is refused: a copy would not be written back") {
  alignas(8) char bytes[64] = {};
  CHECK(code_of([&] { tensor::borrow(dtype::f32, {2}, bytes + 1); }) == "tensor.alignment");
  CHECK(code_of([&] { tensor::borrow(dtype::f64, {2}, bytes + 4); }) == "tensor.alignment");
  CHECK_NOTHROW(tensor::borrow(dtype::f32, {2}, bytes + 4));
  CHECK_NOTHROW(tensor::borrow(dtype::u8, {2}, bytes + 3));
  CHECK(code_of([] { tensor::borrow(dtype::f32, {1}, nullptr); }) == "tensor.memory");
  CHECK(code_of([&] { tensor::borrow(dtype::f32, {-1}, bytes); }) == "tensor.shape");
}

TEST_CASE("tensor: a view that is not aligned is a view of a copy") {
  auto bytes = std::make_shared<std::vector<char>>(64);
  const float x = 2.5f;
  char* p = bytes->data() + 1;
  std::memcpy(p, &x, sizeof x);
  tensor t = tensor::view(dtype::f32, {1}, p, bytes);
  CHECK(t.is_view());
  CHECK(std::as_const(t).data() != p);
  CHECK(t.at_f64(0) == 2.5);
  t.set_f64(0, 1);
  CHECK(t.at_f64(0) == 1);
  CHECK(code_of([] { tensor::view(dtype::f32, {1}, nullptr, nullptr); }) == "tensor.memory");
}

TEST_CASE("tensor: generic access converts for every element type") {
  for (int k = 0; k < dtype_count; ++k) {
    const dtype d = static_cast<dtype>(k);
    if (is_narrow(d)) continue;  // not all of them have a 5: core/dtype_test
    tensor t(d, {2});
    t.set_f64(0, 1.0);
    t.set_i64(1, 5);
    CHECK(t.at_f64(0) == 1.0);
    CHECK(t.at_i64(1) == (d == dtype::boolean ? 1 : 5));
  }
}

TEST_CASE("tensor: cast follows ONNX Cast") {
  const double infinity = std::numeric_limits<double>::infinity();
  const tensor f = tensor::from<float>({6}, {1.9f, -1.9f, 0.0f, 300.0f, -0.5f, 2.5f});
  const tensor i8s = f.cast(dtype::i8);
  CHECK(i8s.at_i64(0) == 1);
  CHECK(i8s.at_i64(1) == -1);
  CHECK(i8s.at_i64(3) == 44);  // wraps, as NumPy does
  CHECK(f.cast(dtype::u8).at_i64(1) == 255);
  const tensor b = f.cast(dtype::boolean);
  CHECK(b.at_i64(2) == 0);
  CHECK(b.at_i64(4) == 1);
  CHECK(tensor::scalar(NAN).cast(dtype::boolean).at_i64(0) == 1);
  CHECK(tensor::scalar(infinity).cast(dtype::i32).at_i64(0) == std::numeric_limits<i32>::min());
  CHECK(tensor::scalar(1e30).cast(dtype::i64).at_i64(0) == std::numeric_limits<i64>::min());
  CHECK(tensor::scalar(-2147483648.5).cast(dtype::i32).at_i64(0) == std::numeric_limits<i32>::min());
  CHECK(tensor::scalar(4e9).cast(dtype::u32).at_i64(0) == 4000000000);
  CHECK(static_cast<u64>(tensor::scalar(1.5e19).cast(dtype::u64).at_i64(0)) == 15000000000000000000u);
  CHECK(tensor::scalar(u64{1} << 63).cast(dtype::f64).at_f64(0) == 9223372036854775808.0);
  CHECK(tensor::scalar(i64{-1}).cast(dtype::u32).at_i64(0) == 4294967295);
  CHECK(tensor::scalar(1e6f).cast(dtype::f16).at_f64(0) == infinity);
  CHECK(f.cast(dtype::f32).data() == f.data());
}

TEST_CASE("tensor: f64 to f16 rounds once") {
  // Just above the middle of 1 and the next half: by way of float it would land on the middle, and round down to 1.
  const double x = 1.0 + 0x1p-11 + 0x1p-40;
  CHECK(tensor::scalar(x).cast(dtype::f16).at_f64(0) == 1.0 + 0x1p-10);
  CHECK(tensor::scalar(-x).cast(dtype::f16).at_f64(0) == -1.0 - 0x1p-10);
  CHECK(tensor::scalar(1.0 + 0x1p-11 - 0x1p-40).cast(dtype::f16).at_f64(0) == 1.0);
  CHECK(tensor::scalar(1.0 + 0x1p-11).cast(dtype::f16).at_f64(0) == 1.0);
  CHECK(tensor::scalar(1e-300).cast(dtype::f16).at_f64(0) == 0.0);
}

TEST_CASE("tensor: casts of more than one block") {
  tensor t(dtype::i32, {1500});
  for (i64 i = 0; i < t.size(); ++i) t.set_i64(i, i - 700);
  const tensor f = t.cast(dtype::f32);
  for (i64 i = 0; i < t.size(); ++i) REQUIRE(f.at_f64(i) == static_cast<double>(i - 700));
}

TEST_CASE("tensor: same_bits tells type, shape and every bit") {
  const tensor a = tensor::from<float>({2}, {0.0f, NAN});
  CHECK(same_bits(a, a.clone()));
  CHECK_FALSE(same_bits(a, tensor::from<float>({2}, {-0.0f, NAN})));
  CHECK_FALSE(same_bits(a, a.reshaped({2, 1})));
  CHECK_FALSE(same_bits(tensor(dtype::i32, {1}), tensor(dtype::u32, {1})));
}

TEST_CASE("tensor: a bool byte other than 0 and 1 is true") {
  static const u8 bytes[] = {0, 1, 2, 255};
  const tensor t = tensor::view(dtype::boolean, {4}, bytes, nullptr);
  CHECK(t.at_i64(2) == 1);
  CHECK(t.cast(dtype::i32).at_i64(3) == 1);
}

namespace {
/// 0, 1, 2, …; counts how often it is asked.
struct numbers final : byte_source {
  explicit numbers(i64 n) : n_(n) {}
  u64 parts() const override { return static_cast<u64>(n_); }
  u64 part_bytes() const override { return 4; }
  void write(void* to, u64 first, u64 count) const override {
    ++asked;
    for (u64 i = 0; i < count; ++i) static_cast<i32*>(to)[i] = static_cast<i32>(first + i);
  }
  bool same(const byte_source& other) const override { return &other == this; }
  u64 hash() const override { return 0; }
  mutable int asked = 0;

 private:
  i64 n_;
};
}  // namespace

TEST_CASE("tensor: elements that are computed when they are read, once for all that share them") {
  const auto source = std::make_shared<const numbers>(6);
  const tensor t = tensor::deferred(dtype::i32, {2, 3}, source);
  const tensor row = t.reshaped({6}), copy = t;
  CHECK(t.defined());
  CHECK(t.is_view());
  CHECK(t.describe() == "i32[2,3]");
  CHECK(row.source() == source);
  CHECK(source->asked == 0);
  release_pages(t);
  CHECK(source->asked == 0);
  CHECK(row.at_i64(5) == 5);
  CHECK(t.source() == nullptr);
  CHECK(copy.data<i32>()[4] == 4);
  CHECK(copy.cast(dtype::f32).at_f64(3) == 3);
  CHECK(same_bits(t, t.clone()));
  tensor written = t;
  written.set_i64(0, 7);
  CHECK(written.at_i64(1) == 1);
  CHECK(t.at_i64(0) == 0);
  CHECK(source->asked == 1);
  CHECK(tensor::deferred(dtype::i32, {0, 3}, std::make_shared<const numbers>(0)).size() == 0);
  CHECK(code_of([&] { tensor::deferred(dtype::i32, {7}, source); }) == "tensor.shape");
}
