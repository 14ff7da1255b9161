/// @file proto: definitions of the decoder of models.
#pragma once

#include <algorithm>
#include <climits>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/core/mapped_file.hpp>
#include <tenon/importers/onnx/decode.ipp>
#include <tenon/importers/onnx/other_files.hpp>

namespace tenon::importers::onnx {
namespace detail {

graph decode_graph(std::string_view bytes, const position& where);

/// The type that a value field implies: files of IR version 1 have no `type` field.
inline attribute::type_t implied_type(u32 tag) {
  using enum attribute::type_t;
  switch (tag) {
    case 2: return float_;
    case 3: return int_;
    case 4: return string;
    case 5: return tensor;
    case 6: return graph;
    case 7: return floats;
    case 8: return ints;
    case 9: return strings;
    case 10: return tensors;
    case 11: return graphs;
    case 14: return type_proto;
    case 15: return type_protos;
    case 22: return sparse_tensor;
    case 23: return sparse_tensors;
    default: return undefined;
  }
}

inline attribute decode_attribute(std::string_view bytes, const position& where) {
  attribute a;
  auto implied = attribute::type_t::undefined, other = implied;  // what its values are, where there are several kinds
  each_field(bytes, where, [&](field& f) {
    if (const auto t = implied_type(f.tag()); t != attribute::type_t::undefined) {
      if (implied != attribute::type_t::undefined && implied != t) other = implied;
      implied = t;
    }
    switch (f.tag()) {
      case 1: a.name = f.string(); break;
      case 2: a.f = f.f32(); break;
      case 3: a.i = f.integer(); break;
      case 4: a.s = f.string(); break;
      case 5:
      case 10: a.tensors.push_back(decode_tensor(f.bytes(), where.in("TensorProto"))); break;
      case 6:
      case 11:
        a.graphs.push_back(std::make_shared<const graph>(decode_graph(f.bytes(), where.in("GraphProto"))));
        break;
      case 7: f.each_f32([&](float v) { a.floats.push_back(v); }); break;
      case 8: f.each_integer([&](i64 v) { a.ints.push_back(v); }); break;
      case 9: a.strings.push_back(f.string()); break;
      case 14:
      case 15: a.types.push_back(decode_type(f.bytes(), where.in("TypeProto"))); break;
      case 20: a.type = static_cast<attribute::type_t>(std::clamp<i64>(f.integer(), 0, INT32_MAX)); break;
      case 21: a.ref_attr_name = f.string(); break;
      case 22:
      case 23: a.sparse_tensors.push_back(decode_sparse_tensor(f.bytes(), where.in("SparseTensorProto"))); break;
      default: break;
    }
  });
  if (a.type == attribute::type_t::undefined) a.type = implied;
  if (implied != attribute::type_t::undefined && implied != a.type) other = implied;
  if (other != attribute::type_t::undefined)
    where.fail("attribute '" + a.name + "' says it is a " + std::string(name_of(a.type)) + ", but holds a " +
                   std::string(name_of(other)),
               bytes.data());
  const bool needs_tensor = a.type == attribute::type_t::tensor && a.tensors.empty();
  const bool needs_graph = a.type == attribute::type_t::graph && a.graphs.empty();
  const bool needs_sparse = a.type == attribute::type_t::sparse_tensor && a.sparse_tensors.empty();
  const bool needs_type = a.type == attribute::type_t::type_proto && a.types.empty();
  if (a.ref_attr_name.empty() && (needs_tensor || needs_graph || needs_sparse || needs_type))
    where.fail("attribute '" + a.name + "' says it is a " + std::string(name_of(a.type)) + ", but holds none",
               bytes.data());
  return a;
}

inline node decode_node(std::string_view bytes, const position& where) {
  node n;
  each_field(bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 1: n.inputs.push_back(f.string()); break;
      case 2: n.outputs.push_back(f.string()); break;
      case 3: n.name = f.string(); break;
      case 4: n.op_type = f.string(); break;
      case 5: n.attributes.push_back(decode_attribute(f.bytes(), where.in("AttributeProto"))); break;
      case 7: n.domain = normal_domain(f.bytes()); break;
      case 8: n.overload = f.string(); break;
      default: break;
    }
  });
  if (n.op_type.empty()) where.fail("node '" + n.name + "' has no op_type", bytes.data());
  return n;
}

/// Calls f(name) for what a node reads, and for what its graphs read, their own values among them.
template <class F>
void for_each_read(const node& n, F&& f) {
  for (const std::string& name : n.inputs)
    if (!name.empty()) f(name);
  for (const attribute& a : n.attributes)
    for (const auto& g : a.graphs) {
      for (const node& inner : g->nodes) for_each_read(inner, f);
      for (const value_info& v : g->outputs) f(v.name);
    }
}

/// Puts nodes behind those that they read from, and leaves them as they are otherwise. ONNX asks for that order, but
/// tools that append nodes, such as casts to f16, do not keep it, and ONNX Runtime does not need it. Cycles stay, for
/// `check_rules`. Cost: O(nodes and names), times log(nodes) where they are moved.
inline void sort_nodes(std::vector<node>& nodes) {
  std::unordered_map<std::string_view, size_t> makers;
  for (size_t i = 0; i < nodes.size(); ++i)
    for (const std::string& name : nodes[i].outputs)
      if (!name.empty()) makers.emplace(name, i);
  const auto for_each_maker = [&](size_t user, auto&& f) {
    for_each_read(nodes[user], [&](const std::string& name) {
      if (const auto made = makers.find(name); made != makers.end()) f(made->second);
    });
  };
  bool sorted = true;
  for (size_t i = 0; i < nodes.size(); ++i) for_each_maker(i, [&](size_t by) { sorted = sorted && by < i; });
  if (sorted) return;

  std::vector<std::vector<size_t>> users(nodes.size());
  std::vector<size_t> missing(nodes.size()), order;
  for (size_t i = 0; i < nodes.size(); ++i) for_each_maker(i, [&](size_t by) { users[by].push_back(i), ++missing[i]; });
  const auto later = [](size_t a, size_t b) { return a > b; };
  std::priority_queue<size_t, std::vector<size_t>, decltype(later)> ready(later);  // the first in the file on top
  for (size_t i = 0; i < nodes.size(); ++i)
    if (missing[i] == 0) ready.push(i);
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (size_t user : users[order.back()])
      if (--missing[user] == 0) ready.push(user);
  }
  if (order.size() < nodes.size()) return;
  std::vector<node> moved;
  for (size_t i : order) moved.push_back(std::move(nodes[i]));
  nodes = std::move(moved);
}

inline graph decode_graph(std::string_view bytes, const position& where) {
  graph g;
  each_field(bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 1: g.nodes.push_back(decode_node(f.bytes(), where.in("NodeProto"))); break;
      case 2: g.name = f.string(); break;
      case 5: g.initializers.push_back(decode_tensor(f.bytes(), where.in("TensorProto"))); break;
      case 11: g.inputs.push_back(decode_value_info(f.bytes(), where.in("ValueInfoProto"))); break;
      case 12: g.outputs.push_back(decode_value_info(f.bytes(), where.in("ValueInfoProto"))); break;
      case 13: g.value_infos.push_back(decode_value_info(f.bytes(), where.in("ValueInfoProto"))); break;
      case 15: g.sparse_initializers.push_back(decode_sparse_tensor(f.bytes(), where.in("SparseTensorProto"))); break;
      default: break;
    }
  });
  sort_nodes(g.nodes);
  return g;
}

inline opset_import decode_opset(std::string_view bytes, const position& where) {
  opset_import o;
  each_field(bytes, where, [&](field& f) {
    if (f.tag() == 1) o.domain = normal_domain(f.bytes());
    if (f.tag() == 2) o.version = f.integer();
  });
  return o;
}

inline function decode_function(std::string_view bytes, const position& where) {
  function fn;
  each_field(bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 1: fn.name = f.string(); break;
      case 4: fn.inputs.push_back(f.string()); break;
      case 5: fn.outputs.push_back(f.string()); break;
      case 6: fn.attributes.push_back(f.string()); break;
      case 7: fn.nodes.push_back(decode_node(f.bytes(), where.in("NodeProto"))); break;
      case 9: fn.opset_imports.push_back(decode_opset(f.bytes(), where.in("OperatorSetIdProto"))); break;
      case 10: fn.domain = normal_domain(f.bytes()); break;
      case 11: fn.attribute_defaults.push_back(decode_attribute(f.bytes(), where.in("AttributeProto"))); break;
      case 12: fn.value_infos.push_back(decode_value_info(f.bytes(), where.in("ValueInfoProto"))); break;
      case 13: fn.overload = f.string(); break;
      default: break;
    }
  });
  sort_nodes(fn.nodes);
  return fn;
}

inline model decode(const std::shared_ptr<const source>& origin, const import_budget& limits) {
  budget_meter budget(limits);
  const position where{origin, "ModelProto", 0, &budget};
  model m;
  m.file = origin->name;
  bool has_graph = false;
  if (const other_file* o = other_file_of(origin->bytes))
    throw error("onnx.malformed", std::string("this is no ONNX model: it is ") + o->what, origin->name, o->hint);
  each_field(origin->bytes, where, [&](field& f) {
    switch (f.tag()) {
      case 1: m.ir_version = f.integer(); break;
      case 2: m.producer_name = f.string(); break;
      case 3: m.producer_version = f.string(); break;
      case 4: m.domain = f.string(); break;
      case 5: m.model_version = f.integer(); break;
      case 7: m.graph = decode_graph(f.bytes(), where.in("GraphProto")), has_graph = true; break;
      case 8: m.opset_imports.push_back(decode_opset(f.bytes(), where.in("OperatorSetIdProto"))); break;
      case 14: m.metadata.push_back(decode_entry(f.bytes(), where.in("StringStringEntryProto"))); break;
      case 20: m.has_training_info = true; break;
      case 25: m.functions.push_back(decode_function(f.bytes(), where.in("FunctionProto"))); break;
      default: break;
    }
  });
  if (!has_graph) where.fail("there is no graph in it", origin->bytes.data());
  return m;
}

inline std::shared_ptr<const source> open_source(const std::string& path, bool follow_links = false) {
  auto file = std::make_shared<const mapped_file>(path);
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  return std::make_shared<const source>(source{file->bytes(), file, path, folder, follow_links});
}

}  // namespace detail

model load_model(const std::string& path, const read_options& options) {
  return detail::decode(detail::open_source(path, options.follow_links), options.budget);
}

model decode_model(std::string_view bytes, std::shared_ptr<const void> owner, const std::string& name,
                   const std::string& folder, const read_options& options) {
  if (!owner) {
    auto copy = std::make_shared<const std::string>(bytes);
    bytes = *copy, owner = std::move(copy);
  }
  return detail::decode(
      std::make_shared<const source>(source{bytes, std::move(owner), name, folder, options.follow_links}),
      options.budget);
}

const attribute* node::find(std::string_view attribute_name) const {
  for (const attribute& a : attributes)
    if (a.name == attribute_name) return &a;
  return nullptr;
}

std::optional<i64> model::opset(std::string_view domain_name) const {
  if (domain_name == "ai.onnx") domain_name = "";
  for (const opset_import& o : opset_imports)
    if (o.domain == domain_name) return o.version;
  if (opset_imports.empty() && domain_name.empty()) return 1;  // IR versions 1 and 2 had no imports
  return std::nullopt;
}

std::string_view name_of(attribute::type_t t) {
  constexpr std::string_view names[] = {
      "undefined", "float",   "int",    "string",        "tensor",         "graph",      "floats",     "ints",
      "strings",   "tensors", "graphs", "sparse_tensor", "sparse_tensors", "type_proto", "type_protos"};
  const auto i = static_cast<size_t>(t);
  return i < std::size(names) ? names[i] : "unknown";
}

}  // namespace tenon::importers::onnx
