// Text and files know an op by its name: a table that has two of one name is refused where that name occurs, and
// nowhere else.
#include <doctest/doctest.h>

#include <tenon/ir/builder.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include <support/caught.hpp>

using namespace tenon;
using testing::caught;

namespace mine {
struct abs {
  static constexpr fixed_string name = "abs";
  static constexpr op_traits traits{.min_operands = 1, .max_operands = 1};
};
void infer(const abs&, ir::infer_context& cx) { cx.result(cx.operand(0)); }
}  // namespace mine

namespace {
using both = extend<phases::optimization, mine::abs>;
static_assert(!ir::detail::ops_named_apart<both>::ok && ir::detail::ops_named_apart<phases::optimization>::ok);
static_assert(ir::detail::ops_named_apart<extend<phases::optimization, op::abs>>::ok, "the same op twice is one op");

std::string text_of(const char* op) {
  return "tenon.module phase=optimization\nfunc entry @main(%0: tensor<4xf32>) -> (tensor<4xf32>) inputs(\"x\") "
         "outputs(\"y\") {\n  %1 = " +
         std::string(op) + "(%0) : tensor<4xf32>\n  return(%1)\n}\n";
}
const ir::op_info* const table[] = {&ir::info_of<op::abs>, &ir::info_of<op::neg>, &ir::info_of<op::return_>,
                                    &ir::info_of<mine::abs>};
}  // namespace

TEST_CASE("a text that names an op of which there are two") {
  const error e = caught([] { parse(text_of("abs"), "x.tir", {"optimization", table}); });
  CHECK(e.code() == "text.op");
  CHECK(e.message().find("two ops are named 'abs', and text knows an op by its name") != std::string::npos);
  CHECK(e.where() == "x.tir:3:8");
  CHECK(e.hint() == "rename your own");
  CHECK(caught([] { parse(text_of("neg"), "x.tir", {"optimization", table}); }).code() == "none");
}

TEST_CASE("and a file") {
  const auto bytes_of = [](const char* op) { return serialize(parse(text_of(op)), "optimization"); };
  const error e = caught([&] { deserialize(bytes_of("abs"), "x.tmod", {"optimization", table, nullptr}); });
  CHECK(e.code() == "module.op");
  CHECK(e.message() == "two ops are named 'abs', and a file knows an op by its name");
  CHECK(caught([&] { deserialize(bytes_of("neg"), "x.tmod", {"optimization", table, nullptr}); }).code() == "none");
}
