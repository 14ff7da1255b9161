/// @file onednn: convolutions and matrix products by oneDNN (https://github.com/oneapi-src/oneDNN, 2.6 or newer),
/// beside native code.
///
///     using fast = targets::cpu_with<"cpu_onednn", targets::onednn>;
///     auto built = build<fast>(importers::onnx::load("model.onnx"));
/// Opt-in: one file of the program includes <tenon/definitions/onednn.hpp>, and the program links `dnnl` (Debian:
/// libdnnl-dev). It takes convolutions of f32 images by constant weights, with what is added to their results and a
/// relu; an artifact says which, and holds no weights. These are brought into oneDNN's order by the first run on so
/// many threads; images may have any extents, and primitives are kept for the last few. Convolutions that `cpu`
/// computes by Winograd's algorithm stay native: its patterns are looked for behind `use_winograd`. Convolutions of one
/// tap and no stride are products of matrices by then. These stay native, too, unless a second library takes them, with
/// other products by constants of 8 rows and more:
///     using all_by_it = targets::cpu_with<"cpu_onednn_all", targets::onednn, targets::onednn_products>;
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/passes/narrow_weights.hpp>
#include <tenon/passes/partition_for.hpp>

namespace tenon::targets {

namespace onednn_patterns {
/// f32, of so many dimensions, whose extents are numbers or symbols, the last a number; none is 0 for certain.
inline bool is_plain_type(const ir::type& t, int rank) {
  if (!t.is_tensor() || !t.ranked || t.elem != dtype::f32 || t.rank() != rank || !t.shape.back().is_static())
    return false;
  for (ir::dim d : t.shape)
    if (d.is_unknown() || d == ir::dim(0)) return false;
  return true;
}
/// Has oneDNN a kernel? Two-dimensional, f32, channels last, weights as they are.
inline bool is_plain(ir::op_view v) {
  const auto& c = v.as<op::conv>();
  return c.layout == op::data_layout::channels_last && c.panel == 0 && is_plain_type(v.operand_type(0), 4) &&
         is_plain_type(v.operand_type(1), 4) && v.operand_type(1).is_static() && is_plain_type(v.result_type(), 4) &&
         (!v.has_operand(2) || is_plain_type(v.operand_type(2), 1));
}
/// Two matrices of f32, the left one of some rows: for few of them reading the weights is all of the time. Where the
/// number is open, it is taken for large.
inline bool is_plain_product(ir::op_view v) {
  constexpr i64 least_rows = 8;
  const auto rows = [&] { return v.result_type().shape[0]; };
  return v.as<op::matmul>().panel == 0 && is_plain_type(v.operand_type(0), 2) && is_plain_type(v.operand_type(1), 2) &&
         v.operand_type(1).is_static() && is_plain_type(v.result_type(), 2) &&
         (rows().is_symbol() || rows().extent() >= least_rows);
}
/// A number for each column, added to each row.
inline bool adds_row(ir::op_view v) {
  const auto is_row = [&](const ir::type& t) {
    return is_plain_type(t, 1) && t.shape[0] == v.result_type().shape.back();
  };
  return is_row(v.operand_type(0)) || is_row(v.operand_type(1));
}
/// An image added to an image.
inline bool has_one_shape(ir::op_view v) {
  const ir::type& t = v.result_type();
  return is_plain_type(t, t.rank()) && v.operand_type(0) == t && v.operand_type(1) == t;
}
inline bool is_zero(const tensor& t) { return t.size() == 1 && t.at_f64(0) == 0; }

template <class Weights>
using conv = such_that<pattern<op::conv, capture<"x", any>, capture<"w", Weights>, maybe<capture<"b", any>>>, &is_plain,
                       "f32 images of two dimensions with channels last">;
template <class Weights>
using product = such_that<pattern<op::matmul, capture<"x", any>, capture<"w", Weights>>, &is_plain_product,
                          "f32 matrices, the left one of 8 rows or more">;
template <class Weights>
using biased = such_that<pattern<op::add, product<Weights>, capture<"b", any>>, &adds_row, "a number for each column">;
template <class P>
using sum = such_that<pattern<op::add, P, capture<"addend", any>>, &has_one_shape, "something of the result's shape">;
template <class P>
using relu = pattern<op::maximum, P, such_that<constant, &is_zero>>;
/// Weights are constants of the graph, and arguments of a part.
template <class Weights>
using convolutions =
    pattern_list<named<"conv_add_relu", relu<sum<conv<Weights>>>>, named<"conv_relu", relu<conv<Weights>>>,
                 named<"conv_add", sum<conv<Weights>>>, named<"conv", conv<Weights>>>;
template <class Weights>
using products =
    pattern_list<named<"matmul_bias_add_relu", relu<sum<biased<Weights>>>>,
                 named<"matmul_bias_relu", relu<biased<Weights>>>, named<"matmul_bias_add", sum<biased<Weights>>>,
                 named<"matmul_bias", biased<Weights>>, named<"matmul_add_relu", relu<sum<product<Weights>>>>,
                 named<"matmul_relu", relu<product<Weights>>>, named<"matmul_add", sum<product<Weights>>>,
                 named<"matmul", product<Weights>>>;
}  // namespace onednn_patterns

/// One convolution as numbers; a product of matrices is one of one tap, and its rows are the pixels.
struct onednn_call {
  static constexpr fixed_string name = "onednn_call";
};

struct onednn_code_generator {
  using format = onednn_call;
  using requires_facts = facts<fact::extents_known>;
  static std::vector<char> compile(const external_function& part, context& cx);
  /// Errors: "onednn.artifact", "onednn.failed" with what oneDNN says.
  static std::unique_ptr<external_code> load(std::span<const char> bytes);
};

struct onednn {
  static constexpr fixed_string name = "onednn";
  using patterns = onednn_patterns::convolutions<constant>;
  using external_code_generator = onednn_code_generator;
  using cut_before = passes::narrow_weights;
  static constexpr passes::partition_options parts{.merge = false, .inner_bytes = 4, .one_result = true};
};
/// Products of matrices, by the same calls.
struct onednn_products : onednn {
  static constexpr fixed_string name = "onednn_products";
  using patterns = onednn_patterns::products<constant>;
};

}  // namespace tenon::targets
