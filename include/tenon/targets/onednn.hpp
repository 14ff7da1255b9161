/// @file onednn: convolutions by oneDNN (https://github.com/oneapi-src/oneDNN, 2.6 or newer), beside native code.
///
///     using fast = targets::cpu_with<"cpu_onednn", targets::onednn>;
///     auto built = build<fast>(importers::onnx::load("model.onnx"));
/// Opt-in: one file of the program includes <tenon/definitions/onednn.hpp>, and the program links `dnnl` (Debian:
/// libdnnl-dev). It takes convolutions of f32 images by constant weights, with what is added to their results and a
/// relu; an artifact says which, and holds no weights. These are brought into oneDNN's order once, by the
/// first run on so many threads. Convolutions that `cpu` computes by Winograd's algorithm stay native: its patterns are
/// looked for behind `use_winograd`.
#pragma once

#include <tenon/meta/sentence.hpp>  // first: the include stack that clang prints above a sentence is short

#include <tenon/compile/external/code_generator.hpp>
#include <tenon/facts/static_shapes.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/ops/graph/contraction.hpp>
#include <tenon/ops/graph/elementwise.hpp>
#include <tenon/passes/narrow_weights.hpp>
#include <tenon/passes/partition_for.hpp>

namespace tenon::targets {

namespace onednn_patterns {
/// Has oneDNN a kernel? Two-dimensional, f32, channels last, weights as they are.
inline bool is_plain(ir::op_view v) {
  const auto& c = v.as<op::conv>();
  bool good = c.layout == op::data_layout::channels_last && c.panel == 0 && v.result_type().rank() == 4;
  for (int i = 0; i < v.operand_count(); ++i)
    good = good && (!v.has_operand(i) || (v.operand_type(i).is_static() && v.operand_type(i).elem == dtype::f32));
  return good && v.result_type().is_static() && v.result_type().elem == dtype::f32 && v.result_type().count() != 0;
}
/// An image added to an image.
inline bool has_one_shape(ir::op_view v) {
  const auto same = [&](const ir::type& t) { return t.is_static() && t.extents() == v.result_type().extents(); };
  return v.result_type().is_static() && same(v.operand_type(0)) && same(v.operand_type(1));
}
inline bool is_zero(const tensor& t) { return t.size() == 1 && t.at_f64(0) == 0; }

template <class Weights>
using conv = such_that<pattern<op::conv, capture<"x", any>, capture<"w", Weights>, maybe<capture<"b", any>>>, &is_plain,
                       "f32 images of two dimensions with channels last">;
template <class Weights>
using sum = such_that<pattern<op::add, conv<Weights>, capture<"addend", any>>, &has_one_shape,
                      "an image of the result's shape">;
template <class P>
using relu = pattern<op::maximum, P, such_that<constant, &is_zero>>;
/// Weights are constants of the graph, and arguments of a part.
template <class Weights>
using all = pattern_list<named<"conv_add_relu", relu<sum<Weights>>>, named<"conv_relu", relu<conv<Weights>>>,
                         named<"conv_add", sum<Weights>>, named<"conv", conv<Weights>>>;
}  // namespace onednn_patterns

/// One convolution as numbers.
struct onednn_call {
  static constexpr fixed_string name = "onednn_call";
};

struct onednn_code_generator {
  using format = onednn_call;
  using requires_facts = facts<fact::static_shapes>;
  static std::vector<char> compile(const external_function& part, context& cx);
  /// Errors: "onednn.artifact", "onednn.failed" with what oneDNN says.
  static std::unique_ptr<external_code> load(std::span<const char> bytes);
};

struct onednn {
  static constexpr fixed_string name = "onednn";
  using patterns = onednn_patterns::all<constant>;
  using external_code_generator = onednn_code_generator;
  using cut_before = passes::narrow_weights;
  static constexpr passes::partition_options parts{.merge = false, .inner_bytes = 4, .one_result = true};
};

}  // namespace tenon::targets
