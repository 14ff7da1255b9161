/// @file graph.ipp: definitions of importers/graph/graph.hpp and variable.hpp, but for control flow.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/core/checked.hpp>
#include <tenon/importers/graph/graph.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/runtime/npy.hpp>

namespace tenon::nn {

namespace detail {
/// "model.cpp:12"
inline std::string line_of(const std::source_location& at) {
  const std::string_view path = at.file_name();
  return std::string(path.substr(path.find_last_of("/\\") + 1)) + ":" + std::to_string(at.line());
}
}  // namespace detail

const ir::type& variable::type() const { return graph_->body().type_of(id_); }

const variable& operand::get() const {
  if (value_) return *value_;
  throw error("graph.number", "an operator needs a tensor, and was given the number " + std::to_string(number_),
              detail::line_of(at_), "make it one: g.constant(tensor::scalar(2.f))");
}

graph::graph(std::string name)
    : name_(std::move(name)), main_(module_.body().add_function("main", ir::function_kind::graph, {})),
      to_(module_.body(), module_.body()[main_].body) {
  module_.body()[main_].entry = true;
}

void graph::require_open() const {
  if (!main_)
    throw error("graph.finished", "the graph is finished, and its module was taken", name_,
                "do what is missing before finish()");
}
const ir::module& graph::body() const {
  require_open();
  return module_.body();
}

std::string graph::place(const location& here) const {
  const std::string line = detail::line_of(caller_ ? *caller_ : here);
  std::string inside = name_;
  for (const std::string& s : scopes_) inside += (inside.empty() ? "" : "/") + s;
  return inside.empty() ? line : line + ", in '" + inside + "'";
}
/// "f32[N,784]"
std::string graph::text(const ir::type& t) const {
  if (!t.is_tensor()) return "no tensor";
  std::string s = std::string(name_of(t.elem)) + (t.ranked ? "[" : " of any shape");
  for (const ir::dim d : t.shape) {
    if (s.back() != '[') s += ",";
    s += d.is_static() ? std::to_string(d.extent()) : d.is_unknown() ? "?" : body().name(d.symbol());
  }
  return t.ranked ? s + "]" : s;
}
void graph::stand_at(const location& l) {
  require_open();
  to_.set_location(to_.mod().location(place(l)));
}

value_id graph::own(const variable& v, const location& at) {
  require_open();
  if (v.graph_ != this) throw error("graph.other", "an operand is a value of another graph", place(at));
  ir::module& m = to_.mod();
  const op_id made = m[v.id_].definition;
  const region_id home = made ? m[made].parent : m[v.id_].owner;
  if (!home) throw error("graph.scope", "a tensor is used that was taken back with the body that made it", place(at));
  for (region_id r = to_.region();; r = m[m[r].parent].parent) {
    if (r == home) return v.id_;
    if (!m[r].parent) break;
  }
  // A constant is the same everywhere.
  if (const auto* c = made ? m.view(made).get_if<op::constant>() : nullptr) {
    const op::constant again = *c;
    return to_.make_single(ir::info_of<op::constant>, &again, {});
  }
  const std::string &here = m[m.function_of(to_.region())].name, &there = m[m.function_of(home)].name;
  if (here != there)
    throw error("graph.scope", "a tensor of function '" + there + "' is used in function '" + here + "'", place(at),
                "a function sees what it is given, and gives what it returns");
  throw error("graph.scope", "a tensor of the body of a branch or a loop is used outside of it", place(at),
              "let the body give it as a result");
}

std::vector<variable> graph::values(const std::vector<value_id>& ids) {
  std::vector<variable> r;
  for (const value_id v : ids) r.push_back(variable(*this, v));
  return r;
}

value_id graph::add_argument(function_id f, std::string_view what, const parameter_type& p, const location& at) {
  require_open();
  ir::module& m = to_.mod();
  const std::vector<std::string>& names = m[f].argument_names;
  if (std::find(names.begin(), names.end(), p.name) != names.end())
    throw error("graph.name", "there is " + std::string(what) + " '" + p.name + "' already", place(at),
                "give each a name of its own");
  std::vector<ir::dim> dims;
  for (const extent& e : p.shape) {
    if (e.name_.empty() && e.number_ < 0)
      throw error("graph.shape",
                  std::string(what).substr(3) + " '" + p.name + "' has a dimension of " + std::to_string(e.number_),
                  place(at), "an extent that is not known has a name: {\"N\", 784}");
    dims.push_back(e.name_.empty() ? ir::dim(e.number_) : ir::dim::symbol(m.symbol(e.name_)));
  }
  const value_id v = m.add_argument(m[f].body, m.intern(ir::type::tensor(p.type, dims)));
  m[f].argument_names.push_back(p.name);
  return v;
}

variable graph::input(const std::string& name, dtype type, const std::vector<extent>& shape, location at) {
  return variable(*this, add_argument(main_, "an input", {name, type, shape}, at));
}

void graph::require_no_body(const char* what, const location& at) const {
  if (to_.region() != body()[main_].body)
    throw error("graph.open", std::string(what) + " where the body of a function, branch or loop is written",
                at.line() != 0 ? place(at) : name_, "do that behind it, with what the body gives");
}

void graph::output(const std::string& name, const variable& v, location at) {
  require_no_body("an output is named", at);
  ir::function& f = to_.mod()[main_];
  if (std::find(f.result_names.begin(), f.result_names.end(), name) != f.result_names.end())
    throw error("graph.name", "there is an output '" + name + "' already", place(at), "give each a name of its own");
  results_.push_back(own(v, at));
  f.result_names.push_back(name);
}

variable graph::constant(tensor t, std::string name, location at) {
  require_open();
  const op::constant c{to_.mod().add_constant(std::move(t), std::move(name))};
  return make_erased(ir::info_of<op::constant>, &c, {}, at).front();
}

void graph::require_count(const std::vector<i64>& shape, size_t elements, const location& at) const {
  i64 n = 1;
  for (const i64 d : shape) n = checked_mul(n, d);
  if (n < 0 || static_cast<size_t>(n) != elements)
    throw error("graph.constant", std::to_string(elements) + " elements for the shape " + shape_text(shape), place(at));
}

variable graph::load(const std::string& path, location at) {
  try {
    return constant(read_npy(path), path, at);
  } catch (error& e) {
    e.restate((e.where().empty() ? "" : e.where() + ": ") + e.message(), place(at), e.hint());
    throw;
  }
}

variable graph::as_value(const operand& o, const variable& like) {
  return o.is_number() ? number_as(like.type().elem, o) : o.get();
}
variable graph::number_as(dtype t, const operand& o) {
  if (t == dtype::string || (!is_float(t) && o.number() != std::floor(o.number())))
    throw error("graph.number",
                "the number " + std::to_string(o.number()) + " beside a tensor of " + std::string(name_of(t)),
                place(o.at()), "cast the tensor, or write the number as one of its type");
  tensor s(t, {});
  s.set_f64(0, o.number());
  return constant(std::move(s), {}, o.at());
}

std::vector<variable> graph::make_erased(const ir::op_info& info, const void* op,
                                         const std::vector<std::optional<variable>>& operands, const location& at) {
  stand_at(at);
  std::vector<value_id> ids;
  for (const auto& v : operands) ids.push_back(v ? own(*v, at) : value_id{});
  return values(to_.mod().results(to_.make_erased(info, op, ids)));
}

void graph::yield(const std::vector<variable>& results, const location& at) {
  stand_at(at);
  std::vector<value_id> ids;
  for (const variable& v : results) ids.push_back(own(v, at));
  const op::yield end;
  to_.make_erased(ir::info_of<op::yield>, &end, ids, {}, 0);
}

ir_module<phases::ingestion> graph::finish() && {
  require_no_body("the graph is finished", location());
  ir::module& m = to_.mod();
  if (results_.empty())
    throw error("graph.empty", "the graph has no output", name_, "name at least one: g.output(\"y\", y)");
  const op::return_ end;
  to_.make_erased(ir::info_of<op::return_>, &end, results_, {}, 0);
  for (const value_id v : results_) m[main_].result_types.push_back(m[v].type);
  main_ = {};
  return std::move(module_);
}

}  // namespace tenon::nn
