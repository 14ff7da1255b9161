/// @file registry: definitions: the families joined and sorted once.
#pragma once

#include <algorithm>
#include <vector>

#include <tenon/importers/onnx/registry.hpp>

namespace tenon::importers::onnx {
namespace detail {

inline bool before(const registered_operator& a, const registered_operator& b) {
  if (a.domain != b.domain) return a.domain < b.domain;
  return a.op_type != b.op_type ? a.op_type < b.op_type : a.since < b.since;
}

inline const registered_operator* newest(std::span<const registered_operator> table, std::string_view domain,
                                         std::string_view op_type, i64 opset) {
  const registered_operator* best = nullptr;
  for (const registered_operator& o : table)
    if (o.domain == domain && o.op_type == op_type && o.since <= opset && (!best || o.since > best->since)) best = &o;
  return best;
}

}  // namespace detail

std::string to_text(arity a) {
  if (a.least == a.most) return std::to_string(a.least);
  if (a.most == arity::any) return "at least " + std::to_string(a.least);
  return std::to_string(a.least) + " to " + std::to_string(a.most);
}

std::span<const registered_operator> built_in_operators() {
  static const std::vector<registered_operator> all = [] {
    std::vector<registered_operator> list;
    for (const auto family : {families::elementwise,
                              families::activation,
                              families::reduce,
                              families::shape,
                              families::movement,
                              families::indexing,
                              families::matmul,
                              families::conv_pool,
                              families::normalization,
                              families::image,
                              families::loss,
                              families::quantize,
                              families::control,
                              families::sequence,
                              families::recurrent,
                              families::signal,
                              families::attention,
                              families::text,
                              families::random,
                              families::training,
                              families::classic,
                              families::trees,
                              families::microsoft,
                              families::microsoft_attention,
                              families::microsoft_layers,
                              families::microsoft_weights,
                              families::vector_machines,
                              families::experimental}) {
      const std::span<const registered_operator> table = family();
      list.insert(list.end(), table.begin(), table.end());
    }
    std::sort(list.begin(), list.end(), detail::before);
    return list;
  }();
  return all;
}

std::span<const registered_operator> built_in_versions(std::string_view domain, std::string_view op_type) {
  const std::span<const registered_operator> all = built_in_operators();
  const registered_operator key{op_type, nullptr, domain, 0};
  const auto first = std::lower_bound(all.begin(), all.end(), key, detail::before);
  const auto last = std::find_if(
      first, all.end(), [&](const registered_operator& o) { return o.domain != domain || o.op_type != op_type; });
  return {first, last};
}

const registered_operator* find_operator(std::span<const registered_operator> extra, std::string_view domain,
                                         std::string_view op_type, i64 opset) {
  if (const auto* found = detail::newest(extra, domain, op_type, opset)) return found;
  const auto* const found = detail::newest(built_in_versions(domain, op_type), domain, op_type, opset);
  return found != nullptr && found->import != nullptr ? found : nullptr;
}

}  // namespace tenon::importers::onnx
