#include <doctest/doctest.h>

#include <tenon/ops/graph/patches.eval.hpp>

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
  CHECK_THROWS_AS(evaluates(tn::op::max_unpool{{1, 1}}, {x, at}, {}), tn::error);
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
  CHECK_THROWS_AS(evaluates(op, {x, tensor::from<float>({1, 4}, {0, 0, 2, 2}), tensor::from<i64>({1}, {1})}, {}),
                  tn::error);
}
