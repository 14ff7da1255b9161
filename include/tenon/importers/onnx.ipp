/// @file onnx: definitions: the model's graph becomes the function `main`.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <unordered_set>

#include <tenon/compile/model_file.hpp>
#include <tenon/compile/other_answers.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/families/activation.ipp>
#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/classic.ipp>
#include <tenon/importers/onnx/families/control.ipp>
#include <tenon/importers/onnx/families/conv_pool.ipp>
#include <tenon/importers/onnx/families/elementwise.ipp>
#include <tenon/importers/onnx/families/experimental.ipp>
#include <tenon/importers/onnx/families/image.ipp>
#include <tenon/importers/onnx/families/indexing.ipp>
#include <tenon/importers/onnx/families/loss.ipp>
#include <tenon/importers/onnx/families/matmul.ipp>
#include <tenon/importers/onnx/families/microsoft.ipp>
#include <tenon/importers/onnx/families/microsoft_attention.ipp>
#include <tenon/importers/onnx/families/microsoft_experts.ipp>
#include <tenon/importers/onnx/families/microsoft_layers.ipp>
#include <tenon/importers/onnx/families/microsoft_tensors.ipp>
#include <tenon/importers/onnx/families/microsoft_weights.ipp>
#include <tenon/importers/onnx/families/movement.ipp>
#include <tenon/importers/onnx/families/normalization.ipp>
#include <tenon/importers/onnx/families/quantize.ipp>
#include <tenon/importers/onnx/families/random.ipp>
#include <tenon/importers/onnx/families/recurrent.ipp>
#include <tenon/importers/onnx/families/reduce.ipp>
#include <tenon/importers/onnx/families/sequence.ipp>
#include <tenon/importers/onnx/families/shape.ipp>
#include <tenon/importers/onnx/families/signal.ipp>
#include <tenon/importers/onnx/families/strings.ipp>
#include <tenon/importers/onnx/families/training.ipp>
#include <tenon/importers/onnx/families/trees.ipp>
#include <tenon/importers/onnx/families/vector_machines.ipp>
#include <tenon/importers/onnx/registry.ipp>
#include <tenon/importers/onnx/rules.hpp>
#include <tenon/ir/open_extents.hpp>

namespace tenon::importers::onnx {

std::string symbol_of(const std::string& input, const dimension& d, size_t at) {
  return d.symbol.empty() ? input + "." + std::to_string(at) : d.symbol;
}

namespace detail {
/// "i64[2,?]" of a computed type, for errors.
inline std::string type_text(const ir::type& t) {
  if (!t.is_tensor()) return t.kind == ir::type_kind::sequence ? "a sequence" : "an optional";
  std::string s = std::string(name_of(t.elem)) + '[';
  for (size_t d = 0; d < t.shape.size(); ++d)
    s += (d ? "," : "") + (t.shape[d].is_static() ? std::to_string(t.shape[d].extent()) : std::string("?"));
  return t.ranked ? s + ']' : s + "*]";
}
}  // namespace detail

ir::type to_type(const value_info& v, ir::module& m, const import_options& options) {
  using kind_t = value_type::kind_t;
  const std::string where = "value '" + v.name + "'";
  if ((v.type.kind == kind_t::sequence || v.type.kind == kind_t::optional) && v.type.inner.size() == 1) {
    ir::type t;
    t.kind = v.type.kind == kind_t::sequence ? ir::type_kind::sequence : ir::type_kind::optional;
    // The items of a sequence share no more than what they are declared to have.
    ir::type item = to_type({v.name + ".item", v.type.inner.front()}, m, {});
    for (ir::dim& d : item.shape)
      if (!d.is_static() && t.kind == ir::type_kind::sequence) d = ir::dim::unknown();
    t.parts = {m.intern(item)};
    return t;
  }
  if (v.type.kind != kind_t::tensor)
    throw unsupported_error("onnx.unsupported_type",
                            "not supported yet: a value that is neither tensor, sequence nor optional", where,
                            "maps, sparse and opaque values cannot be inputs");
  const dtype element = require_dtype(v.type.element, where);
  std::vector<ir::dim> dims;
  for (size_t i = 0; i < v.type.dims.size(); ++i) {
    const dimension& d = v.type.dims[i];
    if (d.is_known()) {
      dims.push_back(d.value);
      continue;
    }
    const std::string name = symbol_of(v.name, d, i);
    const auto given = options.symbols.find(name);
    dims.push_back(given == options.symbols.end() ? ir::dim::symbol(m.symbol(extent_expr::name(name).text()))
                                                  : ir::dim(given->second));
  }
  const auto given = options.shapes.find(v.name);
  if (given != options.shapes.end()) {
    bool fits = !v.type.has_shape || given->second.size() == dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i)
      fits = given->second[i] >= 0 && (!dims[i].is_static() || dims[i].extent() == given->second[i]);
    if (!fits)
      throw error("onnx.bad_option",
                  "the shape " + shape_text(given->second) + " was given, and the model takes " +
                      detail::type_text(ir::type::tensor(element, std::move(dims))),
                  where, "give one number per dimension, equal to those that the model fixes");
    dims.assign(given->second.begin(), given->second.end());
    return ir::type::tensor(element, std::move(dims));
  }
  return v.type.has_shape ? ir::type::tensor(element, std::move(dims)) : ir::type::unranked_tensor(element);
}

namespace detail {

/// A declared tensor, whose dimensions are numbers or not known. Nothing for what declares no element type that is
/// known here.
inline std::optional<ir::type> declared_tensor(const value_type& t) {
  const std::optional<dtype> element = to_dtype(t.element);
  if (t.kind != value_type::kind_t::tensor || !element) return std::nullopt;
  if (!t.has_shape) return ir::type::unranked_tensor(*element);
  std::vector<ir::dim> dims;
  for (const dimension& d : t.dims) dims.push_back(d.is_known() ? ir::dim(d.value) : ir::dim::unknown());
  return ir::type::tensor(*element, std::move(dims));
}

/// What a model says of an output must not contradict what its nodes make. Names of dimensions and what is left open
/// say nothing; a value may stand where it is said to be optional.
inline void check_declared(const std::string& where, const value_type& declared, const ir::module& m,
                           const ir::type& made) {
  using kind_t = value_type::kind_t;
  const bool list = declared.kind == kind_t::sequence;
  if (list && made.kind == ir::type_kind::sequence) {
    if (declared.inner.size() == 1 && made.parts.size() == 1)
      check_declared(where, declared.inner.front(), m, m[made.parts.front()]);
    return;
  }
  const std::optional<ir::type> t = declared_tensor(declared);
  if (!list && !t) return;
  bool fits = t && made.is_tensor() && t->elem == made.elem;
  if (fits && t->ranked && made.ranked) {
    fits = t->shape.size() == made.shape.size();
    for (size_t d = 0; fits && d < made.shape.size(); ++d)
      fits = !t->shape[d].is_static() || !made.shape[d].is_static() || t->shape[d] == made.shape[d];
  }
  if (!fits)
    throw error("onnx.output_type",
                "it is declared as " + (t ? type_text(*t) : std::string("a sequence")) + ", but the nodes make " +
                    type_text(made),
                where, "the model contradicts itself: export it again, or correct what it says of its outputs");
}

/// The inputs that a caller gives: none that has an initializer or a constant in the options.
inline std::vector<const value_info*> open_inputs(const graph& g, const import_options& options) {
  std::unordered_set<std::string_view> initialized;
  for (const tensor_proto& t : g.initializers) initialized.insert(t.name);
  for (const sparse_tensor_proto& t : g.sparse_initializers) initialized.insert(t.values.name);
  std::vector<const value_info*> inputs;
  for (const value_info& v : g.inputs)
    if (!initialized.contains(v.name) && !options.constants.contains(v.name)) inputs.push_back(&v);
  return inputs;
}

inline ir::module import_graph(const model& source, const import_options& options, size_answers& answers,
                               budget_meter& budget) {
  ir::module m;
  m.build.values_are_bound = !options.constants.empty();
  const std::vector<const value_info*> inputs = open_inputs(source.graph, options);
  std::vector<type_id> types;
  for (const value_info* v : inputs) types.push_back(m.intern(to_type(*v, m, options)));
  for (const auto& [name, shape] : options.shapes)
    if (std::none_of(inputs.begin(), inputs.end(), [&](const value_info* v) { return v->name == name; }))
      throw error("onnx.bad_option", "a shape is given for '" + name + "', which is not an input", source.file,
                  "name one of the model's inputs");
  const function_id main = m.add_function("main", ir::function_kind::graph, types);
  m[main].entry = true;
  const region_id body = m[main].body;
  import_context cx(source, options, answers, budget, m, body);
  cx.add_initializers(source.graph);
  for (size_t i = 0; i < inputs.size(); ++i) {
    m[main].argument_names.push_back(inputs[i]->name);
    cx.define(inputs[i]->name, m[body].arguments[i]);
  }
  for (const auto& [name, value] : options.constants) cx.define(name, cx.constant(value, name));
  cx.import_nodes(source.graph.nodes);
  std::vector<value_id> results;
  for (const value_info& v : source.graph.outputs) {
    const value_id r = cx.lookup(v.name, "output of the model");
    results.push_back(r);
    m[main].result_names.push_back(v.name);
    m[main].result_types.push_back(m[r].type);
    check_declared("output '" + v.name + "'", v.type, m, m.type_of(r));
  }
  const op::return_ end;
  cx.at().make_erased(ir::info_of<op::return_>, &end, results, {}, 0);
  return m;
}

inline sourced_module import_as_given(const model& source, const import_options& options) {
  size_answers answers;
  budget_meter budget(options.budget);
  sourced_module made;
  const failure wrong = with_answers(
      answers, 0,
      [&] { made.module = ir_module<phases::ingestion>::adopt(import_graph(source, options, answers, budget)); },
      [&] { answers.assumed.clear(), budget.restart(); });
  if (wrong) wrong.rethrow();
  made.assumed = std::move(answers.assumed);
  return made;
}

/// Does a model keep to its operators' rules while nothing is said of its inputs?
inline bool is_right_unbound(const model& source, import_options options) {
  options.shapes.clear(), options.symbols.clear(), options.constants.clear(), options.likely.clear();
  return !attempt([&] { import_as_given(source, options); }).as<rule_error>();
}

/// `advice()` takes the place of the advice to export a model again where it is what the caller gave that is wrong.
template <class F>
sourced_module import_with_advice(const model& source, const import_options& options, const F& advice) {
  std::vector<std::string> given;
  for (const auto& [name, value] : options.constants) given.push_back(name);
  check_rules(source, options.operators, given);
  try {
    return import_as_given(source, options);
  } catch (node_error& e) {
    const bool binds = !options.shapes.empty() || !options.symbols.empty() || !options.constants.empty();
    if (binds && is_right_unbound(source, options)) e.restate(e.message(), e.where(), advice());
    throw;
  }
}

/// "input 'x' is f32[1,3], of which dimension 0 may be another", of the shapes and sizes in the options.
inline std::string advice_on_sizes(const model& source, import_options options) {
  ir::module open, bound;
  std::vector<type_id> types;
  std::vector<std::string> names;
  std::vector<std::optional<std::vector<i64>>> shapes;
  const std::vector<const value_info*> inputs = open_inputs(source.graph, options);
  for (const value_info* v : inputs) {
    const ir::type t = to_type(*v, bound, options);
    shapes.push_back(t.is_tensor() && t.is_static() ? std::optional(t.extents()) : std::nullopt);
    names.push_back(v->name);
  }
  options.shapes.clear(), options.symbols.clear();
  for (const value_info* v : inputs) types.push_back(open.intern(to_type(*v, open, options)));
  const function_id f = open.add_function("main", ir::function_kind::graph, types);
  open[f].argument_names = std::move(names);
  return ir::open_extents_sentence(open, f, shapes);
}

}  // namespace detail

namespace detail {
/// What is known, as options.
inline import_options with_known(import_options o, const known_inputs& known) {
  for (const auto& [name, shape] : known.shapes) o.shapes[name] = shape;
  for (const auto& [name, value] : known.values) o.constants.insert_or_assign(name, value), o.shapes.erase(name);
  for (const auto& [name, size] : known.likely) o.likely[name] = size;
  o.asks_in_branches = o.asks_in_branches || known.asks_in_branches;
  return o;
}

class model_again final : public module_maker {
 public:
  model_again(const model& m, const import_options& options) : model_(m), options_(options) {}
  sourced_module make(const known_inputs& known) const override {
    return import_as_given(model_, with_known(options_, known));
  }

 private:
  const model& model_;
  const import_options& options_;
};
}  // namespace detail

ir_module<phases::ingestion> import_model(const model& source, const import_options& options) {
  import_options first = options;
  first.asks_in_branches = options.graphs > 1;
  return with_other_answers(
      detail::import_with_advice(source, first, [&] { return detail::advice_on_sizes(source, options); }),
      detail::model_again(source, options), options.graphs);
}

namespace detail {

class model_to_import final : public module_source, public model_file {
 public:
  model_to_import(model m, import_options options, std::string path = {}, mapped_file file = {})
      : model_(std::move(m)), options_(std::move(options)), path_(std::move(path)), file_(std::move(file)) {
    std::vector<type_id> types;
    std::vector<std::string> names;
    for (const value_info* i : open_inputs(model_.graph, options_)) {
      names.push_back(i->name);
      types.push_back(signature_.intern(to_type(*i, signature_, options_)));
    }
    ir::function& entry = signature_[signature_.add_function("main", ir::function_kind::graph, types)];
    entry.entry = true;
    entry.argument_names = std::move(names);
    for (const value_info& o : model_.graph.outputs) entry.result_names.push_back(o.name);
  }
  const ir::module& signature() const override { return signature_; }
  sourced_module make(const known_inputs& known) const override {
    try {
      // Who tells sizes knows which others there are: what to do is said there.
      return import_with_advice(model_, with_known(options_, known), [] { return std::string(); });
    } catch (const unknown_input& e) {  // from deep inside of an operator's rules
      return {std::nullopt, e.needs, e};
    }
  }
  std::string file() const override {
    const import_options& o = options_;
    const bool says_all = o.shapes.empty() && o.symbols.empty() && o.constants.empty() && o.likely.empty() &&
                          !o.random_seed && o.operators.empty();
    if (!says_all || file_.size() == 0) return {};
    try {
      return mapped_file(path_).data() == file_.data() ? path_ : std::string();  // nobody wrote to it, or replaced it
    } catch (const error&) { return {}; }
  }

 private:
  model model_;
  import_options options_;
  std::string path_;
  mapped_file file_;
  ir::module signature_;
};

}  // namespace detail

std::unique_ptr<module_source> source_of(model m, import_options options) {
  return std::make_unique<detail::model_to_import>(std::move(m), std::move(options));
}

ir_module<phases::ingestion> load(const std::string& path, const import_options& options) {
  return import_model(load_model(path, {options.budget, options.follow_links}), options);
}
std::unique_ptr<module_source> open(const std::string& path, const import_options& options) {
  std::error_code unknown;
  mapped_file file = std::filesystem::is_regular_file(path, unknown) ? mapped_file(path) : mapped_file();
  return std::make_unique<detail::model_to_import>(load_model(path, {options.budget, options.follow_links}), options,
                                                   path, std::move(file));
}

}  // namespace tenon::importers::onnx
