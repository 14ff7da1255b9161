/// @file transposed_conv.ipp: definitions of targets/xsimd/transposed_conv.hpp.
#pragma once

#include <algorithm>

#include <tenon/targets/xsimd/part_steps.ipp>
#include <tenon/targets/xsimd/steps.ipp>
#include <tenon/targets/xsimd/transposed_conv.hpp>

namespace tenon::xsimd_kernels {

bool reads_inside(const op::conv_transpose& c, const std::vector<ir::dim>& weight) {
  const auto phases = op::output_phases(c, weight);
  for (const auto& along : phases)
    for (const op::output_phase& p : along)
      if (p.before() > 0 || p.after() > 0) return false;
  return !phases.empty();
}

namespace detail {

/// Some residues of a phase along one dimension.
struct residue_run {
  op::output_phase phase;
  i64 first = 0, count = 1;
};

inline std::vector<residue_run> residues_of(const std::vector<op::output_phase>& phases, bool together) {
  std::vector<residue_run> r;
  for (const op::output_phase& p : phases) {
    if (together) r.push_back({p, 0, p.residues});
    else
      for (i64 i = 0; i < p.residues; ++i) r.push_back({p, i, 1});
  }
  return r;
}

/// f(at) for each index into lists of these sizes.
template <class F>
void each_choice(const std::vector<i64>& sizes, F&& f) {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return;
  std::vector<i64> at(sizes.size(), 0);
  for (size_t d = sizes.size(); d != 0;) {
    f(at);
    for (d = sizes.size(); d != 0; --d) {
      if (++at[d - 1] < sizes[d - 1]) break;
      at[d - 1] = 0;
    }
  }
}

}  // namespace detail

void transposed_step::plan(const op::conv_transpose& c, const std::vector<i64>& image, const std::vector<i64>& weight,
                           const std::vector<i64>& result, const float* known) {
  using detail::residue_run;
  const size_t spatial = image.size() - 2;
  const std::vector<ir::dim> extents(weight.begin(), weight.end());
  const auto kernel = weight.begin() + (c.panel > 0 ? 1 : 0);
  const std::vector<i64> x_step = row_major_strides(image), y_step = row_major_strides(result);
  const i64 channels = image.back(), inner = channels / c.group;
  outputs = result.back();
  const i64 per_group = outputs / c.group;
  depthwise = inner == 1 && per_group == 1 && c.group > 1;
  const auto phases = op::output_phases(c, extents);
  const auto stride = [&](size_t d) { return c.strides.empty() ? 1 : c.strides[d]; };
  in_stride = channels, out_stride = stride(spatial - 1) * outputs;

  std::vector<std::vector<residue_run>> runs;
  std::vector<i64> choices;
  for (size_t d = 0; d < spatial; ++d) {
    runs.push_back(detail::residues_of(phases[d], d + 1 == spatial && c.group == 1));
    choices.push_back(static_cast<i64>(runs.back().size()));
  }
  /// Where in the weight a tap's product of a channel by an output is.
  const auto place_in_weight = [&](const std::vector<i64>& tap, i64 channel, i64 o) {
    i64 at = c.panel > 0 ? o / c.panel : 0;
    for (size_t d = 0; d < spatial; ++d) at = at * kernel[static_cast<std::ptrdiff_t>(d)] + tap[d];
    at = at * channels + channel;
    return c.panel > 0 ? at * c.panel + o % c.panel : at * per_group + o;
  };
  detail::each_choice(choices, [&](const std::vector<i64>& chosen) {
    std::vector<residue_run> at;
    std::vector<i64> taps, counts{image[0]};
    i64 in = 0, to = 0;
    for (size_t d = 0; d < spatial; ++d) {
      at.push_back(runs[d][static_cast<size_t>(chosen[d])]);
      taps.push_back(at[d].phase.taps);
      counts.push_back(std::max<i64>(0, image[d + 1] + at[d].phase.more));
      in += at[d].phase.input * x_step[d + 1];
      to += (at[d].phase.first + at[d].first) * y_step[d + 1];
    }
    product p;
    p.run = depthwise ? channels : inner;
    p.columns = depthwise ? channels : at.back().count * per_group;
    p.panel = std::min<i64>(2, op::quotient_up(p.columns, k->lanes)) * k->lanes;
    detail::each_choice(taps, [&](const std::vector<i64>& j) {
      i64 offset = 0;
      for (size_t d = 0; d < spatial; ++d) offset -= j[d] * at[d].phase.input_step * x_step[d + 1];
      p.taps.push_back(offset);
    });
    repeats = std::max(repeats, at.back().count);
    const size_t first = products.size();
    for (i64 g = 0; g < (depthwise ? 1 : c.group); ++g) {
      product one = p;
      one.x = g * inner, one.bias = g * per_group;
      const auto add = [&](const std::vector<i64>& j, i64 channel, i64 column) {
        std::vector<i64> tap(spatial);
        for (size_t d = 0; d < spatial; ++d) tap[d] = at[d].phase.tap + at[d].first + j[d] * at[d].phase.tap_step;
        tap.back() += column / per_group;
        one.places.push_back(place_in_weight(tap, channel, column % per_group));
      };
      if (depthwise)
        detail::each_choice(taps, [&](const std::vector<i64>& j) {
          for (i64 channel = 0; channel < channels; ++channel) add(j, channel, 0);
        });
      else
        for (i64 q = 0; q < p.columns; q += p.panel)
          detail::each_choice(taps, [&](const std::vector<i64>& j) {
            for (i64 channel = 0; channel < inner; ++channel)
              for (i64 column = q; column < q + p.panel; ++column)
                if (column < p.columns) add(j, one.x + channel, column);
                else one.places.push_back(-1);
          });
      if (known != nullptr) {
        for (i64 place : one.places) one.weights.push_back(place < 0 ? 0.f : known[place]);
        one.places = {};
      }
      products.push_back(std::move(one));
    }
    // Lines, in pieces whose elements of x stay in a near cache.
    const i64 line = counts.back(), piece = 14 * 16;
    counts.pop_back();
    detail::each_choice(counts, [&](const std::vector<i64>& place) {
      i64 from = in, begin = to;
      for (size_t d = 0; d < place.size(); ++d) {
        from += place[d] * x_step[d];
        begin += place[d] * y_step[d] * (d == 0 ? 1 : stride(d - 1));
      }
      for (size_t i = first; i < products.size(); ++i)
        for (i64 t = 0; t < line; t += piece)
          tasks.push_back(
              {i, p.taps.empty() ? 0 : from + t * in_stride, begin + t * out_stride, std::min(piece, line - t)});
    });
  });
  i64 all = 0;
  for (const task& t : tasks) {
    const product& p = products[t.product];
    all += t.count * (static_cast<i64>(p.taps.size()) * p.run * (depthwise ? 1 : p.columns) + p.columns);
  }
  work = all / std::max<i64>(1, static_cast<i64>(tasks.size()));
}

void transposed_step::run(const frame& f) const {
  // The weights of each product, and the bias beside all columns.
  std::vector<std::vector<float>> made(products.size());
  for (size_t i = 0; i < products.size(); ++i)
    for (i64 place : products[i].places) made[i].push_back(place < 0 ? 0.f : f.data(w)[place]);
  std::vector<float> added;
  if (bias >= 0)
    for (i64 i = 0; i < repeats; ++i) added.insert(added.end(), f.data(bias), f.data(bias) + outputs);
  loop_over(
      static_cast<i64>(tasks.size()), std::max<i64>(1, (i64{1} << 16) / std::max<i64>(1, work)),
      [&](i64 begin, i64 end) {
        std::vector<const float*> rows;
        for (i64 i = begin; i < end; ++i) {
          const task& t = tasks[static_cast<size_t>(i)];
          const product& p = products[t.product];
          const float* in = f.data(x) + t.in + p.x;
          const float* weights = p.weights.empty() ? made[t.product].data() : p.weights.data();
          const float* plus = bias >= 0 ? added.data() + p.bias : nullptr;
          float* to = f.data(out) + t.out + p.bias;
          const i64 taps = static_cast<i64>(p.taps.size());
          if (depthwise) {
            k->depthwise({in, in_stride, t.count, p.taps.data(), taps, 1, weights, plus, to, p.columns, out_stride});
            continue;
          }
          rows.clear();
          for (i64 r = 0; r < t.count; ++r) rows.push_back(in + r * in_stride);
          for (i64 q = 0; q < p.columns; q += p.panel)
            k->gemm({rows.data(), t.count, p.taps.data(), taps, p.run, weights + q * taps * p.run, p.panel,
                     std::min(p.panel, p.columns - q), plus ? plus + q : nullptr, to + q, out_stride});
        }
      },
      f.threads);
}

inline void step_makers::conv_transpose(const op::conv_transpose& c) const {
  auto s = fresh<transposed_step>();
  s->x = p.slot(v.operand(0)), s->w = p.slot(v.operand(1)), s->out = p.slot(v.result());
  if (v.has_operand(2)) s->bias = p.slot(v.operand(2));
  const tensor* w = m.constant_value(p.root(v.operand(1)));
  s->plan(c, shape(0), shape(1), result_shape(), w != nullptr ? w->data<float>().data() : nullptr);
  add(std::move(s));
}

}  // namespace tenon::xsimd_kernels
