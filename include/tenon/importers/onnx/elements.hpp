/// @file elements: which elements the inputs of ONNX operators may have, as their pages say
/// (https://onnx.ai/onnx/operators).
#pragma once

#include <string_view>

#include <tenon/core/dtype.hpp>

namespace tenon::importers::onnx::detail {

struct element_kind {
  char letter;
  const char* name;
  bool (*holds)(dtype);
};
inline constexpr element_kind element_kinds[] = {
    {'f', "floats", [](dtype t) { return is_float(t); }},
    {'i', "integers", [](dtype t) { return is_int(t); }},
    {'b', "bools", [](dtype t) { return t == dtype::boolean; }},
    {'s', "texts", [](dtype t) { return t == dtype::string; }},
};

/// Operators by what `elements_of` says of them (rules.hpp): what any of their versions takes is let through in all.
struct operators_of_elements {
  std::string_view elements, operators;
};
inline constexpr operators_of_elements elements_of_inputs[] = {
    {"f",
     "Acos Acosh Affine Asin Asinh Atan Atanh AveragePool BatchNormalization Bernoulli "
     "CausalConvWithState Ceil Celu Conv ConvTranspose Cos Cosh Crop DeformConv Det "
     "DynamicQuantizeLinear Elu Exp Floor Gelu GlobalAveragePool GlobalLpPool GlobalMaxPool "
     "GroupNormalization HardSigmoid HardSwish Hardmax ImageScaler InstanceNormalization IsInf IsNaN "
     "LRN LayerNormalization LeakyRelu Log LogSoftmax LpNormalization LpPool MaxRoiPool Mean "
     "MeanVarianceNormalization Mish Multinomial ParametricSoftplus RMSNormalization Reciprocal Round "
     "ScaledTanh Selu Sigmoid SimplifiedLayerNormalization Sin Sinh Softmax Softplus Softsign Sqrt Sum "
     "SwiGLU Swish Tan Tanh ThresholdedRelu TreeEnsemble"},
    {"fi",
     "Abs Add ArgMax ArgMin Binarizer Clip Div Einsum Erf FeatureVectorizer Gemm Greater "
     "GreaterOrEqual Imputer Less LessOrEqual LinearClassifier LinearRegressor MatMul Max MaxPool Min "
     "Mod Mul Neg Normalizer PRelu Pow QuantizeLinear Range Relu SVMClassifier SVMRegressor Scaler Shrink Sign Sub "
     "TreeEnsembleClassifier TreeEnsembleRegressor"},
    {"*",
     "BitCast Cast CastLike Concat ConcatFromSequence DepthToSpace Equal Flatten FlexAttention "
     "Identity LinearAttention NonZero Optional OptionalGetElement OptionalHasElement RandomNormalLike "
     "RandomUniformLike Scan SequenceConstruct SequenceLength SequenceMap Shape Size SpaceToDepth "
     "Transpose Unique"},
    {"* i",
     "CenterCropPad DynamicSlice Expand Gather GatherElements GatherND Reshape ReverseSequence "
     "SequenceAt SequenceErase Slice Split SplitToSequence Squeeze Trilu Unsqueeze"},
    {"i",
     "BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor BlackmanWindow ConstantOfShape ConvInteger "
     "HammingWindow HannWindow ImageDecoder MatMulInteger"},
    {"fi i",
     "CumProd CumSum ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMean ReduceProd ReduceSum "
     "ReduceSumSquare TopK"},
    {"b", "And If Not Or Xor"},
    {"f i f", "Adagrad Adam Momentum NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss"},
    {"s", "RegexFullMatch StringConcat StringNormalizer StringSplit"},
    {"* i *", "Scatter ScatterElements ScatterND"},
    {"f f f f i f", "GRU LSTM RNN"},
    {"* * i", "SequenceInsert TensorScatter"},
    {"* f", "GridSample Upsample"},
    {"f i", "AffineGrid MaxUnpool"},
    {"fi f fi", "DequantizeLinear"},
    {"fib i", "ReduceMax ReduceMin"},
    {"fis", "LabelEncoder OneHotEncoder"},
    {"is", "CategoryMapper TfIdfVectorizer"},
    {"* b", "Compress"},
    {"* f f i", "Resize"},
    {"* fi f", "Tile"},
    {"* i * i", "Pad"},
    {"* i i", "Col2Im"},
    {"b *", "Where"},
    {"f f b", "Dropout"},
    {"f f f * f f i", "Attention"},
    {"f f f i", "RotaryEmbedding"},
    {"f f i", "RoiAlign"},
    {"f f i f", "NonMaxSuppression"},
    {"f i f i", "STFT"},
    {"f i i", "DFT"},
    {"fi f fi fi f fi f fi", "QLinearMatMul"},
    {"fi fi *", "OneHot"},
    {"fib", "EyeLike"},
    {"fis i", "ArrayFeatureExtractor"},
    {"i b *", "Loop"},
    {"i f i i f i f i", "QLinearConv"},
    {"i i i f", "MelWeightMatrix"},
};

}  // namespace tenon::importers::onnx::detail
