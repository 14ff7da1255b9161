// `tenon inspect`: shows what is inside a program file, a partly compiled module, or an ONNX model; nothing is compiled
// or run.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <tenon/artifacts/elf.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/mapped_file.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "modules.hpp"
#include "pass_registry.hpp"
#include "report.hpp"

namespace tenon::tool {
namespace {

using json = nlohmann::ordered_json;

json typed(const std::string& name, const std::string& type) { return {{"name", name}, {"type", type}}; }

json constant(const std::string& name, const tensor& t) {
  json c = {{"name", name}, {"type", std::string(name_of(t.type())) + shape_text(t.shape())}, {"bytes", t.bytes()}};
  return c;
}

/// Format, size, and for machine code the symbols that it defines and those that it needs.
json artifact_of(const std::string& format, const std::string& symbol, const std::string& target,
                 std::span<const char> bytes) {
  json a = {{"format", format}, {"symbol", symbol}, {"target", target}, {"bytes", bytes.size()}};
  if (format != "elf_object" && format != "elf_shared") return a;
  try {
    const elf_symbols s = symbols_of_elf(bytes);
    a["defines"] = s.defined, a["needs"] = s.needed;
  } catch (const error& e) { a["problem"] = e.message(); }
  return a;
}

/// With symbolic extents by their names.
std::string port_type(const program::parts& p, const port& o) {
  std::string s(name_of(o.type));
  s += "[";
  for (size_t d = 0; d < o.shape.size(); ++d) {
    const u64 symbol = static_cast<u64>(-2 - o.shape[d]);
    s += (d != 0 ? "," : "") + (o.shape[d] >= 0                   ? std::to_string(o.shape[d])
                                : symbol < p.sizes.symbols.size() ? p.sizes.symbols[symbol]
                                                                  : "?");
  }
  return s + "]";
}

json texts_of(const std::vector<extent_condition>& conditions) {
  json j = json::array();
  for (const extent_condition& c : conditions) j.push_back(c.text());
  return j;
}

json entry_json(const program::parts& p) {
  json entry = {{"name", p.name}, {"inputs", json::array()}, {"outputs", json::array()}};
  for (const port& i : p.inputs) entry["inputs"].push_back(typed(i.name, port_type(p, i)));
  for (const port& o : p.outputs) entry["outputs"].push_back(typed(o.name, port_type(p, o)));
  if (!p.variant_of.empty()) entry["for sizes that are refused by"] = p.variant_of;
  return entry;
}

json program_json(const program_contents& p) {
  json j = {{"kind", "program"},
            {"format_version", program_file_kind.version},
            {"fingerprint", p.parts.fingerprint},
            {"target", p.parts.target}};
  j["arena_bytes"] = p.parts.arena_bytes;
  j["entries"] = {entry_json(p.parts)};
  for (const program::parts& one : p.parts.more) j["entries"].push_back(entry_json(one));
  j["artifacts"] = {artifact_of("elf_shared", p.symbol, p.parts.target, p.code)};
  j["builtins"] = j["artifacts"][0].value("needs", json::array());
  j["conditions"] = texts_of(p.parts.sizes.conditions);
  j["constants"] = json::array();
  size_t n = 0;
  for (const tensor& c : p.parts.constants) {
    if (c.bytes() != 0) j["constants"].push_back(constant("#" + std::to_string(n), c));
    ++n;
  }
  return j;
}

json inspect_module(const ir::module& m, json j) {
  j["conditions"] = texts_of(m.conditions.items());
  j["fingerprint"] = m.build.fingerprint, j["build"] = m.build.entries();
  j["metadata"] = m.metadata;
  j["functions"] = json::array();
  for (function_id f : m.functions()) {
    const ir::function& fn = m[f];
    json one = {
        {"name", fn.name}, {"kind", fn.kind == ir::function_kind::kernel ? "kernel" : "graph"}, {"entry", fn.entry}};
    if (!fn.target.empty()) one["target"] = fn.target;
    if (!fn.phase.empty()) one["phase"] = fn.phase;
    one["inputs"] = json::array(), one["outputs"] = json::array();
    const auto& arguments = m[fn.body].arguments;
    for (size_t i = 0; i < ir::input_count(m, f); ++i)
      one["inputs"].push_back(typed(i < fn.argument_names.size() ? fn.argument_names[i] : std::to_string(i),
                                    print(m, m.type_of(arguments[i]))));
    for (size_t i = 0; i < fn.result_types.size(); ++i)
      one["outputs"].push_back(
          typed(i < fn.result_names.size() ? fn.result_names[i] : std::to_string(i), print(m, m[fn.result_types[i]])));
    j["functions"].push_back(std::move(one));
  }
  std::map<std::string, size_t> ops;
  ir::for_each_op(m, [&](op_id op) { ++ops[std::string(m.view(op).name())]; });
  j["ops"] = ops;
  j["constants"] = json::array();
  for (size_t i = 0; i < m.constant_count(); ++i) {
    const auto& c = m[constant_id(i)];
    j["constants"].push_back(constant(c.name.empty() ? "#" + std::to_string(i) : c.name, c.value));
  }
  j["artifacts"] = json::array();
  for (const ir::artifact& a : m.artifacts()) {
    json one = artifact_of(a.format, a.symbol, a.target, a.bytes);
    if (!a.producer.empty()) one["producer"] = a.producer;
    j["artifacts"].push_back(std::move(one));
  }
  return j;
}

json inspect_binary(const std::string& path) {
  const mapped_file file(path);
  const module_header h = read_module_header(file.bytes(), path);
  return inspect_module(load_module(path), {{"kind", "module"},
                                            {"format_version", h.format_version},
                                            {"library_version", h.version},
                                            {"phase", h.phase},
                                            {"facts_when_written", h.facts},
                                            {"fingerprint", h.fingerprint},
                                            {"target", h.target}});
}

/// Host and regions, or members and parts; a part that is a bundle again is shown within it.
json inspect_bundle(const bundle& b) {
  json j = inspect_module(b.module, {{"kind", b.kind == "host"     ? "program with a host"
                                              : b.kind == "linked" ? "linked program"
                                              : b.kind == "module" ? "program as a module"
                                                                   : "programs for different sizes"},
                                     {"format_version", bundle_file_kind.version},
                                     {"fingerprint", b.fingerprint},
                                     {"target", b.target},
                                     {"phase", b.phase},
                                     {"summary", summary_of(b)}});
  for (target_spec m : parse_target(b.target).members) {
    const std::string name = std::exchange(m.label, {});
    j["members"].push_back({{"name", name.empty() ? m.name : name}, {"target", to_text(m)}});
  }
  j["parts"] = json::array();
  for (const bundle::part& p : b.parts) {
    json one = {{"name", p.name}, {"form", p.form}, {"target", p.target}, {"bytes", p.bytes.size()}};
    if (p.form == "none") one["evaluated, since"] = p.note;
    if (p.form == "program") {
      const json inner = program_json(program_of(p));
      one["inputs"] = inner["entries"][0]["inputs"], one["outputs"] = inner["entries"][0]["outputs"];
      one["artifact"] = inner["artifacts"][0], one["arena_bytes"] = inner["arena_bytes"],
      one["constants"] = inner["constants"];
    }
    if (p.form == "bundle") one["bundle"] = inspect_bundle(read_bundle(p.bytes, p.owner, "part '" + p.name + "'"));
    j["parts"].push_back(std::move(one));
  }
  return j;
}

json inspect_text(const std::string& path) {
  const auto m = read_module(path, "", {});
  return inspect_module(*m.body, {{"kind", "module as text"}, {"phase", m.phase}, {"facts_when_written", m.facts}});
}

json inspect_imported(const std::string& path) {
  const auto m = read_module(path, "", {});
  return inspect_module(*m.body, {{"kind", std::string(importer_of(path)->name)}, {"phase", m.phase}});
}

json inspect_onnx(const std::string& path) {
  const importers::onnx::model m = importers::onnx::load_model(path);
  json j = {
      {"kind", "ONNX model"}, {"ir_version", m.ir_version}, {"producer", m.producer_name + " " + m.producer_version}};
  for (const auto& o : m.opset_imports) j["opsets"][o.domain.empty() ? "ai.onnx" : o.domain] = o.version;
  std::map<std::string, bool> known;
  j["constants"] = json::array();
  for (const auto& w : m.graph.initializers) {
    known[w.name] = true;
    const auto type = importers::onnx::to_dtype(w.type);
    j["constants"].push_back(
        typed(w.name, (type ? std::string(name_of(*type)) : importers::onnx::name_of(w.type)) + shape_text(w.dims)));
  }
  json entry = {{"name", m.graph.name}, {"inputs", json::array()}, {"outputs", json::array()}};
  for (const auto& i : m.graph.inputs)
    if (!known.count(i.name)) entry["inputs"].push_back(typed(i.name, type_text(i.type)));
  for (const auto& o : m.graph.outputs) entry["outputs"].push_back(typed(o.name, type_text(o.type)));
  j["entries"] = {entry};
  std::map<std::string, size_t> ops;
  for (const auto& n : m.graph.nodes) ++ops[n.domain.empty() ? n.op_type : n.domain + "." + n.op_type];
  j["ops"] = ops;
  return j;
}

/// For people: scalars on a line each, lists item by item, long ones shortened.
void show(const json& j, int depth) {
  constexpr size_t most = 12;
  const std::string indent(static_cast<size_t>(2 * depth), ' ');
  const auto plain = [](const json& v, const std::string& key = "") {
    if (!v.is_string()) return v.dump();
    return key == "target" ? short_target(v.get<std::string>()) : v.get<std::string>();
  };
  const auto line = [&](const json& v) {
    std::string s;
    for (const auto& [key, x] : v.items())
      if (!x.is_structured())
        s += (s.empty() ? "" : ", ") + (key == "name" || key == "type" ? plain(x) : key + " " + plain(x, key));
      else if (!x.empty() && x.is_array() && !x[0].is_structured())
        s += ", " + key + " " + (x.size() > most ? std::to_string(x.size()) + " symbols" : x.dump());
    return s;
  };
  for (const auto& [key, v] : j.items()) {
    if (!v.is_structured()) {
      if (plain(v) != "" && plain(v) != "\"\"") fmt::print("{}{}: {}\n", indent, key, plain(v, key));
    } else if (v.is_object()) {
      std::map<std::string, size_t> counts;
      bool all_numbers = !v.empty();
      for (const auto& [k, x] : v.items())
        if (x.is_number_unsigned()) counts[k] = x.get<size_t>();
        else all_numbers = false;
      if (all_numbers) fmt::print("{}{}: {}\n", indent, key, histogram_text(counts, 1000));
      else if (!v.empty()) fmt::print("{}{}:\n", indent, key), show(v, depth + 1);
    } else if (!v.empty()) {
      fmt::print("{}{}: {}\n", indent, key, v.size());
      for (size_t i = 0; i < v.size() && i < most; ++i) {
        fmt::print("{}  {}\n", indent, v[i].is_structured() ? line(v[i]) : plain(v[i]));
        for (const char* part : {"inputs", "outputs"})
          if (v[i].is_object() && v[i].contains(part))
            for (const json& p : v[i][part])
              fmt::print("{}    {} {}\n", indent, std::string_view(part, std::strlen(part) - 1), line(p));
      }
      if (v.size() > most) fmt::print("{}  and {} more: --json shows all\n", indent, v.size() - most);
    }
  }
}

}  // namespace

void add_inspect(CLI::App& app, int& status) {
  struct options {
    std::string file;
    bool as_json = false;
  };
  auto o = std::make_shared<options>();
  CLI::App* sub =
      app.add_subcommand("inspect", "show what is inside a program, a partly compiled module, or an ONNX model");
  sub->add_option("FILE", o->file, "a file that `tenon build` or `tenon opt` wrote, or model.onnx")->required();
  sub->add_flag("--json", o->as_json, "everything, for programs to read");
  sub->callback([o, &status] {
    require_file(o->file, "give a model, a module or a program file");
    json j = is_program_file(o->file)  ? program_json(read_program(o->file))
             : is_bundle_file(o->file) ? inspect_bundle(read_bundle(o->file))
             : is_module_file(o->file) ? inspect_binary(o->file)
             : importer_of(o->file)    ? inspect_imported(o->file)
             : holds_module(o->file)   ? inspect_text(o->file)
                                       : inspect_onnx(o->file);
    j["file_bytes"] = std::filesystem::file_size(o->file);
    // Names in files may be no UTF-8: they are shown with a replacement character.
    if (o->as_json) fmt::print("{}\n", j.dump(2, ' ', false, json::error_handler_t::replace));
    else show(json::parse(j.dump(-1, ' ', false, json::error_handler_t::replace)), 0);
    status = 0;
  });
}

}  // namespace tenon::tool
