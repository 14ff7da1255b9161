/// @file use_winograd_test: which convolutions are computed by transformed tiles, and that they mean the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include <tenon/compile/run.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/use_winograd.hpp>
#include <tenon/text/print.hpp>

#include "support/lowered.hpp"

namespace {
using namespace tenon;
using testing::random_tensor;

struct example {
  std::vector<i64> x{1, 16, 16, 32};
  i64 outputs = 32;
  op::conv c{.layout = op::data_layout::channels_last};
  i64 kernel = 3;
  double first = 0.5;          ///< of the weights
  dtype type = dtype::f32;     ///< of the image; of u8 it is multiplied by weights of i8
  std::vector<size_t> open{};  ///< dimensions of the image that only a run knows
};

/// The convolution that the pass made of one, after checking that the meaning stayed; nothing: it left it alone.
std::optional<op::winograd_conv> made_of(const example& e, const passes::use_winograd& pass = {},
                                         passes::kernel_options options = {}) {
  auto module = ir_module<phases::optimization>::adopt({});
  ir::module& m = module.body();
  std::vector<ir::dim> shape(e.x.begin(), e.x.end());
  for (size_t d : e.open) shape[d] = ir::dim::symbol(m.symbol("d" + std::to_string(d)));
  const type_id types[] = {m.intern(ir::type::tensor(e.type, shape))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const bool bytes = e.type == dtype::u8;
  tensor w = random_tensor(bytes ? dtype::i8 : e.type, {e.kernel, e.kernel, e.x[3] / e.c.group, e.outputs}, 1);
  w.set_f64(0, e.first);
  const value_id weight = b.make(op::constant{m.add_constant(w)}, {});
  const value_id bias =
      b.make(op::constant{m.add_constant(random_tensor(bytes ? dtype::i32 : e.type, {e.outputs}, 3))}, {});
  const value_id y = b.make(e.c, {m[m[f].body].arguments[0], weight, bias});
  b.make_op(op::return_{}, std::vector<value_id>{y}, {});
  m[f].result_types = {m[y].type};
  const ir::module before = m;
  context cx;
  cx.set(options);
  pass.run(module, cx);
  std::optional<op::winograd_conv> made;
  const auto& after = module.body();
  ir::for_each_op(after, [&](op_id op) {
    if (const auto* a = after.view(op).get_if<op::winograd_conv>()) made = *a;
  });
  if (made && std::isfinite(e.first)) {
    const std::vector<tensor> inputs{random_tensor(e.type, e.x, 2)};
    const tensor want = interpret(before, "main", inputs)[0];
    CHECK(testing::distance(interpret(after, "main", inputs)[0], want) <= (bytes ? 0 : 2e-4));
  } else if (!made) {
    CHECK(print(after) == print(before));
  }
  return made;
}

}  // namespace

TEST_CASE("3x3 convolutions with enough channels and places") {
  const auto made = made_of({});
  REQUIRE(made);
  CHECK(made->tile == 4);
  CHECK(made->columns == 32);
  CHECK(made->workspaces == 1);
  CHECK(made_of({.x = {2, 15, 19, 40}, .outputs = 24}));
  const auto forced = made_of({}, {.tile = 2});
  REQUIRE(forced);
  CHECK(forced->tile == 2);
  CHECK(made_of({.x = {1, 5, 5, 2}, .outputs = 3}, {.tile = 4}));
}

TEST_CASE("what is no such convolution, or would not be faster, stays") {
  using enum op::data_layout;
  CHECK(!made_of({.x = {1, 16, 16, 4}}));
  CHECK(!made_of({.outputs = 4}));
  CHECK(!made_of({.x = {1, 4, 4, 32}}));
  CHECK(!made_of({.c = {.strides = {2, 2}, .layout = channels_last}}));
  CHECK(!made_of({.c = {.dilations = {2, 2}, .layout = channels_last}}));
  CHECK(!made_of({.c = {.pads = {1, 1, 1, 1}, .layout = channels_last}}));
  CHECK(!made_of({.c = {.group = 2, .layout = channels_last}}));
  CHECK(!made_of({.kernel = 5}));
  CHECK(!made_of({.type = dtype::f64}));
  CHECK(!made_of({.first = std::numeric_limits<double>::infinity()}));
  CHECK(!made_of({.first = std::numeric_limits<double>::quiet_NaN()}));
}

TEST_CASE("convolutions of bytes, where words are multiplied: by tiles of two, whatever precision is asked for") {
  const example e{.x = {1, 28, 28, 64}, .outputs = 64, .first = 3, .type = dtype::u8};
  for (passes::precision p : {passes::precision::standard, passes::precision::strict}) {
    const auto made = made_of(e, {}, {.vector_bytes = 32, .precision = p, .products_together = 2});
    REQUIRE(made);
    CHECK(made->tile == 2);
  }
  CHECK(!made_of(e, {}, {.vector_bytes = 32, .products_together = 4}));
  CHECK(!made_of(e, {}, {.vector_bytes = 32, .winograd = false, .products_together = 2}));
  CHECK(!made_of(e, {.tile = 4}, {.vector_bytes = 32, .products_together = 2}));
  CHECK(!made_of({.x = {1, 9, 9, 7}, .first = 3, .type = dtype::u8}, {.tile = 2}, {.products_together = 2}));
  CHECK(!made_of({.x = {1, 4, 4, 2048}, .outputs = 8, .first = 3, .type = dtype::i8}, {.tile = 2}));
}

TEST_CASE("options leave convolutions as they are") {
  using enum passes::precision;
  for (passes::precision p : {strict, bf16, f16, int8}) CHECK(!made_of({}, {}, {.precision = p}));
  CHECK(!made_of({}, {}, {.winograd = false}));
}

TEST_CASE("threads have blocks of their own, or share one") {
  const auto two = passes::choose_winograd({1, 56, 56, 64, 64}, 16, 2);
  REQUIRE(two);
  CHECK(two->workspaces == 2);
  CHECK(14 / two->block[0] * (14 / two->block[1]) % 2 == 0);
  const auto late = passes::choose_winograd({1, 14, 14, 256, 256}, 16, 2, 4);  // 16 tiles
  REQUIRE(late);
  CHECK(late->workspaces == 0);
  const auto many = passes::choose_winograd({64, 14, 14, 256, 256}, 16, 8, 4);
  REQUIRE(many);
  CHECK(many->workspaces == 8);
}

TEST_CASE("heights and widths that only a run knows: blocks of so many of all tiles, for all threads") {
  for (const std::vector<size_t>& open : std::vector<std::vector<size_t>>{{1}, {2}, {0, 1, 2}}) {
    const auto made = made_of({.x = {1, 30, 30, 32}, .open = open}, {}, {.vector_bytes = 32, .threads = 3});
    REQUIRE(made);
    CHECK(made->tile == 4);
    REQUIRE(made->block.size() == 1);
    CHECK(made->block[0] >= 8);
    CHECK(made->workspaces == 3);
  }
  CHECK(made_of({.x = {1, 6, 30, 32}, .open = {2}}));
  CHECK(!made_of({.x = {1, 5, 30, 32}, .open = {2}}));  // three rows of outputs
  CHECK(made_of({.x = {1, 5, 30, 32}, .open = {2}}, {.tile = 2}));
  CHECK(!made_of({.x = {1, 30, 30, 4}, .open = {1, 2}}));
  CHECK(made_of({.x = {1, 28, 28, 64}, .outputs = 64, .first = 3, .type = dtype::u8, .open = {1, 2}}, {},
                {.vector_bytes = 32, .products_together = 2}));
}

TEST_CASE("constants grow by no more than is allowed: where it costs the least, tiles are smaller or there are none") {
  constexpr double megabyte = 1 << 20;
  struct outcome {
    int tiles4 = 0, tiles2 = 0, direct = 0;
    double before = 0, after = 0;  ///< bytes of constants
  };
  const auto of = [](int count, i64 side) {
    auto module = ir_module<phases::optimization>::adopt({});
    ir::module& m = module.body();
    const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {1, side, side, 256}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    ir::builder<> b(m, m[f].body);
    std::vector<value_id> results;
    for (int i = 0; i < count; ++i) {
      const value_id w = b.make(op::constant{m.add_constant(tensor(dtype::f32, {3, 3, 256, 256}))}, {});
      results.push_back(b.make(op::conv{.layout = op::data_layout::channels_last}, {m[m[f].body].arguments[0], w}));
    }
    b.make_op(op::return_{}, results, {});
    for (value_id r : results) m[f].result_types.push_back(m[r].type);
    const auto bytes = [&] {
      double sum = 0;
      ir::for_each_op(module.body(), [&](op_id op) {
        const ir::op_view v = module.body().view(op);
        if (v.is<op::constant>()) sum += static_cast<double>(v.result_type().bytes());
      });
      return sum;
    };
    outcome r{.before = bytes()};
    context cx;
    passes::use_winograd{}.run(module, cx);
    r.after = bytes();
    ir::for_each_op(module.body(), [&](op_id op) {
      const auto* w = module.body().view(op).get_if<op::winograd_conv>();
      if (w != nullptr) ++(w->tile == 4 ? r.tiles4 : r.tiles2);
      else if (module.body().view(op).is<op::conv>()) ++r.direct;
    });
    return r;
  };
  CHECK(of(2, 30).tiles4 == 2);
  const outcome eight = of(8, 30);
  CHECK(eight.tiles4 < 8);
  CHECK(eight.tiles4 + eight.tiles2 > 0);
  CHECK(eight.tiles4 + eight.tiles2 + eight.direct == 8);
  CHECK(eight.after - eight.before <= std::max(16 * megabyte, 1.25 * eight.before));
  CHECK(eight.after > eight.before);
}
