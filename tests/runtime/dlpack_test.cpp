#include <doctest/doctest.h>

#include <tenon/runtime/dlpack.hpp>

using namespace tenon;

namespace {

/// A foreign tensor that counts how often it is deleted.
struct foreign {
  std::vector<float> data{0, 1, 2, 3, 4, 5};
  std::vector<i64> shape{2, 3}, strides{3, 1};
  int deleted = 0;
  DLManagedTensor managed{};

  foreign() {
    managed.dl_tensor = {data.data(), {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape.data(), nullptr, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* m) { ++static_cast<foreign*>(m->manager_ctx)->deleted; };
  }
};

std::string failure(foreign& f) {
  try {
    (void)from_dlpack(&f.managed);
  } catch (const error& e) { return e.code(); }
  return "no error";
}

}  // namespace

TEST_CASE("dlpack: there and back without a copy, for every element type") {
  for (int k = 0; k < dtype_count - 1; ++k) {
    const dtype d = static_cast<dtype>(k);
    if (bits_of(d) < 8) continue;  // packed there: core/dtype_test
    tensor t(d, {2, 3});
    t.set_i64(5, 1);
    const tensor back = from_dlpack(to_dlpack(t));
    CHECK(back.data() == std::as_const(t).data());
    CHECK(back.type() == (d == dtype::index ? dtype::i64 : d));
    CHECK(back.shape() == t.shape());
    CHECK(back.at_i64(5) == 1);
  }
}

TEST_CASE("dlpack: the exported storage outlives the tensor") {
  DLManagedTensor* m = to_dlpack(tensor::from<float>({2}, {1, 2}));
  CHECK(static_cast<float*>(m->dl_tensor.data)[1] == 2);
  CHECK(m->dl_tensor.strides[0] == 1);
  m->deleter(m);
}

TEST_CASE("dlpack: a foreign tensor is deleted once, when the last tensor goes") {
  foreign f;
  {
    const tensor t = from_dlpack(&f.managed);
    const tensor u = t.reshaped({6});
    CHECK(u.data() == f.data.data());
    CHECK(f.deleted == 0);
  }
  CHECK(f.deleted == 1);
}

TEST_CASE("dlpack: strides that are not row-major are gathered, and an offset is honoured") {
  foreign f;
  f.shape = {3, 2};
  f.strides = {1, 3};
  f.managed.dl_tensor.strides = f.strides.data();
  const tensor t = from_dlpack(&f.managed);
  CHECK(f.deleted == 1);
  CHECK(same_bits(t, tensor::from<float>({3, 2}, {0, 3, 1, 4, 2, 5})));

  foreign g;
  g.shape = {3};
  g.strides = {-1};
  g.managed.dl_tensor.ndim = 1;
  g.managed.dl_tensor.strides = g.strides.data();
  g.managed.dl_tensor.byte_offset = 8;
  CHECK(same_bits(from_dlpack(&g.managed), tensor::from<float>({3}, {2, 1, 0})));
}

TEST_CASE("dlpack: what is written to an imported tensor is written where it came from") {
  foreign f;
  tensor t = from_dlpack(&f.managed);
  CHECK_FALSE(t.is_view());
  t.set_f64(4, 40);
  t.data<float>()[5] = 50;
  CHECK(f.data[4] == 40);
  CHECK(f.data[5] == 50);
  // And the other way: what a receiver writes is seen here.
  const tensor mine = tensor::from<float>({2}, {1, 2});
  DLManagedTensor* m = to_dlpack(mine);
  static_cast<float*>(m->dl_tensor.data)[0] = 7;
  m->deleter(m);
  CHECK(mine.at_f64(0) == 7);
}

TEST_CASE("dlpack: what had to be copied is read-only: nobody looks there for what is written") {
  foreign strided;
  strided.shape = {3, 2};
  strided.strides = {1, 3};
  strided.managed.dl_tensor.strides = strided.strides.data();
  CHECK(from_dlpack(&strided.managed).is_view());
  foreign odd;
  odd.shape = {1, 3};
  odd.managed.dl_tensor.byte_offset = 2;
  const tensor t = from_dlpack(&odd.managed);
  CHECK(odd.deleted == 1);
  CHECK(t.is_view());
  float second = 0;
  std::memcpy(&second, reinterpret_cast<const char*>(odd.data.data()) + 6, sizeof second);
  CHECK(t.at_f64(1) == second);
}

TEST_CASE("dlpack: what cannot be taken stays with the caller") {
  foreign f;
  f.managed.dl_tensor.device.device_type = kDLCUDA;
  CHECK(failure(f) == "dlpack.device");
  foreign g;
  g.managed.dl_tensor.dtype.lanes = 4;
  CHECK(failure(g) == "dlpack.dtype");
  foreign h;
  h.managed.dl_tensor.data = nullptr;
  CHECK(failure(h) == "dlpack.layout");
  foreign i;
  i.shape[0] = -2;
  CHECK(failure(i) == "tensor.shape");
  for (foreign* x : {&f, &g, &h, &i}) CHECK(x->deleted == 0);
}
