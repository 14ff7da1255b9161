/// @file onnx_types_test: operators in the element types that their pages allow: imported, and the same on both
/// targets.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/compare.hpp>
#if TENON_HAS_LLVM
#  include <tenon/targets/cpu.hpp>
#endif

#include "onnx_builder.hpp"

namespace tn = tenon;
namespace onnx = tenon::importers::onnx;
using namespace onnx_builder;
using tn::dtype;
using tn::tensor;

namespace {

using types = std::vector<dtype>;

types operator+(types a, const types& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const types floats{dtype::f64, dtype::f32, dtype::f16, dtype::bf16};
const types f8{dtype::f8e4m3fn, dtype::f8e4m3fnuz, dtype::f8e5m2, dtype::f8e5m2fnuz};
const types signed_ints{dtype::i64, dtype::i32, dtype::i16, dtype::i8},
    unsigned_ints{dtype::u64, dtype::u32, dtype::u16, dtype::u8};
const types ints = signed_ints + unsigned_ints, numbers = floats + ints, all = numbers + types{dtype::boolean};
const types stored = all + f8 + types{dtype::f8e8m0, dtype::f4e2m1, dtype::i4, dtype::u4, dtype::i2, dtype::u2};
const types long_ints{dtype::i64, dtype::i32, dtype::u64, dtype::u32}, sums = floats + long_ints;

struct entry {
  std::string op;
  std::vector<std::string> inputs;  ///< a, b: [2, 4, 4, 4]; m: [4, 4]; c: bools; i…: integers
  types of;
  std::vector<std::string> attributes = {};
  int outputs = 1;  ///< of which the first is compared
};

const std::vector<entry>& table() {
  const std::string axis1 = attribute("axis", i64{1}), window = attribute("kernel_shape", {2, 2});
  static const std::vector<entry> entries = {
      {"Abs", {"a"}, numbers},
      {"Neg", {"a"}, floats + signed_ints},
      {"Sign", {"a"}, numbers},
      {"Erf", {"a"}, numbers},
      {"Add", {"a", "b"}, numbers},
      {"Sub", {"a", "b"}, numbers},
      {"Mul", {"a", "b"}, numbers},
      {"Div", {"a", "b"}, numbers},
      {"Max", {"a", "b"}, numbers},
      {"Min", {"a", "b"}, numbers},
      {"Mod", {"a", "b"}, ints},
      {"Mod", {"a", "b"}, floats, {attribute("fmod", i64{1})}},
      {"Pow", {"a", "b"}, floats + types{dtype::i32, dtype::i64}},
      {"Relu", {"a"}, floats + signed_ints},
      {"PRelu", {"a", "b"}, sums},
      {"Clip", {"a", "low", "high"}, numbers},
      {"Sum", {"a", "b"}, floats},
      {"Mean", {"a", "b"}, floats},
      {"Equal", {"a", "b"}, all},
      {"Less", {"a", "b"}, numbers},
      {"LessOrEqual", {"a", "b"}, numbers},
      {"Greater", {"a", "b"}, numbers},
      {"GreaterOrEqual", {"a", "b"}, numbers},
      {"And", {"a", "b"}, {dtype::boolean}},
      {"Xor", {"a", "b"}, {dtype::boolean}},
      {"Not", {"a"}, {dtype::boolean}},
      {"BitwiseAnd", {"a", "b"}, ints},
      {"BitwiseNot", {"a"}, ints},
      {"BitShift", {"a", "b"}, unsigned_ints, {attribute("direction", std::string("LEFT"))}},
      {"IsNaN", {"a"}, floats + f8},
      {"IsInf", {"a"}, floats + f8},
      {"Where", {"c", "a", "b"}, all},
      {"Exp", {"a"}, floats},
      {"Log", {"a"}, floats},
      {"Sqrt", {"a"}, floats},
      {"Tanh", {"a"}, floats},
      {"Sigmoid", {"a"}, floats},
      {"Reciprocal", {"a"}, floats},
      {"Ceil", {"a"}, floats},
      {"Floor", {"a"}, floats},
      {"Round", {"a"}, floats},
      {"Sin", {"a"}, floats},
      {"Atan", {"a"}, floats},
      {"Gelu", {"a"}, floats},
      {"Elu", {"a"}, floats},
      {"Selu", {"a"}, floats},
      {"Softplus", {"a"}, floats},
      {"Softsign", {"a"}, floats},
      {"HardSigmoid", {"a"}, floats},
      {"HardSwish", {"a"}, floats},
      {"Mish", {"a"}, floats},
      {"Celu", {"a"}, floats},
      {"LeakyRelu", {"a"}, floats},
      {"ThresholdedRelu", {"a"}, floats},
      {"Shrink", {"a"}, numbers},
      {"Softmax", {"a"}, floats},
      {"LogSoftmax", {"a"}, floats},
      {"Hardmax", {"a"}, floats},
      {"ReduceSum", {"a", "i1"}, sums},
      {"ReduceProd", {"a", "i1"}, sums},
      {"ReduceMean", {"a", "i1"}, sums},
      {"ReduceSumSquare", {"a", "i1"}, sums},
      {"ReduceL1", {"a", "i1"}, sums},
      {"ReduceL2", {"a", "i1"}, sums},
      {"ReduceLogSum", {"a", "i1"}, sums},
      {"ReduceLogSumExp", {"a", "i1"}, sums},
      {"ReduceMax", {"a", "i1"}, sums + types{dtype::i8, dtype::u8, dtype::boolean}},
      {"ReduceMin", {"a", "i1"}, sums + types{dtype::i8, dtype::u8, dtype::boolean}},
      {"ArgMax", {"a"}, numbers, {axis1}},
      {"ArgMin", {"a"}, numbers, {axis1}},
      {"CumSum", {"a", "i0"}, sums},
      {"TopK", {"a", "i1"}, numbers, {axis1}, 2},
      {"MatMul", {"a", "b"}, sums},
      {"Gemm", {"m", "m", "m"}, sums},
      {"Einsum", {"a", "m"}, numbers, {attribute("equation", std::string("nchw,wk->nck"))}},
      {"MaxPool", {"a"}, floats + types{dtype::i8, dtype::u8}, {window}},
      {"AveragePool", {"a"}, floats, {window}},
      {"LpPool", {"a"}, floats, {window}},
      {"GlobalAveragePool", {"a"}, floats},
      {"GlobalMaxPool", {"a"}, floats},
      {"Conv", {"a", "a"}, floats},
      {"ConvTranspose", {"b", "kernel"}, floats},
      {"LRN", {"a"}, floats, {attribute("size", i64{3})}},
      {"LayerNormalization", {"a", "b"}, floats, {axis1}},
      {"RMSNormalization", {"a", "b"}, floats, {axis1}},
      {"InstanceNormalization", {"a", "row", "row"}, floats},
      {"Resize", {"a", "", "scales"}, numbers, {attribute("mode", std::string("nearest"))}},
      {"Resize", {"a", "", "scales"}, floats, {attribute("mode", std::string("linear"))}},
      {"Identity", {"a"}, stored},
      {"Transpose", {"a"}, stored, {attribute("perm", {0, 2, 3, 1})}},
      {"Reshape", {"a", "flat"}, stored},
      {"Squeeze", {"one"}, stored},
      {"Unsqueeze", {"a", "i1"}, stored},
      {"Flatten", {"a"}, stored},
      {"Concat", {"a", "b"}, all, {axis1}},
      {"Slice", {"a", "i1", "i3", "i1"}, all},
      {"Split", {"a"}, all, {axis1, attribute("num_outputs", i64{1})}},
      {"Expand", {"one", "four"}, all},
      {"Tile", {"m", "twice"}, all},
      {"Pad", {"m", "pads"}, stored},
      {"Trilu", {"a"}, all},
      {"Gather", {"a", "places"}, all, {axis1}},
      {"GatherElements", {"m", "table"}, all},
      {"GatherND", {"m", "table2"}, all},
      {"ScatterElements", {"m", "table", "m24"}, all},
      {"ScatterND", {"m", "table2", "rows"}, all},
      {"SpaceToDepth", {"a"}, all, {attribute("blocksize", i64{2})}},
      {"DepthToSpace", {"a"}, all, {attribute("blocksize", i64{2})}},
      {"EyeLike", {"m"}, all},
      {"OneHot", {"places", "i3", "pair"}, all},
      {"Shape", {"a"}, stored},
      {"Size", {"a"}, stored},
      {"BatchNormalization", {"a", "row", "row", "row", "row"}, floats},
      {"MeanVarianceNormalization", {"a"}, floats},
      {"GroupNormalization", {"a", "row", "row"}, floats, {attribute("num_groups", i64{2})}},
      {"LpNormalization", {"a"}, floats, {axis1}},
      {"GlobalLpPool", {"a"}, floats},
      {"Swish", {"a"}, floats},
      {"Tan", {"a"}, floats},
      {"Cos", {"a"}, floats},
      {"Sinh", {"a"}, floats},
      {"Cosh", {"a"}, floats},
      {"Asinh", {"a"}, floats},
      {"Acosh", {"a"}, floats},
      {"Asin", {"tiny"}, floats},
      {"Acos", {"tiny"}, floats},
      {"Atanh", {"tiny"}, floats},
      {"Or", {"a", "b"}, {dtype::boolean}},
      {"BitwiseOr", {"a", "b"}, ints},
      {"BitwiseXor", {"a", "b"}, ints},
      {"BitShift", {"a", "b"}, unsigned_ints, {attribute("direction", std::string("RIGHT"))}},
      {"ScatterElements", {"m", "table", "m24"}, numbers, {attribute("reduction", std::string("add"))}},
      {"ScatterElements", {"m", "table", "m24"}, numbers, {attribute("reduction", std::string("max"))}},
      {"ScatterND", {"m", "table2", "rows"}, numbers, {attribute("reduction", std::string("mul"))}},
      {"ReverseSequence", {"m", "lengths"}, all},
      {"CenterCropPad", {"m", "wide"}, all, {attribute("axes", {0, 1})}},
      {"GridSample", {"a", "grid"}, floats, {attribute("mode", std::string("nearest"))}},
      {"GridSample", {"a", "grid"}, floats},
      {"RoiAlign", {"a", "rois", "i0s"}, floats},
      {"Col2Im", {"patches", "image", "block"}, numbers},
      {"MaxRoiPool", {"a", "rois5"}, {dtype::f32, dtype::f16, dtype::f64}, {attribute("pooled_shape", {2, 2})}},
      {"NegativeLogLikelihoodLoss", {"m", "classes"}, floats},
      {"SoftmaxCrossEntropyLoss", {"m", "classes"}, floats},
      {"LSTM", {"sequence", "lstm", "lstm"}, floats, {attribute("hidden_size", i64{2})}},
      {"GRU", {"sequence", "gru", "gru"}, floats, {attribute("hidden_size", i64{2})}},
      {"RNN", {"sequence", "rnn", "rnn"}, floats, {attribute("hidden_size", i64{2})}},
      {"Attention", {"a", "a", "b"}, floats},
      {"CastLike", {"a", "c"}, all},
      {"ConstantOfShape", {"four"}, {dtype::f32}},
      {"Det", {"a"}, floats},
      {"Dropout", {"a"}, floats},
      {"DepthToSpace", {"a"}, all, {attribute("blocksize", i64{2}), attribute("mode", std::string("CRD"))}},
  };
  return entries;
}

/// Small numbers that every type has.
tensor numbered(dtype t, std::vector<i64> shape, i64 step) {
  tensor x(t, std::move(shape));
  const i64 most = t == dtype::boolean || t == dtype::i2 ? 1 : t == dtype::u2 ? 3 : 7;
  for (i64 i = 0; i < x.size(); ++i) x.set_i64(i, 1 + i * step % most);
  return x;
}

std::string typed(const std::string& name, const tensor& t) {
  return value(name, t.shape(), onnx::to_elem_type(t.type()));
}

struct world {
  std::vector<std::pair<std::string, tensor>> inputs;
  std::vector<std::string> constants;
  explicit world(dtype t) {
    inputs = {{"a", numbered(t, {2, 4, 4, 4}, 3)},
              {"b", numbered(t, {2, 4, 4, 4}, 5)},
              {"m", numbered(t, {4, 4}, 3)},
              {"m24", numbered(t, {2, 4}, 5)},
              {"rows", numbered(t, {2, 4}, 5)},
              {"row", numbered(t, {4}, 2)},
              {"one", numbered(t, {1}, 1)},
              {"pair", numbered(t, {2}, 1)},
              {"low", numbered(t, {1}, 1)},
              {"high", numbered(t, {1}, 1)},
              {"kernel", numbered(t, {4, 2, 3, 3}, 2)},
              {"tiny", numbered(t, {5}, 0)},
              {"grid", numbered(t, {2, 3, 3, 2}, 2)},
              {"rois", numbered(t, {2, 4}, 2)},
              {"rois5", numbered(t, {2, 5}, 0)},
              {"patches", numbered(t, {1, 4, 4}, 3)},
              {"sequence", numbered(t, {3, 2, 2}, 3)},
              {"lstm", numbered(t, {1, 8, 2}, 0)},
              {"gru", numbered(t, {1, 6, 2}, 0)},
              {"rnn", numbered(t, {1, 2, 2}, 0)},
              {"c", numbered(dtype::boolean, {2, 4, 4, 4}, 1)}};
    const auto list = [&](const char* name, std::vector<i64> shape, std::vector<i64> v) {
      constants.push_back(onnx::encode_tensor(tensor::from<i64>(std::move(shape), v), name));
    };
    list("i0", {1}, {0}), list("i1", {1}, {1}), list("i3", {1}, {3}), list("flat", {2}, {8, 16}),
        list("four", {1}, {4});
    list("twice", {2}, {2, 1}), list("pads", {4}, {1, 0, 0, 2}), list("places", {3}, {2, 0, 1}),
        list("table", {2, 4}, {0, 1, 2, 3, 3, 2, 1, 0});
    list("table2", {2, 1}, {3, 0}), list("lengths", {4}, {1, 2, 3, 4}), list("wide", {2}, {6, 3}),
        list("i0s", {2}, {0, 1});
    list("image", {2}, {3, 3}), list("block", {2}, {2, 2}), list("classes", {4}, {0, 2, 1, 3});
    constants.push_back(onnx::encode_tensor(tensor::from<float>({4}, {1, 1, 2, 0.5f}), "scales"));
  }
  model of(const std::vector<const entry*>& entries, std::vector<tensor>& given) const {
    model m;
    m.opset = 24;
    m.initializers = constants;
    for (const auto& [name, t] : inputs) {
      bool used = false;
      for (const entry* e : entries)
        used = used || std::find(e->inputs.begin(), e->inputs.end(), name) != e->inputs.end();
      if (used) m.inputs.push_back(typed(name, t)), given.push_back(t);
    }
    for (size_t k = 0; k < entries.size(); ++k) {
      const std::string y = "y" + std::to_string(k);
      std::vector<std::string> outputs{y};
      for (int more = 1; more < entries[k]->outputs; ++more) outputs.push_back(y + "_" + std::to_string(more));
      m.nodes.push_back(node(entries[k]->op, entries[k]->inputs, outputs, entries[k]->attributes));
      m.outputs.push_back(open_value(y));
    }
    return m;
  }
};

}  // namespace

TEST_CASE("operators take the types of their pages, the same on cpu and on the interpreter") {
  for (const dtype t : stored) {
    CAPTURE(name_of(t));
    const world w(t);
    std::vector<const entry*> imported;
    for (const entry& e : table()) {
      if (std::find(e.of.begin(), e.of.end(), t) == e.of.end()) continue;
      std::vector<tensor> given;
      try {
        const model m = w.of({&e}, given);
        const auto module = onnx::import_model(decoded(m), {});
        (void)tn::interpret(module.body(), "main", given);
        imported.push_back(&e);
      } catch (const tn::error& error) { FAIL_CHECK(e.op << ": " << std::string(error.what())); }
    }
#if TENON_HAS_LLVM
    std::vector<tensor> given;
    const std::string text = w.of(imported, given).text();
    const auto module = onnx::import_model(onnx::decode_model(text, nullptr, "test.onnx"), {});
    const std::vector<tensor> want = tn::interpret(module.body(), "main", given);
    tn::targets::register_cpu_target();
    const double close = t == dtype::bf16 ? 2e-2 : t == dtype::f16 ? 4e-3 : 1e-5;
    // Between ops 16-bit floats may be held in f32, and the norm then differs by the interpreter's roundings, too.
    for (const char* target : {"cpu", "cpu:precision=strict"}) {
      CAPTURE(target);
      tn::session s(onnx::decode_model(text, nullptr, "test.onnx"), tn::session_options{.target = target});
      const std::vector<tensor> got = s.run(given);
      REQUIRE(got.size() == want.size());
      tn::tolerance allowed{.abs = close, .rel = close};
      if (tn::is_float(t) && tn::size_of(t) == 2 && std::string_view(target) == "cpu") allowed.norm = close;
      for (size_t k = 0; k < got.size(); ++k) {
        const auto c = tn::compare(got[k], want[k], allowed);
        CHECK_MESSAGE(c.ok, imported[k]->op << ": " << c.message);
      }
    }
#endif
  }
}

TEST_CASE("window functions whose output is f64 are computed in f64") {
  model m;
  m.inputs = {value("n", {1}, onnx::elem_type::int64)};
  m.outputs = {open_value("y")};
  m.nodes = {node("HannWindow", {"n"}, {"y"}, {attribute("output_datatype", i64{11}), attribute("periodic", i64{0})})};
  const auto module = onnx::import_model(decoded(m), {});
  const tensor size = tensor::from<i64>({1}, std::vector<i64>{8});
  const tensor y = tn::interpret(module.body(), "main", std::vector<tensor>{size})[0];
  REQUIRE(y.type() == dtype::f64);
  for (i64 k = 0; k < 8; ++k)
    CHECK(std::fabs(y.at_f64(k) - (.5 - .5 * std::cos(2 * std::acos(-1.) * static_cast<double>(k) / 7))) < 1e-14);
}
