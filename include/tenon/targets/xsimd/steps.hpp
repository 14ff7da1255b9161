/// @file steps: what a part of `targets::xsimd` runs as: one kernel on buffers of a run, cut over threads.
#pragma once

#include <vector>

#include <tenon/targets/xsimd/chain.hpp>

namespace tenon::xsimd_kernels {

/// Calls `f` with an unsigned integer of so many bytes.
template <class F>
decltype(auto) by_width(int width, F&& f) {
  switch (width) {
    case 1: return f(u8{});
    case 2: return f(u16{});
    case 4: return f(u32{});
    default: return f(u64{});
  }
}

struct step {
  virtual ~step() = default;
  virtual void run(const frame& f) const = 0;
};

/// A product: rows of x by panels of w. Matrix products and convolutions differ in where rows and taps are.
struct product_step final : step {
  const kernel_table* k = nullptr;
  int x = -1, w = -1, bias = -1, out = -1;  ///< slots; bias may be -1
  std::vector<i64> rows;                    ///< for each row, where it begins in x
  std::vector<i64> taps{0};                 ///< where the runs of a row's elements begin, from the row on
  i64 run_length = 0;                       ///< elements a run; K = taps * run
  i64 columns = 0, panel = 0;
  bool packed = false;  ///< w is [panels, K, panel]; else [K, columns] with `w_stride` from row to row
  i64 w_stride = 0;
  /// Independent products: groups of a convolution, batches of a matrix product.
  struct part {
    i64 x, w, out, bias;
  };
  std::vector<part> parts{{0, 0, 0, 0}};
  i64 out_stride = 0;
  chain epilogue;  ///< elementwise ops on the result; reads `out` and writes it

  void run(const frame& f) const override;
};

struct depthwise_step final : step {
  const kernel_table* k = nullptr;
  int x = -1, w = -1, bias = -1, out = -1;
  std::vector<i64> lines;  ///< where in x each line of outputs begins
  i64 count = 0, in_stride = 0, channels = 0;
  std::vector<i64> taps;
  i64 tap_run = 1;  ///< taps that are neighbouring pixels
  chain epilogue;
  void run(const frame& f) const override;

 private:
  struct several;
  void compute(const frame& f, const several& wide, const float* in, float* to, i64 n) const;
};

struct pool_step final : step {
  const kernel_table* k = nullptr;
  int x = -1, out = -1;
  bool maximum = false;
  i64 channels = 0, images = 0, image = 0;  ///< `image`: elements of x from one image to the next
  std::vector<std::vector<i64>> taps;       ///< for each output of an image
  std::vector<float> scale;
  void run(const frame& f) const override;
};

struct chain_step final : step {
  const kernel_table* k = nullptr;
  chain work;
  i64 count = 0;
  void run(const frame& f) const override;
};

struct rows_step final : step {
  enum class kind_t { reduce, position, softmax, log_softmax, lrn, determinant, inverse };
  const kernel_table* k = nullptr;
  kind_t kind = kind_t::reduce;
  reduction_kind reduction = reduction_kind::sum;
  int x = -1, out = -1;
  i64 outer = 1, n = 1, inner = 1;
  bool last = false;          ///< position: the last one of equals
  i64 before = 0, after = 0;  ///< lrn
  float alpha = 0, beta = 0, bias = 0;
  void run(const frame& f) const override;
};

/// Elements from one place to another; dimensions with the input's and the output's strides.
struct copy_step final : step {
  int x = -1, out = -1;
  i64 from = 0, to = 0;  ///< elements from the beginnings
  int width = 4;         ///< bytes an element
  std::vector<i64> extents, in_strides, out_strides;
  /// Drops dimensions of extent 1, and joins those that move alike.
  void simplify();
  void run(const frame& f) const override;
};

/// x within a border of one number: every element of the output is written once, row by row.
struct border_step final : step {
  int x = -1, out = -1;
  int width = 4;  ///< bytes an element
  u64 value = 0;  ///< the border's bits
  i64 from = 0;   ///< elements of x that are cropped at its beginning
  struct dimension {
    i64 before, count, after;  ///< elements of the border, of x, of the border
    i64 stride;                ///< of x
  };
  std::vector<dimension> outer;          ///< rows
  i64 before = 0, count = 0, after = 0;  ///< elements of a row
  void run(const frame& f) const override;
};

/// x within a border of its own elements, row by row.
struct mirror_step final : step {
  int x = -1, out = -1;
  int width = 4;                        ///< bytes an element
  std::vector<std::vector<i64>> outer;  ///< for each index of the output's dimensions but the last: elements of x
  std::vector<i64> columns;             ///< of the last: which element of a row of x
  i64 before = 0, count = 0;            ///< those behind `before` lie in x as they lie in the output
  void run(const frame& f) const override;
};

/// Bilinear or nearest sampling of [outer, height, width, inner].
struct resize_step final : step {
  const kernel_table* k = nullptr;
  int x = -1, out = -1;
  i64 outer = 1, height = 1, width = 1, inner = 1;
  struct tap {
    i64 low, high;
    float of_low, of_high;
  };
  std::vector<tap> rows, columns;
  void run(const frame& f) const override;
};

/// x[outer, n, inner] at indices: out[outer, count, inner].
struct gather_step final : step {
  int x = -1, indices = -1, out = -1, width = 4;
  i64 outer = 1, n = 1, inner = 1, count = 1;
  bool wide = true;  ///< indices are i64, else i32
  void run(const frame& f) const override;
};

}  // namespace tenon::xsimd_kernels
