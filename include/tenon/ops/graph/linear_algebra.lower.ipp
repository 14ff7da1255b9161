/// @file linear_algebra.lower.ipp: loop nests of determinants and inverses. A matrix is copied to scratch, where its
/// rows are eliminated, by whole vectors where their length is known: columns that are done are then changed along, and
/// nobody reads them. One of up to four rows is held in values, so that many are eliminated side by side.
#pragma once

#include <tenon/ops/graph/linear_algebra.hpp>
#include <tenon/ops/graph/movement_lowering.hpp>
#include <tenon/ops/graph/row_lowering.hpp>
#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

namespace linear_algebra_detail {

class elimination {
 public:
  explicit elimination(lower_context& cx)
      : cx_(cx), b_(cx.b()), rank_(cx.operand_type(0).shape.size()), matrices_(cx, {rank_ - 2, rank_ - 1}),
        elem_(cx.operand_type(0).elem), type_(compute_type(elem_)), n_(cx.extent(0, static_cast<int>(rank_) - 1)),
        lanes_(n_.is_constant() ? cx.lanes(type_) : 1),
        width_(n_.is_constant() ? index_expr(checked_mul(quotient_up(n_.constant(), lanes_), lanes_)) : n_),
        left_(beside()) {}

  /// Room for as many columns, of which rows take part in what happens to the matrix.
  value_id beside() {
    const ir::dim rows = cx_.operand_type(0).shape.back();
    copies_.push_back(
        cx_.scratch(type_, {matrices_.parts(), rows, width_.is_constant() ? ir::dim(width_.constant()) : rows}));
    return copies_.back();
  }

  /// body(index of the matrix): its elements are in scratch.
  template <class F> void each(F&& body) {
    matrices_.each([&](const index_expr& part, const index_list& first) {
      part_ = part;
      index_list at = first;
      b_.for_(0, n_, [&](const index_expr& i) {
        b_.for_(0, n_, [&](const index_expr& j) {
          at[rank_ - 2] = i, at[rank_ - 1] = j;
          put(left_, i, j, b_.convert(cx_.load(0, at), type_));
        });
        b_.for_(0, width_ - n_, [&](const index_expr& j) { put(left_, i, n_ + j, number(0)); });
      });
      body(first);
    });
  }

  const index_expr& rows() const { return n_; }
  const index_expr& width() const { return width_; }  ///< of rows, with zeros behind their last element
  value_id number(double v) { return b_.real(type_, v); }
  value_id narrowed(value_id v) { return b_.convert(v, elem_); }
  value_id at(value_id copy, const index_expr& i, const index_expr& j) { return b_.load(copy, {part_, i, j}); }
  value_id at(const index_expr& i, const index_expr& j) { return at(left_, i, j); }
  void put(value_id copy, const index_expr& i, const index_expr& j, value_id v) { b_.store(v, copy, {part_, i, j}); }

  /// Puts the row with the largest element of column k, of those from k, in place k; the place where it was.
  index_expr exchange(const index_expr& k) {
    const auto magnitude = [&](const index_expr& i) { return b_.apply(scalar_fn::abs, {at(i, k)}); };
    const std::vector<value_id> found = b_.reduce(
        0, n_ - k - 1, {magnitude(k), b_.index(k)}, [&](const index_expr& below, std::vector<value_id>& best) {
          const index_expr i = k + below + 1;
          const value_id here = magnitude(i), larger = b_.apply(scalar_fn::gt, {here, best[0]});
          best = {b_.select(larger, here, best[0]), b_.select(larger, b_.index(i), best[1])};
        });
    const index_expr place = movement_detail::clamped(b_, found[1], n_);
    from(k, [&](value_id copy, const index_expr& j) {
      const value_id mine = at(copy, k, j), other = at(copy, place, j);
      put(copy, place, j, mine);
      put(copy, k, j, other);
    });
    return place;
  }
  /// Row i becomes itself without `factor` times row k, from a column.
  void subtract(const index_expr& i, const index_expr& k, value_id factor, const index_expr& column) {
    from(column, [&](value_id copy, const index_expr& j) {
      put(copy, i, j, b_.sub(at(copy, i, j), b_.mul(factor, at(copy, k, j))));
    });
  }
  /// body(copy, j): the columns of the matrix from one on, or from the vector on that it is in, and all that stand
  /// beside it.
  template <class F> void from(const index_expr& column, F&& body) {
    for (const value_id copy : copies_) {
      const index_expr first = b_.floor_div(copy == left_ ? column : index_expr(0), lanes_);
      b_.for_(0, b_.floor_div(width_, lanes_) - first, [&](const index_expr& vector) {
        const index_expr begin = (first + vector) * lanes_;
        b_.for_(0, lanes_, [&](const index_expr& lane) { body(copy, begin + lane); });
      });
    }
  }

 private:
  lower_context& cx_;
  ir::loop_builder& b_;
  size_t rank_;
  row_parts matrices_;
  dtype elem_, type_;
  index_expr n_, part_;
  i64 lanes_;
  index_expr width_;
  std::vector<value_id> copies_;
  value_id left_;
};

/// A matrix of few rows, and what stands beside it.
class few_rows {
 public:
  static bool suits(lower_context& cx) {
    const ir::dim n = cx.operand_type(0).shape.back();
    return n.is_static() && n.extent() >= 1 && n.extent() <= 4;
  }
  /// body(few_rows, index of the matrix), for each.
  template <class F> static void each(lower_context& cx, F&& body) {
    index_list extents = cx.extents(cx.operand_type(0));
    const size_t rank = extents.size(), n = static_cast<size_t>(extents.back().constant());
    extents[rank - 2] = extents[rank - 1] = 1;
    cx.b().nest(extents, [&](index_list at) {
      few_rows m(cx.b(), n);
      const index_list first = at;
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
          at[rank - 2] = static_cast<i64>(i), at[rank - 1] = static_cast<i64>(j);
          m.at(i, j) = cx.b().convert(cx.load(0, at), compute_type(cx.operand_type(0).elem));
        }
      body(m, first);
    });
  }

  few_rows(ir::loop_builder& b, size_t n) : b_(b), rows_(n, std::vector<value_id>(n)) {}

  value_id& at(size_t i, size_t j) { return rows_[i][j]; }
  void widen(const std::vector<std::vector<value_id>>& beside) {
    for (size_t i = 0; i < rows_.size(); ++i) rows_[i].insert(rows_[i].end(), beside[i].begin(), beside[i].end());
  }
  /// Puts the row with the largest element of column k, of those from k, in place k; `turned` with the sign of each
  /// exchange.
  value_id exchange(size_t k, value_id turned) {
    const auto magnitude = [&](size_t i) { return b_.apply(scalar_fn::abs, {at(i, k)}); };
    for (size_t i = k + 1; i < rows_.size(); ++i) {
      const value_id larger = b_.apply(scalar_fn::gt, {magnitude(i), magnitude(k)});
      turned = b_.select(larger, b_.apply(scalar_fn::neg, {turned}), turned);
      for (size_t j = k; j < rows_[i].size(); ++j) {
        const value_id mine = at(k, j), other = at(i, j);
        at(k, j) = b_.select(larger, other, mine), at(i, j) = b_.select(larger, mine, other);
      }
    }
    return turned;
  }
  void subtract(size_t i, size_t k, value_id factor) {
    for (size_t j = k; j < rows_[i].size(); ++j) at(i, j) = b_.sub(at(i, j), b_.mul(factor, at(k, j)));
  }
  void divide(size_t k, value_id by) {
    for (size_t j = k; j < rows_[k].size(); ++j) at(k, j) = b_.div(at(k, j), by);
  }

 private:
  ir::loop_builder& b_;
  std::vector<std::vector<value_id>> rows_;
};

inline void lower_few(const determinant&, lower_context& cx) {
  few_rows::each(cx, [&](few_rows& m, const index_list& first) {
    ir::loop_builder& b = cx.b();
    const size_t n = static_cast<size_t>(cx.operand_type(0).shape.back().extent());
    const dtype t = b.type_of(m.at(0, 0));
    const value_id zero = b.real(t, 0), one = b.real(t, 1);
    value_id product = one;
    for (size_t k = 0; k < n; ++k) {
      product = m.exchange(k, product);
      const value_id pivot = m.at(k, k);
      product = b.mul(product, pivot);
      const value_id divisor = b.select(b.apply(scalar_fn::eq, {pivot, zero}), one, pivot);
      for (size_t i = k + 1; i < n; ++i) m.subtract(i, k, b.div(m.at(i, k), divisor));
    }
    const dtype to = cx.result_type(0).elem;
    cx.store(b.convert(product, to), 0, index_list(first.begin(), first.end() - 2));
  });
}
inline void lower_few(const inverse&, lower_context& cx) {
  few_rows::each(cx, [&](few_rows& m, const index_list& first) {
    ir::loop_builder& b = cx.b();
    const size_t n = static_cast<size_t>(cx.operand_type(0).shape.back().extent());
    const dtype t = b.type_of(m.at(0, 0)), to = cx.result_type(0).elem;
    const value_id zero = b.real(t, 0), one = b.real(t, 1);
    std::vector<std::vector<value_id>> unit(n, std::vector<value_id>(n, zero));
    for (size_t i = 0; i < n; ++i) unit[i][i] = one;
    m.widen(unit);
    for (size_t k = 0; k < n; ++k) {
      m.exchange(k, one);
      m.divide(k, m.at(k, k));
      for (size_t i = 0; i < n; ++i)
        if (i != k) m.subtract(i, k, m.at(i, k));
    }
    index_list at = first;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) {
        at[at.size() - 2] = static_cast<i64>(i), at[at.size() - 1] = static_cast<i64>(j);
        cx.store(b.convert(m.at(i, n + j), to), 0, at);
      }
  });
}

}  // namespace linear_algebra_detail

void lower(const determinant& op, lower_context& cx) {
  if (linear_algebra_detail::few_rows::suits(cx)) return linear_algebra_detail::lower_few(op, cx);
  ir::loop_builder& b = cx.b();
  linear_algebra_detail::elimination m(cx);
  m.each([&](const index_list& first) {
    const value_id one = m.number(1), zero = m.number(0);
    const std::vector<value_id> product =
        b.reduce(0, m.rows(), {one}, [&](const index_expr& k, std::vector<value_id>& carried) {
          const index_expr place = m.exchange(k);
          const value_id pivot = m.at(k, k);
          const value_id turned = b.select(b.equal(place, k), pivot, b.apply(scalar_fn::neg, {pivot}));
          carried[0] = b.mul(carried[0], turned);
          const value_id divisor = b.select(b.apply(scalar_fn::eq, {pivot, zero}), one, pivot);
          b.for_(0, m.rows() - k - 1, [&](const index_expr& below) {
            const index_expr i = k + below + 1;
            m.subtract(i, k, b.div(m.at(i, k), divisor), k + 1);
          });
        });
    cx.store(m.narrowed(product[0]), 0, index_list(first.begin(), first.end() - 2));
  });
}

void lower(const inverse& op, lower_context& cx) {
  if (linear_algebra_detail::few_rows::suits(cx)) return linear_algebra_detail::lower_few(op, cx);
  ir::loop_builder& b = cx.b();
  linear_algebra_detail::elimination m(cx);
  const value_id right = m.beside();
  const index_expr n = m.rows();
  const loop::for_loop in_order;
  m.each([&](const index_list& first) {
    b.for_(0, n, [&](const index_expr& i) {
      b.for_(0, m.width(),
             [&](const index_expr& j) { m.put(right, i, j, b.select(b.equal(i, j), m.number(1), m.number(0))); });
    });
    b.for_(
        0, n,
        [&](const index_expr& k) {
          m.exchange(k);
          const value_id pivot = m.at(k, k);
          m.from(k, [&](value_id copy, const index_expr& j) { m.put(copy, k, j, b.div(m.at(copy, k, j), pivot)); });
          const auto clear = [&](const index_expr& i) { m.subtract(i, k, m.at(i, k), k); };
          b.for_(0, k, clear);
          b.for_(0, n - k - 1, [&](const index_expr& below) { clear(k + below + 1); });
        },
        in_order);
    index_list at = first;
    b.for_(0, n, [&](const index_expr& i) {
      b.for_(0, n, [&](const index_expr& j) {
        at[at.size() - 2] = i, at[at.size() - 1] = j;
        cx.store(m.narrowed(m.at(right, i, j)), 0, at);
      });
    });
  });
}

}  // namespace tenon::op
