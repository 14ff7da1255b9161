// needs: llvm
// Code that is made once for symbolic shapes: each family of ops for several sizes, and random modules.
#include <doctest/doctest.h>

#include <cstdio>
#include <map>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/cpu.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/caught.hpp>

#include "support/all_sizes.hpp"
#include "support/lowered.hpp"
#include "support/random_module.hpp"
#include "support/setting.hpp"

using namespace tenon;
using namespace tenon::testing::all_sizes;

TEST_CASE("elementwise ops and broadcasts") {
  CHECK(difference(entry("%a: tensor<bxnx12xf32>, %c: tensor<12xf32>", "tensor<bxnx12xf32>",
                         "%s = mul(%a, %a) : tensor<bxnx12xf32>\n%y = add(%s, %c) : tensor<bxnx12xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bx1xnxf32>, %c: tensor<nx1xf32>", "tensor<bxnxnxf32>",
                         "%y = maximum(%a, %c) : tensor<bxnxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxi8>", "tensor<bxnxf32>", "%y = cast(%a) {to = f32} : tensor<bxnxf32>"),
                   sizes) == "");
}

TEST_CASE(
    "slices by bounds that are computed from extents: what runs is right, and what is empty for all sizes runs for "
    "all") {
  const slice_bound bounds[] = {{1, 3}, {1, 0},  {1, -2}, {2, 0},   {2, -5},
                                {0, 5}, {0, -3}, {0, 0},  {-1, -1}, {0, i64{1} << 62}};
  const i64 extents[] = {0, 1, 2, 3, 5, 9};
  int empty = 0;
  for (const slice_bound& start : bounds)
    for (const slice_bound& end : bounds) {
      const ir::module m = module_of(slice_between(start, end));
      const program p = load(built_for(m, 1));
      bool always_empty = true, kinds_agree = true;
      int refused = 0;
      for (i64 n : extents) {
        const std::vector<tensor> inputs = inputs_for(m, {{"b", 2}, {"n", n}}, 3), want = interpret(m, "main", inputs);
        always_empty = always_empty && want[0].size() == 0;
        for (const slice_bound& e : {start, end}) kinds_agree = kinds_agree && (e.at(n) < 0) == (e.at(1000) < 0);
        try {
          const std::vector<tensor> got = p.run(inputs, 1);
          CHECK_MESSAGE(testing::distance(got[0], want[0]) == 0,
                        start.scale << "n+" << start.offset << ":" << end.scale << "n+" << end.offset << " of " << n
                                    << ": " << got[0].describe() << ", wanted " << want[0].describe());
        } catch (const error& e) {
          CHECK_MESSAGE(e.code() == "program.condition", e.what());
          ++refused;
        }
      }
      CHECK_MESSAGE(refused < 6, start.scale << "n+" << start.offset << ":" << end.scale << "n+" << end.offset
                                             << " runs for no size");
      if (!always_empty || !kinds_agree) continue;
      ++empty;
      CHECK_MESSAGE(refused == 0, start.scale << "n+" << start.offset << ":" << end.scale << "n+" << end.offset
                                              << " is empty for all sizes");
    }
  CHECK(empty > 10);
}

TEST_CASE("an operand without elements is not read, whatever the indices") {
  const std::vector<std::map<std::string, i64>> empty{{{"b", 0}, {"n", 3}}, {{"b", 2}, {"n", 3}}};
  const auto zeros = [](const std::string& text, const std::vector<std::map<std::string, i64>>& bindings) {
    return difference(text, bindings);
  };
  CHECK(zeros(entry("%a: tensor<bx4xf32>, %i: tensor<nxi64>", "tensor<nx4xf32>",
                    "%y = gather(%a, %i) {axis = 0} : tensor<nx4xf32>"),
              empty) == "");
  CHECK(zeros(entry("%a: tensor<bx4xf32>, %i: tensor<nx1xi64>", "tensor<nx4xf32>",
                    "%y = gather_nd(%a, %i) : tensor<nx4xf32>"),
              empty) == "");
  CHECK(zeros(entry("%a: tensor<4xbxf32>, %i: tensor<3xnxi64>", "tensor<3xnxf32>",
                    "%y = gather_elements(%a, %i) {axis = 1} : tensor<3xnxf32>"),
              empty) == "");
}

TEST_CASE("movement") {
  CHECK(difference(entry("%a: tensor<bxnx6xf32>", "tensor<6xnxbxf32>",
                         "%y = transpose(%a) {permutation = [2, 1, 0]} : tensor<6xnxbxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnx6xf32>", "tensor<bx?xf32>",
                         "%r = reshape(%a) {shape = [0, -1]} : tensor<bx?xf32>\n%y = neg(%r) : tensor<bx?xf32>"),
                   positive) == "");
  CHECK(difference(entry("%a: tensor<bxnx6xf32>", "tensor<bx2xnx3xf32>",
                         "%r = reshape(%a) {shape = [0, 0, 2, 3]} : tensor<bxnx2x3xf32>\n%y = transpose(%r) "
                         "{permutation = [0, 2, 1, 3]} : tensor<bx2xnx3xf32>"),
                   positive) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>, %c: tensor<bx5xf32>", "tensor<bx?xf32>",
                         "%y = concat(%a, %c, %a) {axis = 1} : tensor<bx?xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>",
                         "%y = slice(%a) {starts = [1], ends = [9223372036854775807], axes = [1]} : tensor<bx?xf32>"),
                   positive) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>",
                         "%y = slice(%a) {starts = [0], ends = [20], axes = [1], steps = [3]} : tensor<bx?xf32>"),
                   sizes) == "");
  // Backwards by a step of 1 is nothing, whatever the size.
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx0xf32>",
                         "%y = slice(%a) {starts = [-1], ends = [-4], axes = [1]} : tensor<bx0xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx0xf32>",
                         "%y = slice(%a) {starts = [3], ends = [2], axes = [1]} : tensor<bx0xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>",
                         "%y = slice(%a) {starts = [-1], ends = [-9223372036854775807], axes = [1], steps = [-1]} : "
                         "tensor<bxnxf32>"),
                   positive) == "");
  for (const char* bounds :
       {"starts = [7], ends = [1]", "starts = [-2], ends = [-9]", "starts = [30], ends = [-9223372036854775807]",
        "starts = [-40], ends = [-50]", "starts = [2], ends = [9]"})
    for (const char* step : {"-1", "-3"})
      CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>",
                             std::string("%y = slice(%a) {") + bounds + ", axes = [1], steps = [" + step +
                                 "]} : tensor<bx?xf32>"),
                       sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>",
                         "%y = pad(%a) {before = [0, 2], after = [0, 1]} : tensor<bx?xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>",
                         "%y = pad(%a) {before = [0, 2], after = [0, 1], mode = edge} : tensor<bx?xf32>"),
                   positive) == "");
  CHECK(
      difference(entry("%a: tensor<bxnxf32>", "tensor<bx?xf32>", "%y = tile(%a) {repeats = [1, 3]} : tensor<bx?xf32>"),
                 sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>", "%y = trilu(%a) {upper = false} : tensor<bxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<9x7xf32>, %i: tensor<bxnxi64>", "tensor<bxnx7xf32>",
                         "%y = gather(%a, %i) {axis = 0} : tensor<bxnx7xf32>"),
                   sizes) == "");
}

TEST_CASE("lists of extents that a graph computes") {
  const std::string shape = "%s = shape_of(%a) : tensor<3xi64>\n";
  CHECK(
      difference(
          "constant #0 : tensor<1xi64> = [-1]\nconstant #1 : tensor<i64> = [0]\nconstant #2 : tensor<1xi64> = [0]\n" +
              entry("%a: tensor<bxnx6xf32>", "tensor<?x?xf32>",
                    shape +
                        "%m = constant() {value = #0} : tensor<1xi64>\n%z = constant() {value = #1} : tensor<i64>\n"
                        "%f = gather(%s, %z) {axis = 0} : tensor<i64>\n%g = reshape(%f) {shape = [1]} : tensor<1xi64>\n"
                        "%t = concat(%g, %m) {axis = 0} : tensor<2xi64>\n%r = reshape(%a, %t) : tensor<?x?xf32>\n%y = "
                        "abs(%r) : tensor<?x?xf32>"),
          positive) == "");
  // The list itself is a result, and in arithmetic.
  CHECK(difference(entry("%a: tensor<bxnx6xf32>", "tensor<3xi64>", shape + "%y = add(%s, %s) : tensor<3xi64>"),
                   sizes) == "");
}

TEST_CASE("kernels of one op and of equal types whose lists of sizes differ") {
  // x[k:2k] and x[2k:3k]: nothing but what the lists say tells them apart.
  const std::string whole =
      "%n1 = neg(%a) : tensor<nxf32>\n%q = mul(%a, %a) : tensor<nxf32>\n"
      "%x = concat(%a, %n1, %q, %a) {axis = 0} : tensor<?xf32>\n%zero = extents_of() {values = [\"0\"]} : "
      "tensor<1xi64>\n"
      "%one = extents_of() {values = [\"n\"]} : tensor<1xi64>\n%two = extents_of() {values = [\"2*n\"]} : "
      "tensor<1xi64>\n"
      "%three = extents_of() {values = [\"3*n\"]} : tensor<1xi64>\n";
  for (const char* ends :
       {"%p = slice(%x, %one, %two, %zero) : tensor<nxf32>\n%r = slice(%x, %two, %three, %zero) : tensor<nxf32>\n",
        "%p = slice(%x, %two, %three, %zero) : tensor<nxf32>\n%r = slice(%x, %one, %two, %zero) : tensor<nxf32>\n"})
    CHECK(difference(entry("%a: tensor<nxf32>", "tensor<nxf32>",
                           whole + ends + "%t = add(%p, %p) : tensor<nxf32>\n%y = sub(%t, %r) : tensor<nxf32>"),
                     {{{"n", 1}}, {{"n", 5}}, {{"n", 70}}}) == "");
}

TEST_CASE("dimensions may have any name") {
  for (const char* name : {"a=b", "n>=0", "x;y", "two words", "back`tick", "n==0;m"}) {
    ir::module m;
    const ir::dim n = ir::dim::symbol(m.symbol(extent_expr::name(name).text())), o = ir::dim::symbol(m.symbol("other"));
    const type_id row = m.intern(ir::type::tensor(dtype::f32, {n, 3})),
                  more = m.intern(ir::type::tensor(dtype::f32, {o, 3}));
    const function_id f = m.add_function("main", ir::function_kind::graph, std::vector{row, more});
    m[f].entry = true;
    ir::builder<> b(m, m[f].body);
    const std::vector<value_id> in = m[m[f].body].arguments;
    const value_id sum = b.make(op::add{}, {in[0], in[1]});
    m[f].result_types = {m[sum].type};
    b.make_op(op::return_{}, std::vector{sum}, {});
    REQUIRE(m.conditions.items().size() == 1);
    CHECK(parse(print(m)).conditions == m.conditions);
    const program p = load(built_for(m, 1));
    CHECK(p.run({tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {2, 3})})[0].shape() == std::vector<i64>{2, 3});
    CHECK(testing::caught([&] { (void)p.run({tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {4, 3})}); }).code() ==
          "program.condition");
  }
}

TEST_CASE("what a function that is called asks of its own symbols is asked of the caller's") {
  const ir::module m = module_of(R"(
func entry @main(%x: tensor<Nx10xf32>, %y: tensor<Lx10xf32>) -> (tensor<Nx10xf32>) inputs("x", "y") outputs("o") {
  %b = call(%x, %y) {callee = @sum} : tensor<?x10xf32>
  %o = exp(%b) : tensor<?x10xf32>
  return(%o)
}
func @sum(%x: tensor<Mx10xf32>, %y: tensor<Kx10xf32>) -> (tensor<Mx10xf32>) {
  %s = add(%x, %y) : tensor<Mx10xf32>
  return(%s)
})");
  CHECK(m.conditions.empty());
  const program p = load(built_for(m, 1));
  CHECK(p.run({tensor(dtype::f32, {2, 10}), tensor(dtype::f32, {2, 10})})[0].shape() == std::vector<i64>{2, 10});
  CHECK(testing::caught([&] { (void)p.run({tensor(dtype::f32, {2, 10}), tensor(dtype::f32, {4, 10})}); }).code() ==
        "program.condition");
}

TEST_CASE("a condition that holds for no sizes is an error where it arises") {
  const auto e = testing::caught([] {
    return module_of(entry("%a: tensor<\"n+2\"x4xf32>, %c: tensor<\"n+3\"x4xf32>", "tensor<?x4xf32>",
                           "%y = add(%a, %c) : tensor<?x4xf32>"));
  });
  CHECK(e.message().find("n+2 and n+3 are never equal, and neither is ever 1") != std::string::npos);
}

TEST_CASE("reductions, softmax, positions, running sums") {
  for (const char* op : {"reduce_sum", "reduce_max", "reduce_min"}) {
    const auto& at = op[7] == 's' ? sizes : positive;
    CHECK(difference(entry("%a: tensor<bxnx9xf32>", "tensor<bx9xf32>",
                           std::string("%y = ") + op + "(%a) {axes = [1], keep_dims = false} : tensor<bx9xf32>"),
                     at) == "");
    CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx1xf32>",
                           std::string("%y = ") + op + "(%a) {axes = [1]} : tensor<bx1xf32>"),
                     at) == "");
  }
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>", "%y = softmax(%a) {axis = -1} : tensor<bxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>", "%y = log_softmax(%a) {axis = 0} : tensor<bxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bx1xi64>", "%y = arg_max(%a) {axis = 1} : tensor<bx1xi64>"),
                   positive) == "");
  CHECK(difference(entry("%a: tensor<bxnxf32>", "tensor<bxnxf32>",
                         "%y = cumulative_sum(%a) {axis = 1, reverse = true} : tensor<bxnxf32>"),
                   sizes) == "");
}

TEST_CASE("matrix products: symbolic rows, columns, depth and batch") {
  CHECK(difference(entry("%a: tensor<bxnx24xf32>, %c: tensor<24x33xf32>", "tensor<bxnx33xf32>",
                         "%y = matmul(%a, %c) : tensor<bxnx33xf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<7xnxf32>, %c: tensor<nxbxf32>", "tensor<7xbxf32>",
                         "%y = matmul(%a, %c) : tensor<7xbxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<bxnx8xf32>, %c: tensor<bx8xnxf32>", "tensor<bxnxnxf32>",
                         "%m = matmul(%a, %c) : tensor<bxnxnxf32>\n%y = maximum(%m, %m) : tensor<bxnxnxf32>"),
                   sizes) == "");
  CHECK(difference(entry("%a: tensor<nxbxf32>, %c: tensor<bx1xf32>", "tensor<nx1xf32>",
                         "%y = matmul(%a, %c) : tensor<nx1xf32>"),
                   sizes) == "");
}

TEST_CASE("attention") {
  CHECK(difference(
            entry("%q: tensor<bx2xnx8xf32>, %k: tensor<bx2xnx8xf32>, %v: tensor<bx2xnx8xf32>", "tensor<bx2xnx8xf32>",
                  "%t = transpose(%k) {permutation = [0, 1, 3, 2]} : tensor<bx2x8xnxf32>\n%s = matmul(%q, %t) : "
                  "tensor<bx2xnxnxf32>\n"
                  "%p = softmax(%s) {axis = -1} : tensor<bx2xnxnxf32>\n%y = matmul(%p, %v) : tensor<bx2xnx8xf32>"),
            sizes, 1e-4) == "");
}

TEST_CASE("convolutions and pools: symbolic batch and image") {
  const std::string image = "%a: tensor<bx3xnx20xf32>", weight = "%w: tensor<10x3x3x3xf32>";
  const std::vector<std::map<std::string, i64>> images{
      {{"b", 1}, {"n", 5}}, {{"b", 2}, {"n", 16}}, {{"b", 3}, {"n", 33}}, {{"b", 0}, {"n", 8}}};
  CHECK(difference(entry(image + ", " + weight, "tensor<bx10x?x20xf32>",
                         "%y = conv(%a, %w) {pads = [1, 1, 1, 1]} : tensor<bx10x?x20xf32>"),
                   images) == "");
  CHECK(difference(entry(image + ", " + weight, "tensor<bx10x?x10xf32>",
                         "%y = conv(%a, %w) {strides = [2, 2], pads = [1, 1, 1, 1]} : tensor<bx10x?x10xf32>"),
                   images) == "");
  CHECK(difference(entry(image + ", %w: tensor<3x1x3x3xf32>", "tensor<bx3x?x18xf32>",
                         "%y = conv(%a, %w) {group = 3} : tensor<bx3x?x18xf32>"),
                   images) == "");
  CHECK(difference(entry(image + ", %w: tensor<8x3x1x1xf32>", "tensor<bx8xnx20xf32>",
                         "%y = conv(%a, %w) : tensor<bx8xnx20xf32>"),
                   images) == "");
  CHECK(difference(
            entry(image, "tensor<bx3x?x10xf32>",
                  "%y = max_pool(%a) {kernel = [3, 3], strides = [2, 2], pads = [1, 1, 1, 1]} : tensor<bx3x?x10xf32>"),
            images) == "");
  CHECK(
      difference(entry(image, "tensor<bx3x?x18xf32>", "%y = average_pool(%a) {kernel = [3, 3]} : tensor<bx3x?x18xf32>"),
                 images) == "");
  CHECK(difference(entry(image + ", %w: tensor<3x4x2x2xf32>", "tensor<bx4x?x40xf32>",
                         "%y = conv_transpose(%a, %w) {strides = [2, 2]} : tensor<bx4x?x40xf32>"),
                   images) == "");
  CHECK(difference(entry(image, "tensor<bx3x?x40xf32>",
                         "%y = resize(%a) {scales = [1.0, 1.0, 2.0, 2.0]} : tensor<bx3x?x40xf32>"),
                   images) == "");
}

TEST_CASE("resizes along one axis after the other: symbolic heights and widths") {
  const std::vector<std::map<std::string, i64>> images{
      {{"b", 1}, {"n", 7}, {"m", 20}}, {{"b", 2}, {"n", 1}, {"m", 3}}, {{"b", 1}, {"n", 33}, {"m", 1}}};
  for (const char* mode : {"linear", "cubic"})
    for (const char* how : {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel", "half_pixel_symmetric"})
      for (const char* scales : {"1.0, 1.0, 2.0, 2.0", "1.0, 1.0, 1.5, 2.25", "1.0, 1.0, 1.0, 1.75"}) {
        CAPTURE(mode);
        CAPTURE(how);
        CAPTURE(scales);
        CHECK(difference(entry("%a: tensor<bx3xnxmxf32>", "tensor<?x?x?x?xf32>",
                               "%y = resize(%a) {mode = " + std::string(mode) + ", coordinates = " + how +
                                   ", scales = [" + scales + "]} : tensor<?x?x?x?xf32>"),
                         images) == "");
      }
}

TEST_CASE("recurrences: symbolic length and batch, in all cells and directions") {
  const std::string eighth = "constant #0 : tensor<f32> = [0.125]\n";
  struct variant {
    const char* attributes;
    i64 columns;
    bool has_cell, has_lengths;
  };
  const variant variants[] = {
      {"cell = simple", 10, false, false},
      {"cell = simple, reverse = true, functions = [\"elu\"], alphas = [0.5], betas = [0.0], clip = 1.5", 10, false,
       true},
      {"cell = gru", 30, false, false},
      {"cell = gru, reset_last = true, reverse = true", 30, false, true},
      {"cell = lstm", 40, true, false},
      {"cell = lstm, reverse = true, coupled = true, functions = [\"hard_sigmoid\", \"softsign\", \"relu\"], alphas = "
       "[0.2, 0.0, 0.0], betas = [0.5, 0.0, 0.0]",
       40, true, true}};
  for (const variant& v : variants) {
    const std::string state = "tensor<bx10xf32>", columns = std::to_string(v.columns),
                      x = "tensor<nxbx" + columns + "xf32>", w = "tensor<10x" + columns + "xf32>";
    std::string text = eighth + "func entry @main(%a: " + x + ", %w: " + w + ", %h0: " + state + ", %c0: " + state +
                       ", %l: tensor<bxi64>, %d: tensor<" + columns +
                       "xf32>, %q: tensor<30xf32>) -> (tensor<nxbx10xf32>, " + state +
                       (v.has_cell ? ", " + state : "") +
                       ") inputs(\"a\", \"w\", \"h0\", \"c0\", \"l\", \"d\", \"q\") outputs(\"y\", \"h\"" +
                       (v.has_cell ? ", \"c\"" : "") + ") {\n";
    text += "%e = constant() {value = #0} : tensor<f32>\n%p = mul(%a, %e) : " + x + "\n%r = mul(%w, %e) : " + w + "\n";
    text += std::string("%y, %h") + (v.has_cell ? ", %c" : "") + " = recurrence(%p, %r, %h0, " +
            (v.has_cell ? "%c0" : "_") + ", %d, " + (v.has_lengths ? "%l" : "_") + (v.has_cell ? ", %q" : "") + ") {" +
            v.attributes + "} : (tensor<nxbx10xf32>, " + state + (v.has_cell ? ", " + state : "") + ")\n";
    text += std::string("%z = neg(%y) : tensor<nxbx10xf32>\nreturn(%z, %h") + (v.has_cell ? ", %c" : "") + ")\n}\n";
    CHECK_MESSAGE(difference(text, sizes, 1e-4) == "", v.attributes);
  }
}

TEST_CASE("inputs that disagree, and sizes that the code was not made for") {
  const ir::module m = module_of(
      entry("%a: tensor<bxnxf32>, %c: tensor<bxmxf32>", "tensor<bxnxf32>", "%y = add(%a, %c) : tensor<bxnxf32>"));
  const program p = load(built_for(m, 1));
  CHECK(p.describe(p.inputs()[1]) == "f32[b,m]");
  CHECK(p.run({tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {2, 3})})[0].shape() == std::vector<i64>{2, 3});
  const auto code = [&](std::vector<tensor> inputs) {
    try {
      (void)p.run(inputs);
    } catch (const error& e) { return e.code(); }
    return std::string("no error");
  };
  CHECK(code({tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {4, 3})}) == "program.type");
  CHECK(code({tensor(dtype::f32, {2, 3}), tensor(dtype::f32, {2, 5})}) == "program.condition");
  CHECK(code({tensor(dtype::f32, {2, 3, 1}), tensor(dtype::f32, {2, 3})}) == "program.type");
}

TEST_CASE("a program file of symbolic shapes") {
  const ir::module m = module_of(entry("%a: tensor<bxnx8xf32>, %c: tensor<8x16xf32>", "tensor<bx?x16xf32>",
                                       "%d = concat(%a, %a) {axis = 1} : tensor<bx?x8xf32>\n%e = matmul(%d, %c) : "
                                       "tensor<bx?x16xf32>\n%y = softmax(%e) {axis = 1} : tensor<bx?x16xf32>"));
  const auto built = built_for(m, 2);
  const std::string path = "symbolic_test.tenonprogram";
  save(path, built);
  const program p = program::open(path);
  std::remove(path.c_str());
  CHECK(p.describe(p.outputs()[0]) == "f32[b,2*n,16]");
  for (const auto& s : sizes) {
    const auto inputs = inputs_for(m, s, 5);
    CHECK(testing::distance(p.run(inputs, 2)[0], interpret(m, "main", inputs)[0]) < 1e-5);
  }
}

TEST_CASE("random modules with symbols for extents") {
  const u64 from = testing::setting("TENON_FUZZ_FROM", 0), seeds = testing::setting("TENON_FUZZ_SEEDS", 100);
  u64 served = 0;
  for (u64 seed = from; seed < from + seeds; ++seed) {
    ir::module m = testing::random_module(seed);
    const std::vector<tensor> inputs = testing::random_inputs(m, seed);
    const std::vector<tensor> want = interpret(m, "main", inputs);
    // One symbol for each extent above 1; what follows from them is inferred anew.
    ir::for_each_op(m, [&](op_id op) {
      for (value_id r : m.results(op)) {
        ir::type t = m.type_of(r);
        if (!t.is_tensor() || m.view(op).name() == "constant") continue;
        t.shape.assign(t.shape.size(), ir::dim::unknown());
        m.set_type(r, m.intern(t));
      }
    });
    for (value_id a : m[m[m.find_function("main")].body].arguments) {
      ir::type t = m.type_of(a);
      for (ir::dim& d : t.shape)
        if (d.extent() > 1) d = ir::dim::symbol(m.symbol("s" + std::to_string(d.extent())));
      m.set_type(a, m.intern(t));
    }
    const int threads = 1 + static_cast<int>(seed % 2);
    std::string found;
    try {
      ir::refine_types(m);
      const program p = load(built_for(m, threads));
      const std::vector<tensor> got = p.run(inputs, threads);
      ++served;
      bool small = false;
      for (const tensor& t : want) small = small || t.type() == dtype::f16 || t.type() == dtype::bf16;
      ir::for_each_op(m, [&](op_id op) {
        for (value_id v : m.results(op))
          small = small || m.type_of(v).elem == dtype::f16 || m.type_of(v).elem == dtype::bf16;
      });
      const double e = small ? 6e-2 : 2e-3;
      for (size_t i = 0; i < want.size(); ++i)
        if (const comparison c = compare(got[i], want[i], {e, e, e, false}); !c.ok)
          found += "result " + std::to_string(i) + ": " + c.message;
    } catch (const error& e) {
      // What cannot be symbolic is said so; anything else is a defect.
      const std::string& code = e.code();
      // A number of channels is no symbol; a slice's bounds may be computed from values.
      if (code != "program.condition" && code != "passes.dynamic_shape" && code != "ir.not_static") found = e.what();
    }
    CHECK_MESSAGE(found.empty(), "seed " << seed << ": " << found << "\n" << print(m));
  }
  CHECK_MESSAGE(served * 2 > seeds, served << " of " << seeds << " modules had code for all sizes");
}
