/// @file convert_layout_test: the pass keeps the meaning of graphs, fixed ones and random ones, and leaves transposes
/// only where an image enters or leaves.
#include <doctest/doctest.h>

#include <tenon/compile/run.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/convert_layout.hpp>
#include <tenon/passes/eliminate_dead.hpp>
#include <tenon/passes/fold_constants.hpp>
#include <tenon/passes/infer_shapes.hpp>

#include "support/lowered.hpp"

namespace mine {
using namespace tenon;

/// Ops of a user's: the elements of an axis from its end. One says what becomes of a transpose above it.
struct flip {
  static constexpr fixed_string name = "mine.flip";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  i64 axis = 0;
  TENON_ATTRIBUTES(axis)
};
struct fixed_flip {
  static constexpr fixed_string name = "mine.fixed_flip";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  i64 axis = 0;
  TENON_ATTRIBUTES(axis)
};
template <class Op>
concept any_flip = std::same_as<Op, flip> || std::same_as<Op, fixed_flip>;
void infer(const any_flip auto&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
void evaluate(const any_flip auto& op, eval_context& cx) {
  const tensor& x = cx.operand(0);
  tensor y(x.type(), x.shape());
  i64 inner = 1;
  for (size_t d = static_cast<size_t>(op.axis) + 1; d < x.shape().size(); ++d) inner *= x.shape()[d];
  const i64 n = x.shape()[static_cast<size_t>(op.axis)];
  for (i64 i = 0; i < x.size(); ++i) y.set_f64(i + (n - 1 - 2 * (i / inner % n)) * inner, x.at_f64(i));
  cx.result(std::move(y));
}
bool move_transpose(flip& op, std::vector<i64>& order, u32) {
  op.axis = order[static_cast<size_t>(op.axis)];
  return true;
}
}  // namespace mine

namespace {
using namespace tenon;
using testing::random_tensor;
using module_type = ir_module<phases::optimization>;

/// A function "main" of one image, built op by op.
struct graph {
  ir::module m;
  function_id f;
  ir::builder<> b;
  value_id x;
  unsigned seed = 100;

  explicit graph(std::vector<i64> shape) : b(m, {}) {
    const type_id types[] = {m.intern(ir::type::tensor(dtype::f64, {shape.begin(), shape.end()}))};
    f = m.add_function("main", ir::function_kind::graph, types);
    m[f].entry = true;
    b.to_end(m[f].body);
    x = m[m[f].body].arguments[0];
  }
  std::vector<i64> shape(value_id v) const { return m.type_of(v).extents(); }
  value_id constant(std::vector<i64> s, int low = -2, int high = 2) {
    return b.make(op::constant{m.add_constant(random_tensor(dtype::f64, std::move(s), ++seed, low, high))}, {});
  }
  value_id conv(value_id v, i64 outputs, i64 kernel, op::conv c = {}) {
    const value_id w = constant({outputs, shape(v)[1] / c.group, kernel, kernel});
    return b.make(c, {v, w, constant({outputs})});
  }
  value_id relu(value_id v) { return b.make(op::maximum{}, {v, constant({}, 0, 0)}); }
  value_id per_channel(value_id v) {
    return b.make(op::add{}, {b.make(op::mul{}, {v, constant({shape(v)[1], 1, 1})}), constant({1, shape(v)[1], 1, 1})});
  }
  module_type finish(std::vector<value_id> results) {
    b.make_op(op::return_{}, results, {});
    for (value_id v : results) m[f].result_types.push_back(m[v].type);
    return module_type::adopt(std::move(m));
  }
};

template <class Op>
int count(const ir::module& m) {
  int n = 0;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) { n += m.view(op).is<Op>() ? 1 : 0; });
  return n;
}

/// Runs the pass, and what cleans up behind it, and compares what the module computes before and after.
module_type converted(module_type before, std::vector<i64> input) {
  const tensor x = random_tensor(dtype::f64, std::move(input), 7);
  const std::vector<tensor> expected = interpret(before.body(), "main", std::vector<tensor>{x});
  context cx;
  cx.set(passes::fold_constants{.max_bytes = i64{1} << 30});
  auto laid = run<passes::convert_layout>(run<passes::infer_shapes>(std::move(before), cx), cx);
  CHECK(testing::distance(interpret(laid.body(), "main", std::vector<tensor>{x})[0], expected[0]) < 1e-12);
  auto after = run<passes::eliminate_dead>(run<passes::fold_constants>(std::move(laid), cx), cx);
  const std::vector<tensor> got = interpret(after.body(), "main", std::vector<tensor>{x});
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) CHECK(testing::distance(got[i], expected[i]) < 1e-12);
  const ir::module& m = after.body();
  for (size_t i = 0; i < got.size(); ++i) {
    const ir::type& t = m[m[m.find_function("main")].result_types[i]];
    if (t.is_static()) CHECK(t.extents() == got[i].shape());
  }
  return after;
}

}  // namespace

TEST_CASE("a convolution gets its channels last, its padding apart") {
  graph g({1, 3, 6, 6});
  const value_id y = g.conv(g.x, 4, 3, {.pads = {1, 1, 1, 1}});
  const auto m = converted(g.finish({y}), {1, 3, 6, 6});
  CHECK(count<op::transpose>(m.body()) == 2);
  CHECK(count<op::pad>(m.body()) == 1);
  CHECK(count<op::conv>(m.body()) == 1);
  ir::for_each_op(m.body(), [&](op_id op) {
    if (const auto* c = m.body().view(op).get_if<op::conv>()) {
      CHECK(c->layout == op::data_layout::channels_last);
      CHECK(c->pads.empty());
    }
  });
}

TEST_CASE("a transposed convolution gets its channels last, and zeros where its taps leave the image") {
  struct example {
    op::conv_transpose t;
    i64 kernel;
    int pads;
    bool moves = true;
  };
  for (const example& e : {example{{.strides = {2, 2}}, 2, 0},
                           {{.strides = {2, 2}, .pads = {1, 1, 1, 1}}, 4, 1},
                           {{.pads = {2, 2, 2, 2}}, 3, 0},
                           {{.strides = {2049, 1}}, 2, 0, false}}) {
    graph g({1, 3, 6, 6});
    const value_id y = g.relu(g.b.make(e.t, {g.x, g.constant({3, 4, e.kernel, e.kernel})}));
    const auto m = converted(g.finish({y}), {1, 3, 6, 6});
    CHECK(count<op::transpose>(m.body()) == (e.moves ? 2 : 0));
    CHECK(count<op::pad>(m.body()) == e.pads);
    ir::for_each_op(m.body(), [&](op_id op) {
      if (const auto* t = m.body().view(op).get_if<op::conv_transpose>())
        CHECK((t->layout == op::data_layout::channels_last) == e.moves);
    });
  }
}

TEST_CASE("a convolution of one tap is a matrix product, and what follows stays a matrix") {
  graph g({2, 3, 4, 4});
  const value_id a = g.relu(g.per_channel(g.conv(g.x, 4, 1)));
  const value_id y = g.conv(g.relu(g.conv(a, 5, 1)), 2, 3);
  const auto m = converted(g.finish({y}), {2, 3, 4, 4});
  CHECK(count<op::conv>(m.body()) == 1);
  CHECK(count<op::matmul>(m.body()) == 2);
  CHECK(count<op::transpose>(m.body()) == 2);
  CHECK(count<op::reshape>(m.body()) == 2);  // into rows, and back into an image
}

TEST_CASE("convolutions of one tap between images that have their channels first are products without transposes") {
  graph g({2, 3, 4, 5});
  const value_id a = g.relu(g.per_channel(g.conv(g.x, 4, 1)));
  const auto m = converted(g.finish({g.relu(g.conv(a, 5, 1))}), {2, 3, 4, 5});
  CHECK(count<op::conv>(m.body()) == 0);
  CHECK(count<op::matmul>(m.body()) == 2);
  CHECK(count<op::transpose>(m.body()) == 0);

  graph line({2, 3, 7});
  const value_id w = line.constant({4, 3, 1});
  const auto l =
      converted(line.finish({line.relu(line.b.make(op::conv{}, {line.x, w, line.constant({4})}))}), {2, 3, 7});
  CHECK(count<op::matmul>(l.body()) == 1);
  CHECK(count<op::transpose>(l.body()) + count<op::reshape>(l.body()) == 0);

  graph read_last({2, 3, 7});
  const value_id v = read_last.b.make(op::conv{}, {read_last.x, read_last.constant({4, 3, 1})});
  const auto t = converted(read_last.finish({read_last.b.make(op::transpose{{0, 2, 1}}, {v})}), {2, 3, 7});
  CHECK(count<op::transpose>(t.body()) == 1);
}

TEST_CASE("a residual network has transposes at its image only") {
  graph g({1, 3, 8, 8});
  value_id v = g.relu(g.per_channel(g.conv(g.x, 8, 3, {.strides = {2, 2}, .pads = {1, 1, 1, 1}})));
  v = g.b.make(op::max_pool{.kernel = {3, 3}, .strides = {1, 1}, .pads = {1, 1, 1, 1}}, {v});
  for (int i = 0; i < 2; ++i) {
    value_id u = g.relu(g.conv(v, 4, 1));
    u = g.relu(g.conv(u, 4, 3, {.pads = {1, 1, 1, 1}}));
    u = g.conv(u, 8, 1);
    v = g.relu(g.b.make(op::add{}, {u, v}));
  }
  const value_id depthwise = g.relu(g.conv(v, 8, 3, {.pads = {1, 1, 1, 1}, .group = 8}));
  v = g.b.make(op::concat{1}, {v, depthwise});
  const value_id mean = g.b.make(op::reduce_sum{.axes = {2, 3}}, {v});
  const value_id gate = g.b.make(op::sigmoid{}, {g.conv(mean, 16, 1)});
  v = g.b.make(op::mul{}, {v, gate});
  v = g.b.make(op::average_pool{.kernel = {4, 4}}, {v});
  v = g.b.make(op::reshape{.shape = {1, 16}}, {v});
  v = g.b.make(op::matmul{}, {v, g.constant({16, 5})});
  v = g.b.make(op::softmax{}, {v});
  const auto m = converted(g.finish({v}), {1, 3, 8, 8});
  CHECK(count<op::transpose>(m.body()) == 1);
}

TEST_CASE("a channel shuffle moves channels, not images") {
  graph g({1, 4, 3, 5});
  value_id v = g.relu(g.conv(g.x, 6, 3, {.pads = {1, 1, 1, 1}}));
  v = g.b.make(op::reshape{.shape = {1, 2, 3, 3, 5}}, {v});
  v = g.b.make(op::transpose{{0, 2, 1, 3, 4}}, {v});
  v = g.b.make(op::reshape{.shape = {1, 6, 3, 5}}, {v});
  v = g.b.make(op::average_pool{.kernel = {3, 5}}, {g.relu(g.conv(v, 4, 3, {.pads = {1, 1, 1, 1}}))});
  const auto m = converted(g.finish({v}), {1, 4, 3, 5});
  CHECK(count<op::transpose>(m.body()) == 2);  // of the image, and the shuffle
}

TEST_CASE("transposes pass data movement and reductions") {
  graph g({2, 3, 6, 4});
  value_id v = g.conv(g.x, 4, 3, {.pads = {1, 1, 1, 1}});
  v = g.b.make(op::pad{.mode = op::pad_mode::reflect, .before = {0, 0, 1, 2}, .after = {0, 0, 1, 0}}, {v});
  v = g.b.make(op::slice{.starts = {1, 0}, .ends = {7, 5}, .axes = {2, -1}, .steps = {2, 1}}, {v});
  v = g.b.make(op::resize{.scales = {1, 1, 2, 2}}, {v});
  v = g.b.make(op::lrn{.size = 3}, {v});
  v = g.b.make(op::softmax{1}, {v});
  const value_id least = g.b.make(op::reduce_min{.axes = {1}, .keep_dims = false}, {v});
  const value_id where = g.b.make(op::arg_max{.axis = 1, .keep_dims = false}, {v});
  const value_id most = g.b.make(op::reduce_max{.axes = {3}, .keep_dims = false}, {v});
  const auto m = converted(g.finish({least, where, most}), {2, 3, 6, 4});
  CHECK(count<op::transpose>(m.body()) == 2);  // of the image, and of `most`, which keeps the channels
}

TEST_CASE("a residual that grows by channels of zeros") {
  graph g({1, 3, 6, 6});
  const value_id v = g.relu(g.conv(g.x, 4, 3, {.pads = {1, 1, 1, 1}}));
  const value_id zeros = g.b.make(op::constant_of_shape{{1, 2, 6, 6}}, {g.constant({1}, 0, 0)});
  const value_id u = g.b.make(op::add{}, {g.b.make(op::concat{1}, {v, zeros}), g.conv(v, 6, 1)});
  const auto m = converted(g.finish({g.conv(u, 2, 1)}), {1, 3, 6, 6});
  CHECK(count<op::transpose>(m.body()) == 2);
}

TEST_CASE("an image added to the input of the graph") {
  graph g({1, 3, 6, 6});
  const value_id v = g.b.make(op::add{}, {g.conv(g.x, 3, 3, {.pads = {1, 1, 1, 1}}), g.x});
  const auto m = converted(g.finish({g.conv(v, 2, 1)}), {1, 3, 6, 6});
  CHECK(count<op::transpose>(m.body()) <= 3);  // two of the input, which eliminate_common makes one
}

TEST_CASE("what has no convolution is left alone") {
  graph g({2, 3, 4, 4});
  const value_id y = g.b.make(op::max_pool{.kernel = {2, 2}}, {g.relu(g.x)});
  const auto m = converted(g.finish({y}), {2, 3, 4, 4});
  CHECK(count<op::transpose>(m.body()) == 0);
}

TEST_CASE("max_pool with indices, and convolutions of one and three dimensions") {
  graph g({1, 2, 6, 6});
  const value_id v = g.conv(g.x, 3, 3);
  const op_id pool = g.b.make_op(op::max_pool{.kernel = {2, 2}, .indices = true}, std::vector<value_id>{v});
  const auto results = g.m.results(pool);
  converted(g.finish({results[0], results[1]}), {1, 2, 6, 6});

  graph one({2, 3, 9});
  const value_id line = one.b.make(op::conv{.strides = {2}, .pads = {1, 0}}, {one.x, one.constant({4, 3, 3})});
  converted(one.finish({one.relu(line)}), {2, 3, 9});
  graph three({1, 2, 4, 3, 5});
  const value_id cube = three.b.make(op::conv{.pads = {1, 0, 1, 1, 0, 0}}, {three.x, three.constant({3, 2, 3, 2, 3})});
  converted(three.finish({three.relu(cube)}), {1, 2, 4, 3, 5});
}

TEST_CASE("unknown extents") {
  ir::module m;
  const symbol_id n = m.symbol("N");
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f64, {ir::dim::symbol(n), 2, ir::dim(), 5}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<> b(m, m[f].body);
  const auto constant = [&](std::vector<i64> s) {
    return b.make(op::constant{m.add_constant(random_tensor(dtype::f64, std::move(s), 3))}, {});
  };
  value_id v = b.make(op::conv{.pads = {1, 1, 1, 1}}, {m[m[f].body].arguments[0], constant({4, 2, 3, 3})});
  v = b.make(op::conv{}, {b.make(op::mul{}, {v, constant({4, 1, 1})}), constant({3, 4, 1, 1})});
  v = b.make(op::max_pool{.kernel = {2, 2}}, {v});
  b.make_op(op::return_{}, std::vector<value_id>{v}, {});
  m[f].result_types = {m[v].type};
  const auto after = converted(module_type::adopt(std::move(m)), {2, 2, 4, 5});
  CHECK(count<op::transpose>(after.body()) == 2);
}

TEST_CASE("random graphs keep their meaning, and a second run changes nothing") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto pick = [&](int n) { return static_cast<i64>(random() % static_cast<unsigned>(n)); };
    const std::vector<i64> input{1 + pick(2), 1 + pick(4), 3 + pick(5), 3 + pick(5)};
    graph g(input);
    g.seed = seed * 1000;
    std::vector<value_id> values{g.x};
    for (int i = 0; i < 14; ++i) {
      const value_id v =
          values[values.size() - 1 - static_cast<size_t>(pick(static_cast<int>(std::min<size_t>(3, values.size()))))];
      const std::vector<i64> s = g.shape(v);
      if (s.size() != 4) continue;
      value_id r = v;
      switch (pick(16)) {
        case 0: r = g.conv(v, 1 + pick(5), 1); break;
        case 1: r = g.conv(v, 2 + pick(3), 3, {.pads = {1, 1, 1, 1}}); break;
        case 2: r = g.conv(v, 2, 3, {.strides = {2, 1}, .pads = {1, 2, 1, 2}}); break;
        case 3: r = g.conv(v, s[1], 3, {.pads = {1, 1, 1, 1}, .group = s[1]}); break;
        case 4: r = g.relu(v); break;
        case 5: r = g.per_channel(v); break;
        case 6: r = g.b.make(op::max_pool{.kernel = {3, 3}, .pads = {1, 1, 1, 1}}, {v}); break;
        case 7: r = g.b.make(op::average_pool{.kernel = {2, 2}, .pads = {1, 1, 0, 0}}, {v}); break;
        case 8: r = g.b.make(op::concat{1}, {v, g.conv(v, 3, 1), v}); break;
        case 9: r = g.b.make(op::add{}, {g.conv(v, s[1], 3, {.pads = {1, 1, 1, 1}}), v}); break;
        case 10: r = g.b.make(op::mul{}, {v, g.b.make(op::reduce_max{.axes = {2, 3}}, {v})}); break;
        case 11: r = g.b.make(op::add{}, {v, g.b.make(op::reduce_min{.axes = {1}}, {v})}); break;
        case 12: r = g.b.make(op::pad{.before = {1, 0}, .after = {0, 2}, .axes = {3, 1}}, {v}); break;
        case 13:
          r = g.b.make(op::reshape{.shape = {s[0], s[2], s[1], s[3]}}, {g.b.make(op::transpose{{0, 2, 1, 3}}, {v})});
          break;
        case 14:
          r = g.b.make(op::reshape{.shape = {s[0], 1, s[1] * s[2], s[3]}},
                       {g.b.make(op::minimum{}, {v, g.constant({s[2], s[3]})})});
          break;
        default:
          r = g.b.make(op::where{}, {g.b.make(op::less{}, {v, g.constant({s[1], 1, 1})}), v, g.constant({})});
          break;
      }
      // Values stay small: sums of squares of squares would lose bits.
      values.push_back(g.b.make(op::tanh{}, {r}));
    }
    INFO("seed ", seed);
    const value_id last = values.back();
    const value_id flat = g.b.make(op::reshape{.shape = {g.shape(last)[0], -1}}, {last});
    auto m = converted(g.finish({last, flat, values[values.size() / 2]}), input);
    const int before = count<op::transpose>(m.body());
    auto again = converted(std::move(m), input);
    CHECK(count<op::transpose>(again.body()) == before);
  }
}

TEST_CASE("a transpose moves below an op of a user's that says what becomes of it") {
  register_evaluations(eval_table_of<ops<mine::flip, mine::fixed_flip>>());
  const auto transposes = [](const auto& flip) {
    graph g({1, 3, 6, 6});
    auto module = g.finish({g.conv(g.b.make(flip, {g.conv(g.x, 4, 3)}), 5, 3)});
    ir::module& m = module.body();
    const std::vector<tensor> x{random_tensor(dtype::f64, {1, 3, 6, 6}, 7)};
    const tensor want = interpret(m, "main", x)[0];
    context cx;
    passes::convert_layout{}.run(module, cx);
    CHECK(testing::distance(interpret(m, "main", x)[0], want) < 1e-12);
    int n = 0;
    i64 axis = -1;
    ir::for_each_op(m, [&](op_id op) {
      const ir::op_view v = m.view(op);
      if (v.is<op::transpose>() && m.constant_value(v.operand(0)) == nullptr) ++n;  // those of weights are computed
      if (const auto* f = v.get_if<std::remove_cvref_t<decltype(flip)>>()) axis = f->axis;
    });
    return std::pair(n, axis);
  };
  CHECK(transposes(mine::flip{1}) == std::pair(2, i64{3}));  // in front of the first convolution, behind the last one
  CHECK(transposes(mine::fixed_flip{1}) == std::pair(4, i64{1}));
}
