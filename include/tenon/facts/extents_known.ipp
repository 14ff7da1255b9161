/// @file extents_known.ipp: the checker of facts/extents_known.hpp.
#pragma once

#include <algorithm>

#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/static_shapes.ipp>
#include <tenon/ir/dims.hpp>

namespace tenon::fact {

void extents_known::check(const ir::module& m) {
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    if (!fn.here(ir::function_kind::graph)) continue;
    const auto& arguments = m[fn.body].arguments;
    std::vector<std::string> bound;  // the symbols that are an input's extent as it stands
    for (value_id a : arguments)
      for (ir::dim d : m.type_of(a).shape)
        if (d.is_symbol()) bound.push_back(m.name(d.symbol()));
    const auto fits = [&](value_id v) {
      const ir::type& t = m.type_of(v);
      if (!t.is_tensor() || !ir::is_known(t)) return false;
      for (ir::dim d : t.shape)
        for (const std::string& n : ir::expression_of(m, d).names())
          if (std::find(bound.begin(), bound.end(), n) == bound.end()) return false;
      return true;
    };
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (fits(arguments[i])) continue;
      const std::string name = i < fn.argument_names.size() ? fn.argument_names[i] : std::to_string(i);
      throw error("passes.dynamic_shape",
                  "input '" + name + "' of function '" + fn.name + "' " + detail::describe(m, m.type_of(arguments[i])) +
                      ", which no input's extents say",
                  {}, "give it a shape: input_binding, or --shape on the command line");
    }
    ir::for_each_op(m, fn.body, [&](op_id op) {
      for (value_id v : m.results(op))
        if (!fits(v))
          throw error("passes.dynamic_shape",
                      std::string(m.view(op).name()) + ": its result " + detail::describe(m, m.type_of(v)) +
                          ", which the inputs' extents do not say: it depends on values that are known only when the "
                          "program runs",
                      m.text(m[op].location),
                      detail::is_one_of(m.view(op).info(), ops<op::call>{})
                          ? "give each call a copy of the function: inline_calls"
                          : "give the inputs that it depends on values: input_binding");
    });
  }
}

}  // namespace tenon::fact
