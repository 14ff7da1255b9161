/// @file moved_elements: the elements of a tensor in another order, combined with numbers and cut into panels: what
/// becomes of a weight on its way to a kernel, whatever passes say of it, in one step.
///
///     moved_elements w(weight);             // O I H W
///     w.combine(combining::mul, scale, 0);  // a number for each O
///     w.transpose({2, 3, 1, 0});            // H W I O
///     w.pack(32);                           // O/32 H W I 32
///     tensor now = w.result(), later = w.deferred();
/// What is made of a deferred result continues its steps: nothing is computed in between.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include <tenon/core/byte_source.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon::op {

enum class combining : u8 { add, sub, mul, div };

class moved_elements final : public byte_source {
 public:
  explicit moved_elements(const tensor& from);

  /// Dimension d of the result is dimension p[d], which is not negative.
  void transpose(std::span<const i64> p);
  /// Each element by a number of the list for its index in a dimension, or by its only one: computed in f64 and rounded
  /// to the element's type. Numbers are of its type.
  void combine(combining how, const tensor& list, size_t dimension);
  /// Columns, the last dimension, in panels of so many, zeros behind the last: [d..., C] to [C / panel, d..., panel].
  /// Nothing can be done to the result but `result` and `deferred`.
  void pack(i64 panel);

  tensor result() const;
  tensor deferred() const;
  /// `deferred` where the elements are worth it, else `result`.
  tensor result_when_read() const;

  /// No element is further from zero: infinity where that is not known without them. Nothing is moved.
  double greatest_magnitude() const;

  /// A part is a panel: without panels there is one part.
  u64 parts() const override;
  u64 part_bytes() const override;
  void write(void* to, u64 first, u64 count) const override;
  bool same(const byte_source& other) const override;
  u64 hash() const override;

 private:
  struct combination {
    combining how;
    std::vector<double> numbers;
    size_t dimension;
    /// Bit by bit: what 0 and -0 make of an element differs.
    friend bool operator==(const combination& a, const combination& b) {
      return a.how == b.how && a.dimension == b.dimension && a.numbers.size() == b.numbers.size() &&
             std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)) == 0;
    }
  };
  struct row_loop {
    i64 extent, step;  ///< in `from_`
    i64 rows;          ///< of the result, from one to the next
  };
  i64 columns() const { return shape_.empty() ? 1 : shape_.back(); }
  i64 rows() const;
  i64 column_step() const { return shape_.empty() ? 1 : steps_.back(); }
  /// Do elements of a row stay neighbours, as they are?
  bool copies_rows() const { return combined_.empty() && (column_step() == 1 || columns() == 1); }
  i64 width() const { return panel_ != 0 ? panel_ : columns(); }
  std::vector<i64> result_shape() const;
  std::vector<row_loop> row_loops() const;
  void fill(void* to, u64 first, u64 count) const;
  template <class T>
  void move(T* to, i64 first, i64 count) const;
  template <class T>
  void move_rows(T* panel, i64 column, i64 row, i64 count, const std::vector<row_loop>& loops) const;
  template <class T>
  void apply(const combination& c, T* block, const i64* row_numbers, i64 rows, i64 first_column, i64 columns) const;

  /// The elements of `from_`, at any address.
  const char* begin() const { return static_cast<const char*>(at_ ? at_->stored() : from_.data()); }

  tensor from_;
  std::shared_ptr<const byte_source> at_;  ///< where they lie, if that is not where a tensor may: it is not read then
  std::vector<i64> shape_, steps_;         ///< of the result, before it is packed; steps in `from_`
  std::vector<combination> combined_;
  i64 panel_ = 0;  ///< 0: not packed
};

/// Has a tensor neither infinities nor NaN? Only such a weight may be multiplied by zeros that stand for nothing.
/// Elements that nobody has read are computed only where what they are made of does not say it.
bool all_finite(const tensor& t);

}  // namespace tenon::op
