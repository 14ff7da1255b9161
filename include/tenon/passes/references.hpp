/// @file references: which functions an op names, and which functions the entries reach.
#pragma once

#include <algorithm>

#include <tenon/ir/walk.hpp>

namespace tenon::passes {
namespace detail {

class function_refs final : public ir::attribute_visitor {
 public:
  std::vector<std::string> names;
  void on(std::string_view, bool&) override {}
  void on(std::string_view, i64&) override {}
  void on(std::string_view, double&) override {}
  void on(std::string_view, std::string&) override {}
  void on(std::string_view, dtype&) override {}
  void on(std::string_view, std::vector<i64>&) override {}
  void on(std::string_view, std::vector<double>&) override {}
  void on(std::string_view, std::vector<std::string>&) override {}
  void on(std::string_view, constant_id&) override {}
  void on(std::string_view, ir::function_ref& f) override { names.push_back(f.name); }
  void on(std::string_view, ir::access_map&) override {}
  void on_enum(std::string_view, int&, std::span<const std::string_view>) override {}
};

}  // namespace detail

/// The functions that a function's ops name in their attributes, each once, in order.
inline std::vector<function_id> referenced_functions(const ir::module& m, function_id f) {
  detail::function_refs refs;
  ir::for_each_op(m, m[f].body, [&](op_id op) {
    const ir::op_view v = m.view(op);
    // The visitor only reads; one set of attributes is shared by all equal ops.
    v.info().visit(const_cast<void*>(m.attributes(m[op].attributes)), refs);
  });
  std::vector<function_id> found;
  for (const std::string& name : refs.names)
    if (const function_id g = m.find_function(name); g && std::find(found.begin(), found.end(), g) == found.end())
      found.push_back(g);
  return found;
}

/// Removes functions that no entry reaches; none if there is no entry.
inline void erase_unreachable_functions(ir::module& m) {
  std::vector<function_id> reached;
  for (function_id f : m.functions())
    if (m[f].entry) reached.push_back(f);
  if (reached.empty()) return;
  for (size_t i = 0; i < reached.size(); ++i)
    for (function_id g : referenced_functions(m, reached[i]))
      if (std::find(reached.begin(), reached.end(), g) == reached.end()) reached.push_back(g);
  for (function_id f : m.functions())
    if (std::find(reached.begin(), reached.end(), f) == reached.end()) m.erase_function(f);
}

}  // namespace tenon::passes
