/// @file dataflow_region: a function with a dataflow region, as text.
#pragma once

#include <string>

/// `inside` stands in a region that yields %a.
inline std::string region(const std::string& inside, const std::string& functions = {}) {
  return "func entry @main(%x: tensor<2xf32>, %c: tensor<bool>) -> (tensor<2xf32>) inputs(\"x\", \"c\") outputs(\"y\") "
         "{\n"
         "  %y = dataflow() : tensor<2xf32> ({\n" +
         inside + "    yield(%a)\n  })\n  return(%y)\n}\n" + functions;
}
