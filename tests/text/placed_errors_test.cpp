// What is wrong with a module as a whole is said with its place in the text, and with what to do.
#include <doctest/doctest.h>

#include <string>

#include <tenon/core/error.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/text/parse.hpp>

using namespace tenon;

namespace {

error error_of(const std::string& function) {
  try {
    parse("tenon.module\n" + function, "file.tir");
  } catch (const error& e) { return e; }
  FAIL("it is accepted: " << function);
  return {"none", ""};
}
std::string with_body(const std::string& body) {
  return "func @f(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) {\n" + body + "\n}\n";
}

}  // namespace

TEST_CASE("what the verifier finds has a line and a column") {
  const error early = error_of(with_body("  return(%x)\n  return(%x)"));
  CHECK(early.code() == "ir.verify");
  CHECK(early.where() == "file.tir:3:3");
  CHECK(early.message() == "function 'f': return: a terminator stands before the end of its region");
  const error none = error_of(with_body("  %y = add(%x, %x) : tensor<2x3xf32>"));
  CHECK(none.code() == "ir.verify");
  CHECK(none.where() == "file.tir:3:8");
  CHECK(none.message() == "function 'f': add: the region ends with it, but it is no terminator");
  CHECK(none.hint() == "end the function with return(...)");
  // In regions, too; and where an op says itself where it comes from, that is the place.
  const error inner = error_of(
      with_body("  %y = fused(%x) : tensor<2x3xf32> ({ ^(%a: tensor<2x3xf32>):\n    %b = neg(%a) : tensor<2x3xf32>\n"
                "  })\n  return(%y)"));
  CHECK(inner.where() == "file.tir:4:10");
  CHECK(inner.hint() == "end it with one, such as yield");
  CHECK(error_of(with_body("  %y = add(%x, %x) : tensor<2x3xf32> loc(\"node_7\")")).where() == "node_7");
}

TEST_CASE("no more inputs and outputs are named than there are") {
  const error inputs =
      error_of("func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) inputs(\"x\", \"z\") {\n  return(%x)\n}");
  CHECK(inputs.code() == "text.syntax");
  CHECK(inputs.where() == "file.tir:2:53");
  CHECK(inputs.message().starts_with("2 inputs are named, and the function has 1 argument in "));
  const error outputs =
      error_of("func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) outputs(\"y\", \"z\") {\n  return(%x)\n}");
  CHECK(outputs.where() == "file.tir:2:54");
  CHECK(outputs.message().starts_with("2 outputs are named, and the function has 1 result in "));
}
