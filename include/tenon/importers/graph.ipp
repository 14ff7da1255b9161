/// @file graph.ipp: definitions of importers/graph.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include <tenon/importers/graph.hpp>
#include <tenon/ir/refine.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/npy.hpp>

namespace tenon::nn {

namespace detail {
/// "model.cpp:12"
inline std::string line_of(const std::source_location& at) {
  const std::string_view path = at.file_name();
  return std::string(path.substr(path.find_last_of("/\\") + 1)) + ":" + std::to_string(at.line());
}
}  // namespace detail

// -- the graph --------------------------------------------------------------------------------------------------------

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

std::string graph::place(const location& here) const {
  const std::string line = detail::line_of(caller_ ? *caller_ : here);
  std::string inside = name_;
  for (const std::string& s : scopes_) inside += (inside.empty() ? "" : "/") + s;
  return inside.empty() ? line : line + ", in '" + inside + "'";
}
void graph::stand_at(const location& l) { to_.set_location(to_.mod().location(place(l))); }

value_id graph::own(const variable& v, const location& at) const {
  if (v.graph_ != this) throw error("graph.other", "an operand is a value of another graph", place(at));
  return v.id_;
}

std::vector<variable> graph::values(const std::vector<value_id>& ids) {
  std::vector<variable> r;
  for (const value_id v : ids) r.push_back(variable(*this, v));
  return r;
}

variable graph::input(const std::string& name, dtype type, const std::vector<extent>& shape, location at) {
  ir::module& m = to_.mod();
  ir::function& f = m[main_];
  if (std::find(f.argument_names.begin(), f.argument_names.end(), name) != f.argument_names.end())
    throw error("graph.name", "there is an input '" + name + "' already", place(at), "give each a name of its own");
  std::vector<ir::dim> dims;
  for (const extent& e : shape) {
    if (e.name_.empty() && e.number_ < 0)
      throw error("graph.shape", "input '" + name + "' has a dimension of " + std::to_string(e.number_), place(at),
                  "an extent that is not known has a name: {\"N\", 784}");
    dims.push_back(e.name_.empty() ? ir::dim(e.number_) : ir::dim::symbol(m.symbol(e.name_)));
  }
  const value_id v = m.add_argument(f.body, m.intern(ir::type::tensor(type, dims)));
  m[main_].argument_names.push_back(name);
  return variable(*this, v);
}

void graph::output(const std::string& name, const variable& v, location at) {
  ir::function& f = to_.mod()[main_];
  if (std::find(f.result_names.begin(), f.result_names.end(), name) != f.result_names.end())
    throw error("graph.name", "there is an output '" + name + "' already", place(at), "give each a name of its own");
  results_.push_back(own(v, at));
  f.result_names.push_back(name);
}

variable graph::constant(tensor t, std::string name, location at) {
  const op::constant c{to_.mod().add_constant(std::move(t), std::move(name))};
  return make_erased(ir::info_of<op::constant>, &c, {}, at).front();
}

variable graph::load(const std::string& path, location at) { return constant(read_npy(path), path, at); }

variable graph::as_value(const operand& o, const variable& like) {
  if (!o.is_number()) return o.get();
  const dtype t = like.type().elem;
  if (t == dtype::string || (!is_float(t) && o.number() != std::floor(o.number())))
    throw error("graph.number",
                "the number " + std::to_string(o.number()) + " beside a tensor of " + std::string(name_of(t)),
                place(o.at()), "cast the tensor, or write the number as one of its type");
  tensor s(t, {});
  s.set_f64(0, o.number());
  return constant(std::move(s), {}, o.at());
}

std::vector<variable> graph::make_erased(const ir::op_info& info, const void* op, const std::vector<variable>& operands,
                                         const location& at) {
  stand_at(at);
  std::vector<value_id> ids;
  for (const variable& v : operands) ids.push_back(own(v, at));
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
  ir::module& m = to_.mod();
  if (results_.empty())
    throw error("graph.empty", "the graph has no output", name_, "name at least one: g.output(\"y\", y)");
  const op::return_ end;
  to_.make_erased(ir::info_of<op::return_>, &end, results_, {}, 0);
  for (const value_id v : results_) m[main_].result_types.push_back(m[v].type);
  return std::move(module_);
}

// -- control flow -----------------------------------------------------------------------------------------------------

graph::region_writing::~region_writing() {
  if (!op_ || ended_) return;
  graph_.to_ = outer_;
  graph_.to_.mod().erase(op_);
}
void graph::region_writing::begin(op_id op) {
  op_ = op, outer_ = graph_.to_;
  graph_.to_.to_end(graph_.to_.mod().region(op, 0));
}
void graph::region_writing::end() {
  graph_.to_ = outer_;
  ended_ = true;
}

graph::branching::branching(graph& g, const operand& condition, size_t results) : region_writing(g, condition.at()) {
  if (condition.is_number()) throw error("graph.number", "a condition is a tensor of one bool", g.place(at_));
  g.stand_at(at_);
  const op::if_else op;
  const std::vector<type_id> types(results, g.to_.mod().intern(ir::type{}));
  const value_id c = g.own(condition.get(), at_);
  begin(g.to_.make_erased(ir::info_of<op::if_else>, &op, {&c, 1}, types, 2));
}
void graph::branching::write(int branch, const std::vector<variable>& results) {
  graph_.yield(results, at_);
  if (branch == 0) return graph_.to_.to_end(graph_.to_.mod().region(op_, 1));
  end();
}
std::vector<variable> graph::branching::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  return graph_.values(graph_.to_.mod().results(op_));
}

graph::flowing::flowing(graph& g, const location& at, size_t results) : region_writing(g, at) {
  g.stand_at(at_);
  const op::dataflow op;
  const std::vector<type_id> types(results, g.to_.mod().intern(ir::type{}));
  begin(g.to_.make_erased(ir::info_of<op::dataflow>, &op, {}, types, 1));
}
void graph::flowing::write(const std::vector<variable>& results) {
  graph_.yield(results, at_);
  end();
}
std::vector<variable> graph::flowing::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  return graph_.values(graph_.to_.mod().results(op_));
}

graph::looping::looping(graph& g, const operand& trips, const std::vector<variable>& state)
    : region_writing(g, trips.at()), carried_(state.size()) {
  ir::module& m = g.to_.mod();
  const variable n =
      trips.is_number() ? g.constant(tensor::scalar(static_cast<i64>(trips.number())), {}, at_) : trips.get();
  g.stand_at(at_);
  std::vector<value_id> operands{g.own(n, at_), value_id{}};
  std::vector<type_id> types;
  for (const variable& v : state) operands.push_back(g.own(v, at_)), types.push_back(m[v.id()].type);
  const op::repeat op;
  begin(g.to_.make_erased(ir::info_of<op::repeat>, &op, operands, types, 1));
  const region_id body = m.region(op_, 0);
  m.add_argument(body, m.intern(ir::type::tensor(dtype::i64, {})));
  m.add_argument(body, m.intern(ir::type::tensor(dtype::boolean, {})));
  for (const type_id t : types) m.add_argument(body, t);
}
variable graph::looping::count() const {
  const ir::module& m = graph_.to_.mod();
  return variable(graph_, m[m.region(op_, 0)].arguments[0]);
}
std::vector<variable> graph::looping::state() const {
  const ir::module& m = graph_.to_.mod();
  const auto& arguments = m[m.region(op_, 0)].arguments;
  return graph_.values({arguments.begin() + 2, arguments.end()});
}
void graph::looping::write(const std::vector<variable>& state) {
  ir::module& m = graph_.to_.mod();
  const auto arguments = m[m.region(op_, 0)].arguments;
  for (size_t i = 0; i < carried_; ++i)
    if (m[graph_.own(state[i], at_)].type != m[arguments[i + 2]].type)
      throw error("graph.repeat",
                  "value " + std::to_string(i) + " of the state is " + ir::extents_text(m.type_of(arguments[i + 2])) +
                      " before a run and " + ir::extents_text(state[i].type()) + " after it, or of another type",
                  graph_.place(at_), "let the body keep the types of its state");
  std::vector<variable> all{variable(graph_, arguments[1])};  // goes on
  all.insert(all.end(), state.begin(), state.end());
  graph_.yield(all, at_);
  end();
}
std::vector<variable> graph::looping::results() {
  ir::refine_op(graph_.to_.mod(), op_);
  return graph_.values(graph_.to_.mod().results(op_));
}

// -- operators --------------------------------------------------------------------------------------------------------

namespace detail {
template <class Op>
variable unary(const Op& op, const operand& x) {
  const variable& v = x.get();
  return v.graph().make(op, {v}, x.at());
}
template <class Op>
variable binary(const Op& op, const operand& a, const operand& b) {
  const variable& like = (a.is_number() ? b : a).get();
  graph& g = like.graph();
  return g.make(op, {g.as_value(a, like), g.as_value(b, like)}, a.at());
}
/// All axes of a value that has a rank.
inline std::vector<i64> axes_of(const variable& v, size_t from = 0) {
  std::vector<i64> axes(static_cast<size_t>(std::max<i64>(v.rank() - static_cast<i64>(from), 0)));
  std::iota(axes.begin(), axes.end(), static_cast<i64>(from));
  return axes;
}
/// The number of elements along axes, as a scalar of a float's type.
inline variable count(const variable& v, const std::vector<i64>& axes, dtype t) {
  graph& g = v.graph();
  i64 n = 1;
  bool known = true;
  for (const i64 a : axes) {
    const ir::dim d = v.type().shape[static_cast<size_t>(a < 0 ? a + v.rank() : a)];
    known = known && d.is_static();
    if (known) n = checked_mul(n, d.extent());
  }
  if (known) {
    tensor s(t, {});
    s.set_f64(0, static_cast<double>(n));
    return g.constant(std::move(s));
  }
  const variable list = g.constant(tensor::from<i64>({static_cast<i64>(axes.size())}, std::span<const i64>(axes)));
  const variable extents = gather(g.make(op::shape_of{}, {v}), list);
  return cast(g.make(op::reduce_prod{.axes = {0}, .keep_dims = false}, {extents}), t);
}
}  // namespace detail

#define TENON_NN_unary(name) \
  variable name(operand x) { return detail::unary(op::name{}, x); }
#define TENON_NN_binary(name) \
  variable name(operand a, operand b) { return detail::binary(op::name{}, a, b); }
#define TENON_NN_commutative(name) TENON_NN_binary(name)
#define TENON_NN_DEFINE(name, kind, ...) TENON_NN_##kind(name)
TENON_ELEMENTWISE_OPS(TENON_NN_DEFINE)
#undef TENON_NN_DEFINE
#undef TENON_NN_commutative
#undef TENON_NN_binary
#undef TENON_NN_unary

variable operator+(operand a, operand b) { return add(a, b); }
variable operator-(operand a, operand b) { return sub(a, b); }
variable operator*(operand a, operand b) { return mul(a, b); }
variable operator/(operand a, operand b) { return div(a, b); }
variable operator-(operand a) { return neg(a); }

variable where(operand condition, operand a, operand b) {
  const variable& like = (a.is_number() ? b : a).get();
  graph& g = like.graph();
  return g.make(op::where{}, {condition.get(), g.as_value(a, like), g.as_value(b, like)}, condition.at());
}
variable cast(operand x, dtype to) {
  const variable& v = x.get();
  return v.type().elem == to ? v : detail::unary(op::cast{.to = to}, x);
}

variable relu(operand x) { return maximum(x, operand(0, x.at())); }
variable leaky_relu(operand x, double slope) {
  const graph::called here(x);
  return maximum(x, 0) + minimum(x, 0) * slope;
}
variable gelu(operand x) {
  const graph::called here(x);
  return mul(x, 0.5) * (erf(mul(x, std::sqrt(0.5))) + 1);
}
variable silu(operand x) {
  const graph::called here(x);
  return mul(x, sigmoid(x));
}
variable clip(operand x, double low, double high) {
  const graph::called here(x);
  return minimum(maximum(x, low), high);
}
variable softmax(operand x, i64 axis) { return detail::unary(op::softmax{.axis = axis}, x); }
variable log_softmax(operand x, i64 axis) { return detail::unary(op::log_softmax{.axis = axis}, x); }

variable reshape(operand x, std::vector<i64> shape) { return detail::unary(op::reshape{.shape = std::move(shape)}, x); }
variable flatten(operand x) { return reshape(x, {0, -1}); }
variable transpose(operand x, std::vector<i64> permutation) {
  return detail::unary(op::transpose{.permutation = std::move(permutation)}, x);
}
variable concat(const std::vector<variable>& parts, i64 axis, std::source_location at) {
  if (parts.empty()) throw error("graph.concat", "nothing is joined", {}, "give at least one value");
  return parts.front().graph().make_all(op::concat{.axis = axis}, parts, at).front();
}
variable slice(operand x, i64 axis, i64 start, i64 end, i64 step) {
  return detail::unary(op::slice{.starts = {start}, .ends = {end}, .axes = {axis}, .steps = {step}}, x);
}
variable gather(operand x, operand indices, i64 axis) {
  const variable& v = x.get();
  return v.graph().make(op::gather{.axis = axis}, {v, indices.get()}, x.at());
}
variable embedding(operand table, operand indices) { return gather(table, indices, 0); }

variable reduce_sum(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_sum{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_max(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_max{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_min(operand x, std::vector<i64> axes, bool keep_dims) {
  return detail::unary(op::reduce_min{.axes = std::move(axes), .keep_dims = keep_dims}, x);
}
variable reduce_mean(operand x, std::vector<i64> axes, bool keep_dims) {
  const variable& v = x.get();
  const graph::called here(x);
  if (axes.empty()) axes = detail::axes_of(v);
  for (const i64 a : axes)
    if (a < -v.rank() || a >= v.rank())
      throw error("graph.axis",
                  "axis " + std::to_string(a) + " of a tensor of " + std::to_string(v.rank()) + " dimensions",
                  v.graph().place(x.at()));
  // The sum of many 16-bit floats may not be one, though their mean is.
  const dtype t = v.type().elem, wide = compute_type(t);
  return cast(reduce_sum(cast(x, wide), axes, keep_dims) / detail::count(v, axes, wide), t);
}
variable arg_max(operand x, i64 axis, bool keep_dims) {
  return detail::unary(op::arg_max{.axis = axis, .keep_dims = keep_dims}, x);
}

// -- layers -----------------------------------------------------------------------------------------------------------

variable matmul(operand a, operand b) {
  const variable& v = a.get();
  return v.graph().make(op::matmul{}, {v, b.get()}, a.at());
}
variable dense(operand x, operand weight) { return matmul(x, weight); }
variable dense(operand x, operand weight, operand bias) {
  const graph::called here(x);
  return matmul(x, weight) + bias;
}

namespace detail {
inline op::conv conv_of(const convolution& how) {
  op::conv c;
  c.strides = how.strides, c.dilations = how.dilations, c.pads = how.pads, c.group = how.group;
  return c;
}
/// A list of one number per channel, for dimension 1 of a value.
inline variable per_channel(const variable& list, const variable& x) {
  std::vector<i64> shape(static_cast<size_t>(std::max(x.rank() - 1, 1)), 1);
  shape[0] = -1;
  return reshape(list, shape);
}
}  // namespace detail

variable conv(operand x, operand weight, const convolution& how) {
  const variable& v = x.get();
  return v.graph().make(detail::conv_of(how), {v, weight.get()}, x.at());
}
variable conv(operand x, operand weight, operand bias, const convolution& how) {
  const variable& v = x.get();
  return v.graph().make(detail::conv_of(how), {v, weight.get(), bias.get()}, x.at());
}
variable max_pool(operand x, const window& w) {
  const variable& v = x.get();
  op::max_pool p;
  p.kernel = w.kernel, p.strides = w.strides, p.dilations = w.dilations, p.pads = w.pads;
  return v.graph().make_all(p, {v}, x.at()).front();
}
variable average_pool(operand x, const window& w) {
  op::average_pool p;
  p.kernel = w.kernel, p.strides = w.strides, p.dilations = w.dilations, p.pads = w.pads;
  return detail::unary(p, x);
}
variable global_average_pool(operand x) { return reduce_mean(x, detail::axes_of(x.get(), 2)); }

variable batch_norm(operand x, operand scale, operand shift, operand mean, operand variance, double epsilon) {
  const graph::called here(x);
  // x * a + b with a and b of the parameters alone: constants, which fold into a convolution before it.
  const variable a = scale / sqrt(variance + epsilon), b = shift - mean * a;
  return x * detail::per_channel(a, x.get()) + detail::per_channel(b, x.get());
}
variable layer_norm(operand x, operand scale, operand shift, double epsilon) {
  const graph::called here(x);
  const variable centered = x - reduce_mean(x, {-1});
  return centered / sqrt(reduce_mean(centered * centered, {-1}) + epsilon) * scale + shift;
}
variable rms_norm(operand x, operand scale, double epsilon) {
  const graph::called here(x);
  return x / sqrt(reduce_mean(x * x, {-1}) + epsilon) * scale;
}

namespace detail {
inline variable attend(const operand& q, const operand& k, const operand& v, const operand* mask) {
  const variable &a = q.get(), &b = k.get();
  const graph::called here(q);
  if (a.rank() < 2 || b.rank() < 2 || !a.type().shape.back().is_static())
    throw error("graph.attention", "the last dimension of queries and keys needs an extent that is a number",
                a.graph().place(q.at()));
  std::vector<i64> swap = axes_of(b);
  std::swap(swap[swap.size() - 1], swap[swap.size() - 2]);
  variable scores = matmul(q, transpose(k, swap)) / std::sqrt(static_cast<double>(a.type().shape.back().extent()));
  if (mask) scores = scores + *mask;
  return matmul(softmax(scores), v);
}
}  // namespace detail
variable attention(operand q, operand k, operand v) { return detail::attend(q, k, v, nullptr); }
variable attention(operand q, operand k, operand v, operand mask) { return detail::attend(q, k, v, &mask); }

namespace detail {
/// Exchanges the dimension `back` places from the end, 2 for the last but one, with the one before it.
inline variable exchanged(const variable& x, size_t back) {
  std::vector<i64> order = axes_of(x);
  std::swap(order[order.size() - back], order[order.size() - back - 1]);
  return transpose(x, order);
}
inline void require_rank(const operand& x, i64 least, const char* what) {
  if (x.get().rank() < least)
    throw error("graph.heads",
                std::string(what) + " takes at least " + std::to_string(least) + " dimensions, and this has " +
                    std::to_string(x.get().rank()),
                x.get().graph().place(x.at()));
}
}  // namespace detail
variable split_heads(operand x, i64 heads) {
  const graph::called here(x);
  detail::require_rank(x, 2, "split_heads");
  std::vector<i64> shape(static_cast<size_t>(x.get().rank()) + 1, 0);  // 0: as it is
  shape[shape.size() - 2] = heads, shape.back() = -1;
  return detail::exchanged(reshape(x, shape), 2);
}
variable merge_heads(operand x) {
  const graph::called here(x);
  detail::require_rank(x, 3, "merge_heads");
  std::vector<i64> shape(static_cast<size_t>(x.get().rank()) - 1, 0);
  shape.back() = -1;
  return reshape(detail::exchanged(x.get(), 2), shape);
}

}  // namespace tenon::nn
