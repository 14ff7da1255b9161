// needs: xsimd
// also with: TENON_XSIMD=avx2 TENON_XSIMD=sse2
// What xsimd has no kernel for runs as loop nests: every kind of op and element type beside the interpreter.
#include <support/on_xsimd.hpp>

using namespace graph_test;

namespace nests_test {

constexpr const char* numbers[] = {"f64", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8"};

std::string tensor_of(const std::string& shape, std::string_view elem) {
  return "tensor<" + shape + (shape.empty() ? "" : "x") + std::string(elem) + ">";
}
/// y = op(%0, %1), for operands of two shapes.
void binary(const std::string& op, std::string_view elem, std::string_view result) {
  CAPTURE(op);
  CAPTURE(elem);
  const std::string x = tensor_of("5x3x77", elem), b = tensor_of("3x1", elem), y = tensor_of("5x3x77", result);
  all_by_nests("func entry @main(%0: " + x + ", %1: " + b + ") -> (" + y + ") {\n  %2 = " + op + "(%0, %1) : " + y +
               "\n  return(%2)\n}\n");
}
void unary(const std::string& op, const std::string& x, const std::string& y) {
  CAPTURE(op);
  CAPTURE(x);
  all_by_nests("func entry @main(%0: " + x + ") -> (" + y + ") {\n  %1 = " + op + " : " + y + "\n  return(%1)\n}\n");
}

}  // namespace nests_test

using namespace nests_test;

TEST_CASE("elementwise ops on every element type, with broadcasts and partial vectors") {
  for (const char* t : numbers) {
    for (const char* op : {"add", "sub", "mul", "minimum", "maximum"}) binary(op, t, t);
    for (const char* op : {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})
      binary(op, t, "bool");
  }
  for (const char* t : {"i64", "i8", "u16"})
    for (const char* op : {"div", "mod", "fmod", "bit_and", "bit_or", "bit_xor"}) binary(op, t, t);
  for (const char* op : {"shift_left", "shift_right"}) binary(op, "u8", "u8");
  for (const char* op : {"pow", "fmod", "mod"}) binary(op, "f32", "f32");
  for (const char* op : {"logical_xor", "equal"}) binary(op, "bool", "bool");
  for (const char* op : {"sin(%0)", "cos(%0)", "atan(%0)", "asinh(%0)", "sign(%0)", "expm1(%0)"})
    unary(op, "tensor<3x91xf32>", "tensor<3x91xf32>");
  for (const char* op : {"neg(%0)", "abs(%0)", "sign(%0)", "bit_not(%0)"})
    unary(op, "tensor<3x91xi32>", "tensor<3x91xi32>");
}

TEST_CASE("casts between element types, and choices of either") {
  for (const char* from : {"f32", "f16", "i64", "u8", "bool", "f64"})
    for (const char* to : {"f32", "bf16", "i32", "u16", "bool", "f8e4m3fn"})
      if (std::string_view(from) != to && !(std::string_view(from) == "bool" && std::string_view(to) == "f32"))
        unary("cast(%0) {to = " + std::string(to) + "}", tensor_of("300", from), tensor_of("300", to));
  for (const char* t : {"i64", "u8", "f16"})
    all_by_nests("func entry @main(%0: tensor<7x1xbool>, %1: " + tensor_of("7x33", t) + ", %2: " + tensor_of("33", t) +
                 ") -> (" + tensor_of("7x33", t) + ") {\n  %3 = where(%0, %1, %2) : " + tensor_of("7x33", t) +
                 "\n  return(%3)\n}\n");
}

TEST_CASE("casts of what the other type does not hold") {
  for (const char* from : {"f32", "f64"})
    for (const char* to : {"i64", "i32", "i16", "i8", "u64", "u32", "u8"}) {
      CAPTURE(from);
      CAPTURE(to);
      const std::string x = tensor_of("200", from), y = tensor_of("200", to);
      const auto m = parse<phases::ingestion>("tenon.module phase=ingestion\nfunc entry @main(%0: " + x + ") -> (" + y +
                                              ") {\n  %1 = cast(%0) {to = " + to + "} : " + y + "\n  return(%1)\n}\n");
      tensor in(*dtype_from_name(from), {200});
      constexpr double odd[] = {3e9, -3e9, 2147483647.0, -2147483648.0, 1e19, -1e19, 1e30, 0.9, -0.9};
      for (i64 i = 0; i < 200; ++i) in.set_f64(i, static_cast<double>(i * 37 % 101) * 7.5 - 300);
      for (i64 i = 0; i < 9; ++i) in.set_f64(40 + 17 * i, odd[i]);
      in.set_f64(199, std::numeric_limits<double>::quiet_NaN());
      context cx;
      targets::xsimd{}.configure(cx);
      CHECK(same_bits(load_xsimd(build<targets::xsimd>(m.clone(), cx)).run({in})[0],
                      interpret(m.body(), "main", {{in}})[0]));
    }
}

TEST_CASE("movements: repeats, triangles, indices that are data") {
  unary("tile(%0) {repeats = [2, 3, 1]}", "tensor<2x3x5xi32>", "tensor<4x9x5xi32>");
  unary("trilu(%0) {k = 1}", "tensor<2x13x11xf32>", "tensor<2x13x11xf32>");
  unary("eye_like(%0) {k = -2}", "tensor<13x11xi64>", "tensor<13x11xi64>");
  for (const char* op : {"gather(%0, %1) {axis = 1}", "gather_elements(%0, %1) {axis = 1}"})
    all_by_nests("func entry @main(%0: tensor<3x40xf64>, %1: tensor<3x40xi16>) -> (tensor<" +
                 std::string(op[6] == '(' ? "3x3x40" : "3x40") + "xf64>) {\n  %2 = " + op + " : tensor<" +
                 std::string(op[6] == '(' ? "3x3x40" : "3x40") + "xf64>\n  return(%2)\n}\n");
  all_by_nests(R"(
func entry @main(%0: tensor<5x6x7xf32>, %1: tensor<4x3x2xi64>) -> (tensor<4x3x7xf32>) {
  %2 = gather_nd(%0, %1) : tensor<4x3x7xf32>
  return(%2)
})");
  for (const char* reduction : {"none", "add", "max"})
    all_by_nests(R"(
func entry @main(%0: tensor<9x20xi32>, %1: tensor<4x20xi64>, %2: tensor<4x20xi32>) -> (tensor<9x20xi32>) {
  %3 = scatter_elements(%0, %1, %2) {reduction = )" +
                 std::string(reduction) + R"(} : tensor<9x20xi32>
  return(%3)
})");
}

TEST_CASE("reductions over any axes, positions, running sums, the largest") {
  for (const char* t : {"i64", "f64", "u8", "f16"})
    for (const char* op : {"reduce_sum", "reduce_max", "reduce_prod"}) {
      unary(std::string(op) + "(%0) {axes = [0, 2], keep_dims = false}", tensor_of("3x140x5", t), tensor_of("140", t));
      unary(std::string(op) + "(%0) {axes = [-1], keep_dims = false}", tensor_of("3x5x140", t), tensor_of("3x5", t));
      unary(std::string(op) + "(%0) {keep_dims = false}", tensor_of("3x7", t), tensor_of("", t));
    }
  for (const char* op : {"arg_max", "arg_min"})
    unary(std::string(op) + "(%0) {axis = 1, keep_dims = false}", "tensor<9x5x31xf32>", "tensor<9x31xi64>");
  for (const char* op : {"cumulative_sum", "cumulative_prod"})
    unary(std::string(op) + "(%0) {axis = 1, reverse = true}", "tensor<9x5x31xi64>", "tensor<9x5x31xi64>");
  unary("softmax(%0) {axis = 1}", "tensor<4x9x5xf64>", "tensor<4x9x5xf64>");
  for (const char* t : {"f32", "i64"})
    all_by_nests("func entry @main(%0: " + tensor_of("6x50", t) + ") -> (" + tensor_of("6x7", t) +
                 ", tensor<6x7xi64>) {\n  %1, %2 = top_k(%0) {k = 7} : (" + tensor_of("6x7", t) +
                 ", tensor<6x7xi64>)\n  return(%1, %2)\n}\n");
}

TEST_CASE("products of other types than f32 are contractions, and images may have channels first") {
  for (const char* t : {"f64", "i32", "i64", "u64"}) {
    all_by_nests("func entry @main(%0: " + tensor_of("3x5x17", t) + ", %1: " + tensor_of("17x150", t) + ") -> (" +
                 tensor_of("3x5x150", t) + ") {\n  %2 = matmul(%0, %1) : " + tensor_of("3x5x150", t) +
                 "\n  return(%2)\n}\n");
    all_by_nests("func entry @main(%0: " + tensor_of("2x4x17", t) + ", %1: " + tensor_of("2x17x9", t) + ") -> (" +
                 tensor_of("2x4x9", t) + ") {\n  %2 = matmul(%0, %1) : " + tensor_of("2x4x9", t) +
                 "\n  return(%2)\n}\n");
  }
  for (const char* t : {"f64", "f32"})
    all_by_nests("func entry @main(%0: " + tensor_of("1x4x9x11", t) + ", %1: " + tensor_of("6x2x3x3", t) + ") -> (" +
                     tensor_of("1x6x9x11", t) + ") {\n  %2 = conv(%0, %1) {pads = [1, 1, 1, 1], group = 2} : " +
                     tensor_of("1x6x9x11", t) + "\n  return(%2)\n}\n",
                 false);
}

TEST_CASE("products that run as loop nests, with what has kernels around them") {
  CHECK(on_xsimd(R"(
func entry @main(%0: tensor<17xf32>, %1: tensor<17x9xf32>) -> (tensor<9xf32>) {
  %2 = tanh(%0) : tensor<17xf32>
  %3 = matmul(%2, %1) : tensor<9xf32>
  %4 = abs(%3) : tensor<9xf32>
  return(%4)
})")
            .nests == 1);
}

TEST_CASE("no elements, one element, and operands that are the same") {
  unary("add(%0, %0)", "tensor<0x3xi64>", "tensor<0x3xi64>");
  unary("reduce_sum(%0) {axes = [1], keep_dims = false}", "tensor<4x0xi64>", "tensor<4xi64>");
  unary("mul(%0, %0)", "tensor<i64>", "tensor<i64>");
}

TEST_CASE("beside native code, only what has a kernel is taken") {
  auto m = graph(one_op("add(%0, %1)", "tensor<3xi64>", "tensor<3xi64>"));
  context cx;
  ir_module<phases::optimization, fact::extents_known> known = establish<fact::extents_known>(std::move(m));
  const auto parts = run<passes::partition_for<targets::xsimd_library>>(std::move(known), cx);
  CHECK(parts.body().functions().size() == 1);
  REQUIRE(cx.find<partition_report>()->host.size() == 1);
  CHECK(cx.find<partition_report>()->host[0].why == "binary asks for f32");
}
