// Equal constants are in memory once, as long as one of them lives; what differs, or may not be kept, stays as it is.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <tenon/runtime/shared_constant.hpp>

using namespace tenon;

namespace {

const void* place(const tensor& t) { return t.data(); }
/// As many floats, with one that is chosen.
tensor floats(i64 count, i64 at = 0, double value = 0) {
  tensor t(dtype::f32, {count});
  for (i64 i = 0; i < count; ++i) t.set_f64(i, static_cast<double>(i % 251));
  if (count > 0) t.set_f64(at, value);
  return t;
}

}  // namespace

TEST_CASE("equal elements are kept once, whatever shape and type they have") {
  const tensor first = shared_constant(floats(3000));
  CHECK(place(shared_constant(floats(3000))) == place(first));
  const tensor rows = shared_constant(floats(3000).reshaped({30, 100}));
  CHECK(place(rows) == place(first));
  CHECK(rows.shape() == std::vector<i64>{30, 100});
  CHECK(rows.is_view());
  tensor bits(dtype::i32, {3000});
  std::memcpy(bits.data(), first.data(), 12000);
  const tensor same_bits = shared_constant(bits);
  CHECK(place(same_bits) == place(first));
  CHECK(same_bits.type() == dtype::i32);
}

TEST_CASE("an element that differs, seen at first or not, keeps tensors apart") {
  const tensor first = shared_constant(floats(4000));
  for (const i64 at : {1, 777, 2000, 3999}) {
    const tensor other = shared_constant(floats(4000, at, -5));
    CHECK(place(other) != place(first));
    CHECK(other.at_f64(at) == -5);
    CHECK(place(shared_constant(floats(4000, at, -5))) == place(other));  // several that begin alike are told apart
  }
  CHECK(place(shared_constant(floats(4001))) != place(first));
}

TEST_CASE("little ones, and those of memory that nobody keeps, stay as they are") {
  const tensor little = shared_constant(floats(8));
  CHECK(place(shared_constant(floats(8))) != place(little));
  std::vector<float> mine(5000, 1.0f);
  const tensor borrowed = shared_constant(tensor::borrow(dtype::f32, {5000}, mine.data()));
  CHECK(place(borrowed) == mine.data());
  const tensor owned = shared_constant(tensor::from<float>({5000}, std::span<const float>(mine)));
  CHECK(place(owned) != mine.data());  // it may be gone before this one is
}

TEST_CASE("what nobody has any more is forgotten") {
  std::weak_ptr<const void> gone;
  {
    const tensor first = shared_constant(floats(6000));
    gone = first.owner();
  }
  CHECK(gone.expired());
  CHECK(shared_constant(floats(6000)).at_f64(250) == 250);
}

TEST_CASE("code that counts on aligned constants gets no others") {
  const auto block = std::make_shared<std::vector<char>>(12000 + 128);
  const auto address = reinterpret_cast<std::uintptr_t>(block->data());
  char* const odd = block->data() + (64 - address % 64) % 64 + 4;  // as weights in a file of an exporter
  const tensor aligned = floats(3000, 9, 1);
  std::memcpy(odd, std::as_const(aligned).data(), 12000);
  const tensor view = shared_constant(tensor::view(dtype::f32, {3000}, odd, block));
  CHECK(place(view) == odd);
  const tensor again = shared_constant(aligned);
  CHECK(place(again) == place(aligned));
  CHECK(again.is_view() == false);
}
