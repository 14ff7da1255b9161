/// @file winograd.lower.ipp: loop nests of convolutions by transformed tiles. The tiles of a block are transformed into
/// scratch, each place of all tiles is a matrix product by the weights of that place, and what comes out is transformed
/// back panel by panel: scratch stays in the second-level cache.
#pragma once

#include <algorithm>

#include <tenon/ops/graph/contraction.lower.ipp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/ops/graph/winograd.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {

namespace detail {

/// One-dimensional transforms of elements in registers, with the products that a point and its negative share. An
/// undefined value is zero.
class tile_transform {
 public:
  using elements = std::vector<value_id>;
  tile_transform(ir::loop_builder& b, dtype type, i64 tile) : b_(b), type_(type), points_(winograd_points(tile)) {}

  elements of_input(const elements& x) {
    const double p = points_[0];
    if (points_.size() == 1) {  // x³ - p² x and its factors
      const value_id odd = scaled(p, x[1], {});
      return {scaled(-p * p, x[0], x[2]), scaled(1, odd, x[2]), scaled(-1, odd, x[2]), scaled(-p * p, x[1], x[3])};
    }
    const double q = points_[1], product = p * p * q * q, sum = p * p + q * q;
    elements r{scaled(product, x[0], scaled(-sum, x[2], x[4]))};
    for (const auto& [own, other] : {std::pair{p, q}, std::pair{q, p}}) {
      const value_id even = scaled(-other * other, x[2], x[4]), odd = scaled(-other * other, x[1], x[3]);
      r.push_back(scaled(own, odd, even));
      r.push_back(scaled(-own, odd, even));
    }
    r.push_back(scaled(product, x[1], scaled(-sum, x[3], x[5])));
    return r;
  }

  elements of_output(const elements& m) {
    elements even, odd;
    for (size_t i = 0; i < points_.size(); ++i) {
      even.push_back(scaled(1, m[1 + 2 * i], m[2 + 2 * i]));
      odd.push_back(scaled(-1, m[2 + 2 * i], m[1 + 2 * i]));
    }
    const size_t tile = 2 * points_.size();
    elements r;
    std::vector<double> power(points_.size(), 1.);
    for (size_t k = 0; k < tile; ++k) {
      value_id sum = k == 0 ? m.front() : k + 1 == tile ? m.back() : value_id{};
      for (size_t i = 0; i < points_.size(); ++i) {
        sum = scaled(power[i], (k % 2 == 0 ? even : odd)[i], sum);
        power[i] *= points_[i];
      }
      r.push_back(sum);
    }
    return r;
  }

  value_id or_zero(value_id v) { return v ? v : b_.real(type_, 0); }

 private:
  /// k x + y
  value_id scaled(double k, value_id x, value_id y) {
    if (!x) return y;
    if (!y) return k == 1 ? x : b_.mul(x, b_.real(type_, k));
    if (k == 1) return b_.add(y, x);
    if (k == -1) return b_.sub(y, x);
    return b_.apply(scalar_fn::fma, {x, b_.real(type_, k), y});
  }
  ir::loop_builder& b_;
  dtype type_;
  std::vector<double> points_;
};

class winograd_nests {
 public:
  winograd_nests(const winograd_conv& op, lower_context& cx)
      : op_(op), cx_(cx), b_(cx.b()), together_(winograd_interleave(cx.operand_type(0).elem)),
        factor_(cx.operand_type(1).elem), sum_(cx.result_type().elem), input_(b_, factor_, op.tile),
        output_(b_, sum_, op.tile), image_(cx.buffer(0)), weight_(cx.buffer(1)) {
    const ir::type x = cx.operand_type(0), y = cx.result_type();
    channels_ = x.shape[3].extent();
    images_ = cx.extent(x.shape[0]);
    any_ = op.block.size() == 1;
    for (size_t d = 0; d < 2; ++d) {
      extent_[d] = cx.extent(y.shape[1 + d]);
      tiles_[d] = b_.floor_div(extent_[d] + (op.tile - 1), index_expr(op.tile));
      if (any_) continue;
      if (!extent_[d].is_constant())
        cx.fail("the height and width of the image are not known", "say blocks of tiles by one number");
      const i64 tiles = tiles_[d].constant();
      block_[d] = !op.block.empty() ? op.block[d] : d == 0 ? 1 : tiles;
      if (tiles % block_[d] != 0) cx.fail("blocks of tiles do not divide the tiles of the image");
      blocks_[d] = tiles / block_[d];
    }
    panels_ = quotient_up(op.columns, op.panel);
    row_ = apart(channels_, 1024 / size_of(factor_)), product_row_ = op.panel;
    const i64 slots = std::max<i64>(op.workspaces, 1), tiles = any_ ? op.block[0] : block_[0] * block_[1];
    transformed_ = cx.scratch(factor_, {slots, op.places(), apart(tiles * row_, 4096 / size_of(factor_))});
    products_ = cx.scratch(
        sum_, {op.workspaces == 0 ? panels_ : slots, op.places(), apart(tiles * product_row_, 4096 / size_of(sum_))});
  }

  void lower() {
    if (any_) return lower_any_extents();
    const i64 count = blocks_[0] * blocks_[1];
    const auto number = [&](const index_expr& n, const index_expr& slot, const index_expr& i) {
      if (blocks_[1] == 1) rectangle(n, slot, i, 0);
      else if (blocks_[0] == 1) rectangle(n, slot, 0, i);
      else rectangle(n, slot, b_.floor_div(i, blocks_[1]), b_.floor_mod(i, blocks_[1]));
    };
    if (op_.workspaces < 2)
      return serial(images_,
                    [&](const index_expr& n) { serial(count, [&](const index_expr& i) { number(n, 0, i); }); });
    // A batch whose size is known is more blocks.
    const bool whole = images_.is_constant();
    const i64 all = whole ? images_.constant() * count : count;
    if (all == 0) return;
    const i64 rounds = quotient_up(all, op_.workspaces), slots = quotient_up(all, rounds);
    serial(whole ? index_expr(1) : images_, [&](const index_expr& n) {
      b_.for_(0, slots, [&](const index_expr& slot) {
        const index_expr first = slot * rounds;
        serial(all == slots * rounds ? index_expr(rounds) : b_.min(rounds, index_expr(all) - first),
               [&](const index_expr& round) {
                 const index_expr i = first + round;
                 if (!whole || images_ == 1) return number(n, slot, i);
                 number(b_.floor_div(i, count), slot, count == 1 ? index_expr(0) : b_.floor_mod(i, count));
               });
      });
    });
  }

 private:
  /// Outputs of a tile along a dimension, of which only a run may know how many there are.
  struct part {
    i64 known = 0;     ///< 0: `count`, and no more than a tile has
    index_expr count;  ///< of an image, from the tile's first one on
    index_expr limit(i64 tile, ir::loop_builder& b) const {
      return known != 0 ? index_expr(known) : b.min(count, tile);
    }
  };
  /// A tile of a block: its number there, its image, its first output, and those that there are.
  struct tile_place {
    index_expr number, image;
    std::array<index_expr, 2> first{};
    std::array<part, 2> parts{};
    bool known() const { return parts[0].known != 0 && parts[1].known != 0; }
  };

  /// Blocks of so many of all tiles, one image behind the other. Few tiles make blocks that are smaller, and all of one
  /// size: as many as threads take at once.
  void lower_any_extents() {
    const i64 slots = std::max<i64>(op_.workspaces, 1);
    const auto extent = [&](ir::dim d) { return d.is_static() ? extent_expr(d.extent()) : cx_.expression(d); };
    const auto parts = [](const extent_expr& n, const extent_expr& most) { return floor_div(n + most - 1, most); };
    const ir::type y = cx_.result_type();
    const extent_expr all =
        extent(y.shape[0]) * ceil_div(extent(y.shape[1]), op_.tile) * ceil_div(extent(y.shape[2]), op_.tile);
    const extent_expr turns = tenon::maximum(1, ceil_div(all, checked_mul(slots, op_.block[0])));
    const extent_expr together =
        tenon::maximum(std::min(winograd_least_tiles, op_.block[0]), parts(all, turns * slots));
    const index_expr end = cx_.value(all), tiles = cx_.value(together), blocks = cx_.value(parts(all, together)),
                     rounds = cx_.value(ceil_div(parts(all, together), slots));
    const auto number = [&](const index_expr& slot, const index_expr& i) {
      const index_expr first = b_.times(i, tiles), count = b_.min(tiles, end - first);
      block(slot, count, [&](const auto& f) {
        b_.for_(0, count, [&](const index_expr& t) {
          const index_expr tile = first + t, row = b_.floor_div(tile, tiles_[1]);
          const index_expr image = images_ == 1 ? index_expr(0) : b_.floor_div(row, tiles_[0]);
          const index_expr down = images_ == 1 ? row : b_.floor_mod(row, tiles_[0]);
          const index_expr across = b_.floor_mod(tile, tiles_[1]);
          each_part(0, down, [&](const part& rows) {
            each_part(1, across, [&](const part& columns) {
              f(tile_place{t, image, {down * op_.tile, across * op_.tile}, {rows, columns}});
            });
          });
        });
      });
    };
    if (op_.workspaces < 2) return serial(blocks, [&](const index_expr& i) { number(0, i); });
    b_.for_(0, slots, [&](const index_expr& slot) {
      const index_expr first = b_.times(slot, rounds);
      serial(b_.min(rounds, blocks - first), [&](const index_expr& round) { number(slot, first + round); });
    });
  }

  /// A distance between rows that falls into other sets of the first-level cache from row to row.
  static i64 apart(i64 elements, i64 period) { return elements % period == 0 ? elements + collision_gap : elements; }

  template <class F>
  void serial(const index_expr& count, F&& f) {
    if (count == 1) f(index_expr(0));
    else b_.for_(0, count, f, {.independent = false});
  }

  /// f(the outputs of a tile that exist) for the tile `at` along a dimension: fewer in the last one, whose code is its
  /// own.
  template <class F>
  void each_part(size_t d, const index_expr& at, F&& f) {
    part last{0, extent_[d] - at * op_.tile};
    if (extent_[d].is_constant()) {
      last.known = extent_[d].constant() % op_.tile;
      if (last.known == 0) return f(part{op_.tile, {}});
      if (tiles_[d] == 1) return f(last);
    }
    const auto nothing = std::vector<value_id>{};
    const value_id is_last = last.known != 0 ? b_.equal(at, tiles_[d] - 1) : b_.less(last.count, op_.tile);
    b_.if_(is_last, [&] { return f(last), nothing; }, [&] { return f(part{op_.tile, {}}), nothing; });
  }

  void rectangle(const index_expr& n, const index_expr& slot, const index_expr& down, const index_expr& across) {
    block(slot, block_[0] * block_[1], [&](const auto& f) {
      b_.nest(index_list{block_[0], block_[1]}, [&](const index_list& at) {
        const index_expr i = down * block_[0] + at[0], j = across * block_[1] + at[1];
        each_part(0, i, [&](const part& rows) {
          each_part(1, j, [&](const part& columns) {
            f(tile_place{at[0] * block_[1] + at[1], n, {i * op_.tile, j * op_.tile}, {rows, columns}});
          });
        });
      });
    });
  }

  /// each_tile(f): f(tile_place) for each tile of the block, in a nest of independent loops.
  template <class F>
  void block(const index_expr& slot, const index_expr& tiles, F&& each_tile) {
    each_tile([&](const tile_place& t) {
      const auto rows = places_of(t, 0), columns = places_of(t, 1);
      b_.for_(0, channels_, [&](const index_expr& c) { load_tile(t, rows, columns, c, slot); },
              {.lanes = together_ > 1 ? cx_.lanes(factor_) : 0, .independent = true});
    });
    const auto panel = [&](const index_expr& p, const index_expr& first, const index_expr& count) {
      const index_expr to = op_.workspaces == 0 ? p : slot;
      b_.for_(0, op_.places(), [&](const index_expr& place) {
        ir::contract_spec spec{transformed_, weight_, {tiles}, {channels_}, count, sum_};
        if (together_ > 1) spec.k = {channels_ / together_, together_};
        b_.contract(
            spec,
            [&](const index_list& m, const index_list& k) {
              const index_expr channel = together_ > 1 ? k[0] * together_ + k[1] : k[0];
              return index_list{slot, place, m[0] * row_ + channel};
            },
            [&](const index_expr& o, const index_list& k) {
              return together_ > 1 ? index_list{p, place, k[0], o, k[1]} : index_list{p, place, k[0], o};
            },
            [&](value_id sum, const index_list& m, const index_expr& o) {
              b_.store(sum, products_, {to, place, m[0] * product_row_ + o});
            });
      });
      each_tile([&](const tile_place& t) {
        b_.for_(0, count, [&](const index_expr& o) { store_tile(t, first, o, to); });
        if (t.known()) return;
        // Of outputs that only a run knows to exist, those are taken that do.
        const index_expr rows = t.parts[0].limit(op_.tile, b_), columns = t.parts[1].limit(op_.tile, b_);
        b_.nest(index_list{rows, columns, count}, [&](const index_list& at) {
          const index_expr place = at[0] * op_.tile + at[1];
          const index_expr o = first + at[2];
          store_output(b_.load(products_, {to, place, t.number * product_row_ + at[2]}), bias_of(o), t, at[0], at[1],
                       o);
        });
      });
    };
    for_blocks(b_, op_.columns, op_.panel, panel, loop::for_loop{.independent = op_.workspaces == 0});
  }

  /// Where a tile reads along a dimension: what exists; or as often as it may, what is outside from the last place.
  index_list places_of(const tile_place& t, size_t d) {
    const part& p = t.parts[d];
    index_list r;
    for (i64 i = 0; i < (p.known != 0 ? p.known + 2 : op_.reach()); ++i)
      r.push_back(p.known != 0 || i < 3 ? t.first[d] + i : b_.min(t.first[d] + i, extent_[d] + 1));
    return r;
  }

  void load_tile(const tile_place& t, const index_list& rows, const index_list& columns, const index_expr& c,
                 const index_expr& slot) {
    const auto reach = static_cast<size_t>(op_.reach());
    std::vector<tile_transform::elements> down;
    for (size_t j = 0; j < reach; ++j) {
      tile_transform::elements column(reach);
      for (size_t i = 0; i < rows.size() && j < columns.size(); ++i)
        column[i] = b_.convert(b_.load(image_, {t.image, rows[i], columns[j], c}), factor_);
      down.push_back(input_.of_input(column));
    }
    for (size_t i = 0; i < down.size(); ++i) {
      tile_transform::elements row;
      for (const auto& column : down) row.push_back(column[i]);
      row = input_.of_input(row);
      for (size_t j = 0; j < row.size(); ++j)
        b_.store(input_.or_zero(row[j]), transformed_,
                 {slot, static_cast<i64>(i * row.size() + j), t.number * row_ + c});
    }
  }

  /// Into the result; where only a run knows which outputs exist, into the places of the tile's products.
  void store_tile(const tile_place& t, const index_expr& first, const index_expr& o, const index_expr& slot) {
    const i64 reach = op_.reach();
    std::vector<tile_transform::elements> down;
    for (i64 j = 0; j < reach; ++j) {
      tile_transform::elements column;
      for (i64 i = 0; i < reach; ++i)
        column.push_back(b_.load(products_, {slot, i * reach + j, t.number * product_row_ + o}));
      down.push_back(output_.of_output(column));
    }
    const value_id bias = t.known() ? bias_of(first + o) : value_id{};
    const auto outputs_of = [&](size_t d) { return t.known() ? t.parts[d].known : op_.tile; };
    for (i64 i = 0; i < outputs_of(0); ++i) {
      tile_transform::elements row;
      for (const auto& column : down) row.push_back(column[static_cast<size_t>(i)]);
      row = output_.of_output(row);
      for (i64 j = 0; j < outputs_of(1); ++j) {
        const value_id v = row[static_cast<size_t>(j)];
        if (t.known()) store_output(v, bias, t, i, j, first + o);
        else b_.store(v, products_, {slot, i * op_.tile + j, t.number * product_row_ + o});
      }
    }
  }

  value_id bias_of(const index_expr& o) { return cx_.has(2) ? cx_.load(2, {o}) : value_id{}; }
  void store_output(value_id v, value_id bias, const tile_place& t, const index_expr& i, const index_expr& j,
                    const index_expr& o) {
    if (together_ > 1) v = b_.apply(scalar_fn::shift_right, {v, b_.integer(sum_, winograd_scale_bits)});
    if (bias) v = b_.add(v, bias);
    cx_.store(v, 0, {t.image, t.first[0] + i, t.first[1] + j, o});
  }

  const winograd_conv& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  i64 together_;        ///< channels whose products are added up at once
  dtype factor_, sum_;  ///< of what is multiplied, and of products
  tile_transform input_, output_;
  value_id image_, weight_, transformed_, products_;
  i64 channels_ = 0, panels_ = 0, row_ = 0, product_row_ = 0;
  bool any_ = false;                              ///< blocks are so many of all tiles, whatever the image's extents are
  std::array<index_expr, 2> extent_{}, tiles_{};  ///< down and across
  std::array<i64, 2> block_{}, blocks_{};
  index_expr images_;
};

}  // namespace detail

void lower(const winograd_conv& op, lower_context& cx) {
  const ir::type y = cx.result_type();
  if (y.is_static() && y.count() == 0) return;
  if (!cx.operand_type(0).shape[3].is_static()) cx.fail("the number of channels is not known");
  detail::winograd_nests(op, cx).lower();
}

}  // namespace tenon::op
