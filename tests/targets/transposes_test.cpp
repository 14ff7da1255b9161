// needs: llvm xsimd
// Transposes that go in blocks, of every order of dimensions and with rests of blocks, on every target.
#include <doctest/doctest.h>

#include <algorithm>

#include <tenon/ops/graph/movement.hpp>

#include "support/every_target.hpp"

using namespace tenon;
using namespace tenon::testing;

TEST_CASE("transposes of images and matrices that no near cache holds") {
  ops_on_every_target ops;
  struct example {
    std::vector<i64> shape, permutation;
  };
  const std::vector<example> examples{
      {{256, 256}, {1, 0}},
      {{233, 301}, {1, 0}},
      {{8, 5000}, {1, 0}},
      {{5000, 8}, {1, 0}},
      {{7, 5000}, {1, 0}},
      {{1, 33, 40, 50}, {0, 2, 3, 1}},
      {{2, 40, 31, 48}, {0, 3, 1, 2}},
      {{1, 1500, 6, 9}, {0, 2, 1, 3}},
      {{6, 150, 64}, {0, 2, 1}},
      {{40, 33}, {1, 0}},
      {{1, 508, 1, 32}, {0, 3, 1, 2}},
      {{3, 28, 28, 2, 58}, {0, 1, 2, 4, 3}},
      {{3, 28, 28, 58, 2}, {0, 1, 2, 4, 3}},
      {{1, 14, 14, 3, 80}, {0, 1, 2, 4, 3}},
  };
  for (const example& e : examples) {
    CAPTURE(shape_text(e.shape));
    CHECK(ops.disagreement(op::transpose{e.permutation}, {random_tensor(dtype::f32, e.shape, 1)}) == "");
  }
  CHECK(ops.disagreement(op::transpose{{1, 0}}, {random_tensor(dtype::i8, {700, 333}, 2)}) == "");
  CHECK(ops.disagreement(op::transpose{{-1, 0}}, {random_tensor(dtype::f64, {170, 333}, 3)}) == "");
  for (i64 planes : {2, 3, 4, 5})  // pixels
    for (dtype t : {dtype::u8, dtype::f32})
      CHECK(ops.disagreement(op::transpose{{0, 2, 3, 1}}, {random_tensor(t, {1, planes, 101, 133}, 5)}) == "");
  std::vector<i64> order{0, 1, 2, 3};
  do CHECK(ops.disagreement(op::transpose{order}, {random_tensor(dtype::f32, {9, 17, 13, 24}, 4)}) == "");
  while (std::next_permutation(order.begin(), order.end()));
  CHECK(ops.disagreement_in_c() == "");
}
