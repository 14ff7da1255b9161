// The greatest absolute value of elements, at any address and of any number.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <tenon/runtime/magnitude.hpp>

#include "support/lowered.hpp"

using namespace tenon;

TEST_CASE("as one element after the other says it") {
  for (dtype t : {dtype::f64, dtype::f32, dtype::f16, dtype::bf16})
    for (i64 count : {0, 1, 7, 8, 31, 32, 33, 100}) {
      CAPTURE(name_of(t));
      CAPTURE(count);
      const tensor x = testing::random_tensor(t, {count}, 5);
      double expected = 0;
      for (i64 i = 0; i < count; ++i) expected = std::max(expected, std::fabs(x.at_f64(i)));
      CHECK(greatest_magnitude(t, x.data(), count) == expected);
      std::vector<char> moved(static_cast<size_t>(x.bytes()) + 1);
      if (count > 0) std::memcpy(moved.data() + 1, x.data(), static_cast<size_t>(x.bytes()));
      CHECK(greatest_magnitude(t, moved.data() + 1, count) == expected);
    }
}

TEST_CASE("an infinity or a NaN anywhere is infinite") {
  for (dtype t : {dtype::f64, dtype::f32, dtype::f16, dtype::bf16})
    for (double v : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::quiet_NaN()})
      for (i64 at : {0, 17, 39}) {
        tensor x = testing::random_tensor(t, {40}, 5);
        x.set_f64(at, v);
        CHECK(std::isinf(greatest_magnitude(t, x.data(), 40)));
      }
  CHECK_THROWS_AS(greatest_magnitude(dtype::i32, nullptr, 0), error);
}
