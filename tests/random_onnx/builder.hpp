/// @file builder: adds random nodes to a graph whose values are all known while it is drawn.
///
/// A row of the table says what an operator takes: it picks values that are there or makes new inputs, and emits a node
/// or several. The importer and the interpreter then say what comes out, so that no row knows what an operator
/// computes; what they refuse is left out and counted. Drawing depends on shapes and types alone, not on the numbers
/// computed.
#pragma once

#include <set>
#include <utility>

#include "graph.hpp"

namespace random_onnx {

struct skip {};  ///< a row has no use for what is there

class builder {
 public:
  draw& d;
  i64 opset;
  graph& top;     ///< where new inputs go
  values known;   ///< what a node may take
  bool specials;  ///< NaN, infinities and the ends of integer ranges too
  int& counter;
  int depth;  ///< of bodies around
  graph* in_body = nullptr;
  // The operator that is being drawn.
  std::string op;
  dtype type = dtype::f32;
  std::vector<dtype> types;
  std::vector<node> pending;
  std::set<std::string> hidden;  ///< outputs that nobody may take or compare

  builder(draw& random, i64 version, graph& main, bool odd, int& names_so_far, int level)
      : d(random), opset(version), top(main), specials(odd), counter(names_so_far), depth(level) {}

  const tensor& at(const std::string& name) const {
    const auto found = known.find(name);
    return found != known.end() ? found->second : unseen.at(name);
  }
  const dims& shape(const std::string& name) const { return at(name).shape(); }
  int rank(const std::string& name) const { return at(name).rank(); }
  i64 extent();                      ///< mostly 1 to 9, now and then 0 or more than a vector's lanes
  i64 some() { return d.in(1, 6); }  ///< at least 1
  dims extents(int rank, i64 most = 1500);
  i64 axis(int rank) { return rank == 0 ? d.in(-1, 0) : d.in(-rank, rank - 1); }
  i64 axis_of(const std::string& name) { return rank(name) == 0 ? throw skip{} : axis(rank(name)); }

  /// Elements at random: floats mostly multiples of 1/4, integers small.
  tensor numbers(dtype t, const dims& shape);
  tensor integers(dtype t, const dims& shape, i64 low, i64 high);
  /// A new input of the model, or an initializer.
  std::string given(tensor t, int percent_input);
  std::string data(dtype t, const dims& shape) { return given(numbers(t, shape), 75); }
  /// Finite: what padding does beside an infinite weight is not the same on every target.
  std::string weight(dtype t, const dims& shape);
  /// A small list that says what a node does: an initializer, a Constant, or an input that only a run knows.
  std::string list(const dims& v, dtype t = dtype::i64);
  std::string floats(const std::vector<float>& v);
  std::string scalar(dtype t, double v);
  /// A value of `type` (or `t`) that is there, or a new one.
  std::string pick(int least_rank, int most_rank) { return pick_of(type, least_rank, most_rank); }
  std::string pick_of(dtype t, int least_rank, int most_rank, bool no_zeros = false);
  /// One that can be broadcast with this one.
  std::string partner(const std::string& with, dtype t);
  dims partner_shape(const dims& s);
  /// One of exactly this shape.
  std::string alike(const dims& s, dtype t);
  std::string maybe(std::string name, int percent) { return d.chance(percent) ? name : std::string(); }
  /// Nodes; the first output's name. Optional outputs: as many as asked for.
  std::string emit(names inputs, attrs attributes = {}, int outputs = 1) {
    return emit_as(op, std::move(inputs), std::move(attributes), outputs).front();
  }
  names emit_as(std::string name, names inputs, attrs attributes = {}, int outputs = 1, std::string domain = {});
  /// Says of outputs that they are no tensors, or no two runs give the same; the first one's name.
  std::string hide(names outputs) {
    hidden.insert(outputs.begin(), outputs.end());
    return outputs.front();
  }
  std::string domain;
  std::map<std::string, tensor> unseen;  ///< outputs of Constant nodes that are still pending
  /// Draws the operands; then commit() takes the nodes into `to`, or forgets them. The error's text, empty: done.
  std::string commit(graph& to);
  void forget(size_t inputs);
  std::string fresh_name(const char* prefix) { return prefix + std::to_string(counter++); }
};

struct row {
  const char* ops;    ///< names
  int since;          ///< the first version of the operator set that is drawn
  const char* types;  ///< of `builder::type`
  void (*make)(builder&);
  int until = 1000;
  const char* domain = "";
};
/// All rows, from the files rows_*.cpp.
const std::vector<row>& table();
/// The operators of all rows, each once.
std::set<std::string> drawn_operators();
/// The first and the last version that an operator is drawn for; of all operators, if it has no name.
std::pair<i64, i64> versions_of(const std::string& op);
std::vector<row> elementwise_rows();
std::vector<row> movement_rows();
std::vector<row> product_rows();
std::vector<row> quantized_rows();
std::vector<row> body_rows();
std::vector<row> other_rows();
std::vector<row> microsoft_rows();
std::vector<row> block_rows();
std::vector<row> form_rows();
std::vector<row> type_rows();
std::vector<row> seldom_rows();

/// What the importer or the interpreter said no to: a mistake of a row, or of theirs.
struct refusal {
  std::string op, error;
  std::vector<node> nodes;
  values given;
};
/// Adds `count` random nodes, of the operator `only` if that is not empty.
void add_nodes(builder& b, graph& to, int count, std::vector<refusal>* refused, const std::string& only = {});
/// The same model for the same seed; with `only`, its first node is of that operator; at most so many nodes.
model random_model(u64 seed, std::vector<refusal>* refused = nullptr, const std::string& only = {}, int nodes = 12);

}  // namespace random_onnx
