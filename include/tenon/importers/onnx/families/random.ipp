/// @file random: ONNX random operators: uniform and normal numbers, Bernoulli, Multinomial.
///
/// Number k of a node is a hash of k and of its seed, made of integer ops, so it is the same on every target and thread
/// count. A node with the attribute `seed` draws the same numbers in every run; one without draws others each time: its
/// seed is drawn by the host then (`draw_seed`). With `import_options::random_seed` it follows from that number and the
/// name of the node's output instead, and the model needs no host.
#pragma once

#include <algorithm>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

inline value_id seed_of(import_context& cx) {
  const auto number = [&](u32 n) { return cx.scalar(dtype::u32, static_cast<double>(n)); };
  if (const attribute* const a = cx.find("seed"))  // an integer of Dropout, a float of the others
    return number(a->type == attribute::type_t::int_ ? static_cast<u32>(a->i) : std::bit_cast<u32>(cx.f("seed")));
  if (!cx.options().random_seed) return cx.make(op::draw_seed{}, {});
  u32 h = 2166136261u ^ *cx.options().random_seed;  // FNV-1a
  for (const char c : cx.current().outputs.at(0)) h = (h ^ static_cast<u8>(c)) * 16777619u;
  return number(h);
}

/// Uniform f32 in (0, 1) of a shape (i64 of rank 1): multiples of 2^-24, moved by half of that.
inline value_id uniform_numbers(import_context& cx, value_id shape, value_id seed) {
  const value_id count = cx.make(op::reduce_prod{.axes = {0}, .keep_dims = false}, {shape});
  value_id x = cx.make(op::range{}, {cx.scalar(dtype::i64, 0), count, cx.scalar(dtype::i64, 1)});
  const auto number = [&](u32 n) { return cx.scalar(dtype::u32, static_cast<double>(n)); };
  x = cx.add(cx.mul(cx.cast(x, dtype::u32), number(0x9e3779b9u)), seed);
  // The mixing steps of lowbias32: Chris Wellons, "Prospecting for Hash Functions", 2018.
  const auto mixed = [&](u32 shift) {
    x = cx.make(op::bit_xor{}, {x, cx.make(op::shift_right{}, {x, number(shift)})});
  };
  mixed(16), x = cx.mul(x, number(0x7feb352du));
  mixed(15), x = cx.mul(x, number(0x846ca68bu));
  mixed(16);
  const value_id top = cx.cast(cx.make(op::shift_right{}, {x, number(8)}), dtype::f32);
  return cx.make(op::reshape{}, {cx.mul(cx.add(top, 0.5), 0x1p-24), shape});
}

/// Box and Muller: the radius from one number, the angle from another.
inline value_id normal_numbers(import_context& cx, value_id shape, value_id seed) {
  const value_id radius = cx.make(op::sqrt{}, {cx.mul(cx.make(op::log{}, {uniform_numbers(cx, shape, seed)}), -2.)});
  const value_id other = cx.make(op::bit_xor{}, {seed, cx.scalar(dtype::u32, 0x5bd1e995u)});
  const value_id angle = cx.mul(uniform_numbers(cx, shape, other), 6.283185307179586);
  return cx.mul(radius, cx.make(op::cos{}, {angle}));
}

/// The attribute: extents.
inline value_id given_shape(import_context& cx) {
  const std::vector<i64> shape = cx.integers("shape");
  const bool negative = std::any_of(shape.begin(), shape.end(), [](i64 d) { return d < 0; });
  if (negative || !checked_count(shape)) cx.bad("shape is " + shape_text(shape));
  return cx.list(shape);
}

inline void write_uniform(import_context& cx, value_id shape, dtype t) {
  const double low = cx.f("low", 0.f), high = cx.f("high", 1.f);
  cx.out(cx.cast(cx.add(cx.mul(uniform_numbers(cx, shape, seed_of(cx)), high - low), low), t));
}
inline void write_normal(import_context& cx, value_id shape, dtype t) {
  const double mean = cx.f("mean", 0.f), scale = cx.f("scale", 1.f);
  cx.out(cx.cast(cx.add(cx.mul(normal_numbers(cx, shape, seed_of(cx)), scale), mean), t));
}
inline void random_uniform(import_context& cx, const node&) {
  write_uniform(cx, given_shape(cx), cx.element_type("dtype", dtype::f32));
}
inline void random_normal(import_context& cx, const node&) {
  write_normal(cx, given_shape(cx), cx.element_type("dtype", dtype::f32));
}
inline void random_uniform_like(import_context& cx, const node&) {
  write_uniform(cx, cx.shape_of(cx.in(0)), cx.element_type("dtype", cx.elem(cx.in(0))));
}
inline void random_normal_like(import_context& cx, const node&) {
  write_normal(cx, cx.shape_of(cx.in(0)), cx.element_type("dtype", cx.elem(cx.in(0))));
}

/// One where a uniform number is below the input.
inline void bernoulli(import_context& cx, const node&) {
  const value_id p = cx.in(0);
  const value_id u = uniform_numbers(cx, cx.shape_of(p), seed_of(cx));
  cx.out(cx.cast(cx.less(cx.cast(u, compute_type(cx.elem(p))), cx.cast(p, compute_type(cx.elem(p)))),
                 cx.element_type("dtype", cx.elem(p))));
}

/// Classes drawn by unnormalized log-probabilities: the largest of them plus noise of Gumbel's distribution.
inline void multinomial(import_context& cx, const node&) {
  const value_id x = cx.cast(cx.in(0), dtype::f32);
  if (cx.rank(x) != 2) cx.bad("the input must be [batch, classes]");
  if (const i64 size = cx.i("sample_size", 1); size < 1) cx.bad("sample_size is " + std::to_string(size));
  const value_id scores = cx.unsqueeze(x, {1});
  const value_id samples = cx.list({cx.i("sample_size", 1)});
  const value_id whole = cx.shape_of(x);
  const value_id shape = cx.concat({cx.slice(whole, 0, 0, 1), samples, cx.slice(whole, 0, 1, 2)}, 0);
  const value_id inner = cx.make(op::neg{}, {cx.make(op::log{}, {uniform_numbers(cx, shape, seed_of(cx))})});
  const value_id noise = cx.make(op::neg{}, {cx.make(op::log{}, {inner})});
  const value_id best =
      cx.make(op::arg_max{.axis = 2, .keep_dims = false, .select_last = false}, {cx.add(scores, noise)});
  cx.out(cx.cast(best, cx.element_type("dtype", dtype::i32)));
}

}  // namespace handlers

std::span<const registered_operator> families::random() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"Bernoulli", bernoulli, "", 15, 1, 1, "dtype:i seed:f", "f"},
      {"Multinomial", multinomial, "", 7, 1, 1, "dtype:i sample_size:i seed:f", "f"},
      {"RandomNormal", random_normal, "", 1, 0, 1, "dtype:i mean:f scale:f seed:f shape:is!"},
      {"RandomNormalLike", random_normal_like, "", 1, 1, 1, "dtype:i mean:f scale:f seed:f", "*"},
      {"RandomUniform", random_uniform, "", 1, 0, 1, "dtype:i high:f low:f seed:f shape:is!"},
      {"RandomUniformLike", random_uniform_like, "", 1, 1, 1, "dtype:i high:f low:f seed:f", "*"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
