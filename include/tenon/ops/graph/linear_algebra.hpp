/// @file linear_algebra: determinants and inverses of square matrices, of any size and any number of them.
///
/// By elimination with the largest element of each column as pivot (Golub and Van Loan, "Matrix Computations", 3.4).
/// f16 and bf16 are computed in f32. Work: n³ / 3 multiplications for the determinant of n rows, n³ for the inverse.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include <tenon/ir/infer.hpp>
#include <tenon/op.hpp>

namespace tenon::op {

/// `determinant(x)`: x [..., n, n] of a float type, y [...]. Of no rows it is 1.
struct determinant {
  static constexpr fixed_string name = "determinant";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .fusion = {.anchor = true, .reads = 1}};
};

/// `inverse(x)`: x and y [..., n, n] of a float type. Of a singular matrix elements are infinite or NaN.
struct inverse {
  static constexpr fixed_string name = "inverse";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1, .fusion = {.anchor = true, .reads = 1}};
};

/// Rows that are eliminated, in the type that sums of T have.
template <class T>
class eliminated_rows {
 public:
  using number = std::conditional_t<sizeof(T) < sizeof(float), float, T>;

  eliminated_rows(const T* x, i64 n, i64 width) : n_(n), width_(width), rows_(static_cast<size_t>(n * width)) {
    for (i64 i = 0; i < n; ++i)
      for (i64 j = 0; j < n; ++j) at(i, j) = static_cast<number>(x[i * n + j]);
  }

  number& at(i64 i, i64 j) { return rows_[static_cast<size_t>(i * width_ + j)]; }

  /// Puts the row with the largest element of column k, of those from k, in place k. Was it another one?
  bool exchange(i64 k) {
    i64 best = k;
    for (i64 i = k + 1; i < n_; ++i)
      if (std::fabs(at(i, k)) > std::fabs(at(best, k))) best = i;
    for (i64 j = k; j < width_; ++j) {
      const number other = at(best, j);
      at(best, j) = at(k, j), at(k, j) = other;
    }
    return best != k;
  }
  void subtract(i64 i, i64 k, number factor, i64 from) {
    number* row = &at(i, 0);
    const number* other = &at(k, 0);
    for (i64 j = from; j < width_; ++j) row[j] -= factor * other[j];
  }

  number determinant() {
    number product = 1;
    for (i64 k = 0; k < n_; ++k) {
      const bool exchanged = exchange(k);
      const number pivot = at(k, k);
      product *= exchanged ? -pivot : pivot;
      for (i64 i = k + 1; i < n_; ++i) subtract(i, k, at(i, k) / (pivot == 0 ? 1 : pivot), k + 1);
    }
    return product;
  }
  /// Of twice as many columns as rows: the inverse stands in the second half.
  void invert() {
    for (i64 k = 0; k < n_; ++k) at(k, n_ + k) = 1;
    for (i64 k = 0; k < n_; ++k) {
      exchange(k);
      const number pivot = at(k, k);
      for (i64 j = k; j < width_; ++j) at(k, j) /= pivot;
      for (i64 i = 0; i < n_; ++i)
        if (i != k) subtract(i, k, at(i, k), k);
    }
  }

 private:
  i64 n_, width_;
  std::vector<number> rows_;
};

void infer(const determinant&, ir::infer_context&);
void infer(const inverse&, ir::infer_context&);

void evaluate(const determinant&, eval_context&);
void evaluate(const inverse&, eval_context&);

void lower(const determinant&, lower_context&);
void lower(const inverse&, lower_context&);

}  // namespace tenon::op
