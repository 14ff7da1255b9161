/// @file graph: an ONNX model as a random generator and a reducer handle it: nodes, values and what they are called,
/// with the bytes and the text of it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <tenon/runtime/tensor.hpp>

#include "draw.hpp"

namespace random_onnx {

using tenon::tensor;
using names = std::vector<std::string>;
using values = std::map<std::string, tensor>;

struct graph;
/// An attribute; a graph is that of a control-flow operator.
struct attr {
  std::string name;
  std::variant<i64, float, std::string, dims, std::vector<float>, names, tensor, std::shared_ptr<graph>> value;
};
using attrs = std::vector<attr>;

struct node {
  std::string op;
  names inputs, outputs;
  attrs attributes;
  std::string domain;
};

/// What a graph is given. An extent with a name is one that only a run knows; a name of "?" is nobody else's.
struct input {
  std::string name;
  tensor value;
  names symbols;  ///< empty, or one for each dimension, "" where the model says the number
  bool initializer = false;
  bool fixed = false;  ///< says what a node does: its length is what it is
};

struct graph {
  std::vector<input> inputs;  ///< in a body: what the operator gives it, and initializers
  std::vector<node> nodes;
  names outputs;
  values produced;  ///< what each name is for the inputs' values; of sequences nothing
};

struct model {
  i64 opset = 17;
  graph main;
  values second;  ///< other values for some of the inputs, of other extents where these have names; may be empty
};

/// The names from outside that nodes refer to, those of bodies too, each once.
names taken_from_outside(const std::vector<node>& nodes, const names& outputs = {});

/// ModelProto. With `shapes`, outputs are declared with their ranks.
std::string encode(const model& m);
/// A model for a few nodes, with all that they take as initializers, and these outputs.
std::string encode_alone(const std::vector<node>& nodes, const values& given, const names& outputs, i64 opset);
/// For people: a line for each input and node.
std::string text_of(const model& m);

/// The values of nodes, computed by the importer and the interpreter alone; those that are no tensors are left out.
values evaluate(const std::vector<node>& nodes, const values& given, const names& outputs, i64 opset);

}  // namespace random_onnx
