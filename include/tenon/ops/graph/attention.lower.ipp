/// @file attention.lower.ipp: loop nests of attention: a block of queries by all keys, or by one block of keys after
/// the other, whose scores stay in the second-level cache.
#pragma once

#include <algorithm>
#include <limits>

#include <tenon/ops/graph/attention.hpp>
#include <tenon/ops/graph/contraction.lower.ipp>
#include <tenon/ops/graph/window_lowering.hpp>
#include <tenon/ops/lower.hpp>

namespace tenon::op {
namespace attention_detail {

/// Up to how many keys a softmax sees all scores of a query at once; else so many at a time.
inline constexpr i64 most_keys = 2048, block_keys = 512;
/// Bytes of a block's scores: with the keys and values of as many keys they fit into a second-level cache, of which
/// processors with vectors of 32 bytes have half a megabyte, others more.
inline i64 block_bytes(i64 vector_bytes) { return i64{1} << (vector_bytes < 64 ? 18 : 19); }
/// Queries of a block when only the run knows how many there are: blocks of registers divide it or nearly.
inline constexpr i64 sized_queries = 84;
/// Into how many parts the work is cut, each with scores of its own, where only the run knows how many blocks there
/// are, and at most.
inline constexpr i64 parts = 16;

/// Whether k is packed: rows of it that are far apart cost a page each for every block of queries.
inline bool pays_to_pack(const ir::type& q, const ir::type& k, i64 panel) {
  constexpr i64 least_queries = 64, least_keys = 512;
  const ir::dim queries = q.shape[q.shape.size() - 2], keys = k.shape.back();
  return queries.is_static() && keys.is_static() && k.shape[k.shape.size() - 2].is_static() &&
         queries.extent() >= least_queries && keys.extent() >= std::max(least_keys, panel + 1);
}

/// Queries of a block of which each has scores of `keys`: as many as fit, if possible a number that divides all.
/// Not so many that there are few blocks, which threads share, unless each is small.
inline i64 queries_at_a_time(i64 queries, i64 keys, i64 matrices, dtype t, i64 bytes) {
  constexpr i64 least = 14;  // a block of registers
  const i64 fit = bytes / (std::max<i64>(keys, 1) * tenon::size_of(t));
  const i64 shared = std::max(quotient_up(queries * matrices, parts), 4 * least);
  const i64 most = std::max(std::min(fit, shared) / least, i64{1}) * least;
  if (queries <= most + most / 4) return std::max<i64>(queries, 1);
  for (i64 n = most; n > most * 2 / 3; --n)
    if (queries % n == 0) return n;
  return most;
}

/// How many parts of equal size a number of blocks is cut into: few enough for their memory, many enough for threads.
inline i64 equal_parts(i64 blocks) {
  for (i64 n : {parts, parts - 4, parts / 2})
    if (blocks % n == 0) return n;
  return std::clamp<i64>(blocks, 1, parts);
}

/// The nests of one op.
class writer {
 public:
  writer(const attention& op, lower_context& cx)
      : op_(op), cx_(cx), b_(cx.b()), q_type_(cx.operand_type(0)), k_type_(cx.operand_type(1)),
        v_type_(cx.operand_type(2)), y_(cx.result_type()), t_(compute_type(q_type_.elem)) {
    q_ = cx.buffer(0), k_ = cx.buffer(1), v_ = cx.buffer(2);
    if (cx.has(3)) mask_type_ = cx.operand_type(3);
    const index_list extents = cx.extents(y_);
    batch_.assign(extents.begin(), extents.end() - 2);
    queries_ = extents[extents.size() - 2], columns_ = extents.back();
    depth_ = cx.extent(q_type_.shape.back()), keys_ = cx.extent(k_type_.shape.back());
    all_at_once_ = keys_.is_constant() && keys_.constant() <= most_keys;
    at_a_time_ = all_at_once_ ? std::max<i64>(keys_.constant(), 1) : block_keys;
    const i64 bytes = block_bytes(cx_.lanes(t_) * tenon::size_of(t_));
    together_ = queries_.is_constant()
                    ? queries_at_a_time(queries_.constant(), at_a_time_, expected_matrices(), t_, bytes)
                    : sized_queries;
  }

  void write() {
    if (pays_to_pack(q_type_, k_type_, 2 * cx_.lanes(t_))) {
      panel_ = 2 * cx_.lanes(t_);
      k_ = detail::packed_panels(cx_, k_, k_type_, panel_);
    }
    blocks_ = b_.floor_div(queries_ + (together_ - 1), together_);
    index_expr all = blocks_;
    for (const index_expr& e : batch_) all = b_.times(all, e);
    const i64 slots = all.is_constant() ? equal_parts(all.constant()) : parts;
    const index_expr rounds = b_.floor_div(all + (slots - 1), slots);
    const bool even = all.is_constant() && all.constant() % slots == 0;
    // Rows whose distance is a power of two would throw each other out of the first-level cache.
    const i64 row = at_a_time_ * tenon::size_of(t_);
    const i64 width = at_a_time_ + (detail::rows_collide(row) ? detail::collision_gap : 0);
    scores_ = cx_.scratch(t_, {slots, together_, width});
    sums_ = cx_.scratch(t_, {slots, together_});
    if (!all_at_once_) {
      tops_ = cx_.scratch(t_, {slots, together_}), changes_ = cx_.scratch(t_, {slots, together_});
      results_ = cx_.scratch(t_, {slots, together_, v_type_.shape.back()});
    }
    // Each part has its own scores, block after block: they stay in the cache of whose turn it is.
    b_.for_(0, slots, [&](const index_expr& slot) {
      slot_ = slot;
      const index_expr first = b_.times(slot, rounds);
      const index_expr count = even ? rounds : b_.min(rounds, all - first);
      b_.for_(0, count, [&](const index_expr& round) { block(first + round); }, {.independent = false});
    });
  }

 private:
  using values = std::vector<value_id>;

  /// Of a number of matrices that only the run knows, that many.
  i64 expected_matrices() const {
    constexpr i64 unknown = 8;
    i64 n = 1;
    for (const index_expr& e : batch_)
      if (!e.is_constant()) return unknown;
      else n = std::min(checked_mul(n, e.constant()), i64{1} << 20);
    return n;
  }
  /// The number of a block says which queries of which matrices.
  void block(index_expr number) {
    at_ = index_list(batch_.size(), 0);
    index_expr first = number;
    if (blocks_ == 1) first = 0;
    else first = b_.floor_mod(number, blocks_), number = b_.floor_div(number, blocks_);
    bool outermost = true;
    for (size_t d = 0; d < batch_.size(); ++d) outermost = outermost && batch_[d] == 1;
    for (size_t d = batch_.size(); d-- > 0 && !outermost;) {
      if (batch_[d] == 1) continue;
      outermost = std::all_of(batch_.begin(), batch_.begin() + static_cast<std::ptrdiff_t>(d),
                              [](const index_expr& e) { return e == 1; });
      at_[d] = outermost ? number : b_.floor_mod(number, batch_[d]);
      if (!outermost) number = b_.floor_div(number, batch_[d]);
    }
    first_ = blocks_ == 1 ? index_expr(0) : first * together_;
    const bool whole = queries_.is_constant() && queries_.constant() % together_ == 0;
    count_ = whole ? index_expr(together_) : b_.min(together_, queries_ - first_);
    if (all_at_once_) {
      multiply_keys(0, keys_);
      b_.for_(0, count_, [&](const index_expr& r) { weigh(r, keys_); });
      multiply_values(0, keys_);
    } else {
      online();
    }
  }

  /// Blocks of keys, each of which may move the sums to a higher score (Milakov and Gimelshein 2018).
  void online() {
    const double lowest = -std::numeric_limits<double>::infinity();
    b_.for_(0, count_, [&](const index_expr& r) {
      b_.store(b_.real(t_, lowest), tops_, {slot_, r});
      b_.store(b_.real(t_, 0), sums_, {slot_, r});
    });
    b_.nest(index_list{count_, columns_},
            [&](const index_list& i) { b_.store(b_.real(t_, 0), results_, {slot_, i[0], i[1]}); });
    const index_expr blocks = b_.floor_div(keys_ + (at_a_time_ - 1), at_a_time_);
    b_.for_(0, blocks,
            [&](const index_expr& j) {
              const index_expr first = j * at_a_time_, count = b_.min(at_a_time_, keys_ - first);
              multiply_keys(first, count);
              b_.for_(0, count_, [&](const index_expr& r) { weigh_more(r, count); });
              multiply_values(first, count);
            },
            {.independent = false});
    // The sum of no weights is no divisor.
    const value_id none = b_.equal(keys_, 0);
    b_.nest(index_list{count_, columns_}, [&](const index_list& i) {
      const value_id sum = b_.select(none, b_.real(t_, 1), b_.load(sums_, {slot_, i[0]}));
      store(b_.div(b_.load(results_, {slot_, i[0], i[1]}), sum), i[0], i[1]);
    });
  }

  index_list place(const ir::type& t, const index_expr& row, const index_expr& column) const {
    index_list r = cx_.broadcast_index({t.shape.data(), t.shape.size() - 2}, {y_.shape.data(), batch_.size()}, at_);
    r.insert(r.end(), {row, column});
    return r;
  }
  void store(value_id v, const index_expr& r, const index_expr& e) {
    index_list at = at_;
    at.insert(at.end(), {first_ + r, e});
    cx_.store(b_.convert(v, q_type_.elem), 0, at);
  }

  /// Scores of the block's queries by some keys.
  void multiply_keys(const index_expr& first_key, const index_expr& count) {
    const auto contract = [&](const index_expr& panel, const index_expr& first, const index_expr& n) {
      b_.contract(
          {q_, k_, {count_}, {depth_}, n, t_},
          [&](const index_list& m, const index_list& k) { return place(q_type_, first_ + m[0], k[0]); },
          [&](const index_expr& j, const index_list& k) {
            if (panel_ == 0) return place(k_type_, k[0], first_key + first + j);
            index_list at = place(k_type_, k[0], j);
            at.insert(at.end() - 2, panel);
            return at;
          },
          [&](value_id s, const index_list& m, const index_expr& j) {
            const index_expr here = first + j;
            b_.store(masked(s, m[0], first_key + here), scores_, {slot_, m[0], here});
          });
    };
    if (panel_ == 0) return contract(0, 0, count);
    detail::for_blocks(b_, count, panel_, [&](const index_expr& j, const index_expr& first, const index_expr& n) {
      contract(panels_before(first_key) + j, first, n);
    });
  }
  /// Blocks of keys are whole panels.
  index_expr panels_before(const index_expr& key) { return key == 0 ? key : b_.floor_div(key, panel_); }

  value_id masked(value_id s, const index_expr& r, const index_expr& key) {
    if (op_.scale != 1) s = b_.mul(s, b_.real(t_, op_.scale));
    if (!cx_.has(3)) return s;
    index_list at = at_;
    at.insert(at.end(), {first_ + r, key});
    // It may have fewer dimensions than the scores, never more.
    std::vector<ir::dim> scores(y_.shape.begin(), y_.shape.end() - 2);
    scores.insert(scores.end(), {q_type_.shape[q_type_.shape.size() - 2], k_type_.shape.back()});
    const value_id m = cx_.broadcast(3, at, scores);
    if (mask_type_.elem == dtype::boolean) return b_.select(m, s, b_.real(t_, op_.fill));
    return b_.add(s, b_.convert(m, t_));
  }

  value_id score(const index_expr& r, const index_expr& j) { return b_.load(scores_, {slot_, r, j}); }
  value_id top_of(const index_expr& r, const index_expr& count) {
    const value_id lowest = b_.real(t_, -std::numeric_limits<double>::infinity());
    return b_.reduce(0, count, {lowest},
                     [&](const index_expr& j, values& top) { top[0] = b_.max(top[0], score(r, j)); })[0];
  }
  /// Scores become weights, of which it gives the sum.
  value_id exponentials(const index_expr& r, const index_expr& count, value_id top) {
    return b_.reduce(0, count, {b_.real(t_, 0)}, [&](const index_expr& j, values& sum) {
      const value_id w = b_.apply(scalar_fn::exp, {b_.sub(score(r, j), top)});
      b_.store(w, scores_, {slot_, r, j});
      sum[0] = b_.add(sum[0], w);
    })[0];
  }
  void weigh(const index_expr& r, const index_expr& count) {
    b_.store(b_.div(b_.real(t_, 1), exponentials(r, count, top_of(r, count))), sums_, {slot_, r});
  }
  /// As long as every score is -inf there is nothing to move to: such weights are zeros until a key counts, and without
  /// any the sum stays zero, by which zeros are divided in the end.
  void weigh_more(const index_expr& r, const index_expr& count) {
    const value_id lowest = b_.real(t_, -std::numeric_limits<double>::infinity());
    const value_id before = b_.load(tops_, {slot_, r}), top = b_.max(before, top_of(r, count));
    const value_id base = b_.select(b_.apply(scalar_fn::eq, {top, lowest}), b_.real(t_, 0), top);
    const value_id change = b_.apply(scalar_fn::exp, {b_.sub(before, base)});
    const value_id sum = exponentials(r, count, base);
    b_.store(b_.add(b_.mul(b_.load(sums_, {slot_, r}), change), sum), sums_, {slot_, r});
    b_.store(top, tops_, {slot_, r});
    b_.store(change, changes_, {slot_, r});
  }

  /// What the weights of the block's queries make of some keys' values.
  void multiply_values(const index_expr& first_key, const index_expr& count) {
    detail::for_blocks(
        b_, columns_, detail::unpacked_columns, [&](const index_expr&, const index_expr& first, const index_expr& n) {
          b_.contract(
              {scores_, v_, {count_}, {count}, n, t_},
              [&](const index_list& m, const index_list& k) { return index_list{slot_, m[0], k[0]}; },
              [&](const index_expr& e, const index_list& k) { return place(v_type_, first_key + k[0], first + e); },
              [&](value_id y, const index_list& m, const index_expr& e) {
                if (all_at_once_)
                  return store(keys_ == 0 ? y : b_.mul(y, b_.load(sums_, {slot_, m[0]})), m[0], first + e);
                const index_list at{slot_, m[0], first + e};
                const value_id old = b_.mul(b_.load(results_, at), b_.load(changes_, {slot_, m[0]}));
                b_.store(b_.add(old, y), results_, at);
              });
        });
  }

  const attention& op_;
  lower_context& cx_;
  ir::loop_builder& b_;
  const ir::type q_type_, k_type_, v_type_, y_;
  ir::type mask_type_;
  dtype t_;
  value_id q_, k_, v_;
  value_id scores_, sums_, tops_, changes_, results_;  ///< by part; sums are those of weights, or one over that
  index_list batch_, at_;                              ///< extents of the result's leading dimensions, a place in them
  index_expr queries_, depth_, keys_, columns_, blocks_;
  index_expr slot_, first_, count_;  ///< the part, and the queries of the block
  bool all_at_once_ = true;
  i64 at_a_time_ = 0, together_ = 0, panel_ = 0;  ///< keys, queries; width of panels of k, 0: it is not packed
};

}  // namespace attention_detail

void lower(const attention& op, lower_context& cx) {
  const ir::type y = cx.result_type();
  if (y.is_static() && y.count() == 0) return;
  attention_detail::writer(op, cx).write();
}

}  // namespace tenon::op
