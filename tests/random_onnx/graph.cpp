// Random models as bytes and text, and the values of a few nodes.
#include "graph.hpp"

#include <algorithm>
#include <set>

#include <protozero/pbf_writer.hpp>

#include <tenon/importers/onnx.hpp>
#include <tenon/importers/onnx/proto.hpp>
#include <tenon/importers/onnx/registry.hpp>
#include <tenon/interpret/interpreter.hpp>
#include <tenon/runtime/strings.hpp>

namespace random_onnx {
namespace {

namespace onnx = tenon::importers::onnx;
using protozero::pbf_writer;

template <class F>
std::string message(F&& f) {
  std::string bytes;
  pbf_writer out(bytes);
  f(out);
  return bytes;
}

/// What a ValueInfoProto says of a shape.
enum class known { nothing, rank, extents };
/// ValueInfoProto; no tensor: a name alone.
std::string value_info(const std::string& name, const tensor* t, const names* symbols, known shape) {
  return message([&](pbf_writer& v) {
    v.add_string(1, name);
    if (!t) return;
    pbf_writer outer(v, 2);
    pbf_writer type(outer, 1);
    type.add_int32(1, static_cast<int>(onnx::to_elem_type(t->type())));
    if (shape == known::nothing) return;
    pbf_writer list(type, 2);
    for (size_t d = 0; d < t->shape().size(); ++d) {
      // A writer of its own: what protozero nests and finds empty is left out.
      const std::string symbol = shape == known::rank ? "?" : symbols && !symbols->empty() ? symbols->at(d) : "";
      list.add_message(1, message([&](pbf_writer& dim) {
                         if (symbol.empty()) dim.add_int64(1, t->shape()[d]);
                         else if (symbol != "?") dim.add_string(2, symbol);
                       }));
    }
  });
}

std::string graph_bytes(const graph& g, bool body);

std::string attribute_bytes(const attr& a) {
  return message([&](pbf_writer& out) {
    out.add_string(1, a.name);
    struct {
      pbf_writer& out;
      void operator()(i64 v) const { out.add_int64(3, v), out.add_int32(20, 2); }
      void operator()(float v) const { out.add_float(2, v), out.add_int32(20, 1); }
      void operator()(const std::string& v) const { out.add_bytes(4, v), out.add_int32(20, 3); }
      void operator()(const dims& list) const {
        for (i64 v : list) out.add_int64(8, v);
        out.add_int32(20, 7);
      }
      void operator()(const std::vector<float>& list) const {
        for (float v : list) out.add_float(7, v);
        out.add_int32(20, 6);
      }
      void operator()(const names& list) const {
        for (const std::string& v : list) out.add_bytes(9, v);
        out.add_int32(20, 8);
      }
      void operator()(const tensor& v) const { out.add_message(5, onnx::encode_tensor(v, "")), out.add_int32(20, 4); }
      void operator()(const std::shared_ptr<graph>& v) const {
        out.add_message(6, graph_bytes(*v, true)), out.add_int32(20, 5);
      }
    } write{out};
    std::visit(write, a.value);
  });
}

std::string node_bytes(const node& n) {
  return message([&](pbf_writer& out) {
    for (const std::string& i : n.inputs) out.add_string(1, i);
    for (const std::string& o : n.outputs) out.add_string(2, o);
    if (!n.outputs.empty()) out.add_string(3, n.op + "_" + n.outputs.front());
    out.add_string(4, n.op);
    for (const attr& a : n.attributes) out.add_message(5, attribute_bytes(a));
    if (!n.domain.empty()) out.add_string(7, n.domain);
  });
}

std::string graph_bytes(const graph& g, bool body) {
  return message([&](pbf_writer& out) {
    for (const node& n : g.nodes) out.add_message(1, node_bytes(n));
    out.add_string(2, body ? "body" : "main");
    for (const input& i : g.inputs)
      if (i.initializer) out.add_message(5, onnx::encode_tensor(i.value, i.name));
    for (const input& i : g.inputs)
      if (!i.initializer)
        out.add_message(11, value_info(i.name, &i.value, &i.symbols, body ? known::rank : known::extents));
    for (const std::string& o : g.outputs) {
      const auto found = g.produced.find(o);
      out.add_message(12, value_info(o, found == g.produced.end() ? nullptr : &found->second, nullptr,
                                     body ? known::rank : known::nothing));
    }
  });
}

/// The domains of all nodes, those of bodies too, with the version that has these operators.
void find_domains(const graph& g, std::map<std::string, i64>& versions) {
  for (const node& n : g.nodes) {
    i64& version = versions.emplace(n.domain, 1).first->second;
    const auto rows = onnx::built_in_versions(n.domain, n.op);
    if (!n.domain.empty() && !rows.empty()) version = std::max(version, rows.front().since);
    for (const attr& a : n.attributes)
      if (const auto* body = std::get_if<std::shared_ptr<graph>>(&a.value)) find_domains(**body, versions);
  }
}

std::string model_bytes(const graph& g, i64 opset) {
  return message([&](pbf_writer& out) {
    out.add_int64(1, 8);
    out.add_string(2, "tenon_random_onnx");
    out.add_message(7, graph_bytes(g, false));
    std::map<std::string, i64> domains{{"", opset}, {"ai.onnx.ml", 3}, {"com.microsoft", 1}};
    find_domains(g, domains);
    for (const auto& [domain, version] : domains) {
      pbf_writer set(out, 8);
      set.add_string(1, domain);
      set.add_int64(2, version);
    }
  });
}

void find_outside(const std::vector<node>& nodes, const names& outputs, std::set<std::string> known, names& found,
                  std::set<std::string>& seen) {
  const auto use = [&](const std::string& name) {
    if (!name.empty() && !known.count(name) && seen.insert(name).second) found.push_back(name);
  };
  for (const node& n : nodes) {
    for (const std::string& i : n.inputs) use(i);
    for (const attr& a : n.attributes)
      if (const auto* body = std::get_if<std::shared_ptr<graph>>(&a.value)) {
        std::set<std::string> inside = known;
        for (const input& i : (*body)->inputs) inside.insert(i.name);
        find_outside((*body)->nodes, (*body)->outputs, inside, found, seen);
      }
    known.insert(n.outputs.begin(), n.outputs.end());
  }
  for (const std::string& o : outputs) use(o);
}

std::string elements_of(const tensor& t) {
  std::string s = t.describe() + " = [";
  for (i64 k = 0; k < t.size() && k < 32; ++k) {
    if (t.type() == dtype::string) {
      s += (k ? ", '" : "'") + tenon::string_at(t, k) + "'";
      continue;
    }
    char number[32];
    std::snprintf(number, sizeof number, "%s%.9g", k ? ", " : "", t.at_f64(k));
    s += number;
  }
  return s + (t.size() > 32 ? ", ...]" : "]");
}

void write_text(const graph& g, const std::string& indent, std::string& s) {
  for (const input& i : g.inputs) {
    s += indent + (i.initializer ? "initializer " : "input ") + i.name + ": " + elements_of(i.value);
    if (!i.symbols.empty()) {
      s += " (";
      for (const std::string& d : i.symbols) s += (d.empty() ? "-" : d) + ",";
      s.back() = ')';
    }
    s += "\n";
  }
  for (const node& n : g.nodes) {
    s += indent;
    for (size_t k = 0; k < n.outputs.size(); ++k) s += (k ? ", " : "") + n.outputs[k];
    s += " = " + (n.domain.empty() ? "" : n.domain + ".") + n.op + "(";
    for (size_t k = 0; k < n.inputs.size(); ++k) s += (k ? ", " : "") + (n.inputs[k].empty() ? "_" : n.inputs[k]);
    s += ")";
    for (const attr& a : n.attributes) {
      s += " " + a.name + "=";
      if (const auto* integer = std::get_if<i64>(&a.value)) s += std::to_string(*integer);
      if (const auto* number = std::get_if<float>(&a.value)) s += std::to_string(*number);
      if (const auto* word = std::get_if<std::string>(&a.value)) s += *word;
      if (const auto* list = std::get_if<dims>(&a.value)) s += tenon::shape_text(*list);
      if (const auto* list = std::get_if<std::vector<float>>(&a.value))
        for (float f : *list) s += std::to_string(f) + ",";
      if (const auto* list = std::get_if<names>(&a.value))
        for (const std::string& w : *list) s += w + ",";
      if (const auto* t = std::get_if<tensor>(&a.value)) s += elements_of(*t);
      if (const auto* body = std::get_if<std::shared_ptr<graph>>(&a.value)) {
        s += "{\n";
        write_text(**body, indent + "  ", s);
        s += indent + "}";
      }
    }
    for (const std::string& o : n.outputs)
      if (const auto found = g.produced.find(o); found != g.produced.end()) s += " : " + found->second.describe();
    s += "\n";
  }
  s += indent + "outputs";
  for (const std::string& o : g.outputs) s += " " + o;
  s += "\n";
}

}  // namespace

names taken_from_outside(const std::vector<node>& nodes, const names& outputs) {
  names found;
  std::set<std::string> seen;
  find_outside(nodes, outputs, {}, found, seen);
  return found;
}

std::string encode(const model& m) { return model_bytes(m.main, m.opset); }

std::string encode_alone(const std::vector<node>& nodes, const values& given, const names& outputs, i64 opset) {
  graph g;
  g.nodes = nodes;
  g.outputs = outputs;
  for (const std::string& name : taken_from_outside(nodes))
    if (const auto found = given.find(name); found != given.end()) g.inputs.push_back({name, found->second, {}, true});
  return model_bytes(g, opset);
}

std::string text_of(const model& m) {
  std::string s = "opset " + std::to_string(m.opset) + "\n";
  write_text(m.main, "", s);
  for (const auto& [name, t] : m.second) s += "then " + name + ": " + elements_of(t) + "\n";
  return s;
}

values evaluate(const std::vector<node>& nodes, const values& given, const names& outputs, i64 opset) {
  const auto bytes = std::make_shared<const std::string>(encode_alone(nodes, given, outputs, opset));
  const auto m = onnx::import_model(onnx::decode_model(*bytes, bytes, "nodes"), {});
  values result;
  const std::vector<tenon::value> got = tenon::interpret_values(m.body(), "main", {});
  for (size_t k = 0; k < outputs.size() && k < got.size(); ++k)
    if (got[k].is_tensor()) result.emplace(outputs[k], got[k].as_tensor());
  return result;
}

}  // namespace random_onnx
