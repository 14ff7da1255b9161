/// @file context: what the handler of an ONNX operator sees: its node, its inputs as graph values, the graph to write.
///
///     void celu(import_context& cx, const node&) {                       // max(0,x) + min(0, a*(exp(x/a)-1))
///       const value_id x = cx.in(0), a = cx.like(x, cx.f("alpha", 1.f));
///       cx.out(cx.add(cx.maximum(x, 0.), cx.minimum(cx.mul(a, cx.add(cx.make(op::exp{}, {cx.div(x, a)}), -1.)), 0.)));
///     }
/// Every op that a handler writes has the node as its source location.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenon/importers/onnx/options.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/importers/onnx/size_answers.hpp>
#include <tenon/importers/onnx/writer.hpp>

namespace tenon::importers::onnx {

/// The functions of a model, by domain, name and overload.
using function_index = std::unordered_map<std::string, const function*>;

/// The names that a graph can see: its own, and through `outer` those of the graphs around it.
struct scope {
  const scope* outer = nullptr;
  std::unordered_map<std::string, value_id> values;  ///< value_id{}: a function's parameter that the call leaves out
  std::unordered_map<std::string, const tensor_proto*> initializers;  ///< decoded when first used
  std::unordered_map<std::string, const sparse_tensor_proto*> sparse_initializers;
};

/// What holds for all nodes of a function's body, or of the model.
struct frame {
  const frame* caller = nullptr;
  const function* definition = nullptr;  ///< null: the model's own graph
  int depth = 0;                         ///< of functions around this one, with it
  std::string call;                      ///< who calls it
  std::string call_site;                 ///< for messages: who calls it, and who began
  std::vector<opset_import> opsets;
  std::map<std::string, const attribute*, std::less<>> attributes;  ///< arguments that `ref_attr_name` names
};

class import_context : public writer {
 public:
  import_context(const onnx::model& m, const import_options& options, size_answers& answers, budget_meter& budget,
                 ir::module& to, region_id body);

  // -- the node ----------------------------------------------------------------------------------------------------
  /// The version of the operator set that the node's domain has here.
  i64 opset() const { return opset_; }
  const node& current() const { return *node_; }

  // -- inputs --------------------------------------------------------------------------------------------------------
  int input_count() const { return static_cast<int>(node_->inputs.size()); }
  bool has(int i) const;  ///< given; not so in a function called without it
  value_id in(int i);     ///< error when it is left out
  value_id in_or(int i, value_id otherwise) { return has(i) ? in(i) : otherwise; }
  value_id in_whole(int i);  ///< of integers: positions, extents and counts, else an error
  value_id in_whole_or(int i, value_id otherwise) { return has(i) ? in_whole(i) : otherwise; }
  values ins();      ///< all; left out ones are value_id{}
  values all_ins();  ///< all; error when one is left out
  /// The integers of an input that must be known while importing.
  std::vector<i64> in_integers(int i);
  bool in_integers(int i, std::vector<i64>& to);  ///< false when it is not known
  double in_number(int i);                        ///< a known scalar, as a number
  i64 in_integer(int i);                          ///< a known scalar; what is no integer is an error
  bool is_known(int i) { return has(i) && is_constant(in(i)); }

  // -- attributes: with a value for "not given", or required ---------------------------------------------------------
  const attribute* find(std::string_view name) const;
  bool has_attribute(std::string_view name) const { return find(name) != nullptr; }
  i64 i(std::string_view name, i64 otherwise) const;
  i64 i(std::string_view name) const;
  float f(std::string_view name, float otherwise) const;
  float f(std::string_view name) const;
  std::string s(std::string_view name, std::string otherwise) const;
  std::string s(std::string_view name) const;
  std::vector<i64> integers(std::string_view name, std::vector<i64> otherwise = {}) const;
  std::vector<float> floats(std::string_view name, std::vector<float> otherwise = {}) const;
  std::vector<std::string> strings(std::string_view name) const;
  dtype element_type(std::string_view name, dtype otherwise) const;  ///< a TensorProto.DataType
  const tensor_proto& t(std::string_view name) const;
  const graph& g(std::string_view name) const;
  tensor dense(const sparse_tensor_proto& t);  ///< error "onnx.budget" before the memory is taken

  // -- outputs -------------------------------------------------------------------------------------------------------
  int output_count() const { return static_cast<int>(node_->outputs.size()); }
  bool wants(int i) const { return i < output_count() && !node_->outputs[static_cast<size_t>(i)].empty(); }
  void out(int i, value_id v);
  void out(value_id v) { out(0, v); }

  // -- errors -------------------------------------------------------------------------------------------------------
  [[noreturn]] void fail(std::string code, std::string message, std::string hint = {}) const;
  /// The graph depends on what is not known of the node's inputs while importing: an `unknown_input`.
  [[noreturn]] void unknown(std::string code, std::string message, std::string hint = {}) const;
  /// The operator exists, but not with this setting: code "onnx.unsupported".
  [[noreturn]] void unsupported(std::string what, std::string hint = {}) const;
  [[noreturn]] void needs_constant(int input) const;  ///< "onnx.needs_constant"
  /// The model breaks the operator's rules: "onnx.bad_node". `sizes`: those that it is about, beside the node's own.
  [[noreturn]] void bad(std::string what, std::vector<i64> sizes = {}) const;
  /// Error when an input's extents are known not to be these; -1: any.
  void require_shape(int input, const std::vector<i64>& shape);
  /// Error when a result has not the shape of `x`: where operands are broadcast to it, and not both to each other.
  void require_same_shape(value_id result, value_id x) const;

  // -- graphs within -------------------------------------------------------------------------------------------------
  /// Writes the nodes of a graph here, in a scope within the current one, and returns its outputs.
  values inline_graph(const graph& g, const values& inputs);

  // -- used by the importer -----------------------------------------------------------------------------------------
  void import_nodes(const std::vector<node>& nodes);
  void define(const std::string& name, value_id v);
  value_id lookup(const std::string& name, const std::string& user);
  void add_initializers(const graph& g);
  const import_options& options() const { return options_; }
  size_answers& answers() { return answers_; }
  /// Has the module ask for a condition that an answer is: its graph is for these sizes. False: that cannot be asked,
  /// since the sizes are none of its inputs', or it is a branch that asks; or no sizes meet it beside the other
  /// answers.
  bool assume(const extent_condition& c);
  /// Where the model's own graph is written, not a branch or a loop's body.
  bool is_outermost() { return at().region() == body_; }

 private:
  values known_operands() const;
  void import_node(const node& n);
  void call_function(const function& f, const node& n);
  const function* find_function(const node& n) const;
  i64 opset_of(const std::string& domain) const;
  const attribute& require(std::string_view name, attribute::type_t type) const;
  const attribute* find(std::string_view name, attribute::type_t type) const;

  tensor decoded(const tensor_proto& t);

  const onnx::model& model_;
  function_index functions_;
  std::unordered_map<const tensor_proto*, tensor> decoded_;  ///< initializers: a graph may be written many times
  const import_options& options_;
  size_answers& answers_;
  const region_id body_;
  const node* node_ = nullptr;
  i64 opset_ = 0;
  scope* scope_ = nullptr;
  scope top_scope_;
  frame top_frame_;
  const frame* frame_ = nullptr;
};

}  // namespace tenon::importers::onnx
