// What an entry takes and gives in phases of buffers: results are its last arguments, and the verifier holds it to
// that.
#include <doctest/doctest.h>

#include <tenon/ir/entry_ports.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/text/parse.hpp>

#include "support/caught.hpp"

using namespace tenon;

namespace {

ir::module storing(const std::string& results) {
  return parse(
      "tenon.module phase=lowering\nfunc entry @main(%x: buffer<2xf32>, %y: buffer<?xi32>, %z: buffer<1x3xf32>)" +
      results + " {\n  return()\n}\n");
}
size_t inputs_of(const ir::module& m) { return ir::input_count(m, m.find_function("main")); }
std::string problem_of(const std::string& results) {  // modules that are read are verified
  return testing::caught([&] { storing(results); }).message();
}

}  // namespace

TEST_CASE("results are the last arguments where these are buffers") {
  for (const auto& [results, inputs] : {std::pair("", 3),
                                        {" -> (tensor<1x3xf32>)", 2},
                                        {" -> (buffer<1x3xf32>)", 2},
                                        {" -> (tensor<?xi32>, tensor<1x3xf32>)", 1}}) {
    CAPTURE(results);
    const ir::module m = storing(results);
    CHECK(inputs_of(m) == static_cast<size_t>(inputs));
    CHECK(ir::entry_inputs(m, m.find_function("main")).size() == static_cast<size_t>(inputs));
  }
  const ir::module values = parse(
      "tenon.module phase=ingestion\nfunc entry @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
      "  return(%x, %x)\n}\n");
  CHECK(inputs_of(values) == 1);
}

TEST_CASE("results that no argument is for are refused") {
  const std::string four = " -> (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>)";
  CHECK(problem_of(four).find("it states 4 results, and has 3 arguments") != std::string::npos);
  for (const char* wrong : {"tensor<2x3xf32>", "tensor<1x3xf64>", "tensor<3xf32>", "buffer<1x4xf32>"}) {
    const std::string problem = problem_of(std::string(" -> (") + wrong + ")");
    CHECK_MESSAGE(problem.find("result 0 is stated as") != std::string::npos, problem);
    CHECK_MESSAGE(problem.find("but is written to argument 2, which is buffer<1x3xf32>") != std::string::npos, problem);
  }
}
