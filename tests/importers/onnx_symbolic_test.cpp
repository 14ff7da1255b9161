/// @file onnx_symbolic_test: operators with symbols for the batch and for a spatial or sequence dimension: code that is
/// made once serves all sizes, and says what the interpreter says. Which ones need code for each size is written down.
// needs: llvm
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>

#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::dtype;
using tn::tensor;

namespace {

/// An input: a number above 0 is an extent, one below is a symbol: n, b, m = 2 * n (for what consumes pairs).
constexpr i64 n = -1, b = -2, m = -3;
struct input {
  std::string name;
  std::vector<i64> shape;
  dtype type = dtype::f32;
  i64 below = 0;  ///< integers: their values are in [0, below); 0: small numbers of both signs
};
struct entry {
  std::string label, op;
  std::vector<std::string> inputs;
  std::vector<std::string> attributes = {};
  size_t outputs = 1;
};

const std::vector<input> inputs = {
    {"x", {b, 4, n, 6}},
    {"y", {b, 4, n, 6}},
    {"row", {4}},
    {"three", {b, n, 8}},
    {"other", {b, n, 8}},
    {"across", {b, 8, n}},
    {"square", {b, n, n}},
    {"image", {b, 4, n, 10}},
    {"open_image", {b, 4, m, n}},
    {"even", {b, 4, m, 4}},
    {"flat", {b, n}},
    {"weight", {6, 4, 3, 3}},
    {"depthwise", {4, 1, 3, 3}},
    {"turned", {4, 6, 3, 3}},
    {"matrix", {8, 5}},
    {"six", {6}},
    {"eight", {8}},
    {"five", {5}},
    {"signal", {b, 4, n}},
    {"kernel1", {6, 4, 3}},
    {"kernel_of_1", {6, 4, 1}},
    {"mask", {b, 4, n, 6}, dtype::boolean, 2},
    {"ids", {b, n}, dtype::i64, 7},
    {"table", {7, 5}},
    {"places", {b, n, 8}, dtype::i64, 1},
    {"ids2", {b, n, 1}, dtype::i64, 1},
    {"updates", {b, n, 8}},
    {"few", {b, n, 2}, dtype::i64, 1},
    {"grid", {b, n, 3, 2}},
    {"theta", {b, 2, 3}},
    {"rois", {n, 4}},
    {"batches", {n}, dtype::i64, 1},
    {"sequence", {n, b, 3}},
    {"lstm_w", {1, 16, 3}},
    {"lstm_r", {1, 16, 4}},
    {"gru_w", {2, 12, 3}},
    {"gru_r", {2, 12, 4}},
    {"rnn_w", {1, 4, 3}},
    {"rnn_r", {1, 4, 4}},
    {"lengths", {b}, dtype::i32, 3},
    {"q", {b, 2, n, 8}},
    {"u8", {b, n, 8}, dtype::u8, 200},
    {"u8w", {8, 5}, dtype::u8, 200},
    {"u8x", {b, 4, n, 10}, dtype::u8, 200},
    {"i8w", {6, 4, 3, 3}, dtype::i8, 100},
    {"labels", {b, n}, dtype::i64, 8},
    {"logits", {b, 8, n}},
    {"blocks", {b, 16, n}},
    {"reals", {b, n, 1}},
    {"cache", {b, 2, 24, 4}},
    {"added", {b, 2, n, 4}},
    {"at", {b}, dtype::i64, 1},
    {"unpooled", {b, 4, n, 5}},
    {"unpool_at", {b, 4, n, 5}, dtype::i64, 40},
};

std::vector<std::string> constants() {
  std::vector<std::string> all;
  const auto list = [&](const char* name, std::vector<i64> v) {
    const i64 count = static_cast<i64>(v.size());
    all.push_back(onnx::encode_tensor(tensor::from<i64>({count}, std::move(v)), name));
  };
  const auto reals = [&](const char* name, std::vector<float> v) {
    const i64 count = static_cast<i64>(v.size());
    all.push_back(onnx::encode_tensor(tensor::from<float>({count}, std::move(v)), name));
  };
  const auto scalar = [&](const char* name, float v) {
    all.push_back(onnx::encode_tensor(tensor::scalar<float>(v), name));
  };
  list("zero", {0}), list("one", {1}), list("two", {2}), list("three_", {3}), list("last", {-1}),
      list("end", {INT64_MAX}), list("minus", {-1}), list("start", {INT64_MIN + 1});
  list("join", {0, -1, 8}), list("join2", {0, 0, -1}), list("apart", {0, 0, 2, 4}),
      list("pads", {0, 0, 1, 2, 0, 0, 3, 0}), list("twice", {1, 2, 3}), list("ones", {1, 1, 1}), list("axes23", {2, 3});
  list("sizes", {7, 9}), list("crop", {6, 7}), list("image_size", {5, 6}), list("block", {2, 2}), list("five1", {5}),
      list("parts", {3, 5});
  reals("double", {1, 1, 2, 2}), reals("odd", {1, 1, 1.7f, 0.6f}), reals("third", {1.5f});
  scalar("scale", 0.05f), scalar("scale2", 0.03f), scalar("low", -1), scalar("high", 1), scalar("none", 0);
  all.push_back(onnx::encode_tensor(tensor::from<bool>({}, {true}), "true"));
  all.push_back(onnx::encode_tensor(tensor::scalar<i64>(1), "axis1"));
  all.push_back(onnx::encode_tensor(tensor::scalar<i64>(2), "two_steps"));
  all.push_back(onnx::encode_tensor(tensor::scalar<i64>(4), "four_steps"));
  all.push_back(onnx::encode_tensor(tensor::from<float>({4}, {0, 0.75f, 0.75f, 0.25f}), "hann4"));
  all.push_back(onnx::encode_tensor(tensor::scalar<i64>(5), "five_"));
  all.push_back(onnx::encode_tensor(tensor::scalar<unsigned char>(100), "point"));
  all.push_back(onnx::encode_tensor(tensor::scalar<signed char>(0), "point8"));
  all.push_back(onnx::encode_tensor(tensor::from<float>({2}, {0, 1}), "off_on"));
  return all;
}

std::vector<entry> table() {
  const auto text = [](const char* name, const char* v) { return attribute(name, std::string(v)); };
  const std::string pads = attribute("pads", {1, 1, 1, 1}), kernel = attribute("kernel_shape", {3, 3}),
                    strides = attribute("strides", {2, 2});
  return {
      {"Add", "Add", {"x", "y"}},
      {"Where", "Where", {"mask", "x", "y"}},
      {"Clip", "Clip", {"x", "low", "high"}},
      {"Gelu", "Gelu", {"x"}},
      {"Sum", "Sum", {"x", "y", "x"}},
      {"PRelu", "PRelu", {"three", "eight"}},
      {"Cast", "Cast", {"x"}, {attribute("to", i64{10})}},
      {"CastLike", "CastLike", {"x", "ids"}},
      {"Transpose", "Transpose", {"x"}, {attribute("perm", {2, 0, 3, 1})}},
      {"Reshape", "Reshape", {"three", "join"}},
      {"Reshape split", "Reshape", {"three", "apart"}},
      {"Flatten", "Flatten", {"x"}},
      {"Unsqueeze", "Unsqueeze", {"x", "one"}},
      {"Squeeze", "Squeeze", {"reals", "two"}},
      {"Shape", "Shape", {"x"}},
      {"Size", "Size", {"x"}},
      {"Concat", "Concat", {"x", "y"}, {attribute("axis", i64{2})}},
      {"Slice", "Slice", {"three", "zero", "last", "one"}},
      {"Slice back", "Slice", {"three", "minus", "start", "one", "minus"}},
      {"Slice capped", "Slice", {"three", "zero", "three_", "one"}},
      {"Split", "Split", {"three"}, {attribute("axis", i64{2}), attribute("num_outputs", i64{2})}, 2},
      {"Split sequence", "Split", {"even"}, {attribute("axis", i64{2}), attribute("num_outputs", i64{2})}, 2},
      {"Split sizes", "Split", {"three", "parts"}, {attribute("axis", i64{2})}, 2},
      {"Pad", "Pad", {"x", "pads"}},
      {"Pad reflect", "Pad", {"image", "pads"}, {text("mode", "reflect")}},
      {"Pad edge", "Pad", {"image", "pads"}, {text("mode", "edge")}},
      {"Pad wrap", "Pad", {"image", "pads"}, {text("mode", "wrap")}},
      {"Tile", "Tile", {"three", "twice"}},
      {"Expand", "Expand", {"reals", "ones"}},
      {"Trilu", "Trilu", {"square"}},
      {"EyeLike", "EyeLike", {"flat"}},
      {"CenterCropPad", "CenterCropPad", {"image", "crop"}, {attribute("axes", {2, 3})}},
      {"DepthToSpace", "DepthToSpace", {"x"}, {attribute("blocksize", i64{2})}},
      {"SpaceToDepth", "SpaceToDepth", {"even"}, {attribute("blocksize", i64{2})}},
      {"ReverseSequence", "ReverseSequence", {"sequence", "lengths64"}},
      {"Identity", "Identity", {"x"}},
      {"Gather", "Gather", {"table", "ids"}},
      {"Gather symbolic axis", "Gather", {"three", "zero"}, {attribute("axis", i64{1})}},
      {"GatherElements", "GatherElements", {"three", "places"}, {attribute("axis", i64{1})}},
      {"GatherND", "GatherND", {"three", "few"}},
      {"GatherND batch", "GatherND", {"three", "ids2"}, {attribute("batch_dims", i64{1})}},
      {"ScatterElements",
       "ScatterElements",
       {"three", "places", "updates"},
       {attribute("axis", i64{1}), text("reduction", "add")}},
      {"ScatterND", "ScatterND", {"three", "few", "updates"}, {text("reduction", "max")}},
      {"OneHot", "OneHot", {"ids", "five_", "off_on"}},
      {"TopK", "TopK", {"three", "two"}, {attribute("axis", i64{2})}, 2},
      {"TopK several", "TopK", {"three", "five1"}, {attribute("axis", i64{2}), attribute("largest", i64{0})}, 2},
      {"TopK symbolic axis", "TopK", {"three", "one"}, {attribute("axis", i64{1})}, 2},
      {"CumSum", "CumSum", {"three", "axis1"}},
      {"TensorScatter", "TensorScatter", {"cache", "added", "at"}},
      {"ReduceSum", "ReduceSum", {"three", "one"}},
      {"ReduceSum all", "ReduceSum", {"three"}},
      {"ReduceMean", "ReduceMean", {"x", "axes23"}},
      {"ReduceMax", "ReduceMax", {"three", "one"}, {attribute("keepdims", i64{0})}},
      {"ReduceMin", "ReduceMin", {"three", "two"}},
      {"ReduceProd", "ReduceProd", {"three", "two"}},
      {"ReduceL2", "ReduceL2", {"three", "one"}},
      {"ReduceLogSumExp", "ReduceLogSumExp", {"three", "one"}},
      {"ArgMax", "ArgMax", {"three"}, {attribute("axis", i64{1})}},
      {"ArgMin", "ArgMin", {"three"}, {attribute("axis", i64{2})}},
      {"Softmax", "Softmax", {"three"}},
      {"Softmax symbolic axis", "Softmax", {"three"}, {attribute("axis", i64{1})}},
      {"LogSoftmax", "LogSoftmax", {"three"}},
      {"Hardmax", "Hardmax", {"three"}},
      {"LayerNormalization", "LayerNormalization", {"three", "eight", "eight"}},
      {"RMSNormalization", "RMSNormalization", {"three", "eight"}},
      {"BatchNormalization", "BatchNormalization", {"x", "row", "row", "row", "variance"}},
      {"InstanceNormalization", "InstanceNormalization", {"x", "row", "row"}},
      {"GroupNormalization", "GroupNormalization", {"x", "row", "row"}, {attribute("num_groups", i64{2})}},
      {"LpNormalization", "LpNormalization", {"three"}},
      {"LRN", "LRN", {"x"}, {attribute("size", i64{3})}},
      {"MeanVarianceNormalization", "MeanVarianceNormalization", {"x"}},
      {"MatMul", "MatMul", {"three", "matrix"}},
      {"MatMul both", "MatMul", {"three", "across"}},
      {"Gemm", "Gemm", {"flat8", "matrix", "five"}},
      {"Einsum", "Einsum", {"three", "other"}, {text("equation", "bnk,bmk->bnm")}},
      {"Einsum outer", "Einsum", {"three", "matrix"}, {text("equation", "bnk,kj->bjn")}},
      {"Einsum weight", "Einsum", {"three", "matrix"}, {text("equation", "bnk,kj->bnj")}},
      {"Einsum exchanged", "Einsum", {"three", "other"}, {text("equation", "bnk,bmk->bmn")}},
      {"Det", "Det", {"two_by_two"}},
      {"Det of any size", "Det", {"square"}},
      {"Conv", "Conv", {"image", "weight"}, {pads}},
      {"Conv strided", "Conv", {"image", "weight"}, {pads, strides}},
      {"Conv plain", "Conv", {"image", "weight"}},
      {"Conv depthwise", "Conv", {"image", "depthwise"}, {pads, attribute("group", i64{4})}},
      {"Conv 1d", "Conv", {"signal", "kernel1"}, {attribute("pads", {1, 1})}},
      {"Conv 1d pointwise", "Conv", {"signal", "kernel_of_1"}},
      {"Conv same", "Conv", {"image", "weight"}, {text("auto_pad", "SAME_UPPER")}},
      {"Conv same strided", "Conv", {"image", "weight"}, {text("auto_pad", "SAME_LOWER"), strides}},
      {"MaxPool same strided", "MaxPool", {"image"}, {text("auto_pad", "SAME_UPPER"), kernel, strides}},
      {"ConvTranspose", "ConvTranspose", {"image", "turned"}, {strides}},
      {"ConvTranspose padded", "ConvTranspose", {"image", "turned"}, {pads}},
      {"DeformConv", "DeformConv", {"image", "weight", "offsets"}, {pads}},
      {"MaxPool", "MaxPool", {"image"}, {kernel, strides, pads}},
      {"MaxPool wide", "MaxPool", {"image"}, {attribute("kernel_shape", {5, 5}), attribute("pads", {2, 2, 2, 2})}},
      {"MaxPool ceil padded",
       "MaxPool",
       {"image"},
       {attribute("kernel_shape", {5, 4}), attribute("pads", {2, 1, 2, 2}), strides, attribute("ceil_mode", i64{1})}},
      {"MaxPool 1d ceil of single elements",
       "MaxPool",
       {"signal"},
       {attribute("kernel_shape", {1}), attribute("ceil_mode", i64{1})}},
      {"AveragePool ceil in one dimension",
       "AveragePool",
       {"open_image"},
       {attribute("kernel_shape", {3, 1}), attribute("pads", {1, 0, 1, 0}), attribute("ceil_mode", i64{1})}},
      {"MaxPool 1d", "MaxPool", {"signal"}, {attribute("kernel_shape", {5}), attribute("pads", {2, 2})}},
      {"AveragePool 1d", "AveragePool", {"signal"}, {attribute("kernel_shape", {4}), attribute("pads", {1, 2})}},
      {"MaxPool ceil", "MaxPool", {"image"}, {kernel, strides, attribute("ceil_mode", i64{1})}},
      {"MaxPool indices", "MaxPool", {"image"}, {kernel}, 2},
      {"AveragePool", "AveragePool", {"image"}, {kernel, pads}},
      {"AveragePool counted",
       "AveragePool",
       {"image"},
       {kernel, pads, strides, attribute("count_include_pad", i64{1}), attribute("ceil_mode", i64{1})}},
      {"LpPool", "LpPool", {"image"}, {kernel}},
      {"GlobalAveragePool", "GlobalAveragePool", {"x"}},
      {"GlobalMaxPool", "GlobalMaxPool", {"x"}},
      {"GlobalLpPool", "GlobalLpPool", {"x"}},
      {"MaxUnpool",
       "MaxUnpool",
       {"unpooled", "unpool_at"},
       {attribute("kernel_shape", {1, 2}), attribute("strides", {1, 2})}},
      {"Resize scales", "Resize", {"image", "", "double"}},
      {"Resize linear", "Resize", {"image", "", "double"}, {text("mode", "linear")}},
      {"Resize odd", "Resize", {"image", "", "odd"}},
      {"Resize odd linear", "Resize", {"image", "", "odd"}, {text("mode", "linear")}},
      {"Resize odd cubic", "Resize", {"image", "", "odd"}, {text("mode", "cubic")}},
      {"Resize aligned",
       "Resize",
       {"image", "", "odd"},
       {text("mode", "linear"), text("coordinate_transformation_mode", "align_corners")}},
      {"Resize symmetric",
       "Resize",
       {"image", "", "odd"},
       {text("mode", "linear"), text("coordinate_transformation_mode", "half_pixel_symmetric")}},
      {"Resize antialias", "Resize", {"image", "", "odd"}, {text("mode", "linear"), attribute("antialias", i64{1})}},
      {"Resize sizes", "Resize", {"image", "", "", "sizes"}, {text("mode", "linear"), attribute("axes", {2, 3})}},
      {"Resize sizes aligned",
       "Resize",
       {"image", "", "", "sizes"},
       {text("mode", "linear"), attribute("axes", {2, 3}), text("coordinate_transformation_mode", "align_corners")}},
      {"Resize sizes antialias",
       "Resize",
       {"image", "", "", "sizes"},
       {text("mode", "linear"), attribute("axes", {2, 3}), attribute("antialias", i64{1})}},
      {"Resize pytorch",
       "Resize",
       {"image", "", "", "sizes"},
       {text("mode", "cubic"), attribute("axes", {2, 3}),
        text("coordinate_transformation_mode", "pytorch_half_pixel")}},
      {"GridSample", "GridSample", {"image", "grid"}},
      {"GridSample border", "GridSample", {"image", "grid"}, {text("padding_mode", "border")}},
      {"GridSample reflection",
       "GridSample",
       {"image", "grid"},
       {text("padding_mode", "reflection"), attribute("align_corners", i64{1})}},
      {"GridSample cubic", "GridSample", {"image", "grid"}, {text("mode", "cubic")}},
      {"RoiAlign",
       "RoiAlign",
       {"image", "rois", "batches"},
       {attribute("output_height", i64{2}), attribute("output_width", i64{3})}},
      {"Col2Im", "Col2Im", {"blocks20", "image_size", "block"}},
      {"LSTM", "LSTM", {"sequence", "lstm_w", "lstm_r"}, {attribute("hidden_size", i64{4})}, 3},
      {"LSTM lengths",
       "LSTM",
       {"sequence", "lstm_w", "lstm_r", "", "lengths"},
       {attribute("hidden_size", i64{4}), text("direction", "reverse")},
       3},
      {"GRU",
       "GRU",
       {"sequence", "gru_w", "gru_r"},
       {attribute("hidden_size", i64{4}), text("direction", "bidirectional")},
       2},
      {"RNN", "RNN", {"sequence", "rnn_w", "rnn_r"}, {attribute("hidden_size", i64{4})}, 2},
      {"Attention", "Attention", {"q", "q", "q"}},
      {"Attention causal", "Attention", {"q", "q", "q"}, {attribute("is_causal", i64{1})}},
      {"RotaryEmbedding", "RotaryEmbedding", {"q", "cosines", "cosines", "positions"}},
      {"QuantizeLinear", "QuantizeLinear", {"three", "scale", "point"}},
      {"DequantizeLinear", "DequantizeLinear", {"u8", "scale", "point"}},
      {"DynamicQuantizeLinear", "DynamicQuantizeLinear", {"three"}, {}, 3},
      {"MatMulInteger", "MatMulInteger", {"u8", "u8w", "point"}},
      {"QLinearMatMul", "QLinearMatMul", {"u8", "scale", "point", "u8w", "scale2", "point", "scale", "point"}},
      {"ConvInteger", "ConvInteger", {"u8x", "i8w", "point"}},
      {"QLinearConv", "QLinearConv", {"u8x", "scale", "point", "i8w", "scale2", "point8", "scale", "point"}},
      {"NegativeLogLikelihoodLoss", "NegativeLogLikelihoodLoss", {"logits", "labels"}},
      {"SoftmaxCrossEntropyLoss", "SoftmaxCrossEntropyLoss", {"logits", "labels"}},
      {"DFT", "DFT", {"reals", "", "axis1"}},
      {"DFT of complex numbers", "DFT", {"complex", "", "axis1"}, {attribute("inverse", i64{1})}},
      {"DFT one-sided", "DFT", {"reals", "", "axis1"}, {attribute("onesided", i64{1})}},
      {"DFT back from one side",
       "DFT",
       {"complex", "", "axis1"},
       {attribute("inverse", i64{1}), attribute("onesided", i64{1})}},
      {"STFT", "STFT", {"reals", "two_steps", "hann4"}},
      {"STFT of complex numbers", "STFT", {"complex", "two_steps", "", "four_steps"}},
      {"Dropout", "Dropout", {"x"}},
      {"Dropout of nothing", "Dropout", {"x", "none", "true"}, {}, 2},
      {"Mean", "Mean", {"x", "y"}},
  };
}

const std::vector<input> more_inputs = {{"variance", {4}, dtype::f32, 9},
                                        {"flat8", {n, 8}},
                                        {"two_by_two", {b, n, 2, 2}},
                                        {"offsets", {b, 18, n, 10}},
                                        {"complex", {b, n, 2}},
                                        {"blocks20", {b, 16, 20}},
                                        {"lengths64", {b}, dtype::i64, 2},
                                        {"cosines", {32, 4}},
                                        {"positions", {b, n}, dtype::i64, 30},
                                        {"square", {b, n, n}}};

std::string declared(const input& i) {
  return message([&](pbf_writer& v) {
    v.add_string(1, i.name);
    pbf_writer outer(v, 2);
    pbf_writer t(outer, 1);
    t.add_int32(1, static_cast<int>(onnx::to_elem_type(i.type)));
    pbf_writer shape(t, 2);
    for (i64 d : i.shape) {
      pbf_writer dim(shape, 1);
      if (d >= 0) dim.add_int64(1, d);
      else dim.add_string(2, d == n ? "n" : d == b ? "b" : "m");
    }
  });
}

tensor filled(const input& i, i64 batch, i64 length, tn::u64& state) {
  std::vector<i64> shape;
  for (i64 d : i.shape) shape.push_back(d == n ? length : d == b ? batch : d == m ? 2 * length : d);
  tensor t(i.type, shape);
  for (i64 k = 0; k < t.size(); ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const i64 v = static_cast<i64>(state >> 40);
    if (i.below > 0) t.set_f64(k, static_cast<double>(1 - (i.type == dtype::f32 ? 0 : 1) + v % i.below));
    else t.set_f64(k, static_cast<double>(v % 257 - 128) / 64);
  }
  return t;
}

}  // namespace

TEST_CASE("code for all sizes, for each operator") {
  tn::targets::register_cpu_target();
  std::vector<input> all = inputs;
  all.insert(all.end(), more_inputs.begin(), more_inputs.end());
  const std::vector<std::string> known = constants();
  for (const entry& e : table()) {
    CAPTURE(e.label);
    model of;
    of.opset = 24;
    of.initializers = known;
    std::vector<input> used;
    for (const std::string& name : e.inputs)
      for (const input& i : all)
        if (i.name == name && std::none_of(used.begin(), used.end(), [&](const input& u) { return u.name == name; }))
          used.push_back(i);
    for (const input& i : used) of.inputs.push_back(declared(i));
    std::vector<std::string> outputs;
    for (size_t k = 0; k < e.outputs; ++k)
      outputs.push_back("out" + std::to_string(k)), of.outputs.push_back(open_value(outputs.back()));
    of.nodes.push_back(node(e.op, e.inputs, outputs, e.attributes));
    try {
      const std::string bytes = of.text();
      tn::session s(onnx::decode_model(bytes, nullptr, "test.onnx"),
                    tn::session_options{.target = "cpu", .threads = 2});
      tn::session reference(onnx::decode_model(bytes, nullptr, "test.onnx"),
                            tn::session_options{.target = "interpreter"});
      tn::u64 state = 7;
      for (const auto& [batch, length] : {std::pair<i64, i64>{2, 6}, {1, 9}, {3, 17}}) {
        std::vector<tensor> given;
        for (const input& i : used) given.push_back(filled(i, batch, length, state));
        const std::vector<tensor> want = reference.run(given), got = s.run(given);
        for (size_t k = 0; k < want.size(); ++k) {
          const auto c = tn::compare(got[k], want[k], {.abs = 2e-5, .rel = 2e-5});
          CHECK_MESSAGE(c.ok, e.label << " of batch " << batch << " and length " << length << ": " << c.message);
        }
      }
      CHECK_MESSAGE(s.compilations() == 1, e.label << " is compiled for each size: " << s.reason());
    } catch (const tn::error& error) { FAIL_CHECK(e.label << ": " << std::string(error.what())); }
  }
}
