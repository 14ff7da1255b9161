/// @file program_parts.ipp: definitions of targets/program_parts.hpp.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <tenon/core/extent_expr.hpp>
#include <tenon/ir/bind_symbols.hpp>
#include <tenon/ir/dims.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/entry_steps.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/graph/call.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/targets/program_parts.hpp>

namespace tenon::detail {

program_sizes sizes_of(const ir::module& m, function_id entry) {
  program_sizes s;
  const std::set<std::string> named = ir::names_of_extents(m, entry);
  const bool only = ir::entries_of(m).size() == 1;
  const auto is_own = [&](const std::vector<std::string>& names) {
    return only || std::all_of(names.begin(), names.end(), [&](const std::string& n) { return named.contains(n); });
  };
  std::vector<std::string> used(m.symbol_count());
  bool any = false;
  const auto use = [&](const ir::type& t) {
    for (ir::dim d : t.shape)
      if (d.is_symbol()) used[d.symbol().index] = m.name(d.symbol()), any = true;
  };
  for (function_id f : m.functions()) {
    for (value_id a : m[m[f].body].arguments) use(m.type_of(a));
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      for (value_id r : m.results(op)) use(m.type_of(r));
      if (const auto* e = m.view(op).get_if<loop::extent>())
        for (u32 i = 0; i < m.symbol_count(); ++i)
          if (m.name(symbol_id(size_t{i})) == e->expression) used[i] = e->expression, any = true;
    });
  }
  if (!only) any = false;
  for (std::string& text : used) {
    if (only || text.empty()) continue;
    const std::optional<extent_expr> e = extent_expr::parse(text);
    if (!e || !is_own(e->names())) text.clear();
    else any = any || !e->names().empty();
  }
  if (!any) return s;
  s.symbols = std::move(used);
  for (const extent_condition& c : m.conditions.items())
    if (is_own(c.value.names())) s.conditions.push_back(c);
  for (const ir::run_time_buffer& b : m.build.memory.buffers) {
    const std::optional<extent_expr> e = only ? std::nullopt : extent_expr::parse(b.bytes);
    s.buffers.push_back({b.first, b.last, !e || is_own(e->names()) ? b.bytes : "0"});
  }
  return s;
}

program::parts entry_ports(const ir::module& m, function_id f) {
  program::parts p;
  const ir::function& fn = m[f];
  const auto& arguments = m[fn.body].arguments;
  const size_t inputs = ir::input_count(m, f);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ir::type& t = m.type_of(arguments[i]);
    const auto& names = i < inputs ? fn.argument_names : fn.result_names;
    const size_t k = i < inputs ? i : i - inputs;
    port& one = (i < inputs ? p.inputs : p.outputs).emplace_back();
    one.name = k < names.size() ? names[k] : std::to_string(k), one.type = t.elem;
    for (ir::dim d : t.shape) one.shape.push_back(d.bits);
  }
  p.name = fn.name;
  if (const std::string* of = ir::variant_of(fn)) p.variant_of = *of;
  p.sizes = sizes_of(m, f);
  p.arena_bytes = m.build.memory.arena().value_or(0);
  return p;
}

program::parts entry_parts(const ir::module& m, function_id f) {
  program::parts p = entry_ports(m, f);
  for (ir::entry_step& s : ir::entry_steps(m, f))  // of artifacts nobody knows what they do
    p.steps.push_back({{m.view(s.op).is<op::copy_buffer>() ? run_step::kind_t::copy : run_step::kind_t::kernel,
                        std::move(s.name), std::move(s.sources)},
                       s.work.nodes.empty() ? std::string() : s.work.bytes()});
  return p;
}

}  // namespace tenon::detail
