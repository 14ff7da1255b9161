// needs: llvm
// Attention as native code, in many shapes, on one thread and two, against the interpreter.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ops/graph/attention.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/targets/interpreter.hpp>

#include "support/lowered.hpp"

using namespace tenon;

namespace {

tensor some(const std::vector<i64>& shape, unsigned seed, dtype t = dtype::f32) {
  tensor x = testing::random_tensor(t, shape, seed);
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, x.at_f64(i) / 8);
  return x;
}

/// How far results are from the interpreter's at most; extents that are in `symbols` are symbols.
double off(const op::attention& op, const std::vector<std::vector<tensor>>& sets,
           const std::vector<std::pair<i64, const char*>>& symbols = {}, const std::string& arch = {}) {
  ir_module<phases::ingestion> module;
  ir::module& m = module.body();
  std::vector<type_id> types;
  for (const tensor& t : sets[0]) {
    std::vector<ir::dim> shape(t.shape().begin(), t.shape().end());
    for (ir::dim& d : shape)
      for (const auto& [extent, name] : symbols)
        if (d == ir::dim(extent)) d = ir::dim::symbol(m.symbol(name));
    types.push_back(m.intern(ir::type::tensor(t.type(), shape)));
  }
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const value_id y = m.result(b.make_op(op, m[m[f].body].arguments));
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  double worst = 0;
  for (int threads : {1, 2}) {
    targets::cpu target;
    target.threads = threads;
    target.arch = arch;
    context cx;
    target.configure(cx);
    const program p = load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx));
    for (const std::vector<tensor>& set : sets)
      worst = std::max(worst, testing::distance(p.run(set, threads)[0], interpret(m, "main", set)[0]));
  }
  return worst;
}
std::vector<tensor> set_of(i64 matrices, i64 queries, i64 depth, i64 keys, i64 columns, bool mask = false) {
  std::vector<tensor> r{some({matrices, queries, depth}, 1), some({matrices, depth, keys}, 2),
                        some({matrices, keys, columns}, 3)};
  if (mask) r.push_back(some({queries, keys}, 4));
  return r;
}

}  // namespace

TEST_CASE("attention of shapes that registers and panels do not divide") {
  for (const auto& [matrices, queries, depth, keys, columns] : std::vector<std::array<i64, 5>>{{1, 1, 1, 1, 1},
                                                                                               {3, 5, 7, 9, 11},
                                                                                               {2, 197, 64, 197, 64},
                                                                                               {7, 61, 33, 130, 17},
                                                                                               {2, 300, 16, 700, 80},
                                                                                               {1, 64, 8, 513, 24},
                                                                                               {3, 129, 24, 2048, 40},
                                                                                               {1, 45, 16, 5000, 130}})
    for (const bool mask : {false, true}) {
      INFO(matrices, " ", queries, " ", depth, " ", keys, " ", columns);
      CHECK(off({.scale = 0.3}, {set_of(matrices, queries, depth, keys, columns, mask)}) < 2e-5);
    }
}

TEST_CASE("attention in vectors of 32 bytes, whose blocks of queries are smaller") {
  const std::string arch = "x86-64-v3";
  if (!missing_features("cpu:arch=" + arch).empty()) return;
  for (const auto& [matrices, queries, depth, keys, columns] :
       std::vector<std::array<i64, 5>>{{3, 150, 64, 1500, 64}, {1, 197, 24, 2048, 40}, {12, 64, 16, 128, 16}})
    CHECK(off({.scale = 0.3}, {set_of(matrices, queries, depth, keys, columns, true)}, {}, arch) < 2e-5);
}

TEST_CASE("attention: masks that broadcast, of numbers and of bools") {
  const std::vector<tensor> x{some({2, 3, 50, 16}, 1), some({3, 16, 70}, 2), some({2, 1, 70, 40}, 3)};
  for (const auto& shape : std::vector<std::vector<i64>>{{70}, {50, 1}, {2, 1, 1, 70}, {3, 1, 1}, {2, 3, 50, 70}, {}})
    for (const dtype t : {dtype::f32, dtype::boolean}) {
      std::vector<tensor> all = x;
      all.push_back(t == dtype::f32 ? some(shape, 4) : testing::random_tensor(t, shape, 4, 0, 1));
      CAPTURE(shape_text(shape));
      CHECK(off({.scale = 0.25, .fill = -3e38}, {all}) < 2e-5);
    }
}

TEST_CASE("attention: rows that no key counts for are NaN, and no others") {
  for (const i64 keys : {100, 600, 2500}) {
    std::vector<tensor> x = set_of(2, 70, 16, keys, 16, true);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (i64 j = 0; j < keys; ++j) {
      x[3].set_f64(7 * keys + j, -infinity);
      if (j != keys - 1) x[3].set_f64(8 * keys + j, -infinity);
      if (j != 0) x[3].set_f64(9 * keys + j, -infinity);
    }
    x[3].set_f64(10 * keys + keys / 2, infinity);
    x[3].set_f64(11 * keys + keys - 1, std::nan(""));
    CHECK(off({}, {x}) < 2e-5);
  }
}

TEST_CASE("attention of sizes that only the run knows") {
  std::vector<std::vector<tensor>> all;
  for (const auto& [b, m, n] : std::vector<std::array<i64, 3>>{{5, 61, 83},
                                                               {1, 1, 1},
                                                               {2, 48, 512},
                                                               {3, 7, 2100},
                                                               {1, 150, 40},
                                                               {40, 3, 5},
                                                               {0, 4, 4},
                                                               {2, 0, 3},
                                                               {2, 3, 0}})
    all.push_back(set_of(b, m, 16, n, 24, true));
  CHECK(off({.scale = 0.3}, all, {{5, "b"}, {61, "m"}, {83, "n"}}) < 2e-5);
  std::vector<std::vector<tensor>> batches, queries;
  for (const i64 n : {5, 1, 2, 17}) batches.push_back(set_of(n, 100, 16, 600, 24));
  CHECK(off({}, batches, {{5, "b"}}) < 2e-5);
  for (const i64 n : {61, 1, 200}) queries.push_back(set_of(3, n, 16, 600, 24));
  CHECK(off({}, queries, {{61, "m"}}) < 2e-5);
}

TEST_CASE("attention in f16, bf16 and f64") {
  const auto of = [](dtype t) {
    return std::vector<tensor>{some({2, 40, 16}, 1, t), some({2, 16, 70}, 2, t), some({2, 70, 20}, 3, t)};
  };
  CHECK(off({.scale = 0.3}, {of(dtype::f64)}) < 1e-12);
  CHECK(off({.scale = 0.3}, {of(dtype::f16)}) < 2e-3);
  CHECK(off({.scale = 0.3}, {of(dtype::bf16)}) < 2e-2);
}
