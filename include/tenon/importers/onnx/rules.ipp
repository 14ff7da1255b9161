/// @file rules.ipp: definitions of importers/onnx/rules.hpp.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <tenon/core/nearest.hpp>
#include <tenon/importers/onnx/context.hpp>
#include <tenon/importers/onnx/rules.hpp>
#include <tenon/importers/onnx/unknown_operators.hpp>

namespace tenon::importers::onnx {
namespace detail {

/// Names stand in the places of many nodes; no more than what a reader needs to find them is kept.
inline std::string shortened(const std::string& name) {
  return name.size() <= 200 ? name : name.substr(0, 200) + "...";
}

/// One of those that `registered_operator::attributes` lists.
struct declared_attribute {
  std::string_view name;
  attribute::type_t type = attribute::type_t::undefined;
  bool required = false;
};

inline attribute::type_t attribute_type(std::string_view letters) {
  using enum attribute::type_t;
  constexpr std::pair<std::string_view, attribute::type_t> types[] = {
      {"f", float_}, {"i", int_},     {"s", string},   {"t", tensor},  {"g", graph},          {"fs", floats},
      {"is", ints},  {"ss", strings}, {"ts", tensors}, {"gs", graphs}, {"sp", sparse_tensor}, {"tp", type_proto}};
  for (const auto& [text, type] : types)
    if (text == letters) return type;
  return undefined;
}

inline std::vector<declared_attribute> declared_attributes(std::string_view list) {
  std::vector<declared_attribute> all;
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    const bool required = one.ends_with('!');
    if (required) one.remove_suffix(1);
    const size_t colon = one.find(':');
    all.push_back({one.substr(0, colon), attribute_type(one.substr(colon + 1)), required});
  }
  return all;
}

inline const declared_attribute* find_declared(const std::vector<declared_attribute>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const declared_attribute& d) { return d.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// The letters of `registered_operator::elements`.
struct element_kind {
  char letter;
  const char* name;
  bool (*holds)(dtype);
};
inline constexpr element_kind element_kinds[] = {
    {'f', "floats", [](dtype t) { return is_float(t); }},
    {'i', "integers", [](dtype t) { return is_int(t); }},
    {'b', "bools", [](dtype t) { return t == dtype::boolean; }},
    {'s', "texts", [](dtype t) { return t == dtype::string; }},
};

class rule_checker {
 public:
  rule_checker(const model& m, std::span<const registered_operator> extra) : model_(m), extra_(extra) {
    for (const function& f : m.functions) functions_.emplace(key_of(f.domain, f.name, f.overload), &f);
  }

  void check_all(std::span<const std::string> given) {
    if (model_.ir_version > newest_ir_version)
      throw unsupported_error("onnx.unsupported_ir",
                              "the file is of IR version " + std::to_string(model_.ir_version) +
                                  ", the newest known is " + std::to_string(newest_ir_version),
                              model_.file, "export the model with an older version of ONNX");
    if (model_.ir_version >= 3 && model_.opset_imports.empty())
      throw error("onnx.malformed", "the model imports no operator set", model_.file,
                  "its nodes have no meaning without: export the model again");
    check_imports(model_.opset_imports, model_.file);
    names outside;
    outside.made.insert(given.begin(), given.end());
    names top{&outside};
    check_graph(model_.graph, top);
    for (const function& f : model_.functions) {
      inside_ = &f;
      names body;
      check_imports(f.opset_imports, "function '" + shortened(f.name) + "'");
      for (const std::string& name : f.inputs) define(body, name, "function '" + shortened(f.name) + "'");
      check_nodes(f.nodes, body);
      for (const std::string& name : f.outputs)
        if (!sees(body, name)) undefined(name, "output of function '" + f.name + "'", {});
    }
  }

 private:
  /// Those that a graph makes, and through `outer` those that it sees.
  struct names {
    const names* outer = nullptr;
    std::unordered_set<std::string_view> made = {};
  };
  static std::string key_of(const std::string& domain, const std::string& name, const std::string& overload) {
    return domain + '\0' + name + '\0' + overload;
  }
  static bool sees(const names& from, std::string_view name) {
    for (const names* n = &from; n != nullptr; n = n->outer)
      if (n->made.contains(name)) return true;
    return false;
  }
  void define(names& in, std::string_view name, const std::string& where) const {
    if (!name.empty() && !in.made.insert(name).second)
      throw error("onnx.duplicate_name", "the value '" + std::string(name) + "' is made twice", where,
                  "each name may be an output of one node only");
  }
  [[noreturn]] static void undefined(std::string_view name, const std::string& user, const std::string& where) {
    throw error("onnx.undefined_value", user + " '" + std::string(name) + "' is not made by any node before it", where,
                "nodes must be in topological order, and their graph without cycles");
  }

  std::string place(const node& n) const {
    return place_of(n) + (inside_ != nullptr ? " in function '" + shortened(inside_->name) + "'" : std::string());
  }
  [[noreturn]] void bad(const node& n, std::string what, std::string hint = {}) const {
    throw error("onnx.bad_node", std::move(what), place(n), hint.empty() ? std::string(export_again) : std::move(hint));
  }
  i64 version_of(const std::string& domain) const {
    if (inside_ != nullptr)
      for (const opset_import& o : inside_->opset_imports)
        if (o.domain == domain) return o.version;
    return model_.opset(domain).value_or(1);
  }

  static void check_imports(const std::vector<opset_import>& imports, const std::string& where) {
    std::unordered_map<std::string_view, i64> versions;
    for (const opset_import& o : imports)
      if (const auto known = versions.emplace(o.domain, o.version).first; known->second != o.version)
        throw error("onnx.malformed",
                    "versions " + std::to_string(known->second) + " and " + std::to_string(o.version) +
                        " of the operator set '" + o.domain + "' are imported",
                    where, "its nodes are of one of them: export the model again");
  }

  void check_graph(const graph& g, names& known) {
    const std::string where = "graph '" + shortened(g.name) + "'";
    std::unordered_set<std::string_view> inputs;
    for (const value_info& v : g.inputs) {
      if (!inputs.insert(v.name).second) define(known, v.name, where);
      known.made.insert(v.name);
    }
    std::unordered_set<std::string_view> weights;  // one that is an input, too, is its default
    const auto add_weight = [&](const std::string& name) {
      if (!weights.insert(name).second || !inputs.contains(name)) define(known, name, where);
    };
    for (const tensor_proto& t : g.initializers) add_weight(t.name);
    for (const sparse_tensor_proto& t : g.sparse_initializers) add_weight(t.values.name);
    check_nodes(g.nodes, known);
    for (const value_info& v : g.outputs)
      if (!sees(known, v.name)) undefined(v.name, "output of " + where, {});
  }

  void check_nodes(const std::vector<node>& nodes, names& known) {
    for (const node& n : nodes) {
      check_node(n);
      for (size_t i = 0; i < n.inputs.size(); ++i)
        if (!n.inputs[i].empty() && !sees(known, n.inputs[i]))
          undefined(n.inputs[i], "input " + std::to_string(i), place(n));
      for (const attribute& a : n.attributes)
        for (const auto& g : a.graphs) {
          names inner{&known};
          check_graph(*g, inner);
        }
      for (const std::string& name : n.outputs) define(known, name, place(n));
    }
  }

  void check_node(const node& n) const {
    if (functions_.contains(key_of(n.domain, n.op_type, n.overload))) return;  // its call checks what it gives
    const i64 version = version_of(n.domain);
    if (n.domain.empty() && version > newest_opset) return;  // the import says so
    const registered_operator* const op = find_operator(extra_, n.domain, n.op_type, version);
    if (op == nullptr) return check_version(n, version);
    check_count(n, n.inputs, op->inputs, "inputs", version);
    check_count(n, n.outputs, op->outputs, "outputs", version);
    if (op->attributes) check_attributes(n, *op, version);
  }

  /// Operators of the standard are known, all of them; others may stand where the import never comes.
  void check_version(const node& n, i64 version) const {
    const auto rows = built_in_versions(n.domain, n.op_type);
    const unknown_operator_use use{n.domain, n.op_type, version, 1};
    if (rows.empty() && n.domain.empty()) throw unknown_operator(model_, extra_, use, place(n));
    if (rows.empty()) return;
    const std::string self = use.text();
    if (version < rows.front().since)
      bad(n, "operator " + self + " is of version " + std::to_string(rows.front().since) + " and later",
          "import the version of the operator set that the model was written for, or export it again");
    bad(n, "operator " + self + " is no longer in that version of the operator set",
        "export the model again, or with a version below " + std::to_string(rows.back().since));
  }

  /// Inputs and outputs that are left out at the end may stand there as empty names.
  void check_count(const node& n, const std::vector<std::string>& list, arity allowed, const char* what,
                   i64 version) const {
    size_t given = list.size();
    while (given > 0 && given > static_cast<size_t>(allowed.most) && list[given - 1].empty()) --given;
    if (given >= static_cast<size_t>(allowed.least) && given <= static_cast<size_t>(allowed.most)) return;
    bad(n, "there are " + std::to_string(given) + " " + what + ", but " + n.op_type + " has " + to_text(allowed) +
               " in version " + std::to_string(version));
  }

  void check_attributes(const node& n, const registered_operator& op, i64 version) const {
    const std::vector<declared_attribute> declared = declared_attributes(*op.attributes);
    for (const attribute& a : n.attributes) {
      if (a.name.starts_with("__")) continue;  // of tools: nothing of the operator
      if (n.find(a.name) != &a) bad(n, "attribute '" + a.name + "' is given twice");
      const declared_attribute* const d = find_declared(declared, a.name);
      if (d == nullptr) unknown_attribute(n, a, declared, version);
      if (a.type != d->type && !(a.type == attribute::type_t::undefined && !a.ref_attr_name.empty()))
        bad(n, "attribute '" + a.name + "' must be of type " + std::string(name_of(d->type)) + ", not " +
                   std::string(name_of(a.type)));
    }
    for (const declared_attribute& d : declared)
      if (d.required && n.find(d.name) == nullptr) bad(n, "attribute '" + std::string(d.name) + "' is missing");
  }

  [[noreturn]] void unknown_attribute(const node& n, const attribute& a,
                                      const std::vector<declared_attribute>& declared, i64 version) const {
    std::string others;
    for (const registered_operator& o : built_in_versions(n.domain, n.op_type))
      if (o.attributes && find_declared(declared_attributes(*o.attributes), a.name) != nullptr)
        others += (others.empty() ? "" : ", ") + std::to_string(o.since);
    std::vector<std::string> known;
    for (const declared_attribute& d : declared) known.emplace_back(d.name);
    const std::string what =
        n.op_type + " has no attribute '" + shortened(a.name) + "' in version " + std::to_string(version);
    if (!others.empty())
      bad(n, what,
          "the operator's versions that have it begin at " + others +
              ": the node is of another one than the model imports");
    bad(n, what, known.empty() ? "it has none: remove it, or export the model again" : nearest(a.name, known));
  }

  const model& model_;
  const std::span<const registered_operator> extra_;
  std::unordered_map<std::string, const function*> functions_;
  const function* inside_ = nullptr;  // null: the model's own graph
};

}  // namespace detail

std::string place_of(const node& n) {
  std::string s = "node ";
  if (!n.name.empty()) s += "'" + detail::shortened(n.name) + "' ";
  s += "(" + (n.domain.empty() ? "" : detail::shortened(n.domain) + ".") + detail::shortened(n.op_type);
  if (n.name.empty() && !n.outputs.empty()) s += " making '" + detail::shortened(n.outputs.front()) + "'";
  return s + ")";
}

void check_elements(import_context& cx, const registered_operator& op) {
  std::string_view words = op.elements;
  for (int i = 0; i < cx.input_count() && !words.empty(); ++i) {
    const size_t end = words.find(' ');
    const std::string_view allowed = words.substr(0, end);
    if (end != std::string_view::npos) words.remove_prefix(end + 1);
    if (allowed == "*" || !cx.has(i) || !cx.type_of(cx.in(i)).is_tensor()) continue;
    const dtype given = cx.elem(cx.in(i));
    std::string wanted;
    bool fits = false;
    for (const char letter : allowed) {
      const auto kind = std::find_if(std::begin(detail::element_kinds), std::end(detail::element_kinds),
                                     [&](const detail::element_kind& k) { return k.letter == letter; });
      if (kind == std::end(detail::element_kinds))
        cx.bad("the operator's row says '" + std::string(op.elements) +
               "' of its elements: its letters are f, i, b, s, *");
      fits = fits || kind->holds(given);
      wanted += (wanted.empty() ? "" : " or ") + std::string(kind->name);
    }
    if (!fits) cx.bad("input " + std::to_string(i) + " must be " + wanted + ", not " + std::string(name_of(given)));
  }
}

void check_rules(const model& m, std::span<const registered_operator> extra, std::span<const std::string> given) {
  detail::rule_checker(m, extra).check_all(given);
}

}  // namespace tenon::importers::onnx
