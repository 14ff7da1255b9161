/// @file winograd_step.ipp: definitions of targets/xsimd/winograd_step.hpp.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/window.hpp>
#include <tenon/targets/xsimd/part_steps.ipp>
#include <tenon/targets/xsimd/steps.ipp>
#include <tenon/targets/xsimd/winograd_step.hpp>

namespace tenon::xsimd_kernels {

void winograd_step::plan(const op::winograd_conv& op, const std::vector<i64>& image, const std::vector<i64>& result) {
  tile = op.tile, panel = op.panel, outputs = op.columns;
  images = result[0], channels = image[3];
  for (size_t d = 2; d-- > 0;) {
    extent[d] = result[1 + d];
    const i64 tiles = std::max<i64>(op::quotient_up(extent[d], tile), 1);
    if (op.block.size() == 1) {  // so many of a row, or of several rows; all blocks about as large
      const i64 most = d == 1 ? op.block[0] : std::max<i64>(op.block[0] / block[1], 1);
      block[d] = op::quotient_up(tiles, op::quotient_up(tiles, most));
    } else {
      block[d] = !op.block.empty() ? op.block[d] : d == 0 ? 1 : tiles;
    }
    blocks[d] = op::quotient_up(tiles, block[d]);
  }
  const op::winograd_matrices m = op::make_winograd_matrices(tile);
  for (const auto& row : m.input) to_points.insert(to_points.end(), row.begin(), row.end());
  for (const auto& row : m.output) from_points.insert(from_points.end(), row.begin(), row.end());
}

namespace detail {

/// A run of a step on the buffers of `f`.
class winograd_run {
 public:
  winograd_run(const winograd_step& s, const frame& f)
      : s_(s), f_(f), reach_(s.tile + 2), places_(reach_ * reach_), tiles_(s.block[0] * s.block[1]),
        panels_(op::quotient_up(s.outputs, s.panel)), row_(apart(s.channels, 256)), place_(apart(tiles_ * row_, 1024)),
        product_(apart(tiles_ * s.panel, 1024)) {}

  void all() const {
    const i64 count = s_.images * s_.blocks[0] * s_.blocks[1];
    if (count >= f_.threads)
      return loop_over(
          count, 1,
          [&](i64 begin, i64 end) {
            float* memory = scratch(static_cast<size_t>(places_ * (place_ + product_)));
            for (i64 i = begin; i < end; ++i) block(i, memory, 1);
          },
          f_.threads);
    float* memory = scratch(static_cast<size_t>(places_ * (place_ + panels_ * product_)));
    for (i64 i = 0; i < count; ++i) block(i, memory, f_.threads);
  }

 private:
  /// A distance between rows that falls into other sets of the first-level cache from row to row.
  static i64 apart(i64 elements, i64 period) { return elements % period == 0 ? elements + 16 : elements; }

  /// A block in its image: the first output, and how many tiles there are; in the last row and column fewer.
  struct place {
    i64 image, y, x, down, across;
    i64 tiles() const { return down * across; }
  };
  place place_of(i64 number) const {
    const i64 column = number % s_.blocks[1] * s_.block[1], rest = number / s_.blocks[1];
    const i64 row = rest % s_.blocks[0] * s_.block[0];
    return {rest / s_.blocks[0], row * s_.tile, column * s_.tile,
            std::min(s_.block[0], op::quotient_up(s_.extent[0], s_.tile) - row),
            std::min(s_.block[1], op::quotient_up(s_.extent[1], s_.tile) - column)};
  }
  /// f(tile of the block, first output down, across) for some tiles.
  template <class F>
  void tiles(const place& at, i64 begin, i64 end, F&& f) const {
    for (i64 t = begin; t < end; ++t) f(t, at.y + t / at.across * s_.tile, at.x + t % at.across * s_.tile);
  }

  void block(i64 number, float* memory, int threads) const {
    const place b = place_of(number);
    loop_over(b.tiles(), 1, [&](i64 begin, i64 end) { load(memory, b, begin, end); }, threads);
    float* const products = memory + places_ * place_;
    loop_over(
        panels_, 1,
        [&](i64 begin, i64 end) {
          for (i64 p = begin; p < end; ++p) store(memory, products + (threads > 1 ? p * places_ * product_ : 0), p, b);
        },
        threads);
    if (s_.epilogue.empty()) return;
    const i64 rows = std::min(b.down * s_.tile, s_.extent[0] - b.y);
    const i64 columns = std::min(b.across * s_.tile, s_.extent[1] - b.x);
    loop_over(
        rows, 1,
        [&](i64 begin, i64 end) {
          for (i64 r = begin; r < end; ++r) {
            const i64 first = at(b.image, b.y + r, b.x);
            s_.epilogue.run(f_, *s_.k, first, first + columns * s_.outputs);
          }
        },
        threads);
  }
  /// The first channel of an output.
  i64 at(i64 image, i64 y, i64 x) const { return ((image * s_.extent[0] + y) * s_.extent[1] + x) * s_.outputs; }

  void load(float* to, const place& b, i64 begin, i64 end) const {
    const i64 height = s_.extent[0] + 2, width = s_.extent[1] + 2;
    tiles(b, begin, end, [&](i64 t, i64 y, i64 x) {
      s_.k->tile({s_.to_points.data(), reach_, reach_,
                  f_.data(s_.x) + ((b.image * height + y) * width + x) * s_.channels, width * s_.channels, s_.channels,
                  std::min(reach_, height - y), std::min(reach_, width - x), nullptr, to + t * row_, reach_ * place_,
                  place_, reach_, reach_, s_.channels});
    });
  }

  void store(const float* transformed, float* products, i64 p, const place& b) const {
    const i64 columns = std::min(s_.panel, s_.outputs - p * s_.panel);
    constexpr i64 most = 16 * 28;
    for (i64 first = 0; first < b.tiles(); first += most) {
      const float* rows[most];
      const i64 count = std::min(most, b.tiles() - first);
      for (i64 t = 0; t < count; ++t) rows[t] = transformed + (first + t) * row_;
      for (i64 place = 0; place < places_; ++place) {
        const i64 tap = place * place_;
        s_.k->gemm({rows, count, &tap, 1, s_.channels, f_.data(s_.w) + (p * places_ + place) * s_.channels * s_.panel,
                    s_.panel, columns, nullptr, products + place * product_ + first * s_.panel, s_.panel});
      }
    }
    tiles(b, 0, b.tiles(), [&](i64 t, i64 y, i64 x) {
      s_.k->tile({s_.from_points.data(), reach_, s_.tile, products + t * s_.panel, reach_ * product_, product_, reach_,
                  reach_, s_.bias >= 0 ? f_.data(s_.bias) + p * s_.panel : nullptr,
                  f_.data(s_.out) + at(b.image, y, x) + p * s_.panel, s_.extent[1] * s_.outputs, s_.outputs,
                  std::min(s_.tile, s_.extent[0] - y), std::min(s_.tile, s_.extent[1] - x), columns});
    });
  }

  const winograd_step& s_;
  const frame& f_;
  i64 reach_, places_, tiles_, panels_;
  i64 row_, place_,
      product_;  ///< elements from a tile's transform to the next, from a place's, from a place's products
};

}  // namespace detail

void winograd_step::run(const frame& f) const {
  if (images * extent[0] * extent[1] != 0) detail::winograd_run(*this, f).all();
}

inline void step_makers::winograd(value_id out, chain epilogue) const {
  auto s = fresh<winograd_step>();
  s->x = p.slot(v.operand(0)), s->w = p.slot(v.operand(1)), s->out = p.slot(out);
  if (v.has_operand(2)) s->bias = p.slot(v.operand(2));
  s->plan(v.as<op::winograd_conv>(), shape(0), result_shape());
  s->epilogue = std::move(epilogue);
  add(std::move(s));
}

}  // namespace tenon::xsimd_kernels
