// needs: llvm
// 3x3 convolutions by transformed tiles as native code, against the interpreter: sizes, padding, batches, epilogues,
// threads, options.
#include <doctest/doctest.h>

#include <cmath>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/passes/use_winograd.hpp>
#include <tenon/targets/cpu.hpp>

#include "support/convolution_examples.hpp"
#include "support/lowered.hpp"
#include "support/normal.hpp"

using namespace tenon;
using testing::convolution_example, testing::error_of, testing::module_of, testing::normal;

namespace {

struct compiled {
  program p;
  int tiles;  ///< kernels of convolutions by transformed tiles
  i64 arena_bytes;
};
compiled built(const ir::module& m, const targets::cpu& target, i64 tile) {
  context cx;
  target.configure(cx);
  if (tile != 0) cx.set(passes::use_winograd{.tile = tile});
  auto graph = compile_to<phases::optimization, targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  int tiles = 0;
  const auto& body = graph.body();
  for (function_id f : body.functions())  // a kernel has the names of its ops
    tiles += std::string(body[f].name).find("winograd_conv") != std::string::npos ? 1 : 0;
  const auto code = build<targets::cpu>(std::move(graph), cx);
  return {load(code), tiles, code.body().build.memory.arena().value_or(0)};
}

/// What tiles of both sizes compute, on one thread and on two, is what the interpreter does.
void check(const convolution_example& e, const ir::module& m, const testing::convolution_results& r) {
  CAPTURE(shape_text(e.x));
  for (int threads : {1, 2})
    for (i64 tile : {2, 4}) {
      CAPTURE(threads);
      CAPTURE(tile);
      targets::cpu target;
      target.threads = threads;
      compiled c = built(m, target, tile);
      CHECK(c.tiles == (e.twice ? 2 : 1));
      for (size_t i = 0; i < r.images.size(); ++i) {
        CAPTURE(shape_text(r.images[i].shape()));
        CHECK(error_of(c.p.run({r.images[i]}, threads)[0], r.wanted[i]) < 4e-6);
      }
    }
}

}  // namespace

TEST_CASE("transformed tiles compute what the interpreter does, on one thread and on two") {
  for (const convolution_example& e : testing::convolution_examples()) {
    const ir::module m = module_of(e);
    check(e, m, results_of(e, m));
  }
}

TEST_CASE("quantized convolutions by transformed tiles of words equal the interpreter's, whatever follows them") {
  targets::cpu target{.arch = "x86-64-v3"};
  if (!missing_features("cpu:arch=" + target.arch).empty()) return;
  for (const convolution_example& e :
       std::vector<convolution_example>{{{1, 64, 28, 28}, 64, {1, 1, 1, 1}},
                                        {{2, 36, 13, 18}, 40, {1, 0, 0, 1}},
                                        {{2, 32, 14, 14}, 32, {1, 1, 1, 1}, true, true},
                                        {{1, 128, 14, 9}, 72},
                                        {.x = {2, 20, 13, 18}, .outputs = 24, .pads = {1, 1, 1, 1}, .open = "HW"}})
    for (int threads : {1, 2}) {
      CAPTURE(shape_text(e.x));
      CAPTURE(threads);
      ir::module m;
      std::vector<ir::dim> shape(e.x.begin(), e.x.end());
      if (e.symbolic_batch) shape[0] = ir::dim::symbol(m.symbol("n"));
      for (char d : e.open) shape[d == 'H' ? 2 : 3] = ir::dim::symbol(m.symbol(std::string(1, d)));
      const type_id types[] = {m.intern(ir::type::tensor(dtype::u8, shape))};
      const function_id f = m.add_function("main", ir::function_kind::graph, types);
      m[f].entry = true;
      ir::builder<phases::ingestion::op_list> b(m, m[f].body);
      const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
      const value_id scale = constant(tensor::scalar(0.02f)), zero = constant(tensor::scalar<u8>(120));
      const value_id x = b.make(op::dequantize{}, {m[m[f].body].arguments[0], scale, zero});
      const value_id w = b.make(op::dequantize{},
                                {constant(testing::random_tensor(dtype::i8, {e.outputs, e.x[1], 3, 3}, 2, -128, 127)),
                                 constant(tensor::scalar(0.01f))});
      value_id y = b.make(op::conv{.pads = e.pads}, {x, w, constant(normal({e.outputs}, 3))});
      if (e.residual) y = b.make(op::add{}, {y, x});
      y = b.make(op::maximum{}, {y, constant(tensor::scalar(0.f))});
      y = b.make(op::round{}, {b.make(op::mul{}, {y, constant(tensor::scalar(0.7f))})});
      y = b.make(op::cast{dtype::u8}, {b.make(op::minimum{}, {y, constant(tensor::scalar(255.f))})});
      b.make_op(op::return_{}, {&y, 1}, {});
      m[f].result_types = {m[y].type};
      target.threads = threads;
      const compiled c = built(m, target, 2);
      target.winograd = targets::winograd::off;
      const compiled direct = built(m, target, 0);
      target.winograd = targets::winograd::on;
      CHECK(c.tiles == 1);
      CHECK(direct.tiles == 0);
      tensor image = testing::random_tensor(dtype::u8, e.x, 1, 0, 255);
      for (i64 i = 0; i < image.size(); i += 5) image.set_i64(i, 255);
      CHECK(testing::distance(c.p.run({image}, threads)[0], direct.p.run({image}, threads)[0]) == 0);
      // Of the interpreter's the sums are those of floats, which round: a number in its last place, seldom.
      const tensor got = c.p.run({image}, threads)[0], want = interpret(m, "main", std::vector<tensor>{image})[0];
      i64 others = 0;
      for (i64 i = 0; i < want.size(); ++i) {
        others += got.at_i64(i) != want.at_i64(i);
        CHECK(std::abs(got.at_i64(i) - want.at_i64(i)) <= 1);
      }
      CHECK(others * 100 <= want.size());
    }
}

TEST_CASE("by itself the target takes the faster way, and options say that it may not") {
  const ir::module m = module_of({.x = {1, 64, 28, 28}, .outputs = 64, .pads = {1, 1, 1, 1}});
  CHECK(built(m, {.threads = 1}, 0).tiles == 1);
  CHECK(built(m, {.threads = 1, .winograd = targets::winograd::off}, 0).tiles == 0);
  CHECK(built(m, {.threads = 1, .precision = targets::precision::strict}, 0).tiles == 0);
  ir::module single = m;
  ir::constrain(single, "main", "cpu:winograd=off");
  CHECK(built(single, {.threads = 1}, 0).tiles == 0);
}

TEST_CASE("heights and widths that only a run knows: one program computes images of any size") {
  for (const convolution_example& e : testing::open_convolution_examples()) {
    const ir::module m = module_of(e);
    check(e, m, results_of_sizes(e, m));
  }
}

TEST_CASE("… but for an image without places, which is refused as by the direct convolution") {
  const ir::module m = module_of({.x = {1, 16, 9, 9}, .outputs = 24, .pads = {1, 1, 1, 1}, .open = "HW"});
  for (targets::winograd w : {targets::winograd::on, targets::winograd::off}) {
    compiled c = built(m, {.threads = 1, .winograd = w}, 0);
    CHECK(c.tiles == (w == targets::winograd::on ? 1 : 0));
    CHECK_THROWS_AS(c.p.run({normal({1, 16, 0, 5}, 1)}, 1), error);
  }
}

TEST_CASE("… by the same options") {
  const ir::module m =
      module_of({.x = {1, 64, 28, 28}, .outputs = 64, .pads = {1, 1, 1, 1}, .symbolic_batch = true, .open = "HW"});
  for (int threads : {1, 2}) {
    CHECK(built(m, {.threads = threads}, 0).tiles == 1);
    CHECK(built(m, {.threads = threads, .winograd = targets::winograd::off}, 0).tiles == 0);
    CHECK(built(m, {.threads = threads, .precision = targets::precision::strict}, 0).tiles == 0);
  }
}

TEST_CASE("scratch is that of a block for each thread, however large the image is") {
  const auto bytes = [](i64 extent) {
    const ir::module m = module_of({.x = {1, 32, extent, extent}, .outputs = 32});
    const i64 direct = built(m, {.threads = 2, .winograd = targets::winograd::off}, 0).arena_bytes;
    return built(m, {.threads = 2}, 4).arena_bytes - direct;
  };
  CHECK(bytes(258) < i64{4} << 20);
  CHECK(bytes(514) < i64{4} << 20);
}
