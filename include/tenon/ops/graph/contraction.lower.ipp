/// @file contraction.lower.ipp: loop nests of matrix products and convolutions, by `loop.contract` wherever its
/// operands allow: b's rows contiguous in n, no padding to guard.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/depthwise.lower.ipp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace detail {

/// In what products are summed: 16-bit floats in f32, narrow integers in 32 bits (they wrap when they are stored).
constexpr dtype product_type(dtype t, dtype other) {
  if (is_byte_product(t, other)) return dtype::i32;
  if (t == dtype::i16 || t == dtype::i8) return dtype::i32;
  if (t == dtype::u16 || t == dtype::u8) return dtype::u32;
  return sum_type(t);
}

/// How many columns of an operand that is not packed one contraction takes.
inline constexpr i64 unpacked_columns = 64;

/// Whether rows that are `bytes` apart fall into so few sets of the first-level cache (64 sets of 64 bytes) that a
/// block of a dozen rows, each read along its line, throws itself out.
constexpr bool rows_collide(i64 bytes) { return bytes != 0 && bytes % 1024 == 0; }

/// Copies an operand of a contraction into rows of `elem` that do not collide: the last dimension gets `collision_gap`
/// more elements. `from` says where the element at an index of `extents` comes from.
inline constexpr i64 collision_gap = 16;
template <class F>
value_id copy_rows(lower_context& cx, value_id buffer, dtype elem, const std::vector<ir::dim>& extents, F&& from) {
  ir::loop_builder& b = cx.b();
  std::vector<ir::dim> wider = extents;
  wider.back() = wider.back().extent() + collision_gap;
  const value_id copy = cx.scratch(elem, wider);
  index_list loops;
  for (ir::dim d : extents) loops.push_back(cx.extent(d));
  b.nest(loops, [&](const index_list& at) { b.store(b.convert(b.load(buffer, from(at)), elem), copy, at); });
  return copy;
}
/// Two products at once are of words (`loop::contract::products_together`): bytes are copied to such.
constexpr bool multiplies_words(i64 interleave) { return interleave == 2; }

inline index_list joined(index_list a, std::initializer_list<index_expr> rest) {
  a.insert(a.end(), rest.begin(), rest.end());
  return a;
}

/// Whether a product packs its right operand when it runs. That costs a read and a write of each element. It saves what
/// rows of b that are far apart cost (a page each, and few sets of a cache where the distance is a power of two) for
/// each block of rows of a: nothing as long as the second-level cache holds most of b, or with few blocks. Measured on
/// Zen 5. With vectors of half a line, fewer rows suffice where those of b fall into so few sets of that cache (`way`
/// bytes apart, rows share one) that a block of columns throws itself out: measured on Zen 3, where it pays, and on
/// Zen 5, where it does not.
inline bool pays_to_pack(const ir::type& a, const ir::type& b, i64 panel) {
  constexpr i64 least_rows = 128, least_bytes = i64{4} << 20, way = i64{64} << 10, ways = 16, line = 64;
  const i64 least_colliding_rows = panel * tenon::size_of(b.elem) < 2 * line ? 32 : least_rows;
  if (a.rank() < 2 || b.rank() < 2 || !a.is_static() || !b.is_static()) return false;
  const i64 depth = a.shape.back().extent(), columns = b.shape.back().extent();
  const i64 rows = a.shape[a.shape.size() - 2].extent(), row_bytes = columns * tenon::size_of(b.elem);
  if (columns <= panel) return false;
  if (rows >= least_colliding_rows && checked_mul(depth, std::gcd(row_bytes, way)) >= ways * way) return true;
  return rows >= least_rows && depth * row_bytes >= least_bytes;
}

/// How far one dimension of the rows goes at a time, where all rows of a block are multiplied with one panel after the
/// other: the second-level cache holds them meanwhile, so that each comes from further away once, not once a panel.
/// `extent` has `inner` rows for each step, those of an image, of which threads share up to eight blocks. Numbers that
/// divide it, an even one of blocks before an odd one; all of it where that makes one block.
inline i64 rows_at_a_time(i64 extent, i64 inner, i64 row_bytes) {
  constexpr i64 bytes = i64{1} << 19, least = 168, parts = 8;
  const i64 all = checked_mul(extent, inner);
  i64 most = std::max<i64>(bytes / std::max<i64>(row_bytes, 1) / least, 1) * least;
  if (inner > 1) most = std::min(most, std::max(all / parts, least));
  if (all <= most + most / 4) return std::max<i64>(extent, 1);
  if (inner == 1) {
    for (i64 r = most; r > most / 2; --r)
      if (extent % r == 0) return r;
    return most;
  }
  const i64 some = std::max<i64>((most + most / 4) / inner, 1);
  for (const i64 blocks : {2, 1})
    for (i64 r = some; r > some / 2; --r)
      if (extent % (blocks * r) == 0) return r;
  return extent;
}

/// The rows of a contraction in blocks along the first of their dimensions that is not 1.
struct row_blocks {
  size_t dimension = 0;
  i64 extent = 0, together = 0;  ///< of that dimension; so far at a time
  bool several() const { return together < extent; }
};
inline row_blocks blocks_of_rows(const index_list& m, i64 row_bytes) {
  row_blocks r;
  while (r.dimension + 1 < m.size() && m[r.dimension] == 1) ++r.dimension;
  i64 inner = 1;
  for (size_t d = r.dimension; d < m.size(); ++d) {
    if (!m[d].is_constant()) return {};  // would hide from `parallelize` what a block of rows is worth
    if (d > r.dimension) inner = checked_mul(inner, std::max<i64>(m[d].constant(), 1));
  }
  r.extent = std::max<i64>(m[r.dimension].constant(), 1);
  r.together = rows_at_a_time(r.extent, inner, row_bytes);
  return r;
}

/// Copies matrices [..., K, N] to panels [..., ceil(N / panel), K, panel]. What pads the last one is not written. A row
/// is read for eight panels at once, since the next row may be a page away.
inline value_id packed_panels(lower_context& cx, value_id buffer, const ir::type& t, i64 panel) {
  constexpr i64 together = 8;
  ir::loop_builder& b = cx.b();
  const i64 columns = t.shape.back().extent();
  const ir::dim depth = t.shape[t.shape.size() - 2];
  std::vector<ir::dim> shape(t.shape.begin(), t.shape.end() - 2);
  index_list batch;
  for (ir::dim d : shape) batch.push_back(cx.extent(d));
  shape.insert(shape.end(), {ir::dim(quotient_up(columns, panel)), depth, ir::dim(panel)});
  const value_id panels = cx.scratch(t.elem, shape);
  b.nest(batch, [&](const index_list& at) {
    for_blocks(b, columns, together * panel, [&](const index_expr& some, const index_expr& first, const index_expr& n) {
      b.nest({cx.extent(depth)}, [&](const index_list& k) {
        for_blocks(b, n, panel, [&](const index_expr& one, const index_expr& from, const index_expr& count) {
          b.nest({count}, [&](const index_list& j) {
            b.store(b.load(buffer, joined(at, {k[0], first + from + j[0]})), panels,
                    joined(at, {some * together + one, k[0], j[0]}));
          });
        });
      });
    });
  });
  return panels;
}

}  // namespace detail

void lower(const matmul& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const ir::type ta = cx.operand_type(0), tb = cx.operand_type(1), tr = cx.result_type();
  const bool row = ta.rank() == 1, column = tb.rank() == 1;
  const index_list ea = cx.extents(ta), eb = cx.extents(tb), er = cx.extents(tr);
  const size_t tail_b = op.interleave > 1 ? 4 : op.panel > 0 ? 3 : 2;
  const size_t batch_a = ea.size() - (row ? 1 : 2), batch_b = eb.size() - (column ? 1 : tail_b);
  const index_list batch(er.begin(), er.end() - ((row ? 0 : 1) + (column ? 0 : 1)));
  const index_expr rows = row ? index_expr(1) : ea[ea.size() - 2], depth = ea.back();
  const index_expr columns = op.panel > 0 ? index_expr(op.columns) : column ? index_expr(1) : eb.back();
  const dtype sum = detail::product_type(ta.elem, tb.elem);
  const i64 q = op.interleave;

  const std::span<const ir::dim> batch_of_r(tr.shape.data(), batch.size());
  const auto of_batch_b = [&](const index_list& at) {
    return cx.broadcast_index({tb.shape.data(), batch_b}, batch_of_r, at);
  };
  const auto index_a = [&](const index_list& at, const index_expr& i, const index_expr& k) {
    index_list r = cx.broadcast_index({ta.shape.data(), batch_a}, batch_of_r, at);
    if (!row) r.push_back(i);
    r.push_back(k);
    return r;
  };
  const auto store = [&](value_id v, index_list at, const index_expr& i, const index_expr& j) {
    if (!row) at.push_back(i);
    if (!column) at.push_back(j);
    cx.store(b.convert(v, tr.elem), 0, at);
  };

  if (columns == 1 && op.panel == 0) {
    index_list extents = batch;
    extents.push_back(rows);
    b.nest(extents, [&](const index_list& at) {
      const index_list outer(at.begin(), at.end() - 1);
      const value_id s = b.reduce(0, depth, {b.real(sum, 0)}, [&](const index_expr& k, std::vector<value_id>& acc) {
        index_list at_b = of_batch_b(outer);
        at_b.push_back(k);
        if (!column) at_b.push_back(0);
        const value_id u = b.convert(cx.load(0, index_a(outer, at.back(), k)), sum);
        acc[0] = b.add(acc[0], b.mul(u, b.convert(cx.load(1, at_b), sum)));
      })[0];
      store(s, outer, at.back(), 0);
    });
    return;
  }

  value_id buffer_a = cx.buffer(0);
  value_id buffer_b = cx.buffer(1);
  const bool many = !rows.is_constant() || rows.constant() >= 8;
  const bool words = detail::multiplies_words(q);
  if (words ||
      (!row && many && depth.is_constant() && detail::rows_collide(depth.constant() * tenon::size_of(ta.elem)))) {
    std::vector<ir::dim> shape = ta.shape;
    if (words)
      shape.back() = tb.shape[tb.shape.size() - 3].extent() * q;  // it may be a symbol, which a condition holds to that
    buffer_a =
        detail::copy_rows(cx, buffer_a, words ? dtype::i16 : ta.elem, shape, [](const index_list& at) { return at; });
  }
  bool shared = true;  // all matrices of the batch use one b: then they are one tall matrix
  for (size_t d = 0; d < batch_b; ++d) shared = shared && eb[d] == 1;
  i64 panel = op.panel;
  if (panel == 0 && detail::pays_to_pack(ta, tb, 2 * cx.lanes(sum))) {
    panel = 2 * cx.lanes(sum);
    buffer_b = detail::packed_panels(cx, buffer_b, tb, panel);
  }
  const i64 width = panel > 0 ? panel : detail::unpacked_columns;
  index_list all_rows = shared ? batch : index_list{};
  all_rows.push_back(rows);
  // Of dimension `d` of the rows, those from `first_row` on.
  const auto multiply_rows = [&](const index_list& outer, size_t d, const index_expr& first_row,
                                 const index_expr& these) {
    detail::for_blocks(
        b, columns, width, [&](const index_expr& block, const index_expr& first, const index_expr& count) {
          ir::contract_spec spec{buffer_a, buffer_b, all_rows, {depth}, count, sum};
          if (q > 1) spec.k = {b.floor_div(depth, index_expr(q)), q};
          spec.m[d] = these;
          const auto row_of = [&](index_list m) {
            m[d] = first_row + m[d];
            return m;
          };
          const auto batch_of = [&](const index_list& m) {
            return shared ? index_list(m.begin(), m.end() - 1) : outer;
          };
          b.contract(
              spec,
              [&](const index_list& m, const index_list& k) {
                const index_list r = row_of(m);
                return index_a(batch_of(r), r.back(), q > 1 ? k[0] * q + k[1] : k[0]);
              },
              [&](const index_expr& n, const index_list& k) {
                const index_list at = shared ? index_list(batch_b, 0) : of_batch_b(outer);
                if (q > 1) return detail::joined(at, {block, k[0], n, k[1]});
                return panel > 0 ? detail::joined(at, {block, k[0], n}) : detail::joined(at, {k[0], first + n});
              },
              [&](value_id acc, const index_list& m, const index_expr& n) {
                const index_list r = row_of(m);
                store(acc, batch_of(r), r.back(), first + n);
              });
        });
  };
  const auto multiply = [&](const index_list& outer) {
    const i64 row_bytes = (depth.is_constant() ? std::max<i64>(depth.constant(), 1) : 1024) * tenon::size_of(ta.elem);
    const detail::row_blocks blocks = detail::blocks_of_rows(all_rows, row_bytes);
    if (!blocks.several() || panel == 0) return multiply_rows(outer, all_rows.size() - 1, 0, rows);
    // Threads share the blocks, or the panels of one after the other (`parallelize`).
    detail::for_blocks(b, blocks.extent, blocks.together,
                       [&](const index_expr&, const index_expr& at, const index_expr& count) {
                         multiply_rows(outer, blocks.dimension, at, count);
                       });
  };
  if (shared) multiply({});
  else b.nest(batch, multiply);
}

namespace detail {

/// What the nests of a convolution need to know of it.
struct conv_shape {
  std::vector<placed_window> windows;
  index_list spatial;  ///< extents of the result
  index_expr batches;
  i64 channels, outputs, group, per_group;  ///< channels: of one group
  bool reads_padding = false;  ///< weights may be infinite or NaN: taps in the padding multiply them by zero
  dtype sum, result;
};

inline conv_shape make_conv_shape(const conv& op, lower_context& cx) {
  const ir::type x = cx.operand_type(0), y = cx.result_type();
  ir::type w = cx.operand_type(1);
  w.shape = without_interleave(op.interleave, w.shape);
  const conv_weight_dims at = weight_dims(op, w.shape);
  conv_shape s;
  std::vector<i64> kernel;
  for (size_t d = 0; d + 2 < x.shape.size(); ++d) kernel.push_back(w.shape[at.taps + d].extent());
  s.windows = placed_windows(make_windows(kernel, op.strides, op.dilations, op.pads), op.layout, x, y, cx);
  for (const placed_window& v : s.windows) s.spatial.push_back(v.out);
  s.batches = cx.extent(x.shape[0]), s.channels = w.shape[at.channels].extent(), s.outputs = at.outputs.extent();
  s.group = op.group, s.per_group = s.outputs / op.group;
  s.sum = product_type(x.elem, w.elem), s.result = y.elem;
  bool inside = !is_float(w.elem);
  if (!inside)
    inside = std::all_of(s.windows.begin(), s.windows.end(),
                         [](const placed_window& v) { return v.starts_inside() && v.ends_inside(); });
  if (!inside) s.reads_padding = !cx.is_finite_constant(1);
  return s;
}

/// Contractions of one group: m runs over the spatial result, n over output channels, k over taps and channels.
inline void contract_conv(const conv& op, conv_shape s, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  value_id x = cx.buffer(0);
  const value_id w = cx.buffer(1);
  const ir::type tx = cx.operand_type(0);
  const bool planes = b.mod().type_of(x).shape != tx.shape;  // [N, C, s...], as it was before a transpose
  const i64 q = op.interleave;
  if (op.layout == data_layout::channels_last && !planes &&
      (multiplies_words(q) ||
       rows_collide(s.windows.back().stride * tx.shape.back().extent() * tenon::size_of(tx.elem)))) {
    bool pointwise = true;
    for (const placed_window& v : s.windows) pointwise = pointwise && v.kernel == 1;
    std::vector<ir::dim> extents = tx.shape;
    if (pointwise)
      std::copy_n(cx.result_type().shape.begin() + 1, s.spatial.size(), extents.begin() + 1);  // only what is read
    x = copy_rows(cx, x, multiplies_words(q) ? dtype::i16 : tx.elem, extents, [&](const index_list& at) {
      index_list from = at;
      for (size_t d = 0; pointwise && d < s.windows.size(); ++d) from[d + 1] = at[d + 1] * s.windows[d].stride;
      return from;
    });
    for (placed_window& v : s.windows)
      if (pointwise) v.stride = 1;
  }
  const i64 width = op.panel > 0 ? op.panel : unpacked_columns;
  index_list depth;
  for (const placed_window& v : s.windows) depth.push_back(v.kernel);
  depth.insert(planes ? depth.begin() : depth.end(), s.channels);  // along the rows of a plane
  if (q > 1) depth.back() = s.channels / q, depth.push_back(q);
  const std::ptrdiff_t inner = q > 1 ? 2 : 1;  // k ends in channels, or in groups of them and places in a group
  // Of places along the first spatial dimension, those from `from` on.
  const auto contract = [&](const index_expr& batch, const index_expr& from, const index_expr& these,
                            const index_expr& g, const index_expr& block, const index_expr& first,
                            const index_expr& count) {
    const index_expr output = g * s.per_group + first;
    index_list places = s.spatial;
    places[0] = these;
    const auto place_of = [&](index_list m) {
      m[0] = from + m[0];
      return m;
    };
    b.contract(
        {x, w, places, depth, count, s.sum},
        [&](const index_list& local, const index_list& k) {
          const index_list m = place_of(local);
          if (planes)
            return image_index(data_layout::channels_first, batch, k[0],
                               tap_places(s.windows, m, index_list(k.begin() + 1, k.end())));
          const index_expr channel = q > 1 ? k[k.size() - 2] * q + k.back() : k.back();
          return image_index(op.layout, batch, g * s.channels + channel,
                             tap_places(s.windows, m, index_list(k.begin(), k.end() - inner)));
        },
        [&](const index_expr& n, const index_list& k) {
          index_list at;
          if (op.panel > 0) at.push_back(block);
          at.insert(at.end(), k.begin(), k.end());
          if (planes)
            std::rotate(at.end() - static_cast<std::ptrdiff_t>(k.size()),
                        at.end() - static_cast<std::ptrdiff_t>(k.size()) + 1, at.end());
          at.insert(q > 1 ? at.end() - 1 : at.end(), op.panel > 0 ? n : output + n);
          return at;
        },
        [&](value_id acc, const index_list& m, const index_expr& n) {
          if (cx.has(2)) acc = b.add(acc, b.convert(cx.load(2, {output + n}), s.sum));
          cx.store(b.convert(acc, s.result), 0, image_index(op.layout, batch, output + n, place_of(m)));
        });
  };
  // Panels outside: a panel of weights stays in the cache while the images pass by.
  const auto columns = [&](const index_expr& g, const index_expr& from, const index_expr& these) {
    for_blocks(b, s.per_group, width, [&](const index_expr& block, const index_expr& first, const index_expr& count) {
      if (s.batches == 1) contract(0, from, these, g, block, first, count);
      else b.for_(0, s.batches, [&](const index_expr& n) { contract(n, from, these, g, block, first, count); });
    });
  };
  const auto group = [&](const index_expr& g) { columns(g, 0, s.spatial[0]); };
  if (s.group > 1) return b.for_(0, s.group, group);
  // Those of one image pass by once for each block of it.
  i64 row_bytes = s.channels * tenon::size_of(tx.elem);
  for (const placed_window& v : s.windows) row_bytes *= v.stride;
  const row_blocks blocks = s.batches == 1 ? blocks_of_rows(s.spatial, row_bytes) : row_blocks{};
  if (!blocks.several() || blocks.dimension != 0) return group(0);
  for_blocks(b, blocks.extent, blocks.together,
             [&](const index_expr&, const index_expr& from, const index_expr& these) { columns(0, from, these); });
}

inline std::vector<tap_range> conv_taps(ir::loop_builder& b, const conv_shape& s, const index_list& spatial) {
  if (!s.reads_padding) return taps_of(b, s.windows, spatial);
  std::vector<tap_range> all;
  for (const placed_window& w : s.windows) all.push_back({0, w.kernel});
  return all;
}

/// The sum over taps and channels for one result element, from loads; bounds of the taps were computed before.
inline value_id conv_sum(const conv& op, const conv_shape& s, lower_context& cx, const std::vector<tap_range>& taps,
                         const index_list& spatial, const index_expr& n, const index_expr& first_channel,
                         const index_expr& output, const index_list& column) {
  ir::loop_builder& b = cx.b();
  const value_id init = cx.has(2) ? b.convert(cx.load(2, {output}), s.sum) : b.real(s.sum, 0);
  const auto product = [&](const index_list& k, const index_expr& c, value_id acc) {
    const index_list at_x = image_index(op.layout, n, first_channel + c, tap_places(s.windows, spatial, k));
    index_list at_w;
    if (op.panel > 0) at_w.push_back(column[0]);
    if (op.layout == data_layout::channels_first) at_w = {column[0], c};
    at_w.insert(at_w.end(), k.begin(), k.end());
    if (op.layout == data_layout::channels_last) at_w.push_back(c), at_w.push_back(column.back());
    const dtype t = cx.operand_type(0).elem;
    const value_id v = s.reads_padding ? cx.operand_or(b.real(t, 0), 0, at_x) : cx.load(0, at_x);
    return b.add(acc, b.mul(b.convert(v, s.sum), b.convert(cx.load(1, at_w), s.sum)));
  };
  return reduce_taps(b, taps, {init}, [&](const index_list& k, std::vector<value_id>& acc) {
    if (s.channels == 1) {
      acc[0] = product(k, 0, acc[0]);
    } else {
      acc = b.reduce(0, s.channels, acc,
                     [&](const index_expr& c, std::vector<value_id>& inner) { inner[0] = product(k, c, inner[0]); });
    }
  })[0];
}

/// [N, s..., C]: for each place of the result, output channels innermost.
inline void nest_channels_last(const conv& op, const conv_shape& s, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  index_list places = s.spatial;
  places.insert(places.begin(), s.batches);
  b.nest(places, [&](const index_list& at) {
    const index_expr n = at[0];
    const index_list spatial(at.begin() + 1, at.end());
    const std::vector<tap_range> taps = conv_taps(b, s, spatial);
    const auto one = [&](const index_expr& first_channel, const index_expr& o, const index_list& column) {
      const value_id v = conv_sum(op, s, cx, taps, spatial, n, first_channel, o, column);
      cx.store(b.convert(v, s.result), 0, image_index(op.layout, n, o, spatial));
    };
    if (s.channels == 1 && s.per_group == 1) {
      b.for_(0, s.outputs, [&](const index_expr& o) { one(o, o, {o}); });
    } else if (op.panel > 0) {
      for_blocks(b, s.outputs, op.panel,
                 [&](const index_expr& block, const index_expr& first, const index_expr& count) {
                   b.for_(0, count, [&](const index_expr& i) { one(0, first + i, {block, i}); });
                 });
    } else {
      const auto group = [&](const index_expr& g) {
        b.for_(0, s.per_group, [&](const index_expr& i) {
          const index_expr o = g * s.per_group + i;
          one(g * s.channels, o, {o});
        });
      };
      if (s.group == 1) group(0);
      else b.for_(0, s.group, group);
    }
  });
}

/// [N, C, s...]: for each output channel, the last spatial dimension innermost.
inline void nest_channels_first(const conv& op, const conv_shape& s, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  index_list places{s.batches, s.group, s.per_group};
  places.insert(places.end(), s.spatial.begin(), s.spatial.end());
  b.nest(places, [&](const index_list& at) {
    const index_list spatial(at.begin() + 3, at.end());
    const index_expr o = at[1] * s.per_group + at[2];
    const std::vector<tap_range> taps = conv_taps(b, s, spatial);
    const value_id v = conv_sum(op, s, cx, taps, spatial, at[0], at[1] * s.channels, o, {o});
    cx.store(b.convert(v, s.result), 0, image_index(op.layout, at[0], o, spatial));
  });
}

/// Whether vectors of a convolution hold channels: outputs would leave half of each empty, and channels fill some.
inline bool suits_channels(const conv& op, const conv_shape& s, lower_context& cx) {
  const i64 lanes = cx.lanes(s.sum), taps = std::accumulate(s.windows.begin(), s.windows.end(), i64{1},
                                                            [](i64 n, const placed_window& w) { return n * w.kernel; });
  return taps > 1 && op.group == 1 && op.interleave == 1 && is_float(s.sum) &&
         s.outputs <= std::min<i64>(lanes / 2, 4) && s.channels >= 2 * lanes &&
         cx.b().mod().type_of(cx.buffer(0)).shape == cx.operand_type(0).shape;  // no planes
}

/// [N, s..., C]: for each place of the result and each output the sum over taps of vectors of channels, which are added
/// up at the end. Weights are laid out by output first. Many taps are written out for one vector, so that it waits for
/// one addition for all of them.
inline void sum_channels(const conv& op, const conv_shape& s, lower_context& cx) {
  constexpr i64 most_products = 32;  // of one vector of channels
  ir::loop_builder& b = cx.b();
  const value_id x = cx.buffer(0), w = cx.buffer(1);
  std::vector<ir::dim> shape{ir::dim(s.outputs)};
  for (const placed_window& v : s.windows) shape.emplace_back(v.kernel);
  shape.emplace_back(s.channels);
  const value_id rows = cx.scratch(cx.operand_type(1).elem, shape);
  index_list each;
  for (ir::dim d : shape) each.push_back(d.extent());
  b.nest(each, [&](const index_list& at) {
    index_list from(at.begin() + 1, at.end());
    if (op.panel > 0) from.insert(from.begin(), b.floor_div(at[0], op.panel));
    from.push_back(op.panel > 0 ? b.floor_mod(at[0], op.panel) : at[0]);
    b.store(b.load(w, from), rows, at);
  });

  // Taps along the last dimensions are written out, others are loops.
  size_t written = s.windows.size();
  i64 taps = 1;
  while (written > 0 && taps * s.windows[written - 1].kernel * s.outputs <= most_products)
    taps *= s.windows[--written].kernel;
  std::vector<tap_range> loops;
  for (size_t d = 0; d < written; ++d) loops.push_back({0, s.windows[d].kernel});
  const auto written_out = [&](const index_list& outer, i64 number) {
    index_list k = outer;
    k.resize(s.windows.size());
    for (size_t d = s.windows.size(); d-- > written; number /= s.windows[d].kernel) k[d] = number % s.windows[d].kernel;
    return k;
  };
  const auto outputs = static_cast<size_t>(s.outputs);
  const auto product_of = [&](const index_list& k, const index_expr& c, size_t o, value_id v) {
    index_list at{static_cast<i64>(o)};
    at.insert(at.end(), k.begin(), k.end());
    return b.mul(v, b.convert(b.load(rows, joined(at, {c})), s.sum));
  };

  index_list places = s.spatial;
  places.insert(places.begin(), s.batches);
  b.nest(places, [&](const index_list& at) {
    const index_list spatial(at.begin() + 1, at.end());
    const std::vector<value_id> zeros(outputs, b.real(s.sum, 0));
    const auto sums = reduce_taps(b, loops, zeros, [&](const index_list& outer, std::vector<value_id>& carried) {
      carried = b.reduce(0, s.channels, carried, [&](const index_expr& c, std::vector<value_id>& acc) {
        std::vector<value_id> here(outputs);
        for (i64 t = 0; t < taps; ++t) {
          const index_list k = written_out(outer, t), from = tap_places(s.windows, spatial, k);
          const value_id v = b.convert(b.load(x, image_index(op.layout, at[0], c, from)), s.sum);
          for (size_t o = 0; o < outputs; ++o)
            here[o] = t == 0 ? product_of(k, c, o, v) : b.add(here[o], product_of(k, c, o, v));
        }
        for (size_t o = 0; o < outputs; ++o) acc[o] = b.add(acc[o], here[o]);
      });
    });
    for (size_t o = 0; o < outputs; ++o) {
      const index_expr output = static_cast<i64>(o);
      const value_id v = cx.has(2) ? b.add(sums[o], b.convert(cx.load(2, {output}), s.sum)) : sums[o];
      cx.store(b.convert(v, s.result), 0, image_index(op.layout, at[0], output, spatial));
    }
  });
}

}  // namespace detail

void lower(const conv& op, lower_context& cx) {
  const detail::conv_shape s = detail::make_conv_shape(op, cx);
  if (op.layout == data_layout::channels_first) return detail::nest_channels_first(op, s, cx);
  bool inside = true;
  for (const detail::placed_window& w : s.windows) inside = inside && w.starts_inside() && w.ends_inside();
  const bool depthwise = s.channels == 1 && s.per_group == 1;
  const detail::channel_groups groups{s.outputs, s.channels, s.per_group};
  // Vectors of 32 bytes gain a fifth by it, and compilers of C gather what the lanes read: twice the time.
  const bool wide = cx.lanes(dtype::f32) >= 16;
  const bool in_lanes =
      wide && !depthwise && s.group > 1 && is_float(s.sum) && detail::suits_lanes(groups, cx.lanes(s.sum));
  const bool tiles = (depthwise || in_lanes) && op.panel == 0 && (inside || !s.reads_padding) &&
                     detail::suits_depthwise_tiles(s.windows, wide);
  if (inside && detail::suits_channels(op, s, cx)) return detail::sum_channels(op, s, cx);
  if (inside && !tiles && (!depthwise || op.panel > 0)) return detail::contract_conv(op, s, cx);
  if (op.interleave > 1) cx.fail("interleaved weights, but the windows leave the image");
  if (tiles) return detail::tile_depthwise(s.windows, s.batches, groups, s.sum, cx);
  detail::nest_channels_last(op, s, cx);
}

namespace detail {

/// [N, s..., C], each phase a correlation without guards: a contraction, or for one channel a group (depthwise) a nest
/// with the channels innermost.
inline void transpose_by_phases(const conv_transpose& op, const std::vector<std::vector<output_phase>>& all,
                                lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const ir::type x = cx.operand_type(0), w = cx.operand_type(1);
  const dtype sum = product_type(x.elem, w.elem), result = cx.result_type().elem;
  const conv_weight_dims at = weight_dims(op, w.shape);
  const size_t spatial = x.shape.size() - 2;
  const i64 per_group = at.outputs.extent(), channels = x.shape.back().extent() / op.group;
  const bool depthwise = channels == 1 && per_group == 1;
  const index_expr batches = cx.extent(x.shape[0]);
  value_id image, weight;
  if (!depthwise) image = cx.buffer(0), weight = cx.buffer(1);
  if (!depthwise && rows_collide(x.shape.back().extent() * tenon::size_of(x.elem)))
    image = copy_rows(cx, image, x.elem, x.shape, [](const index_list& i) { return i; });

  // What outputs of one phase have in common, for the residues `i` in each dimension.
  std::vector<output_phase> phase;
  index_list i;
  const auto place_x = [&](const index_expr& n, const index_list& t, const index_list& j, const index_expr& c) {
    index_list r{n};
    for (size_t d = 0; d < spatial; ++d) r.push_back(t[d] + phase[d].input - j[d] * phase[d].input_step);
    r.push_back(c);
    return r;
  };
  const auto taps_at = [&](index_list r, const index_list& j) {
    for (size_t d = 0; d < spatial; ++d) r.push_back(i[d] + phase[d].tap + j[d] * phase[d].tap_step);
    return r;
  };
  const auto place_y = [&](const index_expr& n, const index_list& t, const index_expr& o) {
    index_list r{n};
    for (size_t d = 0; d < spatial; ++d)
      r.push_back(i[d] + phase[d].first + t[d] * (op.strides.empty() ? 1 : op.strides[d]));
    r.push_back(o);
    return r;
  };
  const auto store = [&](value_id v, const index_expr& n, const index_list& t, const index_expr& o) {
    if (cx.has(2)) v = b.add(v, b.convert(cx.load(2, {o}), sum));
    cx.store(b.convert(v, result), 0, place_y(n, t, o));
  };
  const auto counts = [&] {
    index_list r;
    for (size_t d = 0; d < spatial; ++d) r.push_back(cx.extent(x.shape[1 + d]) + phase[d].more);
    return r;
  };
  const auto reads_nothing = [&] {
    return std::any_of(phase.begin(), phase.end(), [](const output_phase& p) { return p.taps == 0; });
  };

  /// f() for each phase and its residues.
  const auto phases = [&](auto&& f) {
    const auto go = [&](const auto& self, size_t d) -> void {
      if (d == spatial) return f();
      for (const output_phase& p : all[d]) {
        phase.push_back(p);
        const auto residue = [&](const index_expr& at) {
          i.push_back(at);
          self(self, d + 1);
          i.pop_back();
        };
        if (p.residues == 1) residue(0);
        else b.for_(0, p.residues, residue);
        phase.pop_back();
      }
    };
    go(go, 0);
  };

  if (depthwise)
    return phases([&] {
      index_list places = counts();
      places.insert(places.begin(), batches);
      b.nest(places, [&](const index_list& at) {
        const index_list t(at.begin() + 1, at.end());
        b.for_(0, op.group, [&](const index_expr& o) {
          std::vector<tap_range> taps;
          for (const output_phase& p : phase) taps.push_back({0, p.taps});
          const value_id s =
              reduce_taps(b, taps, {b.real(sum, 0)}, [&](const index_list& j, std::vector<value_id>& acc) {
                const index_list at_w = joined(taps_at({}, j), {o, 0});
                const value_id v = b.convert(cx.load(0, place_x(at[0], t, j, o)), sum);
                acc[0] = b.add(acc[0], b.mul(v, b.convert(cx.load(1, at_w), sum)));
              })[0];
          store(s, at[0], t, o);
        });
      });
    });

  // Where outputs are few and each phase has as many taps, the phases together are the columns of one product.
  i64 together = per_group;
  bool apart = op.group == 1 && 2 * per_group <= cx.lanes(sum);
  for (const auto& along : all) apart = apart && along.size() == 1 && along[0].taps > 0, together *= along[0].residues;
  if (apart && together > per_group) {
    for (const auto& along : all) phase.push_back(along[0]);
    std::vector<ir::dim> shape;
    index_list depth;
    for (const output_phase& p : phase) shape.emplace_back(p.taps), depth.push_back(p.taps);
    shape.insert(shape.end(), {channels, together}), depth.push_back(channels);
    const value_id columns = cx.scratch(w.elem, shape);
    index_list each = depth;
    for (const output_phase& p : phase) each.push_back(p.residues);
    each.push_back(per_group);
    b.nest(each, [&](const index_list& at) {
      const auto first_residue = at.begin() + static_cast<std::ptrdiff_t>(depth.size());
      const index_list k(at.begin(), first_residue);
      index_list from;
      if (op.panel > 0) from.push_back(b.floor_div(at.back(), op.panel));
      i.assign(first_residue, at.end() - 1);
      from = joined(taps_at(from, k), {k.back(), op.panel > 0 ? b.floor_mod(at.back(), op.panel) : at.back()});
      index_expr column = 0;
      for (size_t d = depth.size(); d < at.size(); ++d) column = column * each[d].constant() + at[d];
      b.store(b.load(weight, from), columns, joined(k, {column}));
    });
    return for_blocks(b, together, unpacked_columns,
                      [&](const index_expr&, const index_expr& first, const index_expr& count) {
                        index_list rows = counts();
                        rows.insert(rows.begin(), batches);
                        b.contract(
                            {image, columns, rows, depth, count, sum},
                            [&](const index_list& m, const index_list& k) {
                              return place_x(m[0], index_list(m.begin() + 1, m.end()), k, k.back());
                            },
                            [&](const index_expr& at, const index_list& k) { return joined(k, {first + at}); },
                            [&](value_id acc, const index_list& m, const index_expr& at) {
                              index_expr rest = first + at;
                              const index_expr o = per_group == 1 ? index_expr(0) : b.floor_mod(rest, per_group);
                              if (per_group > 1) rest = b.floor_div(rest, per_group);
                              i.assign(spatial, 0);
                              for (size_t d = spatial; d-- > 0;) {
                                i[d] = d == 0 ? rest : b.floor_mod(rest, phase[d].residues);
                                if (d > 0) rest = b.floor_div(rest, phase[d].residues);
                              }
                              store(acc, m[0], index_list(m.begin() + 1, m.end()), o);
                            });
                      });
  }

  const auto multiply = [&](const index_expr& n, const index_expr& g, const index_expr& block, const index_expr& first,
                            const index_expr& count) {
    const index_expr output = g * per_group + first;
    phases([&] {
      if (reads_nothing()) {
        index_list places = counts();
        places.push_back(count);
        return b.nest(places, [&](const index_list& at) {
          store(b.real(sum, 0), n, index_list(at.begin(), at.end() - 1), output + at.back());
        });
      }
      index_list depth;
      for (const output_phase& p : phase) depth.push_back(p.taps);
      depth.push_back(channels);
      b.contract(
          {image, weight, counts(), depth, count, sum},
          [&](const index_list& m, const index_list& k) { return place_x(n, m, k, g * channels + k.back()); },
          [&](const index_expr& at, const index_list& k) {
            index_list r;
            if (op.panel > 0) r.push_back(block);
            return joined(taps_at(r, k), {g * channels + k.back(), op.panel > 0 ? at : first + at});
          },
          [&](value_id acc, const index_list& m, const index_expr& at) { store(acc, n, m, output + at); });
    });
  };
  const auto columns = [&](const index_expr& g) {
    for_blocks(b, per_group, op.panel > 0 ? op.panel : unpacked_columns,
               [&](const index_expr& block, const index_expr& first, const index_expr& count) {
                 if (batches == 1) multiply(0, g, block, first, count);
                 else b.for_(0, batches, [&](const index_expr& n) { multiply(n, g, block, first, count); });
               });
  };
  if (op.group == 1) columns(0);
  else b.for_(0, op.group, columns);
}

/// Any window: each tap is asked whether its input exists.
inline void transpose_by_places(const conv_transpose& op, lower_context& cx) {
  ir::loop_builder& b = cx.b();
  const ir::type x = cx.operand_type(0), w = cx.operand_type(1), y = cx.result_type();
  const dtype sum = product_type(x.elem, w.elem), result = y.elem;
  const conv_weight_dims at_weight = weight_dims(op, w.shape);
  const i64 per_group = at_weight.outputs.extent();
  const i64 channels = x.shape[channel_axis(op.layout, x.shape.size())].extent() / op.group;
  const bool last = op.layout == data_layout::channels_last;
  std::vector<i64> kernel;
  for (size_t d = 0; d + 2 < x.shape.size(); ++d) kernel.push_back(w.shape[at_weight.taps + d].extent());
  const std::vector<placed_window> windows =
      placed_windows(make_windows(kernel, op.strides, op.dilations, op.pads), op.layout, x, y, cx);
  index_list spatial, places{cx.extent(y.shape[0])};
  for (const placed_window& v : windows) spatial.push_back(v.out);
  if (last) places.insert(places.end(), spatial.begin(), spatial.end());
  places.push_back(op.group), places.push_back(per_group);
  if (!last) places.insert(places.end(), spatial.begin(), spatial.end());

  b.nest(places, [&](const index_list& at) {
    const size_t at_group = last ? 1 + windows.size() : 1;
    const auto first_place = at.begin() + (last ? 1 : 3);
    const index_list place(first_place, first_place + static_cast<std::ptrdiff_t>(windows.size()));
    const index_expr column = at[at_group + 1], o = at[at_group] * per_group + column;
    const index_expr first_channel = at[at_group] * channels;
    const value_id init = cx.has(2) ? b.convert(cx.load(2, {o}), sum) : b.real(sum, 0);
    // Place p = output + pad takes tap k from input i where i * stride + k * dilation = p. Without dilation these are
    // k = p % stride + j * stride, i = p / stride - j; else every tap is asked whether its input exists.
    std::vector<tap_range> taps;
    std::vector<index_expr> phase, quotient;
    for (size_t d = 0; d < windows.size(); ++d) {
      const placed_window& v = windows[d];
      const index_expr p = place[d] + v.pad_begin;
      if (v.dilation != 1) {
        taps.push_back({0, v.kernel});
        phase.push_back(0), quotient.push_back(p);
        continue;
      }
      const index_expr q = v.stride == 1 ? p : b.floor_div(p, v.stride), r = p - q * v.stride;
      const index_expr count = index_expr(v.kernel + v.stride - 1) - r;
      const index_expr end = v.stride == 1 ? index_expr(v.kernel) : b.floor_div(count, v.stride);
      taps.push_back({b.max(0, q - v.in + 1), b.min(end, q + 1)});
      phase.push_back(r), quotient.push_back(q);
    }
    const value_id zero = b.real(x.elem, 0);
    const value_id s = b.reduce(0, channels, {init}, [&](const index_expr& c, std::vector<value_id>& outer) {
      outer = reduce_taps(b, taps, outer, [&](const index_list& j, std::vector<value_id>& acc) {
        index_list inputs, tap;
        value_id exists;
        for (size_t d = 0; d < windows.size(); ++d) {
          const placed_window& v = windows[d];
          if (v.dilation == 1) {
            inputs.push_back(quotient[d] - j[d]);
            tap.push_back(phase[d] + j[d] * v.stride);
            continue;
          }
          const index_expr p = quotient[d] - j[d] * v.dilation;
          const index_expr i = b.floor_div(p, v.stride);
          const value_id here =
              b.apply(scalar_fn::bit_and,
                      {b.equal(i * v.stride, p), b.apply(scalar_fn::bit_and, {b.less(-1, i), b.less(i, v.in)})});
          exists = exists ? b.apply(scalar_fn::bit_and, {exists, here}) : here;
          inputs.push_back(i);
          tap.push_back(j[d]);
        }
        index_list at_w;
        if (op.panel > 0) at_w.push_back(b.floor_div(column, op.panel));
        if (!last) at_w = {first_channel + c, column};
        at_w.insert(at_w.end(), tap.begin(), tap.end());
        if (last)
          at_w.push_back(first_channel + c), at_w.push_back(op.panel > 0 ? b.floor_mod(column, op.panel) : column);
        const index_list at_x = image_index(op.layout, at[0], first_channel + c, inputs);
        value_id v = exists ? cx.operand_or(zero, 0, at_x) : cx.load(0, at_x);
        const value_id more = b.add(acc[0], b.mul(b.convert(v, sum), b.convert(cx.load(1, at_w), sum)));
        acc[0] = exists ? b.select(exists, more, acc[0]) : more;
      });
    })[0];
    cx.store(b.convert(s, result), 0, image_index(op.layout, at[0], o, place));
  });
}

}  // namespace detail

void lower(const conv_transpose& op, lower_context& cx) {
  if (op.layout == data_layout::channels_last) {
    const auto phases = output_phases(op, cx.operand_type(1).shape);
    bool inside = !phases.empty();
    for (const auto& along : phases)
      for (const output_phase& p : along) inside = inside && p.before() == 0 && p.after() == 0;
    if (inside) return detail::transpose_by_phases(op, phases, cx);
  }
  detail::transpose_by_places(op, cx);
}

value_id element(const pack_panels& op, element_context& cx, const index_list& at) {
  const bool mixed = op.interleave > 1;
  index_list from(at.begin() + 1, at.end() - (mixed ? 2 : 1));
  if (mixed) from.back() = from.back() * op.interleave + at.back();
  from.push_back(at.front() * op.panel + at[at.size() - (mixed ? 2 : 1)]);
  if (cx.operand_type(0).shape.back().extent() % op.panel == 0) return cx.operand(0, from);
  return cx.operand_or(cx.b().real(cx.operand_type(0).elem, 0), 0, from);
}

}  // namespace tenon::op
