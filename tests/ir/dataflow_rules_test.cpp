// What may stand in a dataflow region, as the verifier has it.
#include <string>

#include <doctest/doctest.h>

#include <tenon/ir/verify.hpp>
#include <tenon/phases/all.hpp>
#include <tenon/text/parse.hpp>

#include <support/checked_graph.hpp>
#include <support/dataflow_region.hpp>

using namespace tenon;

namespace {

std::string refusal(const std::string& inside, const std::string& functions = {}) {
  try {
    checked_graph(region(inside, functions));
  } catch (const error& e) {
    CHECK(e.code() == "ir.verify");
    return e.message();
  }
  return "none";
}

const std::string negated = "    %a = neg(%x) : tensor<2xf32>\n";
const std::string function_f =
    "func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) {\n"
    "  call_packed(%x) {function = \"log\"}\n  return(%x)\n}\n";
const std::string branches =
    "if_else(%c) : tensor<2xf32> ({\n    yield(%x)\n  }, {\n    %b = neg(%x) : tensor<2xf32>\n    yield(%b)\n  })\n";

}  // namespace

TEST_CASE("nothing with an effect stands inside, and no control flow") {
  CHECK(refusal(negated) == "none");
  CHECK(refusal(negated + "    %s = draw_seed() : tensor<u32>\n")
            .find("draw_seed: it is not pure, and stands in a dataflow region") != std::string::npos);
  CHECK(refusal("    %a = call_packed(%x) {function = \"f\"} : tensor<2xf32>\n").find("call_packed: it is not pure") !=
        std::string::npos);
  CHECK(refusal("    %a = call_pure_packed(%x) {function = \"f\"} : tensor<2xf32>\n") == "none");
  const std::string calls = "    %a = call(%x) {callee = @f} : tensor<2xf32>\n";
  CHECK(refusal(calls, function_f).find("call: it is not pure") != std::string::npos);
  CHECK(refusal(calls, "func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) {\n  return(%x)\n}\n") == "none");
  CHECK(refusal("    %a = " + branches).find("if_else: it stands in a region of 'dataflow', which does not allow it") !=
        std::string::npos);
  CHECK(refusal("    %a = dataflow() : tensor<2xf32> ({\n      yield(%x)\n    })\n").find("a region of 'dataflow'") !=
        std::string::npos);
}

TEST_CASE("a function given as a value brings no body into a region") {
  const std::string text = R"(tenon.module phase=ingestion
func entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>) {
  %f = closure() : function<(tensor<2xf32>) -> (tensor<2xf32>)> ({ ^(%a: tensor<2xf32>):
    yield(%a)
  })
  %y = dataflow() : tensor<2xf32> ({
    %b = call(%x, %f) {callee = @apply} : tensor<2xf32>
    yield(%b)
  })
  return(%y)
}
func @apply(%x: tensor<2xf32>, %f: function<(tensor<2xf32>) -> (tensor<2xf32>)>) -> (tensor<2xf32>) forced_pure {
  %y = call_closure(%f, %x) : tensor<2xf32>
  return(%y)
}
)";
  std::string said;
  try {
    ir::verify<phases::ingestion>(parse(text));
  } catch (const error& e) { said = e.message(); }
  CHECK(said.find("call: it is given a function in a dataflow region") != std::string::npos);
}
