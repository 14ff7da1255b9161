#include <doctest/doctest.h>

#include <tenon/ops/graph/patches.hpp>

#include "support/expected.hpp"

namespace tn = tenon;
using namespace tenon::testing;
using tn::dtype;
using tn::i64;
using tn::tensor;

TEST_CASE("max_unpool puts elements where their indices say") {
  const tensor x = tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4}),
               at = tensor::from<i64>({1, 1, 2, 2}, {5, 7, 13, 15});
  CHECK(evaluates(tn::op::max_unpool{{2, 2}, {2, 2}}, {x, at},
                  {tensor::from<float>({1, 1, 4, 4}, {0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 3, 0, 4})}));
  CHECK(evaluates(tn::op::max_unpool{{2, 2}, {2, 2}, {}, {1, 1, 4, 5}}, {x, at},
                  {tensor::from<float>({1, 1, 4, 5}, {0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0})}));
  CHECK(gives(tn::op::max_unpool{{1, 1}}, {x, at}, {tensor(dtype::f32, {1, 1, 2, 2})}));  // none of them is inside
}

TEST_CASE("col2im adds where blocks meet") {
  // One channel, blocks of two, image of three: positions 0 and 1 meet in the middle.
  const tensor x = tensor::from<float>({1, 2, 2}, {1, 2, 10, 20});
  CHECK(evaluates(tn::op::col2im{{3}, {2}}, {x}, {tensor::from<float>({1, 1, 3}, {1, 12, 20})}));
  CHECK(evaluates(tn::op::col2im{}, {x, tensor::from<i64>({1}, {3}), tensor::from<i64>({1}, {2})},
                  {tensor::from<float>({1, 1, 3}, {1, 12, 20})}));
  CHECK_THROWS_AS(evaluates(tn::op::col2im{{4}, {2}}, {x}, {}), tn::error);
  CHECK_THROWS_AS(type_of(tn::op::col2im{{4}, {3}}, {x}), tn::error);
}

TEST_CASE("roi_align") {
  const tensor x = tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4}), batch = tensor::from<i64>({1}, {0});
  tn::op::roi_align op;
  CHECK(evaluates(op, {x, tensor::from<float>({1, 4}, {0, 0, 2, 2}), batch},
                  {tensor::from<float>({1, 1, 1, 1}, {2.5f})}));
  op.sampling_ratio = 1;
  CHECK(evaluates(op, {x, tensor::from<float>({1, 4}, {0, 0, 2, 2}), batch},
                  {tensor::from<float>({1, 1, 1, 1}, {2.5f})}));
  op.mode = tn::op::roi_mode::max;
  CHECK(evaluates(op, {x, tensor::from<float>({1, 4}, {0, 0, 2, 2}), batch}, {tensor::from<float>({1, 1, 1, 1}, {1})}));
  CHECK(gives(op, {x, tensor::from<float>({1, 4}, {0, 0, 2, 2}), tensor::from<i64>({1}, {7})},
              {tensor::from<float>({1, 1, 1, 1}, {1})}));
}

TEST_CASE("max_unpool, col2im and roi_align: the lowering agrees") {
  const tensor x = tensor::from<float>({1, 1, 2, 2}, {1, 2, 3, 4}),
               at = tensor::from<i64>({1, 1, 2, 2}, {5, 7, 13, 15}),
               back = tensor::from<i64>({1, 1, 2, 2}, {5, 5, 5, 0});
  CHECK(lowering_error(tn::op::max_unpool{{2, 2}, {2, 2}}, {x, at}) == 0);
  CHECK(lowering_error(tn::op::max_unpool{{2, 2}, {2, 2}}, {x, back}) == 0);  // the last one counts
  CHECK(lowering_error(tn::op::max_unpool{{2, 2}, {2, 2}, {}, {1, 1, 4, 5}}, {x, at}) == 0);

  // 5 × 6 images of 2 channels: blocks of 2 × 3, dilated, padded, 2 apart downwards: 3 × 4 positions.
  const tn::op::col2im patches{{5, 6}, {2, 3}, {2, 1}, {1, 0, 2, 0}, {2, 1}};
  CHECK(lowering_error(patches, {random_tensor(dtype::f32, {2, 12, 12}, 5)}) < 1e-6);
  CHECK(lowering_error(patches, {random_tensor(dtype::i32, {2, 12, 12}, 6)}) == 0);

  const tensor image = random_tensor(dtype::f32, {2, 3, 6, 7}, 7),
               regions = tensor::from<float>({3, 4}, {0, 0, 6, 5, 1.5f, 2, 3, 7, -3, 1, 20, 2}),
               batch = tensor::from<i64>({3}, {1, 0, 1});
  for (tn::op::roi_mode mode : {tn::op::roi_mode::avg, tn::op::roi_mode::max})
    for (i64 ratio : {0, 2})
      for (bool half : {true, false}) {
        const tn::op::roi_align op{mode, 3, 2, ratio, 0.75, half};
        CHECK(lowering_error(op, {image, regions, batch}) < 1e-5);
      }
}
