/// @file static_shapes.ipp: the checker of facts/static_shapes.hpp.
#pragma once

#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::fact {
namespace detail {

inline std::string describe(const ir::module& m, const ir::type& t) {
  if (!t.is_tensor()) return "is no tensor";
  if (!t.ranked) return "has no known number of dimensions";
  std::string s = "has the shape [";
  for (size_t d = 0; d < t.shape.size(); ++d) {
    const ir::dim e = t.shape[d];
    if (d != 0) s += ",";
    s += e.is_static() ? std::to_string(e.extent()) : e.is_symbol() ? m.name(e.symbol()) : "?";
  }
  return s + "]";
}

template <class... Ops>
bool is_one_of(const ir::op_info& info, ops<Ops...>) {
  const u64 keys[] = {meta::type_key<Ops>...};
  for (u64 k : keys)
    if (k == info.key) return true;
  return false;
}
inline bool is_host_op(const ir::op_info& info) { return is_one_of(info, host_ops{}); }

}  // namespace detail

void static_shapes::check(const ir::module& m) {
  const auto fits = [&](value_id v) { return m.type_of(v).is_tensor() && m.type_of(v).is_static(); };
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    if (!fn.here(ir::function_kind::graph)) continue;
    const auto& arguments = m[fn.body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (fits(arguments[i])) continue;
      const std::string name = i < fn.argument_names.size() ? fn.argument_names[i] : std::to_string(i);
      throw error("passes.dynamic_shape",
                  "input '" + name + "' of function '" + fn.name + "' " + detail::describe(m, m.type_of(arguments[i])) +
                      ", which is not static",
                  {}, "give it a shape: input_binding, or --shape on the command line");
    }
    ir::for_each_op(m, fn.body, [&](op_id op) {
      if (detail::is_host_op(m.view(op).info()))
        throw error("passes.dynamic_shape", std::string(m.view(op).name()) + " runs on the host, between kernels",
                    m.text(m[op].location), "run the module as a host program: passes::outline_regions");
      for (value_id v : m.results(op))
        if (!fits(v))
          throw error("passes.dynamic_shape",
                      std::string(m.view(op).name()) + ": its result " + detail::describe(m, m.type_of(v)) +
                          ", which is not static: it depends on values that are known only when the program runs",
                      m.text(m[op].location),
                      detail::is_one_of(m.view(op).info(), ops<op::call>{})
                          ? "give each call a copy of the function: inline_calls"
                          : "give the inputs that it depends on values: input_binding");
    });
  }
}

}  // namespace tenon::fact
