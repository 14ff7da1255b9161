// `tenon demo`: a small network, built in C++, that says which way the stroke of a picture runs.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/ir/builder.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/runtime/random_tensor.hpp>
#include <tenon/runtime/threads.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#else
#  include <tenon/targets/interpreter.hpp>
#endif

#include "report.hpp"

namespace tenon::tool {
namespace {

constexpr i64 side = 64;
constexpr const char* directions[] = {"horizontal", "falling", "vertical", "rising"};

/// Four line detectors of 7x7: a bright stroke through the middle, dark beside it, no answer to flat areas.
tensor line_filters() {
  tensor w(dtype::f32, {4, 1, 7, 7});
  for (i64 f = 0; f < 4; ++f)
    for (i64 y = -3; y <= 3; ++y)
      for (i64 x = -3; x <= 3; ++x) {
        const i64 away = f == 0 ? y : f == 1 ? x - y : f == 2 ? x : x + y;
        w.set_f64((f * 7 + y + 3) * 7 + x + 3, away == 0 ? 6.0 / 7 : (away == 1 || away == -1) ? 0.0 : -0.2);
      }
  return w;
}

/// Each channel is smoothed, and held down by the others: what is strongest at a place wins there.
tensor rivalry_filters() {
  tensor w(dtype::f32, {4, 4, 3, 3});
  for (i64 i = 0; i < w.size(); ++i) w.set_f64(i, i / 9 / 4 == i / 9 % 4 ? 0.15 : -0.05);
  return w;
}

/// image [1,1,64,64] -> scores [1,4]
ir_module<phases::ingestion> build_network() {
  ir_module<phases::ingestion> result;
  ir::module& m = result.body();
  const type_id image = m.intern(ir::type::tensor(dtype::f32, {1, 1, side, side}));
  const function_id f = m.add_function("main", ir::function_kind::graph, {&image, 1});
  m[f].entry = true;
  m[f].argument_names = {"image"};
  m[f].result_names = {"scores"};
  ir::builder<phases::ingestion::op_list> b(m, m[f].body);
  const auto constant = [&](tensor t, const char* name) {
    return b.make(op::constant{m.add_constant(std::move(t), name)}, {});
  };
  const value_id zero = constant(tensor::scalar(0.f), "zero");
  const auto relu = [&](value_id v) { return b.make(op::maximum{}, {v, zero}); };

  const value_id x = m[m[f].body].arguments[0];
  const value_id lines = relu(b.make(op::conv{.pads = {3, 3, 3, 3}}, {x, constant(line_filters(), "lines")}));
  const value_id pooled = b.make(op::max_pool{.kernel = {2, 2}, .strides = {2, 2}}, {lines});
  const value_id strokes =
      relu(b.make(op::conv{.pads = {1, 1, 1, 1}}, {pooled, constant(rivalry_filters(), "rivalry")}));
  const value_id total = b.make(op::reduce_sum{.axes = {2, 3}}, {strokes});
  const value_id flat = b.make(op::reshape{.shape = {1, 4}}, {total});
  const value_id scaled = b.make(op::mul{}, {flat, constant(tensor::scalar(0.05f), "scale")});
  const value_id scores = b.make(op::softmax{.axis = 1}, {scaled});
  const value_id returned[] = {scores};
  b.make_op(op::return_{}, returned, {});
  m[f].result_types = {m[scores].type};
  return result;
}

/// A stroke that falls from the upper left, with some noise.
tensor draw_picture(u64 seed) {
  tensor t = random_tensor(dtype::f32, {1, 1, side, side}, seed);
  for (i64 i = 0; i < t.size(); ++i) {
    const i64 y = i / side, x = i % side, away = x - y;
    const bool stroke = away >= -1 && away <= 1 && x >= 8 && x < side - 8;
    t.set_f64(i, 0.15 * (t.at_f64(i) + 1) + (stroke ? 0.7 : 0));
  }
  return t;
}

void show_picture(const tensor& t) {
  constexpr std::string_view shades = " .:-=+*#";
  for (i64 y = 0; y < side; y += 4) {
    fmt::print("    ");
    for (i64 x = 0; x < side; x += 2) {
      double most = 0;
      for (i64 dy = 0; dy < 4; ++dy)
        for (i64 dx = 0; dx < 2; ++dx) most = std::max(most, t.at_f64((y + dy) * side + x + dx));
      fmt::print("{}", shades[static_cast<size_t>(std::min(most, 0.999) * static_cast<double>(shades.size()))]);
    }
    fmt::print("\n");
  }
}

int demo(int threads) {
  fmt::print("a network of two convolutions, built in C++: which way does the stroke run?\n\n");
  const tensor picture = draw_picture(7);
  show_picture(picture);
  ir_module<phases::ingestion> m = build_network();
  context cx;
  cx.verify_each = true;
  observer watch;
  watch.explain = true;
  watch.attach(cx);
  const double begin = now_ms();
  std::vector<tensor> outputs;
#if TENON_HAS_LLVM
  targets::cpu target;
  target.threads = threads;
  target.configure(cx);
  const auto built = build<targets::cpu>(std::move(m), cx);
  const program p = load(built);
  fmt::print("\ncompiled for this processor in {:.0f} ms, each pass verified\n", now_ms() - begin);
  print_passes(cx);
  print_phases(watch);
  fmt::print("code {} for {}, arena {}\n", bytes_text(p.description().code_bytes),
             p.description().target.substr(0, p.description().target.find(' ')),
             bytes_text(p.description().arena_bytes));
  outputs = p.run({picture}, threads);
  const auto once = [&] { p.run_into({&picture, 1}, outputs, threads); };
#else
  const auto graph = compile_to<phases::optimization, targets::interpreter>(std::move(m), cx);
  fmt::print("\nprepared for the interpreter in {:.0f} ms, each pass verified (this build has no LLVM)\n",
             now_ms() - begin);
  print_passes(cx);
  print_phases(watch);
  const auto once = [&] { outputs = interpret(graph.body(), "main", {&picture, 1}); };
  once();
#endif
  i64 best = 0;
  for (i64 i = 0; i < 4; ++i) {
    fmt::print("  {:<12}{:.3f}\n", directions[i], outputs[0].at_f64(i));
    if (outputs[0].at_f64(i) > outputs[0].at_f64(best)) best = i;
  }
  fmt::print("the stroke is {}\n", directions[best]);
  print_latency(measure_latency(once), threads > 0 ? threads : available_threads());
  return best == 1 ? 0 : 1;
}

}  // namespace

void add_demo(CLI::App& app, int& status) {
  auto threads = std::make_shared<int>(1);
  CLI::App* sub = app.add_subcommand("demo", "compile and run a small network that is built in C++; needs no file");
  sub->add_option("--threads", *threads, "threads to run on; 0: all")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  sub->callback([threads, &status] { status = demo(*threads); });
}

}  // namespace tenon::tool
