// needs: xsimd
// also with: TENON_XSIMD=avx2 TENON_XSIMD=sse2
// 3x3 convolutions by transformed tiles as vectorized kernels, against the interpreter: sizes, padding, batches,
// epilogues, threads, options.
#include <doctest/doctest.h>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/passes/use_winograd.hpp>
#include <tenon/targets/xsimd.hpp>

#include "support/convolution_examples.hpp"

using namespace tenon;
using testing::convolution_example, testing::error_of, testing::module_of, testing::normal;

namespace {

struct compiled {
  program p;
  int tiles = 0;  ///< vectorized kernels of convolutions by transformed tiles
  int nests = 0;  ///< such convolutions as loop nests
};
compiled built(const ir::module& m, const targets::xsimd& target, i64 tile) {
  context cx;
  target.configure(cx);
  if (tile != 0) cx.set(passes::use_winograd{.tile = tile});
  const auto code = build<targets::xsimd>(ir_module<phases::ingestion>::adopt(ir::module(m)), cx);
  compiled r{load_xsimd(code)};
  const ir::module& body = code.body();
  for (const ir::artifact& a : body.artifacts())
    r.tiles += std::string_view(a.bytes.data(), a.bytes.size()).find("winograd_conv(") != std::string_view::npos;
  for (function_id f : body.functions())  // a kernel has the names of its ops
    r.nests += std::string(body[f].name).find("winograd_conv") != std::string::npos;
  return r;
}

}  // namespace

TEST_CASE("transformed tiles compute what the interpreter does, on any number of threads") {
  for (const convolution_example& e : testing::convolution_examples()) {
    CAPTURE(shape_text(e.x));
    const ir::module m = module_of(e);
    const testing::convolution_results r = results_of(e, m);
    for (i64 tile : {2, 4})
      for (int threads : {1, 3}) {  // the threads that blocks are chosen for, and others that a run takes
        CAPTURE(tile);
        const compiled c = built(m, {.threads = threads}, tile);
        CHECK(c.tiles == (e.twice ? 2 : 1));
        CHECK(c.nests == 0);
        for (size_t i = 0; i < r.images.size(); ++i) {
          const tensor got = c.p.run({r.images[i]}, 1)[0];
          CHECK(error_of(got, r.wanted[i]) < 4e-6);
          for (int run : {2, 7}) CHECK(same_bits(c.p.run({r.images[i]}, run)[0], got));
        }
      }
  }
}

TEST_CASE("heights and widths that only a run knows") {
  for (const convolution_example& e : testing::open_convolution_examples()) {
    CAPTURE(shape_text(e.x));
    const ir::module m = module_of(e);
    const testing::convolution_results r = results_of_sizes(e, m);
    for (i64 tile : {2, 4})
      for (int threads : {1, 3}) {
        CAPTURE(tile);
        const compiled c = built(m, {.threads = threads}, tile);
        CHECK(c.tiles == (e.twice ? 2 : 1));
        CHECK(c.nests == 0);
        for (size_t i = 0; i < r.images.size(); ++i) {
          CAPTURE(shape_text(r.images[i].shape()));
          const tensor got = c.p.run({r.images[i]}, 1)[0];
          CHECK(error_of(got, r.wanted[i]) < 4e-6);
          CHECK(same_bits(c.p.run({r.images[i]}, 3)[0], got));
        }
      }
  }
}

TEST_CASE("few channels, and tiles that have no whole vector") {
  for (i64 channels : {1, 5, 12})
    for (i64 tile : {2, 4}) {
      const ir::module m = module_of({.x = {1, channels, 9, 10}, .outputs = channels + 2, .pads = {1, 1, 1, 1}});
      const std::vector<tensor> inputs{normal({1, channels, 9, 10}, 1)};
      const compiled c = built(m, {.threads = 1}, tile);
      CHECK(c.tiles == 1);
      CHECK(error_of(c.p.run(inputs, 1)[0], interpret(m, "main", inputs)[0]) < 4e-6);
    }
}

TEST_CASE("by itself the target takes the faster way, and an option says that it may not") {
  const ir::module m = module_of({.x = {1, 64, 28, 28}, .outputs = 64, .pads = {1, 1, 1, 1}});
  CHECK(built(m, {.threads = 1}, 0).tiles == 1);
  CHECK(built(m, {.threads = 1, .winograd = targets::winograd::off}, 0).tiles == 0);
}
