// needs: xsimd
// also with: TENON_XSIMD=avx2 TENON_XSIMD=sse2
// The target xsimd: every kernel against the interpreter, on the instruction sets that this machine has.
#include <tenon/compile/session.hpp>
#include <tenon/targets/xsimd_session.hpp>

#include <support/on_xsimd.hpp>

using namespace graph_test;

TEST_CASE("elementwise ops, alone, with partial vectors") {
  for (const char* op : {"abs(%0)", "neg(%0)", "exp(%0)", "tanh(%0)", "sigmoid(%0)", "erf(%0)", "floor(%0)", "ceil(%0)",
                         "round(%0)", "trunc(%0)", "reciprocal(%0)", "add(%0, %1)", "sub(%0, %1)", "mul(%0, %1)",
                         "div(%0, %1)", "minimum(%0, %1)", "maximum(%0, %1)"}) {
    CAPTURE(op);
    for (const char* type : {"tensor<5x7xf32>", "tensor<3x1001xf32>"}) all_by_kernels(one_op(op, type, type));
  }
}

TEST_CASE("chains with broadcasts of every kind, flags, and values used twice") {
  all_by_kernels(R"(
func entry @main(%0: tensor<2x3x5x7xf32>, %1: tensor<3x1x1xf32>, %2: tensor<7xf32>, %3: tensor<2x1x5x1xf32>, %4: tensor<f32>) -> (tensor<2x3x5x7xf32>, tensor<2x3x5x7xbool>) {
  %5 = mul(%0, %1) : tensor<2x3x5x7xf32>
  %6 = add(%2, %5) : tensor<2x3x5x7xf32>
  %7 = sub(%6, %3) : tensor<2x3x5x7xf32>
  %8 = less(%7, %4) : tensor<2x3x5x7xbool>
  %9 = mul(%7, %7) : tensor<2x3x5x7xf32>
  %10 = where(%8, %9, %7) : tensor<2x3x5x7xf32>
  %11 = logical_not(%8) : tensor<2x3x5x7xbool>
  return(%10, %11)
})");
}

TEST_CASE("chains of arithmetic: values that are read again, numbers on either side, squares, longer than a block") {
  for (const char* type : {"tensor<5x7xf32>", "tensor<3x1001xf32>", "tensor<4x1024xf32>"}) {
    const std::string t = type;
    CAPTURE(t);
    all_by_kernels("constant #0 : tensor<f32> = [3]\nconstant #1 : tensor<f32> = [0.75]\nfunc entry @main(%0: " + t +
                   ", %1: " + t + ") -> (" + t + ") {\n  %2 = constant() {value = #0} : tensor<f32>\n" +
                   "  %3 = constant() {value = #1} : tensor<f32>\n  %4 = sub(%2, %0) : " + t +
                   "\n  %5 = mul(%4, %4) : " + t + "\n  %6 = maximum(%3, %5) : " + t + "\n  %7 = div(%2, %6) : " + t +
                   "\n  %8 = sub(%1, %7) : " + t + "\n  %9 = tanh(%8) : " + t + "\n  %10 = minimum(%9, %4) : " + t +
                   "\n  %11 = div(%10, %6) : " + t + "\n  %12 = add(%5, %11) : " + t +
                   "\n  %13 = minimum(%12, %2) : " + t + "\n  %14 = add(%13, %12) : " + t + "\n  return(%14)\n}\n");
    all_by_kernels("constant #0 : tensor<f32> = [3]\nconstant #1 : tensor<f32> = [0.75]\nfunc entry @main(%0: " + t +
                   ") -> (" + t + ") {\n  %1 = constant() {value = #0} : tensor<f32>\n" +
                   "  %2 = constant() {value = #1} : tensor<f32>\n  %3 = mul(%1, %2) : tensor<f32>\n" +
                   "  %4 = add(%0, %1) : " + t + "\n  %5 = minimum(%1, %4) : " + t + "\n  %6 = div(%5, %2) : " + t +
                   "\n  %7 = mul(%6, %0) : " + t + "\n  return(%7)\n}\n");
  }
}

TEST_CASE("matrix products: packed, computed, of batches, with everything behind them") {
  for (const char* shape : {"1 1 1", "3 5 7", "49 64 100", "130 33 17", "7 300 48"}) {
    int m = 0, k = 0, n = 0;
    std::sscanf(shape, "%d %d %d", &m, &k, &n);
    const std::string a = "tensor<" + std::to_string(m) + "x" + std::to_string(k) + "xf32>",
                      b = "tensor<" + std::to_string(k) + "x" + std::to_string(n) + "xf32>",
                      y = "tensor<" + std::to_string(m) + "x" + std::to_string(n) + "xf32>",
                      bias = "tensor<" + std::to_string(n) + "xf32>";
    CAPTURE(shape);
    std::string values;
    for (int i = 0; i < k * n; ++i) values += (i ? ", " : "") + std::to_string(i * 37 % 11 - 5);
    all_by_kernels(
        "constant #0 : " + b + " = [" + values + "]\nconstant #1 : tensor<f32> = [0]\nfunc entry @main(%0: " + a +
        ", %1: " + bias + ", %2: " + y + ") -> (" + y + ") {\n  %3 = constant() {value = #0} : " + b +
        "\n  %4 = matmul(%0, %3) : " + y + "\n  %5 = add(%4, %1) : " + y + "\n  %6 = add(%5, %2) : " + y +
        "\n  %7 = constant() {value = #1} : tensor<f32>\n  %8 = maximum(%6, %7) : " + y + "\n  return(%8)\n}\n");
    all_by_kernels("func entry @main(%0: " + a + ", %1: " + b + ") -> (" + y + ") {\n  %2 = matmul(%0, %1) : " + y +
                   "\n  return(%2)\n}\n");
  }
  all_by_kernels(R"(
func entry @main(%0: tensor<2x3x4x5xf32>, %1: tensor<3x5x6xf32>, %2: tensor<6xf32>) -> (tensor<2x3x4x6xf32>) {
  %3 = matmul(%0, %1) : tensor<2x3x4x6xf32>
  %4 = add(%3, %2) : tensor<2x3x4x6xf32>
  return(%4)
})");
  all_by_kernels(R"(
func entry @main(%0: tensor<0x4x5xf32>, %1: tensor<0x5x6xf32>, %2: tensor<0x4x6xf32>) -> (tensor<0x4x6xf32>) {
  %3 = matmul(%0, %1) : tensor<0x4x6xf32>
  %4 = add(%3, %2) : tensor<0x4x6xf32>
  return(%4)
})");
}

TEST_CASE("determinants and inverses, of no rows too") {
  for (const char* shape : {"2x3x1x1", "6x3x3", "5x5", "2x19x19", "2x0x0", "0x4x4"}) {
    CAPTURE(shape);
    const std::string x = "tensor<" + std::string(shape) + "xf32>";
    std::string outer(shape);  // without rows and columns
    for (int i = 0; i < 2; ++i) outer.erase(outer.find('x') == std::string::npos ? 0 : outer.rfind('x'));
    all_by_kernels(one_op("determinant(%0)", x, "tensor<" + (outer.empty() ? "" : outer + "x") + "f32>"));
    all_by_kernels(one_op("inverse(%0)", x, x));
  }
}

namespace {
std::string conv_text(const std::string& x, const std::string& w, const std::string& y, const std::string& attributes,
                      i64 weights, i64 outputs, const std::string& op = "conv") {
  std::string values, bias;
  for (i64 i = 0; i < weights; ++i) values += (i ? ", " : "") + std::to_string(i * 37 % 11 - 5);
  for (i64 i = 0; i < outputs; ++i) bias += (i ? ", " : "") + std::to_string(i % 5 - 2);
  const std::string b = "tensor<" + std::to_string(outputs) + "xf32>";
  return "constant #0 : " + w + " = [" + values + "]\nconstant #1 : " + b + " = [" + bias +
         "]\nconstant #2 : tensor<f32> = [0.5]\nfunc entry @main(%0: " + x + ") -> (" + y +
         ") {\n  %1 = constant() {value = #0} : " + w + "\n  %2 = constant() {value = #1} : " + b + "\n  %3 = " + op +
         "(%0, %1, %2) {" + attributes + "} : " + y +
         "\n  %4 = constant() {value = #2} : tensor<f32>\n  %5 = minimum(%3, %4) : " + y + "\n  return(%5)\n}\n";
}
}  // namespace

TEST_CASE("convolutions: strides, dilations, padding, groups, depthwise, one to three dimensions") {
  all_by_kernels(conv_text("tensor<1x3x9x11xf32>", "tensor<20x3x3x3xf32>", "tensor<1x20x9x11xf32>",
                           "pads = [1, 1, 1, 1]", 20 * 27, 20));
  all_by_kernels(conv_text("tensor<2x4x9x11xf32>", "tensor<33x4x3x2xf32>", "tensor<2x33x4x5xf32>", "strides = [2, 2]",
                           33 * 24, 33));
  all_by_kernels(
      conv_text("tensor<1x4x9x11xf32>", "tensor<5x4x2x2xf32>", "tensor<1x5x7x8xf32>", "dilations = [2, 3]", 5 * 16, 5));
  all_by_kernels(conv_text("tensor<2x6x5x5xf32>", "tensor<9x2x2x2xf32>", "tensor<2x9x4x4xf32>", "group = 3", 9 * 8, 9));
  all_by_kernels(conv_text("tensor<1x37x6x7xf32>", "tensor<37x1x3x3xf32>", "tensor<1x37x6x7xf32>",
                           "pads = [1, 1, 1, 1], group = 37", 37 * 9, 37));
  all_by_kernels(conv_text("tensor<1x4x6x7xf32>", "tensor<8x1x3x3xf32>", "tensor<1x8x4x5xf32>", "group = 4", 8 * 9, 8));
  all_by_kernels(
      conv_text("tensor<2x5x30xf32>", "tensor<7x5x4xf32>", "tensor<2x7x14xf32>", "strides = [2]", 7 * 20, 7));
  all_by_kernels(
      conv_text("tensor<1x2x5x6x7xf32>", "tensor<3x2x2x2x2xf32>", "tensor<1x3x4x5x6xf32>", "group = 1", 3 * 16, 3));
}

TEST_CASE(
    "depthwise convolutions: runs of taps, lines of any length, more and fewer channels than a vector has lanes") {
  const auto depthwise = [](i64 channels, i64 width, i64 kernel, i64 stride, i64 dilation, i64 batch = 1) {
    CAPTURE(channels);
    CAPTURE(width);
    CAPTURE(kernel);
    CAPTURE(stride);
    const i64 out = (width + 2 - dilation * (kernel - 1) - 1) / stride + 1;
    const std::string b = std::to_string(batch) + "x" + std::to_string(channels) + "x", k = std::to_string(kernel),
                      s = std::to_string(stride), group = std::to_string(channels);
    all_by_kernels(conv_text("tensor<" + b + "4x" + std::to_string(width) + "xf32>",
                             "tensor<" + group + "x1x2x" + k + "xf32>",
                             "tensor<" + b + "3x" + std::to_string(out) + "xf32>",
                             "strides = [1, " + s + "], dilations = [1, " + std::to_string(dilation) +
                                 "], pads = [0, 1, 0, 1], group = " + group,
                             channels * 2 * kernel, channels));
  };
  for (i64 kernel : {2, 3, 5})
    for (i64 stride : {1, 2, 3}) {
      depthwise(24, 39, kernel, stride, 1);
      depthwise(16, 14, kernel, stride, 1, 2);
      depthwise(200, 30, kernel, stride, 1);  // the epilogue runs some outputs at a time
    }
  depthwise(24, 39, 3, 1, 2);
  depthwise(24, 39, 5, 2, 2);
  for (i64 channels : {2, 3, 4, 8, 12, 15})
    for (i64 width : {7, 39, 64}) depthwise(channels, width, 3, 1, 1, 2);
  depthwise(8, 39, 3, 2, 1);
  depthwise(2, 1200, 3, 1, 1);
}

TEST_CASE("transposed convolutions: every phase of the outputs, groups, depthwise, one to three dimensions") {
  const auto back = [](const std::string& x, const std::string& w, const std::string& y, const std::string& attributes,
                       i64 weights, i64 outputs) {
    all_by_kernels(conv_text("tensor<" + x + "xf32>", "tensor<" + w + "xf32>", "tensor<" + y + "xf32>", attributes,
                             weights, outputs, "conv_transpose"));
  };
  back("2x5x7x9", "5x20x3x3", "2x20x9x11", "strides = [1, 1]", 5 * 20 * 9, 20);
  back("1x5x7x9", "5x6x3x3", "1x6x14x18", "strides = [2, 2], pads = [1, 1, 1, 1], output_padding = [1, 1]", 270, 6);
  back("2x16x6x5", "16x33x4x4", "2x33x12x10", "strides = [2, 2], pads = [1, 1, 1, 1]", 16 * 33 * 16, 33);
  back("1x24x5x6", "24x1x2x2", "1x1x10x12", "strides = [2, 2]", 96, 1);  // residues are columns
  back("1x3x4x5", "3x7x2x3", "1x7x8x11", "strides = [2, 2], dilations = [1, 2], pads = [0, 1, 0, 1]", 126, 7);
  back("1x3x4x5", "3x4x1x2", "1x4x12x9", "strides = [3, 2], output_padding = [2, 0], pads = [0, 1, 0, 0]", 24, 4);
  back("2x6x4x5", "6x2x3x2", "2x6x9x10", "strides = [2, 2], group = 3", 72, 6);
  back("1x37x5x6", "37x1x4x4", "1x37x10x12", "strides = [2, 2], pads = [1, 1, 1, 1], group = 37", 37 * 16, 37);
  back("1x5x5x6", "5x1x3x3", "1x5x7x8", "group = 5", 45, 5);
  back("1x18x300", "18x1x16", "1x1x2408", "strides = [8]", 18 * 16, 1);
  back("1x6x20", "6x2x400", "1x2x3200", "strides = [160], pads = [120, 120]", 6 * 2 * 400, 2);  // of a spectrum
  back("1x2x3x4x5", "2x3x2x3x2", "1x3x6x9x10", "strides = [2, 2, 2]", 2 * 3 * 12, 3);
}

TEST_CASE("transposed convolutions by weights of the run are products, too") {
  const std::string x = "tensor<1x4x5x4xf32>";
  const auto text = [&](const std::string& w, const std::string& out, const std::string& attributes) {
    return "func entry @main(%0: " + x + ", %1: " + w + ") -> (" + out + ") {\n  %2 = conv_transpose(%0, %1) {" +
           attributes + "} : " + out + "\n  return(%2)\n}\n";
  };
  all_by_kernels(text("tensor<2x2x4x3xf32>", "tensor<1x8x10x3xf32>",
                      "layout = channels_last, strides = [2, 2], pads = [0, 0, 0, 0]"),
                 false);
}

TEST_CASE("pools in both layouts, with padding and overhang; normalization over channels") {
  all_by_kernels(one_op("max_pool(%0) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], layout = channels_last}",
                        "tensor<2x9x11x19xf32>", "tensor<2x5x6x19xf32>"),
                 false);
  all_by_kernels(
      one_op("max_pool(%0) {kernel = [2, 3], dilations = [2, 1]}", "tensor<2x3x9x11xf32>", "tensor<2x3x7x9xf32>"),
      false);
  all_by_kernels(
      one_op("average_pool(%0) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1], layout = channels_last}",
             "tensor<1x8x8x35xf32>", "tensor<1x4x4x35xf32>"),
      false);
  all_by_kernels(
      one_op(
          "average_pool(%0) {kernel = [3], strides = [2], pads = [1, 0], ceil_mode = true, count_include_pad = true}",
          "tensor<2x3x8xf32>", "tensor<2x3x4xf32>"),
      false);
  all_by_kernels(
      one_op("lrn(%0) {size = 5, alpha = 0.5, layout = channels_last}", "tensor<1x3x4x40xf32>", "tensor<1x3x4x40xf32>"),
      false);
}

TEST_CASE("reductions and softmax along any run of axes") {
  for (const char* op : {"reduce_sum", "reduce_max", "reduce_min"}) {
    all_by_kernels(one_op(std::string(op) + "(%0) {axes = [-1]}", "tensor<3x5x77xf32>", "tensor<3x5x1xf32>"));
    all_by_kernels(
        one_op(std::string(op) + "(%0) {axes = [0, 1], keep_dims = false}", "tensor<3x5x77xf32>", "tensor<77xf32>"));
    all_by_kernels(one_op(std::string(op) + "(%0) {axes = [1]}", "tensor<3x5x37xf32>", "tensor<3x1x37xf32>"));
    all_by_kernels(one_op(std::string(op) + "(%0) {keep_dims = false}", "tensor<3x5x7xf32>", "tensor<f32>"));
    all_by_nests(one_op(std::string(op) + "(%0) {axes = [0, 2]}", "tensor<3x5x7xf32>", "tensor<1x5x1xf32>"));
  }
  for (const char* op : {"softmax", "log_softmax"})
    for (int axis : {0, 1, 2})
      all_by_kernels(one_op(std::string(op) + "(%0) {axis = " + std::to_string(axis) + "}", "tensor<3x21x37xf32>",
                            "tensor<3x21x37xf32>"));
}

TEST_CASE("positions in rows, of equals the first or the last, and NaN before all") {
  for (const std::string op : {"arg_max", "arg_min"})
    for (const std::string last : {"false", "true"}) {
      all_by_kernels(one_op(op + "(%0) {axis = -1, keep_dims = false, select_last = " + last + "}",
                            "tensor<5x3x77xf32>", "tensor<5x3xi64>"));
      const auto m = parse<phases::ingestion>(
          "tenon.module phase=ingestion\nfunc entry @main(%0: tensor<4x100xf32>) -> (tensor<4x1xi64>) {\n  %1 = " + op +
          "(%0) {axis = 1, select_last = " + last + "} : tensor<4x1xi64>\n  return(%1)\n}\n");
      tensor x(dtype::f32, {4, 100});
      for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i * 7 % 13));
      for (i64 i : {37, 41, 299, 300}) x.set_f64(i, std::numeric_limits<double>::quiet_NaN());
      for (i64 i = 100; i < 200; ++i) x.set_f64(i, i % 2 == 0 ? 0.0 : -0.0);
      context cx;
      targets::xsimd{}.configure(cx);
      CHECK(same_bits(load_xsimd(build<targets::xsimd>(m.clone(), cx)).run({x})[0],
                      interpret(m.body(), "main", {{x}})[0]));
    }
}

namespace {
/// How many calls of vectorized kernels a graph of open sizes has; its results are the interpreter's.
size_t kernels_in(std::string_view text, const std::vector<std::vector<tensor>>& sets, double off) {
  context cx;
  targets::xsimd{}.configure(cx);
  const auto built = build<targets::xsimd>(parse<phases::ingestion>(text), cx);
  const program p = load_xsimd(built);
  const auto m = parse<phases::ingestion>(text);
  for (const std::vector<tensor>& inputs : sets) {
    const comparison c = compare(p.run(inputs)[0], interpret(m.body(), "main", inputs)[0], {off, off, off});
    CHECK_MESSAGE(c.ok, c.message);
  }
  return ir::artifact_calls(built.body()).size();
}
tensor counted(dtype t, std::vector<i64> shape) {
  tensor x(t, std::move(shape));
  for (i64 i = 0; i < x.size(); ++i) x.set_f64(i, static_cast<double>(i * 37 % 61) / 32 - 0.9);
  return x;
}
}  // namespace

TEST_CASE("what is repeated to a shape that is computed is copied") {
  const auto sizes = [](i64 n, i64 m) {
    return std::vector<tensor>{counted(dtype::f32, {n, 1, 4}), counted(dtype::f32, {n, m, 1})};
  };
  CHECK(kernels_in(R"(tenon.module phase=ingestion
func entry @main(%x: tensor<Nx1x4xf32>, %y: tensor<NxMx1xf32>) -> (tensor<?x?x?xf32>) inputs("x", "y") outputs("z") {
  %s = shape_of(%y) : tensor<3xi64>
  %e = expand(%x, %s) : tensor<?x?x?xf32>
  return(%e)
})",
                   {sizes(3, 5), sizes(1, 1), sizes(2, 70)}, 0) == 1);
}

TEST_CASE("products of 16 bits are those of f32, between casts") {
  for (const dtype t : {dtype::f16, dtype::bf16}) {
    const auto sizes = [&](i64 n) { return std::vector<tensor>{counted(t, {n, 48}), counted(t, {48, 33})}; };
    std::string text = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<Nx48xELEM>, %w: tensor<48x33xELEM>) -> (tensor<?x?xELEM>) inputs("x", "w") outputs("y") {
  %y = matmul(%x, %w) : tensor<?x?xELEM>
  return(%y)
})";
    for (size_t at; (at = text.find("ELEM")) != text.npos;) text.replace(at, 4, name_of(t));
    CHECK(kernels_in(text, {sizes(5), sizes(1), sizes(70)}, t == dtype::f16 ? 0x1p-10 : 0x1p-7) == 1);
  }
}

TEST_CASE("movements of elements of any width") {
  for (const char* t : {"f32", "i64", "u8", "f16"}) {
    CAPTURE(t);
    const auto type = [&](const char* shape) { return "tensor<" + std::string(shape) + "x" + t + ">"; };
    all_by_kernels(one_op("transpose(%0) {permutation = [2, 0, 1]}", type("3x20x33"), type("33x3x20")), false);
    all_by_kernels(one_op("transpose(%0) {permutation = [0, 3, 1, 2]}", type("2x5x6x7"), type("2x7x5x6")), false);
    for (const char* channels : {"2", "3", "4"}) {
      const std::string c = channels;
      all_by_kernels(one_op("transpose(%0) {permutation = [0, 2, 3, 1]}", type(("2x" + c + "x5x7").c_str()),
                            type(("2x5x7x" + c).c_str())),
                     false);
    }
    all_by_kernels(one_op("expand(%0) {shape = [4, 3, 5]}", type("3x1"), type("4x3x5")), false);
    all_by_kernels(one_op("slice(%0) {starts = [1, -1], ends = [3, -9], axes = [0, 2], steps = [1, -2]}", type("4x3x7"),
                          type("2x3x4")),
                   false);
    all_by_kernels(one_op("slice(%0) {starts = [1], ends = [3], axes = [0], steps = [504403158265495553]}",
                          type("4x3x7"), type("1x3x7")),
                   false);
    all_by_kernels(one_op("pad(%0) {before = [1, -1], after = [2, 1], value = 3}", type("3x4"), type("6x4")), false);
    for (const char* mode : {"reflect", "edge", "wrap"}) {
      const std::string pad = "pad(%0) {mode = " + std::string(mode);
      all_by_kernels(one_op(pad + ", before = [0, 2, 0, 1], after = [0, 3, 0, 2]}", type("2x5x4x7"), type("2x10x4x10")),
                     false);
      all_by_kernels(one_op(pad + ", before = [-1, 5], after = [4, -2]}", type("3x6"), type("6x9")), false);
      all_by_kernels(one_op(pad + ", before = [3], after = [0]}", type("1"), type("4")), false);
    }
    all_by_kernels(one_op("concat(%0, %1, %0) {axis = 1}", type("2x3x4"), type("2x9x4")), false);
  }
  all_by_kernels(R"(
constant #0 : tensor<2x2xi64> = [0, -1, 2, 1]
func entry @main(%0: tensor<3x4x5xf32>) -> (tensor<3x2x2x5xf32>) {
  %1 = constant() {value = #0} : tensor<2x2xi64>
  %2 = gather(%0, %1) {axis = 1} : tensor<3x2x2x5xf32>
  return(%2)
})");
}

TEST_CASE("sampling") {
  all_by_kernels(one_op("resize(%0) {mode = linear, sizes = [7, 9], axes = [1, 2]}", "tensor<2x4x5x19xf32>",
                        "tensor<2x7x9x19xf32>"),
                 false);
  all_by_kernels(one_op("resize(%0) {mode = linear, coordinates = align_corners, sizes = [7, 9], axes = [2, 3]}",
                        "tensor<2x3x4x5xf32>", "tensor<2x3x7x9xf32>"),
                 false);
  all_by_kernels(one_op("resize(%0) {coordinates = asymmetric, nearest = floor, scales = [2, 2], axes = [2, 3]}",
                        "tensor<2x3x4x5xf32>", "tensor<2x3x8x10xf32>"),
                 false);
  all_by_nests(
      one_op("resize(%0) {mode = cubic, sizes = [7, 9], axes = [2, 3]}", "tensor<2x3x4x5xf32>", "tensor<2x3x7x9xf32>"),
      false);
}

TEST_CASE("memory is shared by values that do not meet, and results may be inputs or each other") {
  context cx;
  targets::xsimd{}.configure(cx);
  const auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<64x64xf32>) -> (tensor<64x64xf32>) {
  %1 = softmax(%0) : tensor<64x64xf32>
  %2 = softmax(%1) : tensor<64x64xf32>
  %3 = softmax(%2) : tensor<64x64xf32>
  %4 = softmax(%3) : tensor<64x64xf32>
  %5 = softmax(%4) : tensor<64x64xf32>
  return(%5)
})");
  const auto built = build<targets::xsimd>(m.clone(), cx);
  CHECK(built.body().artifacts().size() == 5);
  CHECK(built.body().build.memory.arena().value() == 2 * 64 * 64 * 4);
  all_by_kernels(R"(
func entry @main(%0: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>, tensor<6xf32>) {
  %1 = reshape(%0) {shape = [3, 2]} : tensor<3x2xf32>
  %2 = neg(%0) : tensor<2x3xf32>
  %3 = reshape(%2) {shape = [6]} : tensor<6xf32>
  return(%1, %2, %3)
})");
}

TEST_CASE("what one kernel computes is one part: a product, and elementwise ops whose values nobody else reads") {
  const auto steps = [](const std::string& after, const std::string& results, size_t count) {
    all_by_kernels("func entry @main(%0: tensor<4x6xf32>, %1: tensor<6x8xf32>, %2: tensor<8xf32>) -> (" +
                       std::string(results.find(',') == results.npos ? "" : "tensor<4x8xf32>, ") +
                       "tensor<4x8xf32>) {\n  %3 = matmul(%0, %1) : tensor<4x8xf32>\n" + after + "  return(" + results +
                       ")\n}\n",
                   true, count);
  };
  steps(
      "  %4 = add(%3, %2) : tensor<4x8xf32>\n  %5 = sigmoid(%4) : tensor<4x8xf32>\n"
      "  %6 = mul(%4, %5) : tensor<4x8xf32>\n",
      "%6", 1);  // %4 is read twice, inside
  steps("  %4 = add(%3, %2) : tensor<4x8xf32>\n  %5 = sigmoid(%4) : tensor<4x8xf32>\n", "%4, %5", 2);
  steps("  %4 = softmax(%3) : tensor<4x8xf32>\n  %5 = exp(%4) : tensor<4x8xf32>\n", "%5", 3);
  steps(
      "  %4 = reshape(%3) {shape = [8, 4]} : tensor<8x4xf32>\n  %5 = tanh(%4) : tensor<8x4xf32>\n"
      "  %6 = reshape(%5) {shape = [4, 8]} : tensor<4x8xf32>\n",
      "%6", 1);
}

TEST_CASE(
    "recurrent cells: all kinds and directions, weights that are packed or computed, with lengths and peepholes") {
  struct variant {
    std::string_view attributes;
    i64 gates;
    bool cell, lengths;
  };
  constexpr variant variants[] = {
      {"cell = simple", 1, false, false},
      {"cell = simple, reverse = true, functions = [\"relu\"], alphas = [0.0], betas = [0.0], clip = 1.5", 1, false,
       true},
      {"cell = gru", 3, false, true},
      {"cell = gru, reset_last = true, reverse = true", 3, false, false},
      {"cell = lstm, clip = 2.5", 4, true, true},
      {"cell = lstm, reverse = true, coupled = true", 4, true, false}};
  for (const variant& v : variants)
    for (const i64 hidden : {3, 10, 37})
      for (const bool packed : {false, true}) {
        CAPTURE(v.attributes);
        CAPTURE(hidden);
        CAPTURE(packed);
        const std::string h = std::to_string(hidden), columns = std::to_string(v.gates * hidden),
                          state = "tensor<3x" + h + "xf32>", y = "tensor<5x3x" + h + "xf32>",
                          x = "tensor<5x3x" + columns + "xf32>", w = "tensor<" + h + "x" + columns + "xf32>";
        std::string weights;
        for (i64 i = 0; i < hidden * hidden * v.gates; ++i)
          weights += (i ? ", " : "") + std::to_string(static_cast<double>(i * 37 % 23 - 11) / 32);
        std::string text =
            "constant #0 : tensor<3xi64> = [5, 0, 2]\nconstant #1 : " + w + " = [" + weights +
            "]\nfunc entry @main(%p: " + x + ", %h0: " + state + ", %c0: " + state + ", %v: " + w + ", %d: tensor<" +
            columns + "xf32>, %q: tensor<" + std::to_string(3 * hidden) + "xf32>) -> (" + y + ", " + state +
            (v.cell ? ", " + state : "") +
            ") {\n  %l = constant() {value = #0} : tensor<3xi64>\n  %k = constant() {value = #1} : " + w +
            "\n  %y, %h" + (v.cell ? ", %c" : "") + " = recurrence(%p, " + (packed ? "%k" : "%v") + ", %h0, " +
            (v.cell ? "%c0" : "_") + ", %d, " + (v.lengths ? "%l" : "_") + (v.cell ? ", %q" : "") + ") {" +
            std::string(v.attributes) + "} : (" + y + ", " + state + (v.cell ? ", " + state : "") +
            ")\n  return(%y, %h" + (v.cell ? ", %c" : "") + ")\n}\n";
        all_by_kernels(text);
      }
}

TEST_CASE("a compilation can stop in the side phase, and go on from there") {
  auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<3x4xf32>) -> (tensor<3x4xf32>) inputs("x") outputs("y") {
  %1 = softmax(%0) : tensor<3x4xf32>
  %2 = sin(%1) : tensor<3x4xf32>
  return(%2)
}
)");
  const std::vector<tensor> inputs = some_inputs(m.body()), expected = interpret(m.body(), "main", inputs);
  context cx;
  targets::xsimd{}.configure(cx);
  auto parts = compile_to<phases::partitioned, targets::xsimd>(std::move(m), cx);
  CHECK(parts.body().functions().size() == 2);
  CHECK(parts.body()[parts.body().find_function("xsimd_softmax_0")].target == "xsimd");
  auto done = build<targets::xsimd>(std::move(parts), cx);
  CHECK(done.body().artifacts().size() == 1);
  CHECK(compare(load_xsimd(done).run(inputs)[0], expected[0]).ok);
}

TEST_CASE("what runs on hosts is divided from the rest; a changed artifact is an error, not a crash") {
  targets::register_xsimd_target();
  const auto m = parse<phases::ingestion>(R"(tenon.module phase=ingestion
func entry @main(%0: tensor<3x5xf32>) -> (tensor<2x?xi64>) inputs("x") outputs("y") {
  %1 = exp(%0) : tensor<3x5xf32>
  %2 = floor(%1) : tensor<3x5xf32>
  %3 = non_zero(%2) : tensor<2x?xi64>
  return(%3)
})");
  session s(m.clone(), {.target = "xsimd"});
  const std::vector<tensor> inputs = some_inputs(m.body());
  CHECK(same_bits(s.run(inputs)[0], interpret(m.body(), "main", inputs)[0]));
  CHECK(s.last_plan().becomes == compilation_form::divided);
  using generator = targets::xsimd_code_generator;
  for (std::string_view text :
       {"", "tenon", "tenon.module phase=lowering\n", "tenon.module phase=optimization\n",
        "tenon.module phase=optimization\nfunc entry @f(%0: tensor<Nxf32>) -> (tensor<Nxf32>) {\n  return(%0)\n}\n",
        "tenon.module phase=optimization\nfunc entry @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  return(%0)\n}\n",
        "tenon.module phase=optimization\nfunc entry @f(%0: tensor<2xi64>) -> (tensor<2xstring>) {\n  %1 = "
        "number_to_string(%0) : tensor<2xstring>\n  return(%1)\n}\n",
        "tenon.module phase=optimization\nfunc entry @f(%0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n  %1 = "
        "neg(%0) : tensor<2xf32>\n  return(%1, %1)\n}\n",
        "tenon.module phase=optimization\nfunc entry @f(%0: tensor<2xf32>) -> (tensor<2xf32>) {\n  %1 = "
        "softmax(%0) : tensor<2xf32>\n  %2 = softmax(%1) : tensor<2xf32>\n  return(%2)\n}\n"})
    CHECK_THROWS_AS((void)generator::load({text.data(), text.size()}), error);
  // Values that nobody takes have memory all the same.
  constexpr std::string_view idle =
      "tenon.module phase=optimization\nfunc entry @f(%0: tensor<3x5xf32>) -> () {\n  %1 = exp(%0) : tensor<3x5xf32>\n"
      "  %2 = floor(%1) : tensor<3x5xf32>\n  return()\n}\n";
  CHECK(generator::load({idle.data(), idle.size()})->run(inputs, 1).empty());
}
