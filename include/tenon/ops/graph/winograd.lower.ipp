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
    for (size_t d = 0; d < 2; ++d) {
      extent_[d] = y.shape[1 + d].extent();
      tiles_[d] = quotient_up(extent_[d], op.tile);
      block_[d] = !op.block.empty() ? op.block[d] : d == 0 ? 1 : tiles_[d];
      if (tiles_[d] % block_[d] != 0) cx.fail("blocks of tiles do not divide the tiles of the image");
      blocks_[d] = tiles_[d] / block_[d];
    }
    images_ = cx.extent(x.shape[0]);
    panels_ = quotient_up(op.columns, op.panel);
    row_ = apart(channels_, 1024 / size_of(factor_)), product_row_ = op.panel;
    const i64 slots = std::max<i64>(op.workspaces, 1), tiles = block_[0] * block_[1];
    transformed_ = cx.scratch(factor_, {slots, op.places(), apart(tiles * row_, 4096 / size_of(factor_))});
    products_ = cx.scratch(
        sum_, {op.workspaces == 0 ? panels_ : slots, op.places(), apart(tiles * product_row_, 4096 / size_of(sum_))});
  }

  void lower() {
    const i64 count = blocks_[0] * blocks_[1];
    const auto number = [&](const index_expr& n, const index_expr& slot, const index_expr& i) {
      if (blocks_[1] == 1) block(n, slot, i, 0);
      else if (blocks_[0] == 1) block(n, slot, 0, i);
      else block(n, slot, b_.floor_div(i, blocks_[1]), b_.floor_mod(i, blocks_[1]));
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
  /// A distance between rows that falls into other sets of the first-level cache from row to row.
  static i64 apart(i64 elements, i64 period) { return elements % period == 0 ? elements + collision_gap : elements; }

  template <class F>
  void serial(const index_expr& count, F&& f) {
    if (count == 1) f(index_expr(0));
    else b_.for_(0, count, f, {.independent = false});
  }

  /// f(how many outputs of a tile exist) for the tile `at` along a dimension: fewer in the last one.
  template <class F>
  void outputs_of(size_t d, const index_expr& at, F&& f) {
    const i64 rest = extent_[d] % op_.tile;
    if (rest == 0) return f(op_.tile);
    if (tiles_[d] == 1) return f(rest);
    const auto nothing = std::vector<value_id>{};
    b_.if_(b_.equal(at, tiles_[d] - 1), [&] { return f(rest), nothing; }, [&] { return f(op_.tile), nothing; });
  }

  /// f(first output down, first output across, how many exist down, across, number in the block) for each tile.
  template <class F>
  void each_tile(const index_expr& down, const index_expr& across, F&& f) {
    b_.nest(index_list{block_[0], block_[1]}, [&](const index_list& at) {
      const index_expr i = down * block_[0] + at[0], j = across * block_[1] + at[1];
      outputs_of(0, i, [&](i64 rows) {
        outputs_of(1, j, [&](i64 columns) { f(i * op_.tile, j * op_.tile, rows, columns, at[0] * block_[1] + at[1]); });
      });
    });
  }

  void block(const index_expr& n, const index_expr& slot, const index_expr& down, const index_expr& across) {
    each_tile(down, across, [&](const index_expr& y, const index_expr& x, i64 rows, i64 columns, const index_expr& t) {
      b_.for_(0, channels_, [&](const index_expr& c) { load_tile(n, y, x, c, rows + 2, columns + 2, slot, t); },
              {.lanes = together_ > 1 ? cx_.lanes(factor_) : 0, .independent = true});
    });
    const auto panel = [&](const index_expr& p, const index_expr& first, const index_expr& count) {
      const index_expr to = op_.workspaces == 0 ? p : slot;
      b_.for_(0, op_.places(), [&](const index_expr& place) {
        ir::contract_spec spec{transformed_, weight_, {block_[0] * block_[1]}, {channels_}, count, sum_};
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
      each_tile(down, across,
                [&](const index_expr& y, const index_expr& x, i64 rows, i64 columns, const index_expr& t) {
                  b_.for_(0, count, [&](const index_expr& o) { store_tile(n, y, x, first, o, rows, columns, to, t); });
                });
    };
    for_blocks(b_, op_.columns, op_.panel, panel, loop::for_loop{.independent = op_.workspaces == 0});
  }

  void load_tile(const index_expr& n, const index_expr& y, const index_expr& x, const index_expr& c, i64 rows,
                 i64 columns, const index_expr& slot, const index_expr& t) {
    const i64 reach = op_.reach();
    std::vector<tile_transform::elements> down;
    for (i64 j = 0; j < reach; ++j) {
      tile_transform::elements column(static_cast<size_t>(reach));
      for (i64 i = 0; i < rows && j < columns; ++i)
        column[static_cast<size_t>(i)] = b_.convert(b_.load(image_, {n, y + i, x + j, c}), factor_);
      down.push_back(input_.of_input(column));
    }
    for (size_t i = 0; i < down.size(); ++i) {
      tile_transform::elements row;
      for (const auto& column : down) row.push_back(column[i]);
      row = input_.of_input(row);
      for (size_t j = 0; j < row.size(); ++j)
        b_.store(input_.or_zero(row[j]), transformed_, {slot, static_cast<i64>(i * row.size() + j), t * row_ + c});
    }
  }

  void store_tile(const index_expr& n, const index_expr& y, const index_expr& x, const index_expr& first,
                  const index_expr& o, i64 rows, i64 columns, const index_expr& slot, const index_expr& t) {
    const i64 reach = op_.reach();
    std::vector<tile_transform::elements> down;
    for (i64 j = 0; j < reach; ++j) {
      tile_transform::elements column;
      for (i64 i = 0; i < reach; ++i) column.push_back(b_.load(products_, {slot, i * reach + j, t * product_row_ + o}));
      down.push_back(output_.of_output(column));
    }
    const value_id bias = cx_.has(2) ? cx_.load(2, {first + o}) : value_id{};
    for (i64 i = 0; i < rows; ++i) {
      tile_transform::elements row;
      for (const auto& column : down) row.push_back(column[static_cast<size_t>(i)]);
      row = output_.of_output(row);
      for (i64 j = 0; j < columns; ++j) {
        value_id v = row[static_cast<size_t>(j)];
        if (together_ > 1) v = b_.apply(scalar_fn::shift_right, {v, b_.integer(sum_, winograd_scale_bits)});
        if (bias) v = b_.add(v, bias);
        cx_.store(v, 0, {n, y + i, x + j, first + o});
      }
    }
  }

  const winograd_conv& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  i64 together_;        ///< channels whose products are added up at once
  dtype factor_, sum_;  ///< of what is multiplied, and of products
  tile_transform input_, output_;
  value_id image_, weight_, transformed_, products_;
  i64 channels_ = 0, panels_ = 0, row_ = 0, product_row_ = 0;
  std::array<i64, 2> extent_{}, tiles_{}, block_{}, blocks_{};  ///< down and across
  index_expr images_;
};

}  // namespace detail

void lower(const winograd_conv& op, lower_context& cx) {
  const ir::type y = cx.result_type();
  if (y.is_static() && y.count() == 0) return;
  for (size_t d = 1; d < 4; ++d)
    if (!y.shape[d].is_static() || !cx.operand_type(0).shape[d].is_static())
      cx.fail("the height and width of the image are not known", "leave such convolutions as they are");
  detail::winograd_nests(op, cx).lower();
}

}  // namespace tenon::op
