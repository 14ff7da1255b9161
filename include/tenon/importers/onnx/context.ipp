/// @file context: definitions: names, attributes, functions, errors.
#pragma once

#include <algorithm>
#include <set>

#include <tenon/core/sizes_outside.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/rules.hpp>
#include <tenon/importers/onnx/unknown_operators.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/dims.hpp>

namespace tenon::importers::onnx {
namespace detail {

inline std::string key_of(const std::string& domain, const std::string& name, const std::string& overload) {
  return domain + '\0' + name + '\0' + overload;
}

}  // namespace detail

import_context::import_context(const onnx::model& m, const import_options& options, size_answers& answers,
                               budget_meter& budget, ir::module& to, region_id body)
    : writer(to, body, budget), model_(m), options_(options), answers_(answers), body_(body), scope_(&top_scope_),
      frame_(&top_frame_) {
  for (const function& f : m.functions) functions_.emplace(detail::key_of(f.domain, f.name, f.overload), &f);
  top_frame_.opsets = m.opset_imports;
  if (top_frame_.opsets.empty()) top_frame_.opsets.push_back({"", m.opset().value_or(1)});
}

bool import_context::assume(const extent_condition& c) {
  // What is wrong with a graph may have changed the answer; a branch that is wrong for these sizes may never run.
  if (!is_outermost() && !(options_.asks_in_branches && c.holds_with(options_.likely).value_or(true))) return false;
  const std::set<std::string> of_inputs = ir::names_of_extents(mod(), mod().function_of(body_));
  for (const std::string& n : c.value.names())
    if (!of_inputs.contains(n)) return false;
  condition_list with = answers_.assumed;
  if (!with.add(c)) return false;
  constexpr size_t few = 16;  // models that ask more have no answers that are at odds, or are no models
  if (with.items().size() != answers_.assumed.items().size() && with.items().size() <= few &&
      !sizes_outside(with, {}).may_be())
    return false;
  answers_.assumed = std::move(with);
  return mod().conditions.add(c);
}

// -- errors ---------------------------------------------------------------------------------------------------------

void import_context::fail(std::string code, std::string message, std::string hint) const {
  throw error(std::move(code), std::move(message), where(), std::move(hint));
}
import_context::values import_context::known_operands() const {
  values known;
  for (const std::string& name : node_->inputs)
    for (const scope* s = scope_; s != nullptr; s = s->outer)
      if (const auto found = s->values.find(name); found != s->values.end()) {
        known.push_back(found->second);
        break;
      }
  return known;
}
void import_context::unknown(std::string code, std::string message, std::string hint) const {
  throw unknown_input(unsupported_error(std::move(code), std::move(message), where(), std::move(hint)),
                      needs_of(known_operands()));
}
void import_context::unsupported(std::string what, std::string hint) const {
  unsupported_error e("onnx.unsupported", "not supported yet: " + what, where(), std::move(hint));
  std::vector<ir::input_need> open = needs_of({});  // for given shapes it may be supported: a size that must be known
  if (open.empty()) throw e;
  throw unknown_input(std::move(e), std::move(open));
}
void import_context::bad(std::string what, std::vector<i64> sizes) const {
  if (node_ != nullptr) {
    const std::vector<i64> own = ir::sizes_of(mod(), known_operands());
    sizes.insert(sizes.end(), own.begin(), own.end());
    for (const attribute& a : node_->attributes) {
      if (a.type == attribute::type_t::int_) sizes.push_back(a.i);
      sizes.insert(sizes.end(), a.ints.begin(), a.ints.end());
    }
  }
  throw node_error(std::move(what), where(), sizes);
}

// -- names ----------------------------------------------------------------------------------------------------------

void import_context::define(const std::string& name, value_id v) {
  if (name.empty()) return;
  if (!scope_->values.emplace(name, v).second)
    fail("onnx.duplicate_name", "the value '" + name + "' is made twice",
         "each name may be an output of one node only");
}

value_id import_context::lookup(const std::string& name, const std::string& user) {
  for (const scope* s = scope_; s; s = s->outer) {
    if (const auto v = s->values.find(name); v != s->values.end()) return v->second;
    // Kept in the innermost scope: its region may be inside of the one that the initializer belongs to.
    if (const auto t = s->initializers.find(name); t != s->initializers.end())
      return scope_->values[name] = stored_constant(decoded(*t->second), name);
    if (const auto p = s->sparse_initializers.find(name); p != s->sparse_initializers.end())
      return scope_->values[name] = constant(dense(*p->second), name);
  }
  fail("onnx.undefined_value", user + " '" + name + "' is not made by any node before it",
       "nodes must be in topological order, and their graph without cycles");
}

/// Decoded once: what is not aligned in the file is a copy.
tensor import_context::decoded(const tensor_proto& t) {
  auto known = decoded_.find(&t);
  if (known == decoded_.end()) known = decoded_.emplace(&t, to_tensor(t)).first;
  return known->second;
}

tensor import_context::dense(const sparse_tensor_proto& t) {
  require_room(require_dtype(t.values.type, where()), t.dims);
  return to_tensor(t);
}

void import_context::add_initializers(const graph& g) {
  for (const tensor_proto& t : g.initializers) scope_->initializers.emplace(t.name, &t);
  for (const sparse_tensor_proto& t : g.sparse_initializers) scope_->sparse_initializers.emplace(t.values.name, &t);
}

// -- inputs and outputs -----------------------------------------------------------------------------------------------

bool import_context::has(int i) const {
  if (i >= input_count() || node_->inputs[static_cast<size_t>(i)].empty()) return false;
  for (const scope* s = scope_; s; s = s->outer)
    if (const auto v = s->values.find(node_->inputs[static_cast<size_t>(i)]); v != s->values.end())
      return static_cast<bool>(v->second);
  return true;
}

value_id import_context::in(int i) {
  if (!has(i)) bad("input " + std::to_string(i) + " is missing");
  return lookup(node_->inputs[static_cast<size_t>(i)], "input " + std::to_string(i));
}

import_context::values import_context::ins() {
  values all;
  for (int i = 0; i < input_count(); ++i) all.push_back(has(i) ? in(i) : value_id{});
  return all;
}

import_context::values import_context::all_ins() {
  values all;
  for (int i = 0; i < input_count(); ++i) all.push_back(in(i));
  return all;
}

void import_context::require_shape(int i, const std::vector<i64>& shape) {
  const ir::type& t = type_of(in(i));
  if (!t.is_tensor() || !t.ranked) return;
  bool fits = t.shape.size() == shape.size();
  std::string want;
  for (size_t d = 0; d < shape.size(); ++d) {
    fits = fits && (shape[d] < 0 || require_equal(t.shape[d], shape[d]));
    want += (d ? "," : "") + (shape[d] < 0 ? std::string("?") : std::to_string(shape[d]));
  }
  if (!fits) bad("input " + std::to_string(i) + " has the shape " + ir::extents_text(t) + ", not [" + want + "]");
}

void import_context::require_same_shape(value_id result, value_id x) const {
  const ir::type a = type_of(result), b = type_of(x);
  if (!a.is_tensor() || !b.is_tensor() || !a.ranked || !b.ranked) return;
  bool same = a.shape.size() == b.shape.size();
  for (size_t d = 0; same && d < a.shape.size(); ++d) same = require_equal(a.shape[d], b.shape[d]);
  if (!same)
    bad("an operand of shape " + ir::extents_text(b) + " would grow to " + ir::extents_text(a) +
        ": the others are broadcast to it");
}

bool import_context::in_integers(int i, std::vector<i64>& to) {
  const tensor* const t = has(i) ? constant_of(in(i)) : nullptr;
  if (!t) return false;
  if (!is_int(t->type())) bad("input " + std::to_string(i) + " must be integers, not " + t->describe());
  to.clear();
  for (i64 k = 0; k < t->size(); ++k) to.push_back(t->at_i64(k));
  return true;
}

value_id import_context::in_whole(int i) {
  const value_id v = in(i);
  if (!is_int(elem(v))) bad("input " + std::to_string(i) + " must be integers, not " + std::string(name_of(elem(v))));
  return v;
}

void import_context::needs_constant(int i) const {
  unknown("onnx.needs_constant",
          "input " + std::to_string(i) + " ('" + node_->inputs[static_cast<size_t>(i)] +
              "') must be known while importing, but is computed when the model runs",
          "give it, or the shapes of the model's inputs, in the import options");
}

std::vector<i64> import_context::in_integers(int i) {
  std::vector<i64> list;
  in(i);  // reports a missing input
  if (!in_integers(i, list)) needs_constant(i);
  return list;
}

double import_context::in_number(int i) {
  const tensor* const t = constant_of(in(i));
  if (!t) needs_constant(i);
  if (t->size() != 1) bad("input " + std::to_string(i) + " must be one number, not " + t->describe());
  return t->at_f64(0);
}

i64 import_context::in_integer(int i) {
  const tensor* const t = constant_of(in(i));
  if (!t) needs_constant(i);
  if (t->size() != 1 || !is_int(t->type()))
    bad("input " + std::to_string(i) + " must be one integer, not " + t->describe());
  return t->at_i64(0);
}

void import_context::out(int i, value_id v) {
  if (wants(i)) define(node_->outputs[static_cast<size_t>(i)], v);
}

// -- attributes -----------------------------------------------------------------------------------------------------

const attribute* import_context::find(std::string_view name) const {
  const attribute* a = node_->find(name);
  if (!a || a->ref_attr_name.empty()) return a;
  const auto argument = frame_->attributes.find(a->ref_attr_name);
  return argument == frame_->attributes.end() ? nullptr : argument->second;
}

const attribute* import_context::find(std::string_view name, attribute::type_t type) const {
  const attribute* const a = find(name);
  if (a && a->type != type)
    bad("attribute '" + std::string(name) + "' must be of type " + std::string(name_of(type)) + ", not " +
        std::string(name_of(a->type)));
  return a;
}

const attribute& import_context::require(std::string_view name, attribute::type_t type) const {
  const attribute* const a = find(name, type);
  if (!a) bad("attribute '" + std::string(name) + "' is missing");
  return *a;
}

i64 import_context::i(std::string_view name, i64 otherwise) const {
  const attribute* const a = find(name, attribute::type_t::int_);
  return a ? a->i : otherwise;
}
i64 import_context::i(std::string_view name) const { return require(name, attribute::type_t::int_).i; }
float import_context::f(std::string_view name, float otherwise) const {
  const attribute* const a = find(name, attribute::type_t::float_);
  return a ? a->f : otherwise;
}
float import_context::f(std::string_view name) const { return require(name, attribute::type_t::float_).f; }
std::string import_context::s(std::string_view name, std::string otherwise) const {
  const attribute* const a = find(name, attribute::type_t::string);
  return a ? a->s : otherwise;
}
std::string import_context::s(std::string_view name) const { return require(name, attribute::type_t::string).s; }
std::vector<i64> import_context::integers(std::string_view name, std::vector<i64> otherwise) const {
  const attribute* const a = find(name, attribute::type_t::ints);
  return a ? a->ints : otherwise;
}
std::vector<float> import_context::floats(std::string_view name, std::vector<float> otherwise) const {
  const attribute* const a = find(name, attribute::type_t::floats);
  return a ? a->floats : otherwise;
}
std::vector<std::string> import_context::strings(std::string_view name) const {
  const attribute* const a = find(name, attribute::type_t::strings);
  return a ? a->strings : std::vector<std::string>();
}
dtype import_context::element_type(std::string_view name, dtype otherwise) const {
  const attribute* const a = find(name, attribute::type_t::int_);
  return a ? require_dtype(to_elem_type(a->i), where()) : otherwise;
}
const tensor_proto& import_context::t(std::string_view name) const {
  return *require(name, attribute::type_t::tensor).t();
}
const graph& import_context::g(std::string_view name) const { return *require(name, attribute::type_t::graph).g(); }

// -- nodes ----------------------------------------------------------------------------------------------------------

i64 import_context::opset_of(const std::string& domain) const {
  for (const frame* f = frame_; f; f = f->caller)
    for (const opset_import& o : f->opsets)
      if (o.domain == domain) return o.version;
  return 1;  // exporters forget to import the domains of their own operators
}

const function* import_context::find_function(const node& n) const {
  const auto found = functions_.find(detail::key_of(n.domain, n.op_type, n.overload));
  return found == functions_.end() ? nullptr : found->second;
}

void import_context::import_nodes(const std::vector<node>& nodes) {
  struct place {  // restored when a node fails, too: an If can do without one of its branches
    import_context& cx;
    const location_id location;
    const node* const outer;
    const i64 opset;
    ~place() {
      cx.node_ = outer;
      cx.opset_ = opset;
      cx.at().set_location(location);
    }
  };
  const place guard{*this, at().location(), node_, opset_};
  for (const node& n : nodes) {
    const std::string place = place_of(n) + frame_->call_site;
    budget_.take_node(place);
    budget_.take_bytes(static_cast<i64>(place.size()), place);
    at().set_location(mod().location(place));
    node_ = &n;
    opset_ = opset_of(n.domain);
    import_node(n);
  }
}

void import_context::import_node(const node& n) {
  if (const function* const f = find_function(n)) return call_function(*f, n);
  if (n.domain.empty() && opset_ > newest_opset)
    throw unsupported_error("onnx.unsupported_opset",
                            "the model uses operator set " + std::to_string(opset_) + ", the newest known is " +
                                std::to_string(newest_opset),
                            where(), "export the model for an older operator set");
  const registered_operator* const op = find_operator(options_.operators, n.domain, n.op_type, opset_);
  if (!op) throw unknown_operator(model_, options_.operators, {n.domain, n.op_type, opset_, 1}, where());
  try {
    check_elements(*this, *op);
    op->import(*this, n);
  } catch (error& e) {  // what knows of no nodes (sizes, tensors) says no place
    if (e.where().empty()) e.restate(e.message(), where(), e.hint());
    throw;
  }
  for (int i = 0; i < output_count(); ++i)
    if (wants(i) && !scope_->values.contains(n.outputs[static_cast<size_t>(i)]))
      unsupported("output " + std::to_string(i) + " of " + n.op_type);
}

import_context::values import_context::inline_graph(const graph& g, const values& inputs) {
  if (inputs.size() != g.inputs.size())
    bad("the graph '" + g.name + "' has " + std::to_string(g.inputs.size()) + " inputs, but gets " +
        std::to_string(inputs.size()));
  const budget_meter::level deeper(budget_, where());
  scope inner{scope_, {}, {}, {}};
  struct entered {
    scope*& now;
    scope* const outer;
    ~entered() { now = outer; }
  };
  const entered guard{scope_, scope_};
  scope_ = &inner;
  for (size_t i = 0; i < inputs.size(); ++i) define(g.inputs[i].name, inputs[i]);
  add_initializers(g);
  import_nodes(g.nodes);
  values results;
  for (const value_info& v : g.outputs) results.push_back(lookup(v.name, "output of graph '" + g.name + "'"));
  return results;
}

void import_context::call_function(const function& f, const node& n) {
  for (const frame* c = frame_; c; c = c->caller)
    if (c->definition == &f) fail("onnx.recursive_function", "function '" + f.name + "' calls itself");
  const budget_meter::level deeper(budget_, where());
  if (n.inputs.size() > f.inputs.size() || n.outputs.size() > f.outputs.size())
    bad("function '" + f.name + "' has fewer inputs or outputs than its call");
  // Of many calls the first and the last are enough to find it, and each node of a function has this text.
  frame inner{frame_, &f, frame_->depth + 1, " in the function called by " + place_of(n), {}, f.opset_imports, {}};
  const frame* first = &inner;
  while (first->caller->definition) first = first->caller;
  inner.call_site = inner.call;
  if (inner.depth > 2) inner.call_site += " in " + std::to_string(inner.depth - 2) + " more functions";
  if (inner.depth > 1) inner.call_site += first->call;
  for (const attribute& a : f.attribute_defaults) inner.attributes[a.name] = &a;
  for (const attribute& a : n.attributes)
    if (const attribute* const value = find(a.name)) inner.attributes[a.name] = value;
  scope body;  // a function sees its parameters only
  for (size_t i = 0; i < f.inputs.size(); ++i)
    body.values[f.inputs[i]] = has(static_cast<int>(i)) ? in(static_cast<int>(i)) : value_id{};
  values results;
  {
    struct entered {
      import_context& cx;
      scope* const outer_scope;
      const frame* const outer_frame;
      ~entered() { cx.scope_ = outer_scope, cx.frame_ = outer_frame; }
    };
    const entered guard{*this, scope_, frame_};
    scope_ = &body;
    frame_ = &inner;
    import_nodes(f.nodes);
    for (size_t i = 0; i < n.outputs.size(); ++i)
      results.push_back(n.outputs[i].empty() ? value_id{}
                                             : lookup(f.outputs[i], "output of function '" + f.name + "'"));
  }
  for (size_t i = 0; i < results.size(); ++i) out(static_cast<int>(i), results[i]);
}

}  // namespace tenon::importers::onnx
