/// @file program_parts.ipp: what the entries of a built module take and give, as the parts of a program.
#pragma once

#include <tenon/ir/entries.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/runtime/program.hpp>

namespace tenon::detail {

/// Name, ports and arena of an entry: its first arguments are inputs, and those behind them take its results.
inline program::parts entry_ports(const ir::module& m, function_id f) {
  program::parts p;
  const ir::function& fn = m[f];
  const auto& arguments = m[fn.body].arguments;
  const size_t inputs = arguments.size() - fn.result_types.size();
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ir::type& t = m.type_of(arguments[i]);
    const auto& names = i < inputs ? fn.argument_names : fn.result_names;
    const size_t k = i < inputs ? i : i - inputs;
    port& one = (i < inputs ? p.inputs : p.outputs).emplace_back();
    one.name = k < names.size() ? names[k] : std::to_string(k), one.type = t.elem;
    for (ir::dim d : t.shape) one.shape.push_back(d.bits);
  }
  p.name = fn.name;
  p.arena_bytes = m.build.memory.arena().value_or(0);
  return p;
}

/// All entries, each as `one` says.
template <class F>
program::parts parts_of_entries(const ir::module& m, F&& one) {
  const std::vector<function_id> entries = ir::entries_of(m);
  program::parts p = one(m, entries.front());
  for (size_t i = 1; i < entries.size(); ++i) p.more.push_back(one(m, entries[i]));
  p.fingerprint = m.build.fingerprint;
  return p;
}

}  // namespace tenon::detail
