// Absurd sizes: what overflows, what is not finite and what no memory holds is an error that names the op and the
// shape, in the type rule where the numbers are constant and in the evaluation where they are data.
#include <doctest/doctest.h>

#include <limits>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>

#include "support/lowered.hpp"

using namespace tenon;
using namespace tenon::testing;

namespace {

constexpr i64 most = std::numeric_limits<i64>::max(), least = std::numeric_limits<i64>::min();
const double inf = std::numeric_limits<double>::infinity(), undefined = std::numeric_limits<double>::quiet_NaN();

/// The error of an entry whose body is `body`: when it is read or verified, else when it runs on zeros.
std::string refusal_of(const std::string& arguments, const std::string& result, const std::string& body,
                       std::vector<tensor> inputs = {}) {
  return caught([&] {
           const ir::module m = parse("tenon.module phase=ingestion\nfunc entry @main(" + arguments + ") -> (" +
                                      result + ") {\n" + body + "\n  return(%y)\n}\n");
           ir::verify<phases::ingestion>(m);
           if (inputs.empty())
             for (value_id a : m[m[m.find_function("main")].body].arguments)
               inputs.emplace_back(m.type_of(a).elem, m.type_of(a).extents());
           interpret(m, "main", inputs);
         })
      .what();
}
/// Both the rule, with constant operands, and the evaluation, with the same as data, say `part`.
template <class Op>
void refused(const Op& op, std::vector<tensor> operands, std::string_view part, bool first_too = false) {
  ir::module m;
  std::vector<type_id> types;
  for (const tensor& t : operands)
    types.push_back(t.defined() ? m.intern(ir::type::tensor(t.type(), {t.shape().begin(), t.shape().end()}))
                                : type_id{});
  const function_id f = m.add_function("main", ir::function_kind::graph, std::span(types).first(1));
  ir::builder<> b(m, m[f].body);
  std::vector<value_id> given;
  if (!first_too) given.push_back(m[m[f].body].arguments[0]);
  for (size_t i = given.size(); i < operands.size(); ++i)
    given.push_back(operands[i].defined() ? m.result(b.make_op(op::constant{m.add_constant(operands[i])}, {}))
                                          : value_id{});
  const std::string said = caught([&] { b.make_op(op, given); }).what();
  CHECK_MESSAGE(contains(said, part), std::string(Op::name) << " with constants: " << said);
  CHECK_MESSAGE(contains(said, Op::name), said);
  const std::string run = caught([&] {
                            one_op<Op> o(op, operands);
                            std::vector<const tensor*> pointers;
                            for (const tensor& t : o.operands) pointers.push_back(t.defined() ? &t : nullptr);
                            evaluate_op(o.m, o.op, pointers);
                          }).what();
  CHECK_MESSAGE(contains(run, Op::name), "data: " << run);
}
const std::string accepted = error("none", "nothing was thrown").what();
tensor numbers(std::vector<i64> v) { return tensor::from<i64>({static_cast<i64>(v.size())}, v); }
tensor image(std::vector<i64> shape) { return tensor(dtype::f32, std::move(shape)); }

}  // namespace

TEST_CASE("shapes whose number of elements wraps") {
  const tensor four = image({4});
  refused(op::reshape{}, {four, numbers({i64{1} << 32, (i64{1} << 32) + 1})}, "[4294967296,4294967297]");
  refused(op::reshape{}, {four, numbers({i64{1} << 62, 4, -1})}, "elements");
  refused(op::reshape{}, {four, numbers({922337203685477581, 20})}, "[922337203685477581,20]");
  refused(op::reshape{}, {four, numbers({-1, least})}, "negative");
  refused(op::expand{}, {image({1}), numbers({i64{1} << 40, i64{1} << 40})}, "[1099511627776,1099511627776]");
  refused(op::expand{}, {image({1}), numbers({most})}, "shape");
  refused(op::tile{}, {four, numbers({most})}, "");
  refused(op::tile{}, {four, numbers({i64{1} << 62})}, "");
  refused(op::constant_of_shape{}, {image({1}), numbers({i64{1} << 50, i64{1} << 50})},
          "[1125899906842624,1125899906842624]");
  refused(op::pad{}, {four, numbers({least, 0})}, "pads");
  refused(op::pad{}, {four, numbers({most, most})}, "pads");
  refused(op::one_hot{-1, most}, {tensor(dtype::i64, {4}), tensor(), image({2})}, "");
  // A text says its types, and a view of memory that is not there is none.
  CHECK(
      contains(refusal_of("%x: tensor<4xf32>", "tensor<922337203685477581x20xf32>",
                          "  %y = reshape(%x) {shape = [922337203685477581, 20]} : tensor<922337203685477581x20xf32>"),
               "922337203685477581"));
  CHECK(contains(
      refusal_of("%x: tensor<4xf32>", "tensor<2x3xf32>", "  %y = reshape(%x) {shape = [2, 3]} : tensor<2x3xf32>"),
      "reshape"));
}

TEST_CASE("reshape to a shape that is data") {
  for (const auto& list : std::vector<std::vector<i64>>{
           {i64{1} << 62, 4}, {922337203685477581, 20}, {least, -1}, {3, 2}, {-1, -1}, {3, -1}}) {
    const std::string s = refusal_of("%x: tensor<4xf32>, %p: tensor<2xi64>", "tensor<?x?xf32>",
                                     "  %y = reshape(%x, %p) : tensor<?x?xf32>", {image({4}), numbers(list)});
    CHECK_MESSAGE(contains(s, "reshape"), s);
  }
}

TEST_CASE("ranges that are too long or not finite") {
  const auto real = [](double v) { return tensor::scalar(static_cast<float>(v)); };
  for (const auto& [a, b, d] : std::vector<std::array<double, 3>>{{0, 1e30, 1},
                                                                  {0, inf, 1},
                                                                  {-inf, 0, 1},
                                                                  {0, 1, undefined},
                                                                  {undefined, 1, 1},
                                                                  {0, 1, 0},
                                                                  {0, 10, inf},
                                                                  {0, 1e20, 1}})
    refused(op::range{}, {real(a), real(b), real(d)}, "range", true);
  refused(op::range{}, {tensor::scalar(least), tensor::scalar(most), tensor::scalar(i64{1})},
          "18446744073709551615 elements", true);
  refused(op::range{}, {tensor::scalar(i64{0}), tensor::scalar(i64{5}), tensor::scalar(i64{0})}, "delta is 0", true);
  one_op<op::range> right({}, {real(2), real(-1), real(-0.5)});
  CHECK(right.evaluated()[0].shape() == std::vector<i64>{6});
}

TEST_CASE("windows with huge numbers") {
  const tensor x = image({1, 1, 4, 4}), w = image({1, 1, 2, 2});
  const i64 far = i64{1} << 40;
  CHECK(contains(refusal(op::max_pool{.kernel = {i64{1} << 31, 2}, .dilations = {far, 1}}, {x}), "max_pool"));
  CHECK(contains(refusal(op::average_pool{.kernel = {i64{1} << 31, i64{1} << 31},
                                          .pads = {far, far, far, far},
                                          .count_include_pad = true},
                         {x}),
                 "average_pool"));
  CHECK(contains(refusal(op::max_pool{.kernel = {2, 2}, .pads = {least, 0, 0, 0}}, {x}), "pads"));
  CHECK(contains(refusal(op::conv{.group = most}, {x, w}), "conv"));
  CHECK(contains(refusal(op::conv{.dilations = {far, far}}, {image({1, 1, 4, 4}), image({0, 1, i64{1} << 40, 1})}),
                 "conv"));
  CHECK(contains(refusal(op::conv_transpose{.group = most}, {image({1, 0, 4, 4}), image({0, 2, 2, 2})}),
                 "conv_transpose"));
  CHECK(contains(refusal(op::conv_transpose{.strides = {far, far}, .dilations = {far, far}},
                         {image({1, 0, i64{1} << 29, 1}), image({0, 1, 2, 2})}),
                 "conv_transpose"));
  CHECK(contains(refusal(op::conv_transpose{.output_padding = {most, 0}}, {x, w}), "output_padding"));
  CHECK(contains(refusal(op::conv_transpose{.strides = {2, 2}, .output_padding = {1, -1}}, {x, w}), "output_padding"));
  CHECK(refusal(op::conv_transpose{.strides = {2, 3}, .output_padding = {5, 2}}, {x, w}) == accepted);
  CHECK(contains(refusal(op::max_unpool{.kernel_shape = {1, 1}, .strides = {INT32_MAX, INT32_MAX}},
                         {image({1, 0, i64{1} << 40, 1}), tensor(dtype::i64, {1, 0, i64{1} << 40, 1})}),
                 "max_unpool"));
  CHECK(contains(
      refusal(op::col2im{.image_shape = {5, 5}, .block_shape = {i64{1} << 32, i64{1} << 32}}, {image({1, 4, 4})}),
      "[4294967296,4294967296]"));
  CHECK(contains(refusal(op::col2im{.image_shape = {5}, .block_shape = {i64{1} << 57}, .dilations = {INT32_MAX}},
                         {image({0, i64{1} << 57, 1})}),
                 "col2im"));
}

TEST_CASE("resizes by what is no number of elements") {
  const tensor x = image({1, 1, 4, 4});
  for (const double scale : {inf, undefined, -1.0, 0.0, 1e30})
    CHECK(contains(refusal(op::resize{.scales = {1, 1, scale, 1}}, {x}), "scale"));
  CHECK(contains(refusal(op::resize{.scales = {1, 1, 9e8, 9e8}}, {image({1, 1, 400, 4})}), "resize"));
  CHECK(contains(refusal(op::resize{.sizes = {1, 1, most, 1}}, {x}), "resize"));
  CHECK(contains(refusal(op::resize{.sizes = {1, 1, INT32_MAX, 1}, .keep_aspect_ratio = op::aspect_policy::not_smaller},
                         {image({1, 0, 1, i64{1} << 40})}),
                 "resize"));
  CHECK(contains(refusal(op::resize{.mode = op::interpolation::linear, .sizes = {1, 0, 1, 1}, .antialias = true},
                         {image({1, 0, i64{1} << 50, 1})}),
                 "antialias"));
}

TEST_CASE("attributes of packed operands") {
  CHECK(contains(refusal(op::matmul{.panel = 16, .columns = most}, {image({3, 2}), image({1, 2, 16})}), "matmul"));
  CHECK(
      contains(refusal(op::matmul{.panel = 2, .columns = 2, .interleave = most}, {image({3, 2}), image({1, 2, 2, 4})}),
               "matmul"));
  CHECK(contains(refusal(op::pack_panels{.panel = most}, {image({3, 2})}), "pack_panels"));
}

TEST_CASE("constant indices out of range are errors of the type rule, and say which") {
  const tensor x = image({2, 3});
  bool bound = false;
  const auto said = [&](const auto& op, std::vector<tensor> operands) {
    ir::module m;
    if (bound) m.build.values_are_bound = true;
    std::vector<type_id> types{
        m.intern(ir::type::tensor(operands[0].type(), {operands[0].shape().begin(), operands[0].shape().end()}))};
    const function_id f = m.add_function("main", ir::function_kind::graph, types);
    ir::builder<> b(m, m[f].body);
    std::vector<value_id> given{m[m[f].body].arguments[0]};
    for (size_t i = 1; i < operands.size(); ++i)
      given.push_back(m.result(b.make_op(op::constant{m.add_constant(operands[i])}, {})));
    return std::string(caught([&] { b.make_op(op, given); }).what());
  };
  CHECK(contains(said(op::gather{0}, {x, numbers({0, 2})}),
                 "index 2 (element 1 of operand 1) is outside of an extent of 2"));
  CHECK(contains(said(op::gather{1}, {x, numbers({-4})}), "index -4"));
  CHECK(contains(said(op::gather{0}, {image({0, 3}), numbers({0})}), "extent of 0"));
  CHECK(contains(said(op::gather_elements{1}, {x, tensor::from<i64>({2, 1}, {0, 3})}), "index 3"));
  CHECK(contains(said(op::gather_nd{}, {x, tensor::from<i64>({1, 2}, {0, 3})}), "index 3"));
  CHECK(contains(said(op::gather_nd{1}, {x, tensor::from<i64>({2, 1}, {2, -4})}), "index -4"));
  CHECK(contains(said(op::scatter_elements{0}, {x, tensor::from<i64>({1, 3}, {0, 1, 2}), image({1, 3})}), "index 2"));
  CHECK(contains(said(op::scatter_nd{}, {x, tensor::from<i64>({1, 1}, {least}), image({1, 3})}),
                 "index -9223372036854775808"));
  CHECK(contains(said(op::max_unpool{.kernel_shape = {2}, .strides = {2}},
                      {image({1, 1, 2}), tensor::from<i64>({1, 1, 2}, {0, 100})}),
                 "index 100"));
  CHECK(contains(said(op::reverse_sequence{}, {x, numbers({0, 1, 3})}), "length 3"));
  CHECK(contains(said(op::roi_align{}, {image({1, 1, 2, 2}), image({1, 4}), numbers({1})}), "index 1"));
  CHECK(said(op::gather{0}, {x, numbers({-2, 1})}) == accepted);
  CHECK(said(op::one_hot{-1, 3}, {tensor(dtype::i64, {1}), numbers({3}), image({2})}) == accepted);
  ir::module whole;
  whole.build.values_are_bound = true;
  CHECK(whole.extract(whole.add_function("part", ir::function_kind::graph, {})).build.values_are_bound);
  bound = true;  // what stands there may come from a run's inputs
  CHECK(said(op::gather{0}, {x, numbers({0, 2})}) == accepted);
  CHECK(said(op::scatter_nd{}, {x, tensor::from<i64>({1, 1}, {least}), image({1, 3})}) == accepted);
  CHECK(said(op::max_unpool{.kernel_shape = {2}, .strides = {2}},
             {image({1, 1, 2}), tensor::from<i64>({1, 1, 2}, {0, 100})}) == accepted);
  CHECK(said(op::reverse_sequence{}, {x, numbers({0, 1, 3})}) == accepted);
  CHECK(said(op::roi_align{}, {image({1, 1, 2, 2}), image({1, 4}), numbers({1})}) == accepted);
}

TEST_CASE("operands that an op would read beyond their end") {
  CHECK(contains(refusal(op::gather_elements{0}, {image({2, 3}), tensor(dtype::i64, {1, 4})}), "extent 4"));
  CHECK(contains(refusal(op::scatter_elements{0}, {image({2, 3}), tensor(dtype::i64, {1, 4}), image({1, 4})}),
                 "extent 4"));
  CHECK(contains(refusal(op::gather_nd{1}, {image({2, 3}), tensor(dtype::i64, {4, 1})}), "batch"));
  CHECK(contains(refusal(op::max_unpool{.kernel_shape = {2}, .strides = {2}, .shape = {1, 1, 3}},
                         {image({1, 1, 2}), tensor(dtype::i64, {1, 1, 2})}),
                 "does not hold"));
  CHECK(contains(
      refusal(op::max_unpool{.kernel_shape = {2}, .strides = {2}}, {image({1, 1, 2}), tensor(dtype::i64, {1, 1, 1})}),
      "indices"));
  CHECK(contains(refusal(op::roi_align{}, {image({1, 1, 2, 2}), image({1, 3}), tensor(dtype::i64, {1})}), "3 numbers"));
  CHECK(contains(refusal(op::roi_align{}, {image({1, 1, 2, 2}), image({2, 4}), tensor(dtype::i64, {1})}),
                 "batch indices"));
  CHECK(contains(refusal(op::affine_grid{.size = {1, 1, 2, 2}}, {image({1, 2, 2})}), "theta"));
  CHECK(contains(refusal(op::conv{}, {image({1, 2, 4}), image({1, 3, 1})}), "channels"));
}
