/// @file unknown_operators.ipp: definitions of importers/onnx/unknown_operators.hpp.
#pragma once

#include <algorithm>
#include <cctype>
#include <set>

#include <tenon/core/nearest.hpp>
#include <tenon/importers/onnx/unknown_operators.hpp>

namespace tenon::importers::onnx {
namespace detail {

class operator_search {
 public:
  operator_search(const model& m, std::span<const registered_operator> extra) : model_(m), extra_(extra) {
    for (const function& f : m.functions) defined_.insert({f.domain, f.name});
  }
  std::vector<unknown_operator_use> all() {
    look(model_.graph.nodes, nullptr);
    for (const function& f : model_.functions) look(f.nodes, &f);
    return std::move(found_);
  }

 private:
  i64 version_of(const std::string& domain, const function* inside) const {
    if (inside != nullptr)
      for (const opset_import& o : inside->opset_imports)
        if (o.domain == domain) return o.version;
    return model_.opset(domain).value_or(1);
  }
  void look(const std::vector<node>& nodes, const function* inside) {
    for (const node& n : nodes) {
      const i64 version = version_of(n.domain, inside);
      const bool known = defined_.contains({n.domain, n.op_type}) || (n.domain.empty() && version > newest_opset) ||
                         find_operator(extra_, n.domain, n.op_type, version) != nullptr;
      if (!known) count(n, version);
      for (const attribute& a : n.attributes)
        for (const auto& g : a.graphs) look(g->nodes, inside);
    }
  }
  void count(const node& n, i64 version) {
    for (unknown_operator_use& u : found_)
      if (u.domain == n.domain && u.op_type == n.op_type && u.version == version) return static_cast<void>(++u.nodes);
    found_.push_back({n.domain, n.op_type, version, 1});
  }

  const model& model_;
  std::span<const registered_operator> extra_;
  std::set<std::pair<std::string, std::string>> defined_;
  std::vector<unknown_operator_use> found_;
};

/// "did you mean 'Relu'?", where an operator of the domain is called nearly so: models that people write misspell.
inline std::string near_operators(const unknown_operator_use& found) {
  const auto alike = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
  std::vector<std::string> near;
  for (const registered_operator& o : built_in_operators()) {
    if (o.domain != found.domain || o.op_type == found.op_type || (!near.empty() && near.back() == o.op_type)) continue;
    if (std::ranges::equal(o.op_type, found.op_type, alike)) return "did you mean '" + std::string(o.op_type) + "'?";
    if (edit_distance(o.op_type, found.op_type) <= 1) near.emplace_back(o.op_type);
  }
  return near.empty() ? "" : nearest(found.op_type, near);
}

}  // namespace detail

std::string unknown_operator_use::text() const {
  return "'" + op_type + "' of domain '" + (domain.empty() ? "ai.onnx" : domain) + "', version " +
         std::to_string(version);
}

std::vector<unknown_operator_use> unknown_operators(const model& m, std::span<const registered_operator> extra) {
  return detail::operator_search(m, extra).all();
}

unsupported_error unknown_operator(const model& m, std::span<const registered_operator> extra,
                                   const unknown_operator_use& found, std::string where) {
  std::string others;
  for (const unknown_operator_use& u : unknown_operators(m, extra))
    if (u.domain != found.domain || u.op_type != found.op_type || u.version != found.version)
      others += (others.empty() ? "; nor is " : ", ") + u.text() +
                (u.nodes > 1 ? " (" + std::to_string(u.nodes) + " nodes)" : "");
  const std::string of_others = std::string("replace ") + (others.empty() ? "it" : "them") +
                                " by other operators, or register a handler for " + (others.empty() ? "it" : "each") +
                                " with import_options::operators";
  const std::string_view advice = advice_about(found.domain, found.op_type);
  const std::string near = others.empty() ? detail::near_operators(found) : "";
  return unsupported_error("onnx.unsupported_op", "operator " + found.text() + " is not supported yet" + others,
                           std::move(where),
                           !advice.empty() ? std::string(advice) : (near.empty() ? "" : near + " Else ") + of_others);
}

std::string_view advice_about(std::string_view domain, std::string_view op_type) {
  if (domain != "ai.onnx.ml") return {};
  if (op_type == "ZipMap")
    return "it makes maps of a tensor's columns: remove the node, whose input has the same numbers, or export without "
           "it (in skl2onnx, options={'zipmap': False})";
  if (op_type == "DictVectorizer" || op_type == "CastMap")
    return "it takes a map: remove the node, and give the model the tensor that it makes as input";
  return {};
}

}  // namespace tenon::importers::onnx
