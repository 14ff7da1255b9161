/// @file bind_inputs.ipp: definition of passes/bind_inputs.hpp.
#pragma once

#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/infer.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/graph/constant.hpp>
#include <tenon/passes/bind_inputs.hpp>

namespace tenon::passes {
namespace binding {

class binder {
 public:
  binder(ir::module& m, function_id f) : m_(m), f_(f) {}

  void shape(size_t argument, const std::vector<i64>& shape) {
    const value_id v = at(argument);
    ir::type t = m_.type_of(v);
    if (!t.is_tensor()) fail(argument, "it is no tensor");
    if (t.ranked && t.shape.size() != shape.size())
      fail(argument, "it has " + std::to_string(t.shape.size()) + " dimensions, and is given the shape " + text(shape));
    if (!t.ranked) t.ranked = true, t.shape.assign(shape.size(), ir::dim());
    for (size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == -1) continue;
      if (shape[d] < 0) fail(argument, "it is given the shape " + text(shape) + ", with a negative extent");
      const ir::dim old = known(t.shape[d]);
      if (old.is_static() && old.extent() != shape[d])
        fail(argument, "dimension " + std::to_string(d) + " is " + std::to_string(old.extent()) +
                           (t.shape[d].is_symbol() ? " (" + m_.name(t.shape[d].symbol()) + ")" : std::string()) +
                           ", and is given as " + std::to_string(shape[d]));
      if (t.shape[d].is_symbol()) {
        const std::string name = ir::expression_of(m_, t.shape[d]).text();
        symbols_[name] = shape[d];
        places_.push_back({name, ir::input_name(m_[f_], argument), d, shape[d]});
      }
      t.shape[d] = ir::dim(shape[d]);
    }
    m_.set_type(v, m_.intern(t));
  }

  void value(int argument, const tensor& value) {
    if (argument < 0) throw error("passes.bind_inputs", "there is no input " + std::to_string(argument));
    const value_id v = at(static_cast<size_t>(argument));
    const ir::type& t = m_.type_of(v);
    if (!t.is_tensor() || t.elem != value.type())
      fail(static_cast<size_t>(argument),
           "it has elements of " + std::string(name_of(t.elem)) + ", and is given " + value.describe());
    shape(static_cast<size_t>(argument), value.shape());
    values_.emplace_back(v, value);
  }

  /// Says everywhere in the function what the symbols are, and makes the constants. Other functions speak of extents by
  /// names of their own.
  void finish() {
    const region_id body = m_[f_].body;
    if (!symbols_.empty()) {
      ir::bind_symbols(m_, f_, symbols_);
      if (m_[f_].entry) {
        if (const std::string why = unmet_sentence(m_.conditions.items(), places_); !why.empty())
          throw error("program.condition", why, {}, "give other sizes");
        ir::bind_conditions(m_, symbols_);
      }
      bind_callees();
    }
    for (auto it = values_.rbegin(); it != values_.rend(); ++it) {
      ir::builder<bind_inputs::emits> b(m_, body);
      if (!m_[body].ops.empty()) b.before(m_[body].ops.front());
      const value_id c = b.make(op::constant{m_.add_constant(it->second)}, {});
      m_.replace_uses(it->first, c);
    }
  }

 private:
  /// A function that is called (a region that was outlined) has names of its own for extents: they are what all calls
  /// say.
  void bind_callees() {
    for (bool changed = true; changed;) {
      changed = false;
      for (function_id g : m_.functions()) {
        if (g == f_ || m_[g].kind != ir::function_kind::graph) continue;
        const ir::symbol_values values = said_by_calls(g);
        if (!values.empty()) ir::bind_symbols(m_, g, values), changed = true;
      }
    }
  }
  ir::symbol_values said_by_calls(function_id g) const {
    std::map<std::string, std::optional<i64>> said;  // nothing: calls differ, or do not know
    ir::for_each_op(m_, [&](op_id op) {
      const auto* call = m_.view(op).get_if<op::call>();
      if (call == nullptr || call->callee.name != m_[g].name) return;
      const auto& formal = m_[m_[g].body].arguments;
      for (size_t i = 0; i < formal.size() && i < m_.operands(op).size(); ++i) {
        const value_id actual = m_.operand(op, static_cast<int>(i));
        const ir::type& t = m_.type_of(formal[i]);
        for (size_t d = 0; d < t.shape.size(); ++d) {
          if (!t.shape[d].is_symbol()) continue;
          const extent_expr e = ir::expression_of(m_, t.shape[d]);
          if (e.names().size() != 1 || e.names()[0] != e.text()) continue;
          const bool known = actual && d < m_.type_of(actual).shape.size() && m_.type_of(actual).shape[d].is_static();
          const std::optional<i64> n = known ? std::optional(m_.type_of(actual).shape[d].extent()) : std::nullopt;
          const auto [at, fresh] = said.emplace(e.text(), n);
          if (!fresh && at->second != n) at->second = std::nullopt;
        }
      }
    });
    ir::symbol_values values;
    for (const auto& [name, n] : said)
      if (n) values.emplace(name, *n);
    return values;
  }
  value_id at(size_t argument) const {
    const auto& arguments = m_[m_[f_].body].arguments;
    if (argument < arguments.size()) return arguments[argument];
    throw error("passes.bind_inputs", "there is no input " + std::to_string(argument) + ": function '" + m_[f_].name +
                                          "' has " + std::to_string(arguments.size()));
  }
  ir::dim known(ir::dim d) const {
    const auto it = d.is_symbol() ? symbols_.find(ir::expression_of(m_, d).text()) : symbols_.end();
    return it == symbols_.end() ? d : ir::dim(it->second);
  }
  static std::string text(const std::vector<i64>& shape) {
    std::string s = "[";
    for (size_t d = 0; d < shape.size(); ++d) s += (d != 0 ? "," : "") + std::to_string(shape[d]);
    return s + "]";
  }
  [[noreturn]] void fail(size_t argument, const std::string& what) const {
    const auto& names = m_[f_].argument_names;
    const std::string name = argument < names.size() ? names[argument] : std::to_string(argument);
    throw error("passes.bind_inputs", "input '" + name + "' of function '" + m_[f_].name + "': " + what);
  }

  ir::module& m_;
  function_id f_;
  ir::symbol_values symbols_;
  std::vector<extent_place> places_;
  std::vector<std::pair<value_id, tensor>> values_;
};

inline function_id find_entry(const ir::module& m, const std::string& name) {
  for (function_id f : m.functions())
    if (m[f].here(ir::function_kind::graph) && (name.empty() ? m[f].entry : m[f].name == name)) return f;
  throw error("passes.bind_inputs", name.empty() ? std::string("the module has no entry function")
                                                 : "there is no graph function '" + name + "'");
}

}  // namespace binding

void bind(ir::module& m, const input_binding& given) {
  if (given.shapes.empty() && given.values.empty()) return;
  binding::binder b(m, binding::find_entry(m, given.function));
  for (size_t i = 0; i < given.shapes.size(); ++i)
    if (!given.shapes[i].empty()) b.shape(i, given.shapes[i]);
  if (!given.values.empty()) m.build.values_are_bound = true;
  for (const auto& [argument, value] : given.values) b.value(argument, value);
  b.finish();
}

void bind_inputs::run(ir_module<runs_in>& module, context& cx) const {
  if (const input_binding* given = cx.find<input_binding>()) bind(module.body(), *given);
}

}  // namespace tenon::passes
