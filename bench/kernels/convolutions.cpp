// Convolutions in f32, as they stand in models: images have their channels last already, or come as planes (the first
// convolution of a model). Those of 3x3 taps also by transformed tiles, and some of extents that only a run knows
// ("?"). On one thread, some behind another on two threads, where a core reads what the other one has written. Least
// time of some runs, and what it is in GFLOP/s.
//   ctest --test-dir build/gcc -L bench -R kernels.convolutions -V
#include <cstdio>
#include <string>
#include <vector>

#include <tenon/targets/cpu.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/tenon.hpp>

#include "least.hpp"

using namespace tenon;

namespace {

tensor numbers(const std::vector<i64>& shape) {
  tensor t(dtype::f32, shape);
  for (i64 i = 0; i < t.size(); ++i) t.set_f64(i, static_cast<double>(i * 7919 % 255 - 127) / 128);
  return t;
}

/// Those that transformed tiles may compute are measured directly and so, in turns. `open`: height and width are known
/// only when it runs.
void convolution(const op::conv& c, i64 channels, i64 extent, i64 outputs, i64 kernel, bool planes = false,
                 bool open = false) {
  const std::vector<i64> image =
      planes ? std::vector<i64>{1, channels, extent, extent} : std::vector<i64>{1, extent, extent, channels};
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  std::vector<ir::dim> shape(image.begin(), image.end());
  if (open) shape[1] = ir::dim::symbol(m.symbol("h")), shape[2] = ir::dim::symbol(m.symbol("w"));
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, shape))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  value_id x = m[m[f].body].arguments[0];
  if (!planes) x = b.make(op::transpose{{0, 3, 1, 2}}, {x});
  const std::vector<i64> w{outputs, channels / c.group, kernel, kernel};
  const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
  x = b.make(c, {x, constant(numbers(w)), constant(numbers({outputs}))});
  x = b.make(op::maximum{}, {x, constant(tensor::from<float>({}, {0}))});
  const value_id y = b.make(op::transpose{{0, 2, 3, 1}}, {x});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  const i64 stride = c.strides.empty() ? 1 : c.strides[0], pads = c.pads.empty() ? 0 : 2 * c.pads[0];
  const i64 places = (extent + pads - kernel) / stride + 1;
  const double products = static_cast<double>(places * places * outputs * (channels / c.group) * kernel * kernel);
  using enum targets::winograd;
  const bool tiles = kernel == 3 && c.strides.empty() && c.group == 1;
  std::vector<program> ways;
  for (targets::winograd w : tiles ? std::vector{off, on} : std::vector{on}) {
    targets::cpu target;
    target.threads = 1, target.winograd = w;
    ways.push_back(load(build<targets::cpu>(ir_module<phases::ingestion>::adopt(ir::module(m)), target)));
  }
#if __has_include(<xsimd/xsimd.hpp>)
  for (targets::winograd w : tiles ? std::vector{off, on} : std::vector{on}) {
    const targets::xsimd target{.threads = 1, .winograd = w};
    ways.push_back(load_xsimd(build<targets::xsimd>(ir_module<phases::ingestion>::adopt(ir::module(m)), target)));
  }
#endif
  const std::vector<tensor> inputs{numbers(image)};
  const std::vector<double> best = least_us(ways, inputs);
  std::printf("%4ld -> %-4ld %ldx%ld, stride %ld, at %3ld%s %-16s %8.3f ms %7.1f GFLOP/s", static_cast<long>(channels),
              static_cast<long>(outputs), static_cast<long>(kernel), static_cast<long>(kernel),
              static_cast<long>(stride), static_cast<long>(extent),
              planes ? "p"
              : open ? "?"
                     : " ",
              c.group == channels ? "each by itself"
              : c.group > 1       ? "in groups"
                                  : "",
              best[0] / 1e3, 2 * products / best[0] / 1e3);
  if (tiles) std::printf("; winograd %8.3f ms, %4.2f times as fast", best[1] / 1e3, best[0] / best[1]);
  const size_t of_xsimd = tiles ? 2 : 1;
  if (best.size() > of_xsimd)
    std::printf("; xsimd %8.3f ms, %4.2f times cpu's", best.back() / 1e3, best.back() / best[of_xsimd - 1]);
  if (tiles && best.size() > of_xsimd) std::printf(" (direct %8.3f ms)", best[of_xsimd] / 1e3);
  std::printf("\n");
}

/// Convolutions of one tap after the other, as in the blocks of a ResNet: on two threads.
void in_a_row(const std::vector<i64>& channels, i64 extent) {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  const std::vector<i64> image{1, extent, extent, channels[0]};
  const type_id types[] = {m.intern(ir::type::tensor(dtype::f32, {image.begin(), image.end()}))};
  const function_id f = m.add_function("main", ir::function_kind::graph, types);
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
  value_id x = b.make(op::transpose{{0, 3, 1, 2}}, {m[m[f].body].arguments[0]});
  double products = 0;
  for (size_t i = 1; i < channels.size(); ++i) {
    x = b.make(op::conv{}, {x, constant(numbers({channels[i], channels[i - 1], 1, 1}))});
    x = b.make(op::maximum{}, {x, constant(tensor::from<float>({}, {0}))});
    products += static_cast<double>(extent * extent * channels[i] * channels[i - 1]);
  }
  const value_id y = b.make(op::transpose{{0, 2, 3, 1}}, {x});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  targets::cpu target;
  target.threads = 2;
  const program p = load(build<targets::cpu>(std::move(graph), target));
  const double us = least_us(p, std::vector<tensor>{numbers(image)}, 2);
  std::printf("%ld", static_cast<long>(channels[0]));
  for (size_t i = 1; i < channels.size(); ++i) std::printf(" -> %ld", static_cast<long>(channels[i]));
  std::printf(" 1x1 at %3ld, 2 threads %8.3f ms %7.1f GFLOP/s\n", static_cast<long>(extent), us / 1e3,
              2 * products / us / 1e3);
}

void depthwise(i64 channels, i64 extent, i64 kernel, i64 stride) {
  const i64 pad = kernel / 2;
  convolution({.strides = {stride, stride}, .pads = {pad, pad, pad, pad}, .group = channels}, channels, extent,
              channels, kernel);
}

}  // namespace

int main() {
  const std::vector<i64> two{2, 2}, one{1, 1, 1, 1}, three{3, 3, 3, 3};
  depthwise(96, 112, 3, 1);
  depthwise(144, 56, 3, 2);
  depthwise(192, 20, 5, 1);
  depthwise(240, 28, 5, 2);
  depthwise(960, 7, 3, 1);
  depthwise(24, 64, 3, 1);
  depthwise(8, 96, 3, 1);
  convolution({.pads = one, .group = 32}, 128, 56, 128, 3);
  convolution({.pads = one, .group = 26}, 208, 14, 208, 3);
  convolution({.pads = one, .group = 32}, 512, 14, 512, 3);
  convolution({.strides = two, .pads = three}, 3, 224, 64, 7, true);
  convolution({.strides = two, .pads = one}, 3, 224, 32, 3, true);
  convolution({.pads = one}, 3, 320, 16, 3, true);
  convolution({}, 256, 56, 64, 1);
  convolution({}, 64, 56, 256, 1);
  convolution({}, 384, 64, 128, 1);
  convolution({}, 2048, 7, 512, 1);
  convolution({.pads = one}, 16, 224, 16, 3);
  convolution({.pads = one}, 32, 112, 32, 3);
  convolution({.pads = one}, 64, 56, 64, 3);
  convolution({.pads = one}, 128, 28, 128, 3);
  convolution({.pads = one}, 256, 14, 256, 3);
  convolution({.pads = one}, 512, 7, 512, 3);
  convolution({.pads = one}, 64, 56, 64, 3, false, true);
  convolution({.pads = one}, 256, 14, 256, 3, false, true);
  convolution({.pads = one}, 64, 112, 1, 3);
  convolution({.pads = {4, 4, 4, 4}}, 32, 112, 3, 9);
  in_a_row({256, 64, 256, 64, 256}, 56);
  in_a_row({512, 128, 512, 128, 512}, 28);
  in_a_row({1024, 256, 1024, 256, 1024}, 14);
}
