/// @file session.ipp: definitions of compile/session.hpp.
#pragma once

#include <algorithm>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/composite.hpp>
#include <tenon/targets/interpreter.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {
namespace detail {

/// Compiles for any registered target.
inline std::unique_ptr<executable> compile_registered(ir_module<phases::ingestion>&& m, const session_options& o,
                                                      context& cx) {
  const target_spec spec = parse_target(o.target);
  auto body = enter<ops<>, phase_list<>>(std::move(m));
  std::unique_ptr<executable> made;
  if (!spec.members.empty()) {
    made = build_linked(std::move(body), tenon::members_of(spec), o.threads, cx);
  } else {
    const target_entry& e = find_entry(spec.name);
    e.configure(spec, o.threads, cx);
    made = e.load(*e.run(std::move(body), cx, 0, e.passes.size()));
  }
  // Also left in the context, for those who want to know its size or its arena.
  if (const program* p = made->native()) cx.set(program(*p));
  return made;
}

inline std::vector<std::pair<std::string, compile_function>>& target_table() {
  static std::vector<std::pair<std::string, compile_function>> table;
  return table;
}
/// What was registered with a function of its own, and every complete target.
inline void know_interpreter() {
  static const bool once = (register_target<targets::interpreter>(), true);
  (void)once;
}

/// What may be known of an input beside its shape, in steps: nothing; the value of integers small enough to be sizes or
/// axes rather than data; also that of a few floats (the scales of a Resize, the bounds of a Range).
inline constexpr int most_knowledge = 2;
inline bool is_known(const value& v, int knowledge) {
  if (!v.is_tensor() || v.as_tensor().type() == dtype::string) return false;
  const tensor& t = v.as_tensor();
  return is_float(t.type()) ? knowledge >= 2 && t.size() <= 64 : knowledge >= 1 && t.size() <= 1024;
}

/// Is a value what a model declares? Optionals may be there or not.
inline bool fits(const importers::onnx::value_type& t, const value& v) {
  using kind = importers::onnx::value_type::kind_t;
  if (t.kind == kind::optional) return v.is_nothing() || t.inner.empty() || fits(t.inner.front(), v);
  if (t.kind == kind::sequence) {
    if (!v.is_sequence()) return false;
    for (const value& item : v.items())
      if (!t.inner.empty() && !fits(t.inner.front(), item)) return false;
    return true;
  }
  return v.is_tensor() && importers::onnx::to_dtype(t.element) == v.as_tensor().type();
}

/// What the first inputs say of the sizes that others will have.
inline void add_likely(std::map<std::string, i64>& sizes, const std::string& input,
                       const importers::onnx::value_type& t, const value& v) {
  if (!v.is_tensor() || t.dims.size() != v.as_tensor().shape().size()) return;
  for (size_t d = 0; d < t.dims.size(); ++d)
    if (!t.dims[d].is_known())
      sizes.emplace(extent_expr::name(importers::onnx::symbol_of(input, t.dims[d], d)).text(),
                    v.as_tensor().shape()[d]);
}

inline std::vector<tensor> tensors_of(std::vector<value> values) {
  std::vector<tensor> r;
  for (value& v : values) {
    if (!v.is_tensor())
      throw error("session.kind", "an output is " + v.describe() + ", not a tensor", {}, "call run_values");
    r.push_back(std::move(v).take_tensor());
  }
  return r;
}

}  // namespace detail

void register_target(std::string_view name, compile_function compile) {
  for (auto& [known, f] : detail::target_table())
    if (known == name) {
      f = compile;
      return;
    }
  detail::target_table().emplace_back(name, compile);
}

std::vector<std::string> registered_targets() {
  detail::know_interpreter();
  std::vector<std::string> names;
  for (const target_entry* e : registered_entries()) names.emplace_back(e->name);
  for (auto& [name, f] : detail::target_table())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

compile_function find_target(std::string_view name) {
  detail::know_interpreter();
  const target_spec spec = parse_target(name);
  for (auto& [n, f] : detail::target_table())
    if (n == spec.name) return f;
  for (const target_entry* e : registered_entries())
    if (e->name == spec.name) return &detail::compile_registered;
  if (!spec.members.empty()) {
    if (spec.name != "composite")
      throw error("target.unknown", "target '" + spec.name + "' has no members", {},
                  "write composite(host,device,...)");
    tenon::members_of(spec);
    return &detail::compile_registered;
  }
  throw error("target.unknown", "there is no target '" + spec.name + "'", {},
              nearest_target(spec.name, registered_targets()));
}

session::session(importers::onnx::model model, session_options options)
    : model_(std::move(model)), options_(std::move(options)) {
  find_target(options_.target);
  if (options_.threads == 0) options_.threads = threads_of(parse_target(options_.target));
  ir::module names;
  for (const auto& i : model_.graph.inputs) {
    bool has_value = false;
    for (const auto& w : model_.graph.initializers) has_value = has_value || w.name == i.name;
    if (!has_value) inputs_.push_back({i.name, importers::onnx::to_type(i, names, {}), i.type});
  }
  for (const auto& o : model_.graph.outputs) outputs_.push_back(o.name);
}

/// The interpreter asks no shapes; a model of static inputs is its own specialization.
bool session::is_symbolic_wanted() const {
  if (options_.specialize || parse_target(options_.target).name != "cpu") return false;
  bool any = false;
  for (const input_info& i : inputs_) {
    if (!i.type.is_tensor() || !i.type.ranked) return false;
    any = any || !i.type.is_static();
  }
  return any;
}

/// Knowledge -1: nothing of the inputs but their types, as the model says them.
session::specialization session::compile(std::span<const value> inputs, int knowledge) {
  importers::onnx::import_options o;
  o.random_seed = options_.random_seed;
  o.budget = options_.budget;
  specialization s;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (knowledge < 0) {
      s.arguments.push_back(i);
      detail::add_likely(o.likely, inputs_[i].name, inputs_[i].declared, inputs[i]);
      continue;
    }
    if (detail::is_known(inputs[i], knowledge)) {
      o.constants.emplace(inputs_[i].name, inputs[i].as_tensor());
    } else {
      if (inputs[i].is_tensor() && inputs_[i].type.is_tensor())
        o.shapes.emplace(inputs_[i].name, inputs[i].as_tensor().shape());
      s.arguments.push_back(i);
    }
  }
  context_ = context();
  if (options_.prepare) options_.prepare(context_, options_.prepare_user);
  context_.verify_each = options_.verify_each;
  ++compilations_;
  s.code = find_target(options_.target)(importers::onnx::import_model(model_, o), options_, context_);
  return s;
}

session::specialization& session::find(std::span<const value> inputs, bool specialize) {
  if (inputs.size() != inputs_.size())
    throw error("session.count", "the model has " + std::to_string(inputs_.size()) + " inputs, and " +
                                     std::to_string(inputs.size()) + " were given");
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_tensor = inputs_[i].type.is_tensor();
    if (is_tensor ? !inputs[i].is_tensor() || inputs[i].as_tensor().type() != inputs_[i].type.elem
                  : !detail::fits(inputs_[i].declared, inputs[i]))
      throw error("session.type",
                  "input '" + inputs_[i].name + "' is of " +
                      (is_tensor ? std::string(name_of(inputs_[i].type.elem)) : std::string("another kind")) +
                      ", and " + inputs[i].describe() + " was given");
  }
  if (!specialize && !tried_symbolic_ && is_symbolic_wanted()) {
    tried_symbolic_ = true;
    try {
      symbolic_ = compile(inputs, -1);
    } catch (const error& e) {
      if (e.code() == importers::onnx::budget_meter::code) throw;
      reason_ = e.what();  // honest: for each set of shapes then, and the report says which op it was
    }
  }
  if (!specialize && symbolic_.code) return symbolic_;
  auto key = [&](int knowledge) {
    std::string k;
    for (const value& v : inputs) {
      // Items of sequences do not matter: code is made for what they share.
      k += (v.is_tensor() ? v.describe() : v.is_sequence() ? "sequence" : "nothing") + ";";
      if (detail::is_known(v, knowledge))
        k.append(static_cast<const char*>(v.as_tensor().data()), static_cast<size_t>(v.as_tensor().bytes()));
    }
    return k;
  };
  for (; knowledge_ <= detail::most_knowledge; ++knowledge_) {
    const std::string k = key(knowledge_);
    if (auto it = made_.find(k); it != made_.end()) return it->second;
    try {
      return made_.emplace(k, compile(inputs, knowledge_)).first->second;
    } catch (const error& e) {
      const bool unknown = e.code() == "onnx.needs_constant" || e.code() == "passes.dynamic_shape" ||
                           e.code() == "onnx.unknown_rank" || e.code() == "legalize";
      if (knowledge_ == detail::most_knowledge || !unknown) throw;
    }
  }
  throw error("session.compile", "the model cannot be compiled for these inputs");
}

int session::compilations() const {
  int n = compilations_;
  if (symbolic_.code) n += symbolic_.code->specialized().count;
  for (const auto& [key, s] : made_) n += s.code->specialized().count;
  return n;
}

std::string session::reason() const {
  if (!reason_.empty() || !symbolic_.code) return reason_;
  return symbolic_.code->specialized().reason;
}

const executable& session::prepare(std::span<const tensor> inputs) {
  const std::vector<value> values(inputs.begin(), inputs.end());
  return *find(values, false).code;
}

std::vector<value> session::run_values(std::span<const value> inputs) {
  const auto run_with = [&](const specialization& s) {
    std::vector<value> given;
    for (size_t i : s.arguments) given.push_back(inputs[i]);
    return s.code->run_values(given, options_.threads);
  };
  specialization& s = find(inputs, false);
  if (&s != &symbolic_) return run_with(s);
  try {
    return run_with(s);
  } catch (const error& e) {
    if (e.code() != "program.condition") throw;
    reason_ = e.what();  // these sizes are not what the code for all shapes takes for granted
  }
  return run_with(find(inputs, true));
}

std::vector<tensor> session::run(std::span<const tensor> inputs) {
  const std::vector<value> values(inputs.begin(), inputs.end());
  return detail::tensors_of(run_values(values));
}

}  // namespace tenon
