/// @file c_entry.ipp: entries in C: calls of kernels on buffers, and what the unit's first comment says of them.
#pragma once

#include <tenon/passes/emit_c.ipp>  // the class, which includes this at its end

namespace tenon::passes::c_code {

/// Says what an entry takes; `symbol` is the unit's.
inline std::string emitter::signature(function_id f, const std::string& name, const std::string& symbol) const {
  const ir::function& fn = m_[f];
  const auto& arguments = m_[fn.body].arguments;
  const size_t inputs = ir::input_count(m_, f);
  std::string s = (name == symbol ? std::string() : "   ") + name + "(inputs, outputs, arena, 0, " +
                  (sizes_.any() ? "runtime" : "0") + "); dense row-major buffers; the arena" +
                  (m_.build.memory.buffers.empty() ? " has " + symbol + "_arena_bytes," : " is") + " aligned to 64.\n";
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ir::type& t = m_.type_of(arguments[i]);
    const auto& names = i < inputs ? fn.argument_names : fn.result_names;
    const size_t k = i < inputs ? i : i - inputs;
    s += std::string(i < inputs ? "   inputs[" : "   outputs[") + std::to_string(k) +
         "]: " + (k < names.size() ? comment(names[k]) : "") + " " + std::string(name_of(t.elem)) + shape_text(t) +
         "\n";
  }
  return s;
}
inline std::string emitter::shape_text(const ir::type& t) const {
  std::string s;
  for (ir::dim d : t.shape)
    s += (s.empty() ? "" : ",") + (d.is_symbol() ? comment(m_.name(d.symbol())) : std::to_string(d.extent()));
  return "[" + s + "]";
}
/// What the tables of sizes hold that `runtime->sizes` points to.
inline std::string emitter::table_of_sizes() const {
  if (!sizes_.any()) return {};
  std::string s = "   runtime->sizes holds, for each run:";
  for (u32 i = 0; i < m_.symbol_count(); ++i) s += (i == 0 ? " " : "; ") + comment(m_.name(symbol_id(size_t{i})));
  if (!m_.build.memory.buffers.empty())
    s += "; then where " + std::to_string(m_.build.memory.buffers.size()) + " buffers begin in the arena";
  return s +
         ".\n   A library of the model (tenon build --emit library), and the file that tenon build -o writes, compute "
         "them.\n";
}

inline std::string emitter::entry_function(function_id f, const std::string& symbol) {
  const ir::function& fn = m_[f];
  kernel_ = fn.name;
  names_.clear();
  out_.clear();
  const auto& arguments = m_[fn.body].arguments;
  const size_t inputs = ir::input_count(m_, f);
  sizes_.begin();
  ++depth_;
  for (size_t i = 0; i < arguments.size(); ++i)
    names_[arguments[i].index] =
        i < inputs ? "inputs[" + std::to_string(i) + "]" : "outputs[" + std::to_string(i - inputs) + "]";
  for (op_id op : m_[fn.body].ops) {
    const ir::op_view v = m_.view(op);
    const ir::forms form{[&](const op::return_&) {},
                         [&](const op::constant_buffer& c) { names_[v.result().index] = constant(c.value); },
                         [&](const op::slot& s) {
                           names_[v.result().index] =
                               "(char*)arena + " + (s.offset >= 0 ? std::to_string(s.offset)
                                                                  : sizes_.offset(static_cast<u64>(-2 - s.offset)));
                         },
                         [&](const op::view_buffer&) { names_[v.result().index] = std::string(get(v.operand(0))); },
                         [&](const op::copy_buffer&) {
                           line("memmove(" + get(v.operand(1)) + ", " + get(v.operand(0)) + ", " +
                                sizes_.bytes(v.operand_type(0)) + ");");
                         },
                         [&](const op::call_native& call) {
                           const function_id k = m_.find_function(call.kernel.name);
                           if (!k)
                             throw error("codegen.symbol",
                                         "call to '" + call.kernel.name + "', which the module does not define",
                                         m_.text(v.location()));
                           std::string list;
                           for (value_id x : m_.operands(op))
                             list += (list.empty() ? "(void*)(" : ", (void*)(") + get(x) + ")";
                           if (sized_.contains(k.index)) list += (list.empty() ? "" : ", ") + sizes_.table();
                           line("k" + std::to_string(k.index) + "_" + plain(call.kernel.name) + "(" + list + ");");
                         }};
    using entry_ops = meta::without_t<build_ops, loop_ops>;
    if (!ir::dispatch<entry_ops, "C source", emit_c>(v, form)) fail(op, "has no form in C");
  }
  if (checks_.any()) line("tn_say_fault(runtime);");
  close();
  std::string first = "(void)inputs, (void)outputs, (void)arena, (void)constants, (void)runtime;\n";
  const std::string declared = sizes_.declarations(out_);
  if (sizes_.used()) first += "  const int64_t* const sizes = ((const struct tn_runtime*)runtime)->sizes;\n";
  return "void " + symbol +
         "(void* const* inputs, void* const* outputs, void* arena, const void* constants, const void* runtime) "
         "{\n  " +
         first + declared + std::exchange(out_, {});
}

}  // namespace tenon::passes::c_code
