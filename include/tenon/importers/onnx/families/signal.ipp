/// @file signal: ONNX signal operators: windows, DFT, STFT. Transforms are products with matrices, which are constant
/// where lengths are known.
#pragma once

#include <cmath>
#include <numbers>

#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx/context.hpp>

namespace tenon::importers::onnx {
namespace handlers {

/// a - b cos(2 pi n / N) + c cos(4 pi n / N), where N is the size, or one less when not periodic.
inline void cosine_window(import_context& cx, double a, double b, double c) {
  const dtype t = cx.element_type("output_datatype", dtype::f32), wide = at_least_f32(t);
  value_id size = cx.in(0);
  if (cx.rank(size) == 1) size = cx.reshape(size, {});
  size = cx.cast(size, dtype::i64);
  if (const tensor* const known = cx.constant_of(size); known && known->at_i64(0) < 0)
    cx.bad("a window of " + std::to_string(known->at_i64(0)) + " elements");
  const value_id n = cx.cast(cx.make(op::range{}, {cx.scalar(dtype::i64, 0), size, cx.scalar(dtype::i64, 1)}), wide);
  value_id period = cx.cast(size, wide);
  if (cx.i("periodic", 1) == 0) period = cx.add(period, -1.);
  const value_id angle = cx.div(cx.mul(n, 2 * std::numbers::pi), period);
  value_id y = cx.add(cx.mul(cx.make(op::cos{}, {angle}), -b), a);
  if (c != 0) y = cx.add(y, cx.mul(cx.make(op::cos{}, {cx.mul(angle, 2.)}), c));
  cx.out(cx.cast(y, t));
}
inline void hann_window(import_context& cx, const node&) { cosine_window(cx, 0.5, 0.5, 0); }
inline void hamming_window(import_context& cx, const node&) { cosine_window(cx, 25. / 46, 21. / 46, 0); }
inline void blackman_window(import_context& cx, const node&) { cosine_window(cx, 0.42, 0.5, 0.08); }

/// cos or sin of 2 pi row column / length: rows × columns, times a factor.
inline value_id wave_matrix(import_context& cx, dtype t, i64 rows, i64 columns, i64 length, bool sine, double factor) {
  if (checked_mul(rows, columns) > (i64{1} << 24)) cx.unsupported("a Fourier transform of more than 4096 points");
  tensor m = cx.blank(t, {rows, columns});
  for (i64 r = 0; r < rows; ++r)
    for (i64 c = 0; c < columns; ++c) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(r * c % length) / static_cast<double>(length);
      m.set_f64(r * columns + c, factor * (sine ? std::sin(angle) : std::cos(angle)));
    }
  return cx.constant(m);
}

struct complex_value {
  value_id real, imaginary;  // imaginary is value_id{} for real values
};

/// 0, 1, … up to a number that the run knows.
inline value_id counted(import_context& cx, value_id count) {
  return cx.make(op::range{}, {cx.scalar(dtype::i64, 0), count, cx.scalar(dtype::i64, 1)});
}

inline complex_value times(import_context& cx, complex_value x, value_id cosine, value_id sine) {
  complex_value y{cx.matmul(x.real, cosine), cx.matmul(x.real, sine)};
  if (x.imaginary) {
    y.real = cx.sub(y.real, cx.matmul(x.imaginary, sine));
    y.imaginary = cx.add(y.imaginary, cx.matmul(x.imaginary, cosine));
  }
  return y;
}

/// The transform along the last dimension, whose extent is `length`, to `points` results.
inline complex_value fourier(import_context& cx, complex_value x, i64 length, i64 points, bool inverse) {
  const dtype t = cx.elem(x.real);
  const double factor = inverse ? 1. / static_cast<double>(length) : 1., sign = inverse ? factor : -factor;
  const value_id cosine = wave_matrix(cx, t, length, points, length, false, factor);
  return times(cx, x, cosine, wave_matrix(cx, t, length, points, length, true, sign));
}

/// cos and sin of 2 pi row column / length, of sizes that the run knows, divided by the length if `inverse`.
inline complex_value open_waves(import_context& cx, dtype t, value_id rows, value_id columns, value_id length,
                                bool inverse) {
  const value_id r = cx.unsqueeze(counted(cx, rows), {1}), c = cx.unsqueeze(counted(cx, columns), {0});
  const value_id turns = cx.make(op::mod{}, {cx.mul(r, c), length});  // angles stay small, and exact
  const value_id all = cx.cast(length, at_least_f32(t));
  const value_id angle = cx.mul(cx.div(cx.cast(turns, cx.elem(all)), all), 2 * std::numbers::pi);
  value_id cosine = cx.make(op::cos{}, {angle}), sine = cx.make(op::sin{}, {angle});
  if (inverse) cosine = cx.div(cosine, all), sine = cx.div(sine, all);
  return {cosine, sine};
}

/// `fourier` of a length that the run knows, with matrices that it computes.
inline complex_value open_fourier(import_context& cx, complex_value x, value_id length, value_id points, bool inverse) {
  const dtype t = cx.elem(x.real);
  const complex_value waves = open_waves(cx, t, length, points, length, inverse);
  const value_id sine = inverse ? waves.imaginary : cx.make(op::neg{}, {waves.imaginary});
  return times(cx, x, cx.cast(waves.real, t), cx.cast(sine, t));
}

/// The last dimension (of 1 or 2) taken apart.
inline complex_value to_complex(import_context& cx, value_id x) {
  const i64 last = cx.rank(x) - 1;
  const ir::dim parts = cx.dim(x, -1);
  if (!parts.is_static())
    cx.unsupported("numbers that are real or complex, which the shape does not say",
                   "give the shapes of the model's inputs");
  if (parts != ir::dim(1) && parts != ir::dim(2)) cx.bad("the last dimension must be 1 (real) or 2 (complex)");
  const auto part = [&](i64 k) { return cx.squeeze(cx.slice(x, last, k, k + 1), {last}); };
  return {part(0), parts == ir::dim(2) ? part(1) : value_id{}};
}
inline value_id from_complex(import_context& cx, complex_value x) {
  const i64 last = cx.rank(x.real);
  return cx.concat({cx.unsqueeze(x.real, {last}), cx.unsqueeze(x.imaginary, {last})}, last);
}

/// Cuts or pads the last dimension to a length.
inline value_id fit_last(import_context& cx, value_id x, i64 length) {
  const ir::dim have = cx.dim(x, -1);
  if (!have.is_static()) cx.unsupported("a Fourier transform of a length that is not known");
  const i64 last = cx.rank(x) - 1;
  if (have.extent() > length) return cx.slice(x, last, 0, length);
  if (have.extent() == length) return x;
  op::pad p;
  p.before = {0};
  p.after = {length - have.extent()};
  p.axes = {last};
  return cx.make(p, {x});
}

/// One-sided spectra hold points 0 … n / 2; the inverse of one is real, from its mirror image.
inline value_id inverse_of_half(import_context& cx, complex_value x, i64 length) {
  const i64 points = length / 2 + 1;
  const dtype t = cx.elem(x.real);
  tensor cosine = cx.blank(t, {points, length}), sine = cx.blank(t, {points, length});
  for (i64 k = 0; k < points; ++k)
    for (i64 n = 0; n < length; ++n) {
      const double twice = k == 0 || 2 * k == length ? 1 : 2;
      const double angle = 2 * std::numbers::pi * static_cast<double>(k * n % length) / static_cast<double>(length);
      cosine.set_f64(k * length + n, twice * std::cos(angle) / static_cast<double>(length));
      sine.set_f64(k * length + n, twice * std::sin(angle) / static_cast<double>(length));
    }
  const value_id even = cx.matmul(fit_last(cx, x.real, points), cx.constant(cosine));
  if (!x.imaginary) return even;
  return cx.sub(even, cx.matmul(fit_last(cx, x.imaginary, points), cx.constant(sine)));
}

/// The same of as many points as the run has, which make 2 (points - 1) numbers: all but the first and the last stand
/// for their mirror images, too.
inline value_id open_inverse_of_half(import_context& cx, complex_value x, value_id points) {
  const dtype t = cx.elem(x.real);
  const value_id last = cx.add(points, -1.), length = cx.mul(last, 2.), at = counted(cx, points);
  const complex_value waves = open_waves(cx, t, points, length, length, true);
  const value_id inner =
      cx.make(op::logical_and{}, {cx.make(op::greater{}, {at, cx.like(at, 0)}), cx.make(op::less{}, {at, last})});
  const value_id times = cx.unsqueeze(cx.add(cx.cast(inner, cx.elem(waves.real)), 1.), {1});
  const auto part = [&](value_id v, value_id wave) { return cx.matmul(v, cx.cast(cx.mul(wave, times), t)); };
  const value_id even = part(x.real, waves.real);
  return x.imaginary ? cx.sub(even, part(x.imaginary, waves.imaginary)) : even;
}

/// The axis is an attribute in operator set 17 (default 1), an input in 20 (default the last but the complex one).
inline void dft(import_context& cx, const node&) {
  const value_id x = cx.in(0);
  const int rank = cx.rank(x);
  i64 axis = cx.opset() >= 20 ? -2 : cx.i("axis", 1);
  if (cx.opset() >= 20 && cx.has(2)) axis = cx.in_integer(2);
  axis = cx.axis(axis, rank);
  const bool inverse = cx.i("inverse", 0) != 0, one_sided = cx.i("onesided", 0) != 0;
  const ir::dim extent = cx.dim(x, static_cast<int>(axis));
  i64 length = extent.is_static() ? extent.extent() : -1;
  if (one_sided && inverse && length > 0) length = 2 * (length - 1);
  if (cx.has(1)) length = cx.in_integer(1);
  const bool open = !extent.is_static() && !cx.has(1);
  if (!open && (length < 1 || length > 4096))
    cx.unsupported(length < 0 ? "a Fourier transform of a length that is not known"
                              : "a Fourier transform of " + std::to_string(length) + " points");
  std::vector<i64> order;  // the transformed axis last; its own inverse order brings it back
  for (i64 d = 0; d < rank - 1; ++d)
    if (d != axis) order.push_back(d);
  order.push_back(axis);
  std::vector<i64> back(order.size());
  for (size_t d = 0; d < order.size(); ++d) back[static_cast<size_t>(order[d])] = static_cast<i64>(d);
  const complex_value parts = to_complex(cx, x);
  const auto last = [&](value_id v) { return v ? cx.transpose(v, order) : v; };
  complex_value y{last(parts.real), last(parts.imaginary)};
  if (one_sided && inverse) {
    const value_id half =
        open ? open_inverse_of_half(cx, y, cx.count(x, {axis}, dtype::i64)) : inverse_of_half(cx, y, length);
    const value_id real = cx.transpose(half, back);
    return cx.out(cx.unsqueeze(real, {rank - 1}));
  }
  if (open) {
    const value_id n = cx.count(x, {axis}, dtype::i64);
    y = open_fourier(cx, y, n, one_sided ? cx.add(cx.div(n, cx.like(n, 2)), 1.) : n, inverse);
  } else {
    y = {fit_last(cx, y.real, length), y.imaginary ? fit_last(cx, y.imaginary, length) : value_id{}};
    y = fourier(cx, y, length, one_sided ? length / 2 + 1 : length, inverse);
  }
  cx.out(from_complex(cx, {cx.transpose(y.real, back), cx.transpose(y.imaginary, back)}));
}

/// Frames of the signal, each times the window and transformed: [batch, frames, points, 2].
inline void stft(import_context& cx, const node&) {
  const value_id signal = cx.in(0);
  const i64 step = cx.in_integer(1);
  const ir::dim samples = cx.dim(signal, 1);
  i64 length = -1;
  if (cx.has(3)) length = cx.in_integer(3);
  else if (cx.has(2) && cx.dim(cx.in(2), 0).is_static()) length = cx.dim(cx.in(2), 0).extent();
  if (length < 1 || step < 1 || !cx.require_at_least(samples, length))
    cx.unsupported("an STFT whose sizes are not known");
  value_id indices;
  if (samples.is_static()) {
    const i64 frames = 1 + (samples.extent() - length) / step;
    tensor at = cx.blank(dtype::i64, {frames, length});
    for (i64 f = 0; f < frames; ++f)
      for (i64 k = 0; k < length; ++k) at.set_i64(f * length + k, f * step + k);
    indices = cx.constant(at);
  } else {  // as many as fit
    const value_id all = cx.count(signal, {1}, dtype::i64);
    const value_id frames = cx.div(cx.maximum(cx.add(all, static_cast<double>(step - length)), 0.),
                                   cx.like(all, static_cast<double>(step)));
    tensor within = cx.blank(dtype::i64, {1, length});
    for (i64 k = 0; k < length; ++k) within.set_i64(k, k);
    indices = cx.add(cx.unsqueeze(cx.mul(counted(cx, frames), static_cast<double>(step)), {1}), cx.constant(within));
  }
  value_id source = signal;
  if (cx.rank(source) == 2) source = cx.unsqueeze(source, {2});
  complex_value x = to_complex(cx, source);
  const auto framed = [&](value_id v) {
    if (!v) return v;
    const value_id all = cx.gather(v, indices, 1);
    return cx.has(2) ? cx.mul(all, cx.in(2)) : all;
  };
  x = {framed(x.real), framed(x.imaginary)};
  const bool one_sided = cx.i("onesided", 1) != 0 && !x.imaginary;
  cx.out(from_complex(cx, fourier(cx, x, length, one_sided ? length / 2 + 1 : length, false)));
}

/// A triangle per mel bin over the bins of a spectrum, between centers at equal distances on the mel scale.
inline void mel_weight_matrix(import_context& cx, const node&) {
  const i64 mels = cx.in_integer(0), length = cx.in_integer(1), rate = cx.in_integer(2);
  if (mels < 1 || length < 1 || rate < 1 || mels > 65536 || length > (i64{1} << 24) / mels)
    cx.bad("the matrix of " + std::to_string(mels) + " mel bins for " + std::to_string(length) + " points");
  const auto to_mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double low = to_mel(cx.in_number(3)), high = to_mel(cx.in_number(4));
  const double step = (high - low) / static_cast<double>(mels + 2);
  const i64 bins = length / 2 + 1;
  std::vector<i64> edges;
  for (i64 k = 0; k < mels + 2; ++k) {
    const double hertz = 700 * (std::pow(10., (static_cast<double>(k) * step + low) / 2595) - 1);
    const double bin = std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
    if (!(bin >= 0 && bin <= static_cast<double>(bins))) cx.bad("the mel bins reach outside of the spectrum");
    edges.push_back(static_cast<i64>(bin));
  }
  tensor m = cx.blank(cx.element_type("output_datatype", dtype::f32), {bins, mels});
  const auto set = [&](i64 bin, i64 mel, double w) {
    if (bin < bins) m.set_f64(bin * mels + mel, w);
  };
  for (i64 k = 0; k < mels; ++k) {
    const size_t at = static_cast<size_t>(k);
    const i64 first = edges[at], center = edges[at + 1], last = edges[at + 2];
    if (center == first) set(center, k, 1);
    for (i64 b = first; center > first && b <= center; ++b)
      set(b, k, static_cast<double>(b - first) / static_cast<double>(center - first));
    for (i64 b = center; b < last; ++b) set(b, k, static_cast<double>(last - b) / static_cast<double>(last - center));
  }
  cx.out(cx.constant(m));
}

}  // namespace handlers

std::span<const registered_operator> families::signal() {
  using namespace handlers;
  static constexpr registered_operator table[] = {
      {"BlackmanWindow", blackman_window, "", 17, 1, 1, "output_datatype:i periodic:i", "i"},
      {"DFT", dft, "", 17, {1, 2}, 1, "axis:i inverse:i onesided:i", "f i i"},
      {"DFT", dft, "", 20, {1, 3}, 1, "inverse:i onesided:i", "f i i"},
      {"HammingWindow", hamming_window, "", 17, 1, 1, "output_datatype:i periodic:i", "i"},
      {"HannWindow", hann_window, "", 17, 1, 1, "output_datatype:i periodic:i", "i"},
      {"MelWeightMatrix", mel_weight_matrix, "", 17, 5, 1, "output_datatype:i", "i i i f"},
      {"STFT", stft, "", 17, {2, 4}, 1, "onesided:i", "f i f i"},
  };
  return table;
}

}  // namespace tenon::importers::onnx
