/// @file alone.ipp: definitions of compile/alone.hpp.
#pragma once

#include <tenon/compile/alone.hpp>
#include <tenon/core/error.hpp>
#include <tenon/ir/references.hpp>
#include <tenon/ir/variant.hpp>

namespace tenon {

ir::module alone(ir::module m, std::string_view function) {
  const function_id f = m.find_function(function);
  if (!f || !m[f].here(ir::function_kind::graph)) {
    std::string known;
    for (function_id g : m.functions())
      if (m[g].here(ir::function_kind::graph)) known += (known.empty() ? "'" : ", '") + m[g].name + "'";
    throw error("program.entry", "the module has no graph function '" + std::string(function) + "'", {},
                "it has " + known);
  }
  m[f].discardable.erase(ir::variant_attribute);
  for (function_id g : m.functions()) {  // with its variants
    const std::string* of = ir::variant_of(m[g]);
    m[g].entry = g == f || (m[g].entry && of != nullptr && *of == function);
  }
  ir::erase_unreachable_functions(m);
  return m;
}

}  // namespace tenon
