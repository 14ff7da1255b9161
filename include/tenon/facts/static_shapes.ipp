/// @file static_shapes.ipp: the checker of facts/static_shapes.hpp.
#pragma once

#include <tenon/facts/static_shapes.hpp>
#include <tenon/ir/obstacle.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/fwd.hpp>

namespace tenon::fact {
namespace detail {

inline std::string describe(const ir::module& m, const ir::type& t) {
  if (!t.is_tensor() && !t.is_buffer()) return "is no tensor";
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

/// The first input or op of a graph function that is in the way: `at(function, value)` says why an input is, if it is,
/// and `in(function, op)` why an op is.
template <class Input, class Op>
std::optional<ir::obstacle> first_obstacle(const ir::module& m, Input&& input, Op&& in) {
  std::optional<ir::obstacle> found;
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    if (!fn.here(ir::function_kind::graph)) continue;
    const auto& arguments = m[fn.body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const std::string why = input(f, arguments[i]);
      if (why.empty()) continue;
      return ir::obstacle{ir::obstacle_kind::input_extents,
                          f,
                          {},
                          unsupported_error("passes.dynamic_shape",
                                            "input '" + ir::input_name(fn, i) + "' of function '" + fn.name + "' " +
                                                describe(m, m.type_of(arguments[i])) + ", " + why,
                                            {}, "give it a shape: input_binding, or --shape on the command line")};
    }
    ir::for_each_op(m, fn.body, [&](op_id op) {
      if (!found) found = in(f, op);
    });
    if (found) return found;
  }
  return std::nullopt;
}

/// A result of an op whose extents are not known: `what` they are not.
inline ir::obstacle open_result(const ir::module& m, function_id f, op_id op, value_id v, const std::string& what) {
  return {ir::obstacle_kind::result_extents, f, op,
          unsupported_error("passes.dynamic_shape",
                            std::string(m.view(op).name()) + ": its result " + describe(m, m.type_of(v)) + ", " + what +
                                ": it depends on values that are known only when the program runs",
                            m.text(m[op].location),
                            is_one_of(m.view(op).info(), ops<op::call>{})
                                ? "give each call a copy of the function: inline_calls"
                                : "give the inputs that it depends on values: input_binding")};
}

}  // namespace detail

namespace detail {

/// The first buffer of a kernel, of any phase, whose size is open, or op that asks for one.
inline std::optional<ir::obstacle> open_kernel(const ir::module& m) {
  const auto open = [&](value_id v) { return !m.type_of(v).is_static(); };
  const auto found = [&](function_id f, op_id op, const std::string& what) {
    return ir::obstacle{ir::obstacle_kind::result_extents, f, op,
                        unsupported_error("passes.dynamic_shape", "kernel '" + m[f].name + "': " + what,
                                          op ? m.text(m[op].location) : std::string(), "write a kernel for each size")};
  };
  for (function_id f : m.functions()) {
    if (m[f].kind != ir::function_kind::kernel) continue;
    const auto& arguments = m[m[f].body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (open(arguments[i]))
        return found(
            f, {},
            "argument " + std::to_string(i) + " " + describe(m, m.type_of(arguments[i])) + ", which is not static");
    std::optional<ir::obstacle> in;
    ir::for_each_op(m, m[f].body, [&](op_id op) {
      if (in) return;
      if (is_one_of(m.view(op).info(), ops<loop::extent>{}))
        in = found(f, op, "loop.extent asks for a size, which is not static");
      for (value_id v : m.results(op))
        if (!in && open(v)) in = found(f, op, std::string(m.view(op).name()) + " " + describe(m, m.type_of(v)));
    });
    if (in) return in;
  }
  return std::nullopt;
}

}  // namespace detail

std::optional<ir::obstacle> static_shapes::obstacle(const ir::module& m) {
  const auto fits = [&](value_id v) {
    return (m.type_of(v).is_tensor() || m.type_of(v).is_buffer()) && m.type_of(v).is_static();
  };
  std::optional<ir::obstacle> in_graph = detail::first_obstacle(
      m, [&](function_id, value_id v) { return std::string(fits(v) ? "" : "which is not static"); },
      [&](function_id f, op_id op) -> std::optional<ir::obstacle> {
        if (detail::is_host_op(m.view(op).info()))
          return ir::obstacle{
              ir::obstacle_kind::host_op, f, op,
              unsupported_error("passes.dynamic_shape",
                                std::string(m.view(op).name()) + " runs on the host, between kernels",
                                m.text(m[op].location), "run the module as a host program: passes::outline_regions")};
        for (value_id v : m.results(op))
          if (!fits(v)) return detail::open_result(m, f, op, v, "which is not static");
        return std::nullopt;
      });
  return in_graph ? in_graph : detail::open_kernel(m);
}

void static_shapes::check(const ir::module& m) {
  if (const auto found = obstacle(m)) throw found->why;
}

}  // namespace tenon::fact
