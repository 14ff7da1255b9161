/// @file use_winograd.ipp: definitions of passes/use_winograd.hpp.
#pragma once

#include <algorithm>
#include <limits>

#include <tenon/core/checked.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/constraint.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/graph/moved_elements.hpp>
#include <tenon/passes/kernel_options.hpp>
#include <tenon/passes/loop_analysis.hpp>
#include <tenon/passes/pack_weights.ipp>
#include <tenon/passes/use_winograd.hpp>

namespace tenon::passes {

namespace winograd {

/// Times in multiply-adds of vectors. Measured on Zen 5 (docs/decisions/045-winograd.md).
inline constexpr double direct_step = 1.15;   ///< one of a direct convolution, with its loads
inline constexpr double product_step = 1.25;  ///< one of the products of transformed tiles
inline constexpr double transform_place = 8;  ///< a vector of one place of a tile, on its way there or back
inline constexpr double words_step = 1.3;     ///< of words, where a product and its addition are two instructions
inline constexpr double bytes_a_step = 12;    ///< that come from the third-level cache
inline constexpr double memory_a_step = 2;    ///< bytes of weights, which other weights have thrown out of all caches
inline constexpr double cache_bytes = 1 << 20;
/// What memory is worth: so many bytes of weights cost nothing, each of the others this share of a step.
inline constexpr double free_bytes = 4 << 20, byte_price = 0.5;
inline constexpr double fork = 20000;  ///< to share out the work of a block, for each thread
inline constexpr double least_gain = 0.9;
inline constexpr i64 most_tiles = 512;  ///< of a block, whatever the image has
/// All of a module's constants may become so many times as large, or so many bytes larger.
inline constexpr double most_growth = 1.25, free_growth = 16 << 20;

inline std::vector<i64> divisors(i64 n) {
  std::vector<i64> r;
  for (i64 d = 1; d <= n / d; ++d)
    if (n % d == 0) r.insert(r.end(), {d, n / d});
  return r;
}

/// The share of the threads' time that `pieces` of equal work use.
inline double balance(i64 pieces, i64 threads) {
  return static_cast<double>(pieces) / static_cast<double>(op::quotient_up(pieces, threads) * threads);
}

class chooser {
 public:
  chooser(const conv_extents& e, i64 lanes, i64 threads)
      : e_(e), open_(e.height == 0 || e.width == 0), lanes_(lanes), threads_(std::max<i64>(threads, 1)) {
    for (i64* extent : {&e_.height, &e_.width})
      if (*extent == 0) *extent = static_cast<i64>(detail::expected_extent);
  }

  /// Of one image, on one thread.
  double direct() const {
    // Weights are fetched while others are multiplied.
    const double bytes = direct_bytes();
    return price(bytes) +
           std::max(real(e_.height) * real(e_.width) * 9 * steps(e_.channels) * vectors(e_.outputs) * direct_step,
                    bytes / memory_a_step);
  }

  double direct_bytes() const { return 9 * real(e_.channels) * real(e_.outputs) * (e_.bytes ? 1 : 4); }
  double bytes_of(const op::winograd_conv& w) const {
    return real(w.places()) * real(e_.channels) * real(op::quotient_up(w.columns, w.panel)) * real(w.panel) *
           factor_bytes();
  }

  void try_tile(i64 tile) {
    if (e_.bytes && tile != 2) return;
    const i64 down = op::quotient_up(e_.height, tile), across = op::quotient_up(e_.width, tile);
    if (open_) return try_any_extents(tile, checked_mul(down, across));
    for (i64 r : divisors(down))
      for (i64 c : divisors(across))
        if (r == 1 || c == across) try_block(tile, {r, c}, down / r * (across / c));
  }

  std::optional<op::winograd_conv> best;
  double least = 0;  ///< of one image, all threads together

 private:
  static double real(i64 v) { return static_cast<double>(v); }
  static double price(double weight_bytes) { return std::max(weight_bytes - free_bytes, 0.) * byte_price; }
  double vectors(i64 n) const { return real(op::quotient_up(n, lanes_)); }
  /// Steps of a sum over channels, each a vector's multiply-add.
  double steps(i64 channels) const { return real(channels) * (e_.bytes ? words_step / 2 : 1); }
  double factor_bytes() const { return e_.bytes ? 2 : 4; }

  double block_bytes(const op::winograd_conv& w, i64 tiles) const {
    return real(w.places()) * real(tiles) * (real(e_.channels) * factor_bytes() + real(w.panel) * 4);
  }
  /// Of a block of so many tiles.
  double cost_of(const op::winograd_conv& w, i64 tiles) const {
    const double places = real(w.places()) * real(tiles), weight_bytes = bytes_of(w), block = block_bytes(w, tiles);
    // Registers hold rows of few tiles; then the weights' loads take longer than the multiplications.
    const double few = tiles < 8 ? 8 / real(tiles) : 1;
    double cost = places * steps(e_.channels) * vectors(e_.outputs) * product_step * few +
                  places * (vectors(e_.channels) * factor_bytes() / 4 + vectors(e_.outputs)) * transform_place;
    if (weight_bytes > cache_bytes / 2) cost += weight_bytes / bytes_a_step;  // again with each block
    if (block > cache_bytes) cost += real(op::quotient_up(w.columns, w.panel)) * block / bytes_a_step;
    return cost;
  }

  void try_block(i64 tile, std::vector<i64> block, i64 blocks) {
    op::winograd_conv w{.tile = tile, .columns = e_.outputs, .block = std::move(block)};
    const i64 tiles = checked_mul(w.block[0], w.block[1]);
    w.panel = panel_width(e_.outputs, tiles, lanes_);
    try_blocks(std::move(w), tiles, blocks);
  }

  /// Blocks of the size that costs each of many tiles the least; of equals the largest that leaves most of a cache.
  /// Those of few tiles are smaller, and all of one size.
  void try_any_extents(i64 tile, i64 tiles) {
    op::winograd_conv w{.tile = tile, .columns = e_.outputs, .block = {8}};
    double least_a_tile = std::numeric_limits<double>::infinity();
    w.panel = panel_width(e_.outputs, most_tiles, lanes_);
    for (i64 n = w.block[0]; n <= most_tiles; ++n) {
      const double a_tile = cost_of(w, n) / real(n), about = block_bytes(w, n) <= cache_bytes / 4 ? 1.001 : 0.999;
      if (a_tile < about * least_a_tile) w.block = {n}, least_a_tile = std::min(a_tile, least_a_tile);
    }
    const i64 rounds = op::quotient_up(tiles, checked_mul(w.block[0], threads_)) * threads_;
    const i64 together = std::max(op::quotient_up(tiles, rounds), std::min(tiles, op::winograd_least_tiles));
    try_blocks(std::move(w), together, op::quotient_up(tiles, together));
  }

  /// `blocks` of `tiles`.
  void try_blocks(op::winograd_conv w, i64 tiles, i64 blocks) {
    const i64 panels = op::quotient_up(e_.outputs, w.panel);
    const double weight_bytes = bytes_of(w), cost = cost_of(w, tiles) * real(blocks);
    const auto offer = [&](i64 workspaces, double work) {
      // Where memory is the limit, what does less besides.
      const double time = std::max(work, weight_bytes / memory_a_step) + work / 16 + price(weight_bytes);
      if (best && time >= least) return;
      w.workspaces = workspaces;
      best = w, least = time;
    };
    if (threads_ == 1) return offer(1, cost);
    const i64 all = checked_mul(blocks, std::max<i64>(e_.images, 1));
    if (all > 1 || open_) offer(open_ ? threads_ : std::min(all, threads_), cost / balance(all, threads_));
    // What one thread has transformed the others read from its cache. They share out panels, or places where there is
    // but one panel.
    const double shared = cost + real(blocks) * (block_bytes(w, tiles) / bytes_a_step + real(threads_) * fork);
    offer(0, shared / balance(panels > 1 ? panels : w.places(), threads_));
  }

  conv_extents e_;
  bool open_;  ///< height or width is not known
  i64 lanes_, threads_;
};

}  // namespace winograd

std::optional<op::winograd_conv> choose_winograd(const conv_extents& e, i64 lanes, i64 threads, i64 tile) {
  winograd::chooser c(e, lanes, threads);
  if (tile != 0) {
    c.try_tile(tile);
    return c.best;
  }
  // Of fewer channels vectors would be half empty.
  const auto short_of = [](i64 extent) { return extent != 0 && extent < 4; };
  if (2 * e.channels < 3 * lanes / 2 || 2 * e.outputs < 3 * lanes / 2 || short_of(e.height) || short_of(e.width))
    return std::nullopt;
  c.try_tile(4);
  c.try_tile(2);
  return c.least < winograd::least_gain * c.direct() ? c.best : std::nullopt;
}

namespace winograd {

/// What a convolution is to the model, if transformed tiles can compute it. `words`: of bytes, too.
inline std::optional<conv_extents> extents_of(const ir::module& m, op_id op, bool words) {
  const ir::op_view v = m.view(op);
  const auto* c = v.get_if<op::conv>();
  const auto all = [](const std::vector<i64>& list, i64 n) {
    return std::all_of(list.begin(), list.end(), [&](i64 x) { return x == n; });
  };
  if (c == nullptr || c->panel != 0 || c->layout != op::data_layout::channels_last || c->group != 1 ||
      !all(c->strides, 1) || !all(c->dilations, 1) || !all(c->pads, 0))
    return std::nullopt;
  const ir::type &x = v.operand_type(0), &w = v.operand_type(1), &y = v.result_type();
  const bool bytes = x.elem == dtype::u8 && w.elem == dtype::i8 && y.elem == dtype::i32;
  if (bytes ? !words : x.elem != dtype::f32 || w.elem != dtype::f32) return std::nullopt;
  if (!w.is_static() || !x.ranked || !y.ranked || w.rank() != 4 || w.shape[0] != ir::dim(3) ||
      w.shape[1] != ir::dim(3) || x.shape[3] != w.shape[2])
    return std::nullopt;
  for (size_t d = 1; d < 3; ++d)
    if (y.shape[d].is_static() && y.shape[d].extent() < 1) return std::nullopt;
  const auto extent = [](ir::dim d) { return d.is_static() ? d.extent() : 0; };
  const conv_extents e{extent(y.shape[0]),  extent(y.shape[1]),  extent(y.shape[2]),
                       w.shape[2].extent(), w.shape[3].extent(), bytes};
  if (e.channels % op::winograd_interleave(x.elem) != 0) return std::nullopt;
  if (e.channels < 1 || e.outputs < 1 || (y.is_static() && y.count() == 0)) return std::nullopt;
  return e;
}

/// A convolution, and what may become of it: none is slower than one before it, and none smaller than one behind.
struct candidate {
  struct form {
    std::optional<op::winograd_conv> op;  ///< none: it stays as it is
    double time, bytes;
  };
  op_id op;
  std::vector<form> forms;
  size_t chosen = 0;
};

/// Nothing where no tiles are chosen. With `tile` there is one form only.
inline std::optional<candidate> candidate_of(op_id op, const conv_extents& e, i64 lanes, i64 threads, i64 tile) {
  const auto first = choose_winograd(e, lanes, threads, tile);
  if (!first) return std::nullopt;
  candidate r{op, {}};
  const auto offer = [&](const std::optional<op::winograd_conv>& w, double time, double bytes) {
    if (r.forms.empty() || bytes < r.forms.back().bytes) r.forms.push_back({w, time, bytes});
  };
  const auto time_of = [&](const op::winograd_conv& w) {
    chooser c(e, lanes, threads);
    c.try_tile(w.tile);
    return c.least;
  };
  const chooser as_it_is(e, lanes, threads);
  offer(first, time_of(*first), as_it_is.bytes_of(*first));
  if (tile != 0) return r;
  if (const auto small = choose_winograd(e, lanes, threads, 2))
    if (const double time = time_of(*small); time < as_it_is.direct()) offer(small, time, as_it_is.bytes_of(*small));
  offer(std::nullopt, as_it_is.direct(), as_it_is.direct_bytes());
  return r;
}

/// Goes to smaller forms, where a byte costs the least time, until no more than `allowed` bytes are added.
inline void fit(std::vector<candidate>& all, double allowed) {
  double added = 0;
  for (const candidate& c : all) added += c.forms.front().bytes - c.forms.back().bytes;
  while (added > allowed) {
    candidate* best = nullptr;
    double least = std::numeric_limits<double>::infinity(), saved = 0;
    for (candidate& c : all) {
      if (c.chosen + 1 >= c.forms.size()) continue;
      const candidate::form &now = c.forms[c.chosen], &next = c.forms[c.chosen + 1];
      const double bytes = now.bytes - next.bytes, price = (next.time - now.time) / bytes;
      if (price < least) best = &c, least = price, saved = bytes;
    }
    if (best == nullptr) return;
    ++best->chosen, added -= saved;
  }
}

inline double constant_bytes(const ir::module& m) {
  double bytes = 0;
  ir::for_each_op(m, ir::function_kind::graph, [&](op_id op) {
    if (m.view(op).is<op::constant>()) bytes += static_cast<double>(m.view(op).result_type().bytes());
  });
  return bytes;
}

}  // namespace winograd

void use_winograd::run(ir_module<runs_in>& module, context& cx) const {
  ir::module& m = module.body();
  const auto program = cx.get<kernel_options>();
  std::vector<winograd::candidate> all;
  for (op_id op : packing::largest_first(m)) {
    const kernel_options own = program.of(ir::constraint_of(m, op));
    if (!own.winograd) continue;
    const auto e = winograd::extents_of(m, op, own.products_together == 2);
    if (!e || (!e->bytes && (own.strict() || own.rounds_weights()))) continue;
    const i64 lanes = std::max(1, own.vector_bytes / 4);
    if (auto c = winograd::candidate_of(op, *e, lanes, own.threads, tile)) all.push_back(*std::move(c));
  }
  winograd::fit(all, std::max(winograd::free_growth, winograd::most_growth * winograd::constant_bytes(m)));
  for (const winograd::candidate& c : all) {
    const auto& chosen = c.forms[c.chosen].op;
    const op_id op = c.op;
    if (!chosen || !m.alive(op) || !packing::fold_operand(m, op, 1)) continue;
    const tensor weight = *m.constant_value(m.operand(op, 1));
    if (is_float(weight.type()) && !op::all_finite(weight)) continue;
    tensor transformed = op::winograd_weights(weight, chosen->tile, chosen->panel);
    if (!is_float(weight.type()) && !op::winograd_sums_fit(transformed)) continue;
    ir::builder<emits> b(m, m[op].parent);
    b.before(op);
    const value_id u = b.make(op::constant{m.add_constant(std::move(transformed))}, {});
    std::vector<value_id> operands = m.operands(op);
    const value_id given = operands[1];
    operands[1] = u;
    const op_id made = b.make_op(*chosen, operands);
    m.set_type(m.result(made), m[m.result(op)].type);
    m.replace_uses(m.result(op), m.result(made));
    m.erase(op);
    if (const op_id d = m[given].definition) erase_unused(m, d);
  }
}

}  // namespace tenon::passes
