/// @file weight_panels: how an op says that it reads constant weights from panels, which `passes::pack_weights` makes.
///
///     bool use_panels(my_product& op, weight_panels& w) {
///       const ir::type& b = w.operand_type(1);
///       if (op.panel != 0 || !b.is_static() || b.rank() != 2) return false;
///       op.columns = b.shape[1].extent();
///       op.panel = w.width(b.elem, op.columns, w.rows(w.operand_type(0)));
///       w.pack(1, op.panel);
///       return true;
///     }
///
/// Declared beside the op's struct, found by argument-dependent lookup. True: the op was changed to what it is with
/// panels, and `w` holds what its operands become. It is asked before these are computed, by their types; a pass that
/// only needs to know whether an op would use panels asks a copy.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <tenon/ir/module.hpp>
#include <tenon/runtime/tensor.hpp>

namespace tenon {

/// The width of panels for a product with `columns` columns and `rows` rows, on vectors of `lanes` elements.
/// A kernel keeps a block of (28 / v) rows by v vectors of a panel in registers. Two vectors are best for long columns
/// of rows. Three avoid a thin last panel when they divide the columns and two do not. Four suit products with few
/// rows, or of blocks of seven that fourteen does not divide: the block then fits the rows. Panels are never wider than
/// the columns rounded up to whole vectors.
constexpr i64 panel_width(i64 columns, i64 rows, i64 lanes) {
  const i64 vectors = (columns + lanes - 1) / lanes;
  const bool few_rows = rows <= 7 || (rows < 128 && rows % 7 == 0 && rows % 14 != 0);
  i64 wide = vectors % 2 != 0 && vectors % 3 == 0 ? 3 : 2;
  if (few_rows && vectors >= 4) wide = 4;
  return std::min(wide, vectors) * lanes;
}

class weight_panels {
 public:
  /// What kernels are made for.
  struct machine {
    i64 vector_bytes = 64;
    i64 products_together = 1;  ///< so many products of bytes are added up at once
    i64 panel = 0;              ///< the width of all panels; 0: what suits each op
  };
  /// What becomes of an operand: panels of what it is, a value that the op has computed, or, with a width of 0, what it
  /// is, as a constant.
  struct packed {
    int operand = 0;
    i64 width = 0, interleave = 1;
    tensor value{};
  };

  weight_panels(const ir::module& m, op_id op, const machine& on) : m_(m), op_(op), on_(on) {}
  weight_panels(const weight_panels&) = delete;
  weight_panels& operator=(const weight_panels&) = delete;
  virtual ~weight_panels() = default;

  bool has_operand(int i) const { return m_.view(op_).has_operand(i); }
  int operand_count() const { return m_.view(op_).operand_count(); }
  const ir::type& operand_type(int i) const { return m_.view(op_).operand_type(i); }
  const ir::type& result_type() const { return m_.view(op_).result_type(); }
  /// The value of an operand, computed if it follows from constants; undefined if not. It invalidates references to
  /// types.
  virtual tensor constant(int /*operand*/) { return {}; }

  /// Elements of a vector. Sums are kept in at least 32 bits, and their type says how many there are.
  i64 lanes(dtype t) const { return std::max<i64>(1, on_.vector_bytes / std::max(4, size_of(t))); }
  i64 width(dtype t, i64 columns, i64 rows) const {
    return on_.panel > 0 ? on_.panel : panel_width(columns, rows, lanes(t));
  }
  /// The widest panels, of up to four vectors, that `columns` can be cut into; 0: there are none.
  i64 width_that_divides(dtype t, i64 columns) const {
    i64 wide = on_.panel > 0 ? on_.panel : 4 * lanes(t);
    while (on_.panel == 0 && wide > lanes(t) && columns % wide != 0) wide /= 2;
    return columns == 0 || columns % wide != 0 ? 0 : wide;
  }
  /// The width of panels of words, each of which holds neighbours of one column; and would columns fill half of one?
  i64 words() const { return on_.panel > 0 ? on_.panel : std::max<i64>(1, on_.vector_bytes / 4); }
  bool fill_words(i64 columns) const { return 2 * columns > words(); }
  /// How many neighbours along a depth stand together, so that instructions add up their products.
  i64 interleave(i64 depth) const {
    const i64 together = std::max<i64>(1, on_.products_together);
    return depth > 0 && depth % together == 0 ? together : 1;
  }
  /// The number of rows in a tensor whose last dimension is a row, or in each part of it along the dimensions before
  /// `first`; an unknown extent counts as many.
  static i64 rows(const ir::type& t, size_t first = 0) {
    i64 n = 1;
    for (size_t d = first; d + 1 < t.shape.size(); ++d) n *= t.shape[d].is_static() ? t.shape[d].extent() : 1024;
    return n;
  }

  void pack(int operand, i64 width, i64 interleave = 1) { answers_.push_back({operand, width, interleave}); }
  void replace(int operand, tensor value) { answers_.push_back({operand, 0, 1, std::move(value)}); }
  /// What is read as it is, and need not be computed in each run: also of an op that uses no panels.
  void compute(int operand) { answers_.push_back({operand}); }
  const std::vector<packed>& answers() const { return answers_; }

 private:
  const ir::module& m_;
  op_id op_;
  machine on_;
  std::vector<packed> answers_;
};

}  // namespace tenon
