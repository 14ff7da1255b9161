/// @file artifact_calls.ipp: definitions of ir/artifact_calls.hpp.
#pragma once

#include <tenon/ir/artifact_calls.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ops/graph/call.hpp>

namespace tenon::ir {

const function_ref* called_kernel(const op_view& v) {
  if (const auto* k = v.get_if<op::call_kernel>()) return &k->kernel;
  if (const auto* d = v.get_if<op::call_dps>()) return &d->kernel;
  if (const auto* n = v.get_if<op::call_native>()) return &n->kernel;
  return nullptr;
}

const artifact* called_artifact(const module& m, op_id op) {
  const function_ref* const kernel = called_kernel(m.view(op));
  return kernel == nullptr || m.find_function(kernel->name) ? nullptr : m.artifacts().find(kernel->name);
}

std::vector<op_id> artifact_calls(const module& m) {
  std::vector<op_id> calls;
  for (function_id f : entries_of(m))
    for (op_id op : m[m[f].body].ops)
      if (called_artifact(m, op) != nullptr) calls.push_back(op);
  return calls;
}

}  // namespace tenon::ir
