/// @file contraction: matrix products, convolutions, and the packing of their constant operands.
///
/// ONNX: MatMul, Gemm (composed), Conv, ConvTranspose. Packed weights are what `passes/pack_weights` makes: columns
/// are cut into panels of `panel` neighbours, each panel is contiguous, and the last one is padded with zeros. With
/// interleave > 1, that many neighbours along K stand together for each column: [..., K / interleave, panel,
/// interleave], as instructions that add up products of neighbours want it.
///
/// Operands have one type, which is the result's, or they are u8 (image, a) and i8 (weight, b): then the sums are i32,
/// and so is a bias. Or an image of f32 has a weight of fewer bits (ops/graph/narrow_weight.hpp).
#pragma once

#include <tenon/ops/graph/window.hpp>

namespace tenon::op {

/// `%y = matmul(%a, %b)`: numpy's matmul: 1-D operands are a row (a) or a column (b), leading dimensions broadcast.
/// With panel > 0, b is [..., ceil(columns / panel), K, panel] and stands for [..., K, columns].
struct matmul {
  static constexpr fixed_string name = "matmul";
  static constexpr op_traits traits{.min_operands = 2,
                                    .max_operands = 2,
                                    .fusion = {.anchor = true, .contraction = true},
                                    .excess = {excess_precision::computes},
                                    .weights = 1,
                                    .narrow_weights = true};
  i64 panel = 0, columns = 0, interleave = 1;
  TENON_ATTRIBUTES(panel, columns, interleave)
};

/// `%y = conv(%x, %w, %bias?)`: correlation over 1 to 3 spatial dimensions; the result has the layout of x.
///   channels_first: x [N, C, s...], w [O, C/group, k...]
///   channels_last:  x [N, s..., C], w [k..., C/group, O], or with panel > 0 (group = 1) w
///                   [ceil(columns / panel), k..., C, panel] where columns = O
/// pads: all begins, then all ends. Empty lists stand for strides and dilations of 1 and for no padding. Padding is
/// zeros, and multiplied as every element is: a weight that is infinite or NaN gives NaN there.
struct conv {
  static constexpr fixed_string name = "conv";
  static constexpr op_traits traits{.min_operands = 2,
                                    .max_operands = 3,
                                    .fusion = {.anchor = true, .contraction = true},
                                    .excess = {excess_precision::computes},
                                    .weights = 1,
                                    .narrow_weights = true};
  std::vector<i64> strides{}, dilations{}, pads{};
  i64 group = 1;
  data_layout layout = data_layout::channels_first;
  i64 panel = 0, columns = 0, interleave = 1;
  TENON_ATTRIBUTES(strides, dilations, pads, group, layout, panel, columns, interleave)
};

/// `%y = conv_transpose(%x, %w, %bias?)`: the gradient of conv: x [N, C, s...], w [C, O/group, k...],
/// y [N, O, (s - 1) * stride + dilation * (k - 1) + 1 + output_padding - pads...]. It has no padding to multiply:
/// places that no input reaches, as output_padding may add them, are sums of nothing.
///   channels_last: x [N, s..., C], w [k..., C, O/group], y [N, places..., O], or with panel > 0 (group = 1) w
///                  [ceil(columns / panel), k..., C, panel] where columns = O
struct conv_transpose {
  static constexpr fixed_string name = "conv_transpose";
  static constexpr op_traits traits{.min_operands = 2,
                                    .max_operands = 3,
                                    .fusion = {.anchor = true, .contraction = true},
                                    .excess = {excess_precision::computes},
                                    .weights = 1,
                                    .narrow_weights = true};
  std::vector<i64> strides{}, dilations{}, pads{}, output_padding{};
  i64 group = 1;
  data_layout layout = data_layout::channels_first;
  i64 panel = 0, columns = 0;
  TENON_ATTRIBUTES(strides, dilations, pads, output_padding, group, layout, panel, columns)
};

/// `%p = pack_panels(%w)`: [K..., N] to [ceil(N / panel), K..., panel], padded with zeros; or with interleave > 1,
/// which divides the last of K, to [ceil(N / panel), ..., K / interleave, panel, interleave].
struct pack_panels {
  static constexpr fixed_string name = "pack_panels";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
  i64 panel = 16, interleave = 1;
  TENON_ATTRIBUTES(panel, interleave)
};

void infer(const matmul&, ir::infer_context&);
void infer(const conv&, ir::infer_context&);
void infer(const conv_transpose&, ir::infer_context&);
void infer(const pack_panels&, ir::infer_context&);

void evaluate(const matmul&, eval_context&);
void evaluate(const conv&, eval_context&);
void evaluate(const conv_transpose&, eval_context&);
void evaluate(const pack_panels&, eval_context&);

void lower(const matmul&, lower_context&);
void lower(const conv&, lower_context&);
void lower(const conv_transpose&, lower_context&);
value_id element(const pack_panels&, element_context&, const index_list& at);

bool use_panels(matmul&, weight_panels&);
bool use_panels(conv&, weight_panels&);
bool use_panels(conv_transpose&, weight_panels&);

/// Where the parts of conv's weight are: the dimensions of the first tap, of input channels, and the number of output
/// channels (unknown when the type does not say).
struct conv_weight_dims {
  size_t taps = 0, channels = 0;
  ir::dim outputs;
};
conv_weight_dims weight_dims(const conv& c, const std::vector<ir::dim>& weight);
/// The same for a transposed convolution: channels of all groups, outputs of one.
conv_weight_dims weight_dims(const conv_transpose& c, const std::vector<ir::dim>& weight);

/// Neighbouring outputs of a transposed convolution, along one dimension, that are ordinary correlations of one shape
/// (sub-pixel convolution, Shi et al. 2016): output `first + i + t * stride`, for i < residues and t < inputs + `more`,
/// is the sum over j < taps of input `t + input - j * input_step` by tap `tap + i + j * tap_step`.
struct output_phase {
  i64 first = 0, residues = 1, more = 0;
  i64 tap = 0, taps = 0, tap_step = 1;
  i64 input = 0, input_step = 1;
  /// How far outside of the inputs it reads.
  i64 before() const { return taps == 0 ? 0 : std::max<i64>(0, (taps - 1) * input_step - input); }
  i64 after() const { return taps == 0 ? 0 : std::max<i64>(0, more + input); }
};
/// All outputs, dimension by dimension; none when that would be more than 64 shapes.
std::vector<std::vector<output_phase>> output_phases(const conv_transpose& c, const std::vector<ir::dim>& weight);

/// The shape of packed weights as it would be without interleaving: [..., K / 4, panel, 4] to [..., K, panel].
std::vector<ir::dim> without_interleave(i64 interleave, std::vector<ir::dim> packed);
/// u8 times i8, summed in i32.
constexpr bool is_byte_product(dtype a, dtype b) { return a == dtype::u8 && b == dtype::i8; }

}  // namespace tenon::op
