/// @file reduce: the smallest model that still shows what a random one showed.
#pragma once

#include "oracles.hpp"

namespace random_onnx {

/// Does the model still fail? Asked of models that may crash: the asker sees to that.
class question {
 public:
  virtual bool holds(const model& m) = 0;

 protected:
  ~question() = default;
};

/// Drops outputs, nodes, inputs, attributes, names of extents and extents while the question holds.
model reduced(model m, question& q);

/// Only what the outputs need.
void drop_unused(model& m);

}  // namespace random_onnx
