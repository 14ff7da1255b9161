// Quantized convolutions (u8 image, i8 weights, 3x3, 128 to 128 channels, 28x28, all and depthwise) and a matrix
// product, each in bytes, as the pipeline without use_byte_products has it, and in f32; the convolution also without
// transformed tiles, which it has where words are multiplied; products of rows by 2048 x 8192 weights of 4 bits, of
// f32, and of f32 rounded as `precision` says; two such convolutions of f16 with a function between them, as `cpu` has
// them and with the rounding behind each op: user time of the best of some runs, in one program.
//   ctest --test-dir build/gcc -L bench -R kernels.quantized -V
#include <algorithm>
#include <cstdio>
#include <string>

#include <sys/resource.h>

#include <tenon/targets/cpu.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

namespace {

struct in_floats : targets::cpu {
  static constexpr fixed_string name = "in_floats";
  using pipeline = targets::cpu::pipeline::edit<without<passes::use_byte_products>>;
};

struct direct : targets::cpu {
  static constexpr fixed_string name = "direct";
  using pipeline = targets::cpu::pipeline::edit<without<passes::use_winograd>>;
};

struct in_halves : targets::cpu {
  static constexpr fixed_string name = "in_halves";
  using pipeline = targets::cpu::pipeline::edit<without<passes::widen_halves>>;
};

/// `quantized`: dequantize, multiply, quantize; else the product of floats alone.
ir_module<phases::ingestion> model(bool conv, bool quantized, i64 group) {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  const std::vector<ir::dim> shape = conv ? std::vector<ir::dim>{1, 128, 28, 28} : std::vector<ir::dim>{256, 512};
  const type_id type = m.intern(ir::type::tensor(quantized ? dtype::u8 : dtype::f32, shape));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&type, 1});
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto constant = [&](tensor t) { return b.make(op::constant{m.add_constant(std::move(t))}, {}); };
  const auto number = [&](float v) { return constant(tensor::scalar(v)); };
  tensor weights(dtype::i8, conv ? std::vector<i64>{128, 128 / group, 3, 3} : std::vector<i64>{512, 512});
  for (i64 i = 0; i < weights.size(); ++i) weights.set_i64(i, i * 7919 % 255 - 127);
  value_id x = m[m[f].body].arguments[0];
  value_id w = constant(quantized ? weights : weights.cast(dtype::f32));
  if (quantized) {
    x = b.make(op::dequantize{}, {x, number(0.02f), constant(tensor::scalar<u8>(120))});
    w = b.make(op::dequantize{}, {w, number(0.01f)});
  }
  value_id y = conv ? b.make(op::conv{.pads = {1, 1, 1, 1}, .group = group}, {x, w}) : b.make(op::matmul{}, {x, w});
  y = b.make(op::maximum{}, {y, number(0)});
  if (quantized) {
    y = b.make(op::round{}, {b.make(op::div{}, {y, number(0.7f)})});
    y = b.make(op::cast{dtype::u8}, {b.make(op::minimum{}, {y, number(255)})});
  }
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  return graph;
}

/// Rows times 2048 x 8192 weights: of 4 bits in blocks of 32 with zero points, or of the type that all has.
ir_module<phases::ingestion> weights_of_bits(i64 rows, bool packed, dtype all = dtype::f32) {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  const type_id type = m.intern(ir::type::tensor(all, {rows, 2048}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&type, 1});
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto constant = [&](dtype t, const std::vector<i64>& shape) {
    tensor w(t, shape);
    for (i64 i = 0; i < w.size(); ++i) w.set_i64(i, i * 7919 % 113);
    return b.make(op::constant{m.add_constant(std::move(w))}, {});
  };
  const value_id x = m[m[f].body].arguments[0];
  const value_id y = packed ? b.make(op::matmul_nbits{.bits = 4, .block = 32, .depth = 2048, .columns = 8192},
                                     {x, constant(dtype::u8, {8192, 64, 16}), constant(dtype::f32, {8192, 64}),
                                      constant(dtype::u8, {8192, 32})})
                            : b.make(op::matmul{}, {x, constant(all, {2048, 8192})});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  return graph;
}

/// Two 3x3 convolutions of 64 channels at 56x56, with x · sigmoid(x) and a residual.
ir_module<phases::ingestion> block_of(dtype t) {
  ir_module<phases::ingestion> graph;
  ir::module& m = graph.body();
  const type_id type = m.intern(ir::type::tensor(t, {1, 64, 56, 56}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&type, 1});
  m[f].entry = true;
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto weight = [&](i64 seed) {
    tensor w(dtype::f32, {64, 64, 3, 3});
    for (i64 i = 0; i < w.size(); ++i) w.set_f64(i, static_cast<double>((i + seed) * 7919 % 255 - 127) / 2048);
    return b.make(op::constant{m.add_constant(w.cast(t))}, {});
  };
  const op::conv conv{.pads = {1, 1, 1, 1}};
  const value_id x = m[m[f].body].arguments[0], first = b.make(conv, {x, weight(0)});
  const value_id active = b.make(op::mul{}, {first, b.make(op::sigmoid{}, {first})});
  const value_id y = b.make(op::add{}, {b.make(conv, {active, weight(1)}), x});
  b.make_op(op::return_{}, {&y, 1}, {});
  m[f].result_types = {m[y].type};
  return graph;
}

double user_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_utime.tv_sec) + 1e-6 * static_cast<double>(u.ru_utime.tv_usec);
}

double least(const program& p, const tensor& x) {
  double best = 1e9;
  for (int round = 0; round < 12; ++round) {
    const double start = user_seconds();
    for (int i = 0; i < 20; ++i) p["main"](x);
    best = std::min(best, (user_seconds() - start) / 20);
  }
  return best * 1e3;
}

template <class Target>
double measure(bool conv, bool quantized, i64 group) {
  tensor x(quantized ? dtype::u8 : dtype::f32, conv ? std::vector<i64>{1, 128, 28, 28} : std::vector<i64>{256, 512});
  for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i * 31 % 251);
  return least(load(build<Target>(model(conv, quantized, group))), x);
}

void few_bits(i64 rows) {
  using enum targets::precision;
  tensor x(dtype::f32, {rows, 2048});
  for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, i * 31 % 251);
  const auto time = [&](bool packed, targets::precision precision = standard, dtype all = dtype::f32) {
    targets::cpu one;
    one.threads = 1, one.precision = precision;
    context cx;
    one.configure(cx);
    return least(load(build<targets::cpu>(weights_of_bits(rows, packed, all), cx)), x.cast(all));
  };
  const double floats = time(false);
  const auto line = [&](const char* what, double ms, double bytes) {
    std::printf("%-6s, %3lld rows: %.3f ms (%.1f GB/s of weights), f32 %.3f ms: %.2f times as fast\n", what,
                static_cast<long long>(rows), ms, 2048. * 8192 * bytes / ms / 1e6, floats, floats / ms);
  };
  line("4 bits", time(true), 0.5 + 5. / 32);
  line("int8", time(false, int8), 1);
  line("f16", time(false, f16), 2);
  line("bf16", time(false, bf16), 2);
  line("halves", time(false, standard, dtype::f16), 2);
}

void halves() {
  tensor x(dtype::f32, {1, 64, 56, 56});
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i * 31 % 251) / 128 - 1);
  const double floats = least(load(build<targets::cpu>(block_of(dtype::f32))), x);
  for (dtype t : {dtype::f16, dtype::bf16}) {
    const double wide = least(load(build<targets::cpu>(block_of(t))), x.cast(t)),
                 rounded = least(load(build<in_halves>(block_of(t))), x.cast(t));
    std::printf("%-12s %.3f ms, rounded behind each op %.3f ms, f32 %.3f ms\n", std::string(name_of(t)).c_str(), wide,
                rounded, floats);
  }
}

void line(const char* what, bool conv, double products, i64 group = 1) {
  const double bytes = measure<targets::cpu>(conv, true, group), unfused = measure<in_floats>(conv, true, group),
               floats = measure<targets::cpu>(conv, false, group);
  std::printf("%-12s bytes %.3f ms (%.0f Gop/s), dequantized %.3f ms, f32 %.3f ms: %.2f and %.2f times as fast\n", what,
              bytes, 2 * products / bytes / 1e6, unfused, floats, unfused / bytes, floats / bytes);
}

}  // namespace

int main() {
  line("convolution", true, 128. * 128 * 9 * 28 * 28);
  std::printf("%-12s bytes %.3f ms without transformed tiles\n", "", measure<direct>(true, true, 1));
  line("depthwise", true, 128. * 9 * 28 * 28, 128);
  line("product", false, 256. * 512 * 512);
  halves();
  for (i64 rows : {1, 4, 16, 128}) few_bits(rows);
}
