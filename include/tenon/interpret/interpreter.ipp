/// @file interpreter.ipp: definitions of interpret/interpreter.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <unordered_map>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/interpret/machine.ipp>
#include <tenon/interpret/types_of_run.ipp>
#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/placed.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/ops/fwd.hpp>
#include <tenon/runtime/run_options.hpp>

namespace tenon {
namespace interpreting {

struct registered_evaluation {
  eval_entry entry;
  registered_evaluation* next;
};
inline std::atomic<registered_evaluation*>& registered() {
  static std::atomic<registered_evaluation*> first = nullptr;
  return first;
}

inline const std::unordered_map<const ir::op_info*, const eval_entry*>& builtin_evaluations() {
  static const auto table = [] {
    std::unordered_map<const ir::op_info*, const eval_entry*> t;
    for (const eval_entry& e : eval_table_of<meta::concat_t<graph_ops, host_ops>>())
      if (e.info != nullptr) t.emplace(e.info, &e);
    return t;
  }();
  return table;
}

inline const item& machine::get(const frame& f, value_id v, op_id user) const {
  const auto it = v ? f.values.find(v.index) : f.values.end();
  if (it == f.values.end())
    fail("interpret.undefined", v ? "an operand has no value yet" : "an operand is missing", user);
  return it->second;
}

inline const tensor& machine::get_tensor(const frame& f, value_id v, op_id user) const {
  const item& i = get(f, v, user);
  if (!i.is_tensor()) fail("interpret.operands", "an operand is not a tensor", user);
  return i.value;
}

inline const buffer& machine::get_buffer(const frame& f, value_id v, op_id user) const {
  const item& i = get(f, v, user);
  if (!i.memory.owner) fail("interpret.operands", "an operand is not a buffer", user);
  return i.memory;
}

inline std::vector<item> machine::operands(const frame& f, op_id op, int from) const {
  std::vector<item> r;
  for (int i = from; i < module_.view(op).operand_count(); ++i) r.push_back(get(f, module_.operand(op, i), op));
  return r;
}

inline function_id machine::callee(const ir::function_ref& name, op_id op) const {
  const function_id f = module_.find_function(name.name);
  if (!f) fail("interpret.no_function", "there is no function '" + name.name + "'", op);
  return f;
}

inline kernel& machine::decoded(function_id f) {
  auto& k = kernels_[f.index];
  if (!k) k = std::make_unique<kernel>(module_, f, checks_);
  return *k;
}

inline void machine::set(frame& f, value_id v, item i) const {
  const region_id home = module_[v].definition ? module_[module_[v].definition].parent : module_[v].owner;
  int uses = 0;
  for (use_id u = module_[v].first_use; u; u = module_[u].next, ++uses)
    if (module_[module_[u].user].parent != home) {
      uses = 0;
      break;
    }
  if (uses != 0) f.uses_left[v.index] = uses;
  f.values.insert_or_assign(v.index, std::move(i));
}

/// Frees what this op used last.
inline void machine::release(frame& f, op_id op) const {
  for (int i = 0; i < module_.view(op).operand_count(); ++i) {
    const value_id v = module_.operand(op, i);
    const auto it = v ? f.uses_left.find(v.index) : f.uses_left.end();
    if (it == f.uses_left.end() || --it->second != 0) continue;
    f.uses_left.erase(it);
    f.values.erase(v.index);
  }
}

inline void machine::set_results(frame& f, op_id op, std::vector<item> results) const {
  const ir::op_view v = module_.view(op);
  if (static_cast<int>(results.size()) < v.result_count())
    fail("interpret.results",
         std::to_string(results.size()) + " values for " + std::to_string(v.result_count()) + " results", op);
  for (int i = 0; i < v.result_count(); ++i) {
    const ir::type& t = v.result_type(i);
    const item& r = results[static_cast<size_t>(i)];
    if (t.is_tensor() && !r.is_tensor())
      fail("interpret.result_type", "result " + std::to_string(i) + " is not a tensor", op);
    if (t.is_tensor()) {
      bool agree = r.value.type() == t.elem && (!t.ranked || t.shape.size() == r.value.shape().size());
      for (size_t d = 0; agree && t.ranked && d < t.shape.size(); ++d)
        agree = !t.shape[d].is_static() || t.shape[d].extent() == r.value.shape()[d];
      if (!agree)
        fail("interpret.result_type",
             "result " + std::to_string(i) + " is " + r.value.describe() + ", which its type does not allow", op);
    }
    set(f, v.result(i), std::move(results[static_cast<size_t>(i)]));
  }
}

inline std::vector<item> machine::run_function(function_id fn, std::vector<item> arguments) {
  const depth_guard guard(*this);
  frame f;
  return run_region(f, module_[fn].body, std::move(arguments));
}

inline std::vector<item> machine::run_region(frame& f, region_id r, std::vector<item> arguments) {
  const ir::region_node& region = module_[r];
  if (arguments.size() != region.arguments.size())
    throw error("interpret.arguments", std::to_string(arguments.size()) + " values for " +
                                           std::to_string(region.arguments.size()) + " arguments of function '" +
                                           module_[module_.function_of(r)].name + "'");
  for (size_t i = 0; i < arguments.size(); ++i) set(f, region.arguments[i], std::move(arguments[i]));
  for (op_id op : region.ops) {
    if (module_.view(op).info().traits.terminator) return finished(f, op);
    check_stopped();
    run_op(f, op);
    release(f, op);
  }
  return {};
}

inline void machine::run_op(frame& f, op_id op) {
  const ir::op_view v = module_.view(op);
  if (const auto* c = v.get_if<op::constant>()) return set_results(f, op, {{module_[c->value].value, {}, {}, {}}});
  if (const auto* c = v.get_if<op::call>()) {
    const function_id to = callee(c->callee, op);
    if (caller_ == nullptr || module_[to].target.empty()) return set_results(f, op, run_function(to, operands(f, op)));
    std::vector<tensor> given;
    for (int i = 0; i < v.operand_count(); ++i) given.push_back(get_tensor(f, v.operand(i), op));
    std::vector<item> results;
    for (tensor& t : caller_->call(to, given)) results.push_back({std::move(t), {}, {}, {}});
    return set_results(f, op, std::move(results));
  }
  if (v.is<op::closure>()) return set(f, v.result(), make_closure(f, op));
  if (v.is<op::call_closure>()) return set_results(f, op, call_closure(f, op));
  if (v.is<op::fused>()) return set_results(f, op, run_region(f, v.region(), operands(f, op)));
  if (v.is<op::if_else>()) {
    const tensor& c = get_tensor(f, v.operand(0), op);
    if (c.size() != 1) fail("interpret.operands", "the condition is " + c.describe() + ", not one bool", op);
    return set_results(f, op, run_region(f, v.region(c.at_i64(0) != 0 ? 0 : 1), {}));
  }
  if (v.is<op::dataflow>()) return set_results(f, op, run_region(f, v.region(), {}));
  if (v.is<op::repeat>()) return set_results(f, op, run_repeat(f, op));
  if (v.is<op::call_kernel>()) return set_results(f, op, call_kernel(f, op));
  if (v.is<op::view>()) {
    const tensor& x = get_tensor(f, v.operand(0), op);
    if (!v.result_type().is_static() || v.result_type().count() != x.size())
      fail("interpret.result_type", "the result does not have the elements of " + x.describe(), op);
    const ir::type& t = v.result_type();
    if (t.elem != x.type())  // the same bytes as another type
      return set(f, v.result(),
                 {tensor::view(t.elem, t.extents(), x.data(), std::make_shared<const tensor>(x)), {}, {}, {}});
    return set(f, v.result(), {x.reshaped(t.extents()), {}, {}, {}});
  }
  if (run_storage_op(f, op)) return;
  if (const eval_entry* e = find_evaluation(v.info(), more_); e != nullptr && e->evaluate_values != nullptr)
    return set_results(f, op, evaluated_values(f, op, *e));
  std::vector<const tensor*> given;
  for (int i = 0; i < v.operand_count(); ++i)
    given.push_back(v.has_operand(i) ? &get_tensor(f, v.operand(i), op) : nullptr);
  set_results(f, op, evaluated(f, op, given));
}

inline run_step machine::step_of(const ir::op_view& v) const {
  return {run_step::kind_t::host, std::string(v.name()), ir::places_of(module_.text(v.location()))};
}

inline std::vector<item> machine::evaluated(frame& f, op_id op, std::span<const tensor* const> given) {
  const ir::op_view v = module_.view(op);
  const eval_entry* e = find_evaluation(v.info(), more_);
  if (e == nullptr)
    fail("interpret.unknown_op", "the interpreter has no evaluation of it: tenon::register_evaluations makes one known",
         op);
  runner r(*this, f);
  eval_context cx(module_, op, given, &r);
  ir::placed(
      module_, v.name(), v.location(),
      [&] {
        const auto run = [&] { e->evaluate(module_.attributes(module_[op].attributes), cx); };
        if (v.region_count() != 0) return run();  // what is inside tells of itself
        observed_step(run, [&] { return step_of(v); });
      },
      [&] {
        std::string s;
        for (const tensor* t : given)
          s += (s.empty() ? "" : ", ") + (t != nullptr ? t->describe() : std::string("none"));
        return s;
      });
  std::vector<item> results;
  for (tensor& t : cx.results()) results.push_back({std::move(t), {}, {}, {}});
  return results;
}

/// What a terminator names; a value that nobody else uses is moved out.
inline std::vector<item> machine::finished(frame& f, op_id op) const {
  std::vector<item> r;
  for (int i = 0; i < module_.view(op).operand_count(); ++i) {
    const value_id v = module_.operand(op, i);
    const auto left = v ? f.uses_left.find(v.index) : f.uses_left.end();
    const auto it = v ? f.values.find(v.index) : f.values.end();
    if (left == f.uses_left.end() || left->second != 1 || it == f.values.end()) {
      r.push_back(get(f, v, op));
      if (left != f.uses_left.end()) --left->second;
      continue;
    }
    r.push_back(std::move(it->second));
    f.uses_left.erase(left);
    f.values.erase(it);
  }
  return r;
}

inline std::vector<item> machine::evaluated_values(frame& f, op_id op, const eval_entry& e) {
  const ir::op_view v = module_.view(op);
  const size_t count = static_cast<size_t>(v.operand_count());
  std::vector<tenon::value> values(count);
  std::vector<value_context::operand_slot> slots(count);
  for (size_t i = 0; i < count; ++i) {
    const int n = static_cast<int>(i);
    if (!v.has_operand(n)) continue;
    const item& given = get(f, v.operand(n), op);
    const auto left = f.uses_left.find(v.operand(n).index);
    const bool last = left != f.uses_left.end() && left->second == 1;
    // A list that nobody needs afterwards is changed in place.
    if (last && given.other && given.other.use_count() == 1) values[i] = std::move(*given.other);
    else values[i] = given.as_value();
    slots[i] = {&values[i], true};
  }
  value_context cx(module_, op, slots);
  ir::placed(
      module_, v.name(), v.location(),
      [&] {
        const auto run = [&] { e.evaluate_values(module_.attributes(module_[op].attributes), cx); };
        if (v.region_count() != 0) return run();
        observed_step(run, [&] { return step_of(v); });
      },
      [&] {
        std::string s;
        for (size_t i = 0; i < count; ++i)
          s += (s.empty() ? "" : ", ") + (slots[i].v != nullptr ? values[i].describe() : std::string("none"));
        return s;
      });
  std::vector<item> r;
  r.push_back(item::of(cx.take_result()));
  return r;
}

inline std::vector<item> machine::run_repeat(frame& f, op_id op) {
  const ir::op_view v = module_.view(op);
  const auto one = [&](int i) {
    const tensor& t = get_tensor(f, v.operand(i), op);
    if (t.size() != 1)
      fail("interpret.operands", "operand " + std::to_string(i) + " is " + t.describe() + ", not one element", op);
    return t.at_i64(0);
  };
  const i64 trips = v.has_operand(0) ? one(0) : std::numeric_limits<i64>::max();
  bool goes_on = !v.has_operand(1) || one(1) != 0;
  const size_t carried = static_cast<size_t>(std::max(v.operand_count() - 2, 0));
  std::vector<item> state = operands(f, op, 2);
  std::vector<std::vector<tensor>> parts(static_cast<size_t>(v.result_count()) - carried);
  for (i64 i = 0; i < trips && goes_on; ++i) {
    std::vector<item> arguments{{tensor::scalar<i64>(i), {}, {}, {}}, {tensor::scalar<bool>(true), {}, {}, {}}};
    for (item& s : state) arguments.push_back(std::move(s));
    std::vector<item> out = run_region(f, v.region(), std::move(arguments));
    if (out.size() != 1 + carried + parts.size())
      fail("interpret.results", "the region yields another number of values", op);
    if (!out[0].is_tensor() || out[0].value.size() != 1)
      fail("interpret.operands", "the region does not yield one condition", op);
    goes_on = out[0].value.at_i64(0) != 0;
    for (size_t k = 0; k < carried; ++k) state[k] = std::move(out[k + 1]);
    for (size_t k = 0; k < parts.size(); ++k) {
      if (!out[1 + carried + k].is_tensor()) fail("interpret.operands", "only tensors are stacked", op);
      parts[k].push_back(std::move(out[1 + carried + k].value));
    }
  }
  if (parts.empty()) return state;
  const std::vector<tensor> none = parts[0].empty() ? no_parts(f, op, state) : std::vector<tensor>{};
  for (size_t k = 0; k < parts.size(); ++k)
    state.push_back({parts[k].empty() ? none[k] : stacked(parts[k], op), {}, {}, {}});
  return state;
}

/// What a loop that never ran has stacked. Extents are as the sizes of the run's inputs say; else as the type rules say
/// of a first run with the initial values; else zero.
inline std::vector<tensor> machine::no_parts(const frame& f, op_id op, std::span<const item> state) const {
  const ir::op_view v = module_.view(op);
  std::vector<tensor> inputs;
  for (const value& i : given_) inputs.push_back(i.is_tensor() ? i.as_tensor() : tensor());
  const ir::symbol_values sizes = entry_ ? ir::symbols_of(module_, entry_, inputs) : ir::symbol_values{};
  const auto from_inputs = [&](ir::dim d) { return ir::extent_with(module_, d, sizes); };
  const std::vector<value_id>& arguments = module_[v.region()].arguments;
  const tensor first = tensor::scalar<i64>(0), goes_on = tensor::scalar<bool>(true);
  const auto known = [&](value_id x) -> const tensor* {
    if (x == arguments[0] || x == arguments[1]) return x == arguments[0] ? &first : &goes_on;
    for (size_t i = 0; i < state.size(); ++i)
      if (x == arguments[i + 2]) return state[i].is_tensor() ? &state[i].value : nullptr;
    const auto it = f.values.find(x.index);
    return it != f.values.end() && it->second.is_tensor() ? &it->second.value : nullptr;
  };
  std::optional<std::vector<ir::type>> in_first_run;  // asked only where an extent does not follow from the inputs
  std::vector<tensor> none;
  for (size_t k = state.size(); k < static_cast<size_t>(v.result_count()); ++k) {
    const ir::type& type = v.result_type(static_cast<int>(k));
    std::vector<i64> shape{0};
    bool all = type.ranked;
    for (size_t d = 1; d < type.shape.size(); ++d) {
      const std::optional<i64> extent = from_inputs(type.shape[d]);
      shape.push_back(extent.value_or(0));
      all = all && extent;
    }
    if (!all) {
      if (!in_first_run) in_first_run = types_of_run(module_, v.region(), known);
      if (const size_t at = k + 1; at < in_first_run->size() && (*in_first_run)[at].ranked) {
        const std::vector<ir::dim>& part = (*in_first_run)[at].shape;
        if (!type.ranked) shape.resize(part.size() + 1);
        for (size_t d = 0; d < part.size() && part.size() + 1 == shape.size(); ++d)
          if (part[d].is_static()) shape[d + 1] = part[d].extent();
      }
    }
    none.emplace_back(type.elem, shape);
  }
  return none;
}

/// Tensors of one shape along a new first dimension.
inline tensor machine::stacked(const std::vector<tensor>& parts, op_id op) const {
  std::vector<i64> shape{static_cast<i64>(parts.size())};
  shape.insert(shape.end(), parts[0].shape().begin(), parts[0].shape().end());
  tensor r(parts[0].type(), shape);
  char* to = static_cast<char*>(r.data());
  for (const tensor& p : parts) {
    if (p.type() != parts[0].type() || p.shape() != parts[0].shape())
      fail("interpret.stacked",
           p.describe() + " of one run cannot be stacked on " + parts[0].describe() + " of another", op);
    if (p.size() != 0) std::memcpy(to, p.data(), static_cast<size_t>(p.bytes()));
    to += p.bytes();
  }
  return r;
}

/// What an artifact gives that an op calls as a kernel: as `call_external` is evaluated. `given`: all operands.
inline std::vector<tensor> machine::call_artifact(op_id op, std::span<const tensor> given) const {
  const ir::artifact& a = *ir::called_artifact(module_, op);
  const eval_entry* e = find_evaluation(ir::info_of<op::call_external>, more_);
  if (e == nullptr)
    fail("interpret.artifact", "nobody here runs artifacts of format '" + a.format + "', as '" + a.symbol + "' is one",
         op);
  std::vector<const tensor*> operands;
  for (const tensor& t : given) operands.push_back(&t);
  const op::call_external call{a.symbol, a.format};
  eval_context cx(module_, op, operands);
  e->evaluate(&call, cx);
  return std::move(cx.results());
}

inline std::vector<item> machine::call_kernel(const frame& f, op_id op) {
  const ir::op_view v = module_.view(op);
  if (ir::called_artifact(module_, op) != nullptr) {
    std::vector<tensor> given;
    for (value_id x : module_.operands(op)) given.push_back(get_tensor(f, x, op));
    std::vector<item> out;
    for (tensor& t : call_artifact(op, given)) out.push_back({std::move(t), {}, {}, {}});
    return out;
  }
  const function_id fn = callee(v.as<op::call_kernel>().kernel, op);
  const auto& formal = module_[module_[fn].body].arguments;
  const size_t given = static_cast<size_t>(v.operand_count()), results = static_cast<size_t>(v.result_count());
  if (formal.size() < given + results) fail("interpret.kernel_arguments", "the kernel has too few arguments", op);
  std::vector<buffer> buffers;
  for (int i = 0; i < v.operand_count(); ++i) buffers.push_back(buffer::read_only(get_tensor(f, v.operand(i), op)));
  std::vector<item> out;
  for (size_t i = given; i < formal.size(); ++i) {
    const ir::type& t = module_.type_of(formal[i]);
    if (!t.is_static()) fail("interpret.kernel_arguments", "a result or scratch buffer has no static shape", op);
    tensor fresh(t.elem, t.extents());
    buffers.push_back(buffer::fresh(fresh));
    if (i >= given + results) continue;
    const ir::type& seen = v.result_type(static_cast<int>(i - given));
    out.push_back({seen.is_static() && seen.count() == t.count() ? fresh.reshaped(seen.extents()) : fresh, {}, {}, {}});
  }
  decoded(fn).run(buffers);
  return out;
}

inline item machine::make_closure(const frame& f, op_id op) {
  const auto c = std::make_shared<closure>();
  c->definition = op;
  c->captures = operands(f, op);
  ir::for_each_op(module_, module_.view(op).region(), [&](op_id inner) {
    for (value_id v : module_.operands(inner))
      if (v)
        if (const auto it = f.values.find(v.index); it != f.values.end()) c->outer.emplace(v.index, it->second);
  });
  return {{}, {}, c, {}};
}

inline std::vector<item> machine::call_closure(const frame& f, op_id op) {
  const item& callee = get(f, module_.operand(op, 0), op);
  if (!callee.function) fail("interpret.operands", "what it calls is not a closure", op);
  const std::shared_ptr<const closure> c = callee.function;
  const region_id body = module_.view(c->definition).region();
  std::vector<item> arguments = operands(f, op, 1);
  // A body may name its captures as leading arguments, or use the surrounding values themselves.
  if (module_[body].arguments.size() == arguments.size() + c->captures.size())
    arguments.insert(arguments.begin(), c->captures.begin(), c->captures.end());
  const depth_guard guard(*this);
  frame inner;
  inner.values = c->outer;
  return run_region(inner, body, std::move(arguments));
}

/// The same in memory: results go to the last buffers.
inline void machine::fill_by_artifact(op_id op, std::span<const buffer> buffers) const {
  std::vector<tensor> given;
  for (const buffer& b : buffers) given.push_back(tensor::view(b.type, b.shape, b.data, b.owner));
  const std::vector<tensor> results = call_artifact(op, given);
  if (results.size() > buffers.size()) fail("interpret.results", "the artifact has more results than buffers", op);
  for (size_t i = 0; i < results.size(); ++i) {
    const buffer& to = buffers[buffers.size() - results.size() + i];
    if (results[i].bytes() != to.bytes() || results[i].type() != to.type)
      fail("interpret.results", "the artifact gives " + results[i].describe() + " for " + to.describe(), op);
    if (!to.writable) fail("interpret.read_only", "the artifact's result goes to a constant or an input", op);
    if (to.bytes() != 0) std::memcpy(to.data, results[i].data(), static_cast<size_t>(to.bytes()));
  }
}

/// The ops of `lowering` and `build`; false if it is none of them.
inline bool machine::run_storage_op(frame& f, op_id op) {
  const ir::op_view v = module_.view(op);
  const auto call = [&](const ir::function_ref& name) {
    std::vector<buffer> buffers;
    for (int i = 0; i < v.operand_count(); ++i) buffers.push_back(get_buffer(f, v.operand(i), op));
    if (ir::called_artifact(module_, op) != nullptr) return fill_by_artifact(op, buffers), true;
    decoded(callee(name, op)).run(buffers);
    return true;
  };
  if (const auto* d = v.get_if<op::call_dps>()) return call(d->kernel);
  if (const auto* n = v.get_if<op::call_native>()) return call(n->kernel);
  if (const auto* c = v.get_if<op::constant_buffer>())
    return set(f, v.result(), {{}, buffer::read_only(module_[c->value].value), {}, {}}), true;
  if (const auto* s = v.get_if<op::slot>(); s != nullptr && s->offset >= 0)
    return set(f, v.result(), {{}, make_slot(f, op), {}, {}}), true;
  if (v.is<op::alloc>() || v.is<op::slot>()) {
    // Planned buffers may share storage: a result may take that of an operand. So may those that a program places.
    const auto* a = v.get_if<op::alloc>();
    const i64 placed = a != nullptr ? a->offset : v.as<op::slot>().offset;
    if (placed < -1)
      if (const auto it = f.placed.find(placed); it != f.placed.end()) {
        buffer b = it->second;
        const i64 room = b.bytes();
        b.type = v.result_type().elem, b.shape = v.result_type().extents(), b.count = element_count(b.shape);
        if (b.bytes() > room) fail("interpret.out_of_bounds", "it is larger than another buffer at its place", op);
        return set(f, v.result(), {{}, std::move(b), {}, {}}), true;
      }
    if (a != nullptr && a->offset >= 0) return set(f, v.result(), {{}, make_slot(f, op), {}, {}}), true;
    if (!v.result_type().is_static()) fail("interpret.result_type", "the buffer has no static shape", op);
    tensor t(v.result_type().elem, v.result_type().extents());
    const buffer fresh = buffer::fresh(t);
    if (placed < -1) f.placed.emplace(placed, fresh);
    return set(f, v.result(), {{}, fresh, {}, {}}), true;
  }
  if (v.is<op::view_buffer>()) {
    const buffer& from = get_buffer(f, v.operand(0), op);
    const ir::type& t = v.result_type();
    if (!t.is_static() || t.bytes() != from.bytes())
      fail("interpret.result_type", "the result does not have the bytes of " + from.describe(), op);
    return set(f, v.result(), {{}, {t.elem, t.extents(), from.data, from.owner, from.writable}, {}, {}}), true;
  }
  if (v.is<op::copy_buffer>()) {
    const buffer &from = get_buffer(f, v.operand(0), op), &to = get_buffer(f, v.operand(1), op);
    if (from.bytes() != to.bytes()) fail("interpret.operands", from.describe() + " does not fit " + to.describe(), op);
    if (!to.writable) fail("interpret.read_only", "what it copies to is a constant or an input", op);
    if (from.bytes() != 0) std::memmove(to.data, from.data, static_cast<size_t>(from.bytes()));
    return true;
  }
  return false;
}

/// All planned buffers of a function lie in one arena, as large as its largest end.
inline buffer machine::make_slot(frame& f, op_id op) {
  const auto offset_of = [&](op_id o) -> i64 {
    const ir::op_view v = module_.view(o);
    if (const auto* s = v.get_if<op::slot>()) return s->offset;
    if (const auto* a = v.get_if<op::alloc>()) return a->offset;
    return -1;
  };
  const auto end_of = [&](op_id o) {
    const ir::type& t = module_.view(o).result_type();
    i64 end = 0;
    if (!t.is_static() || __builtin_add_overflow(offset_of(o), t.bytes(), &end))
      fail("interpret.result_type", "the buffer has no static shape and place", o);
    return end;
  };
  if (!f.arena) {
    i64 size = 0;
    const region_id body = module_[module_.function_of(module_[op].parent)].body;
    ir::for_each_op(module_, body, [&](op_id o) {
      if (offset_of(o) >= 0) size = std::max(size, end_of(o));
    });
    tensor arena(dtype::u8, {size});
    f.arena = buffer::fresh(arena);
  }
  const i64 offset = offset_of(op);
  const ir::type& t = module_.view(op).result_type();
  if (offset < 0 || end_of(op) > f.arena->count)
    fail("interpret.out_of_bounds", "the buffer is outside of the arena", op);
  if (offset % size_of(t.elem) != 0)
    fail("interpret.alignment", "offset " + std::to_string(offset) + " is not aligned", op);
  return {t.elem, t.extents(), f.arena->data + offset, f.arena->owner, true};
}

inline std::vector<tensor> machine::run(function_id fn, std::span<const tensor> inputs) {
  const ir::function& f = module_[fn];
  const auto& formal = module_[f.body].arguments;
  const bool storage =
      f.kind == ir::function_kind::kernel ||
      std::any_of(formal.begin(), formal.end(), [&](value_id v) { return module_.type_of(v).is_buffer(); });
  std::vector<tensor> results;
  if (inputs.size() > formal.size() || (!storage && inputs.size() != formal.size()))
    throw error("interpret.arguments", "function '" + f.name + "' takes " + std::to_string(formal.size()) +
                                           " arguments and is given " + std::to_string(inputs.size()));
  if (!storage) {
    std::vector<item> arguments;
    for (const tensor& t : inputs) arguments.push_back({t, {}, {}, {}});
    for (item& i : run_function(fn, std::move(arguments))) {
      if (!i.is_tensor())
        throw error("interpret.results", "a result of function '" + f.name + "' is no tensor", {},
                    "call interpret_values");
      results.push_back(std::move(i.value));
    }
    return results;
  }
  std::vector<buffer> buffers;
  for (size_t i = 0; i < formal.size(); ++i) {
    if (i < inputs.size()) {
      buffers.push_back(buffer::read_only(inputs[i]));
      continue;
    }
    const ir::type& t = module_.type_of(formal[i]);
    if (!t.is_static())
      throw error("interpret.arguments",
                  "output " + std::to_string(i) + " of function '" + f.name + "' has no static shape");
    results.emplace_back(t.elem, t.extents());
    buffers.push_back(buffer::fresh(results.back()));
  }
  if (f.kind == ir::function_kind::kernel) {
    decoded(fn).run(buffers);
    return results;
  }
  std::vector<item> arguments;
  for (buffer& b : buffers) arguments.push_back({{}, std::move(b), {}, {}});
  run_function(fn, std::move(arguments));
  return results;
}

inline std::vector<value> machine::run_values(function_id fn, std::span<const value> inputs) {
  const ir::function& f = module_[fn];
  const auto& formal = module_[f.body].arguments;
  if (inputs.size() != formal.size())
    throw error("interpret.arguments", "function '" + f.name + "' takes " + std::to_string(formal.size()) +
                                           " arguments and is given " + std::to_string(inputs.size()));
  entry_ = fn;
  given_ = inputs;
  std::vector<item> arguments;
  for (const value& v : inputs) arguments.push_back(item::of(v));
  std::vector<value> results;
  for (item& i : run_function(fn, std::move(arguments))) results.push_back(i.as_value());
  return results;
}

inline std::vector<tensor> machine::run_alone(op_id op, std::span<const tensor* const> given) {
  const ir::op_view v = module_.view(op);
  frame f;
  for (int i = 0; i < v.operand_count(); ++i)
    if (v.has_operand(i) && given[static_cast<size_t>(i)] != nullptr)
      f.values.insert_or_assign(v.operand(i).index, item{*given[static_cast<size_t>(i)], {}, {}, {}});
  std::vector<tensor> out;
  if (const eval_entry* e = find_evaluation(v.info(), more_); e != nullptr && e->evaluate != nullptr) {
    for (item& i : evaluated(f, op, given)) out.push_back(std::move(i.value));
    return out;
  }
  run_op(f, op);
  for (int i = 0; i < v.result_count(); ++i) out.push_back(get_tensor(f, v.result(i), op));
  return out;
}

}  // namespace interpreting

const eval_entry* find_evaluation(const ir::op_info& info, std::span<const eval_entry> more) {
  for (const eval_entry& e : more)
    if (e.info == &info) return &e;
  const auto& table = interpreting::builtin_evaluations();
  if (const auto it = table.find(&info); it != table.end()) return it->second;
  for (const auto* n = interpreting::registered().load(std::memory_order_acquire); n != nullptr; n = n->next)
    if (n->entry.info == &info) return &n->entry;
  return nullptr;
}

void register_evaluations(std::span<const eval_entry> entries) {
  for (const eval_entry& e : entries) {
    if (e.info == nullptr || find_evaluation(*e.info) != nullptr) continue;
    auto* n = new interpreting::registered_evaluation{
        e, interpreting::registered().load()};  // for as long as the process runs
    while (!interpreting::registered().compare_exchange_weak(n->next, n)) {}
  }
}

namespace interpreting {
/// The function, or the variant of an entry that serves these inputs: its graph is the one for their sizes. Where none
/// does, it is the first that an importer made for them: what type rules take for granted is checked as ops run.
inline function_id function_for(const ir::module& m, std::string_view name, std::span<const tensor> inputs) {
  const function_id f = m.find_function(name);
  if (!f) throw error("interpret.no_function", "there is no function '" + std::string(name) + "'");
  const std::vector<function_id> all = ir::entries_of(m);
  if (!m[f].entry || std::none_of(all.begin(), all.end(), [&](function_id g) {
        const std::string* of = ir::variant_of(m[g]);
        return of != nullptr && *of == name;
      }))
    return f;
  const auto why = ir::refusal_of(m, f, inputs);
  if (!why) return ir::serving(m, f, inputs);
  if (m[f].kind != ir::function_kind::graph) throw *why;  // loops are for these conditions
  ir::module as_imported = m;
  as_imported.conditions = ir::conditions_by_origin(m).of_importer;
  if (ir::refusal_of(as_imported, f, inputs)) throw *why;
  return ir::serving(as_imported, f, inputs);
}
}  // namespace interpreting

std::vector<tensor> interpret(const ir::module& m, std::string_view function, std::span<const tensor> inputs,
                              std::span<const eval_entry> more) {
  return interpret(m, function, inputs, interpret_options{.evaluations = more});
}

std::vector<tensor> interpret(const ir::module& m, std::string_view function, std::span<const tensor> inputs,
                              const interpret_options& options) {
  const interpreting::kernel_checks checks{options.shuffle_parallel, options.find_races};
  const function_id f = interpreting::function_for(m, function, inputs);
  if (ir::asks_for_symbols(m))
    if (const auto symbols = ir::symbols_of(m, f, inputs); !symbols.empty()) {
      ir::module sized = m;
      ir::bind_symbols(sized, symbols);
      return interpreting::machine(sized, options.evaluations, nullptr, checks).run(f, inputs);
    }
  return interpreting::machine(m, options.evaluations, nullptr, checks).run(f, inputs);
}

std::vector<value> interpret_values(const ir::module& m, std::string_view function, std::span<const value> inputs,
                                    std::span<const eval_entry> more, function_caller* caller) {
  std::vector<tensor> given;
  for (const value& v : inputs) given.push_back(v.is_tensor() ? v.as_tensor() : tensor());
  const function_id f = interpreting::function_for(m, function, given);
  return interpreting::machine(m, more, caller).run_values(f, inputs);
}

std::vector<tensor> evaluate_op(const ir::module& m, op_id op, std::span<const tensor* const> operands,
                                std::span<const eval_entry> more) {
  return interpreting::machine(m, more).run_alone(op, operands);
}

}  // namespace tenon
