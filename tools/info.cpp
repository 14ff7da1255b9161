// `tenon info`: shows the inputs, outputs and operators of a model or a program file; nothing is compiled.
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/importers/onnx/unknown_operators.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/text/parse.hpp>

#include "modules.hpp"
#include "pass_registry.hpp"
#include "report.hpp"
#include "subject.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct info_options {
  std::string path;
  importers::onnx::read_options limits;
  words talk;
  u64 bytes() const { return std::filesystem::file_size(path); }
};

/// `what`: "input" or "output". `entry`: whose, where there are several.
void show_value(info_options& o, const std::string& what, const std::string& name, const std::string& type,
                const std::string& entry = {}) {
  nlohmann::ordered_json& shown = o.talk.document[what + "s"].emplace_back();
  shown = {{"name", name}, {"type", type}};
  if (!entry.empty()) shown["entry"] = entry;
  if (!o.talk.json) fmt::print("{} {} {}\n", what, name, type);
}

int info_program(info_options& o) {
  const program p = program::open(o.path);
  const auto& d = p.description();
  const std::string target = d.target.substr(0, d.target.find(' '));
  o.talk.document = {{"file", o.path}, {"kind", "program"}, {"bytes", o.bytes()}, {"target", target}};
  o.talk.document["code_bytes"] = d.code_bytes;
  if (d.sizes.empty()) o.talk.document["arena_bytes"] = d.arena_bytes;
  o.talk.say("program file {} ({}), for {}\n", o.path, bytes_text(static_cast<i64>(o.bytes())),
             target.empty() ? "an unnamed processor" : short_target(target));
  o.talk.say("code {}, arena {}\n", bytes_text(d.code_bytes),
             d.sizes.empty() ? bytes_text(d.arena_bytes) : "placed for the sizes of each run");
  const std::vector<std::string> entries = p.entries();
  for (const std::string& name : entries) {
    const program one = p.entry(name);
    const std::string of = entries.size() > 1 ? name : std::string();
    if (!of.empty()) o.talk.say("entry {}\n", of);
    for (const port& i : one.inputs()) show_value(o, "input", i.name, one.describe(i), of);
    for (const port& out : one.outputs()) show_value(o, "output", out.name, one.describe(out), of);
  }
  return 0;
}

/// A program of several parts: what it takes and gives stands in its module.
int info_bundle(info_options& o) {
  const bundle b = read_bundle(o.path);
  o.talk.document = {{"file", o.path}, {"kind", "program"}, {"bytes", o.bytes()}, {"target", b.target}};
  o.talk.document["parts"] = summary_of(b);
  o.talk.say("program file {} ({}), {}, for {}\n", o.path, bytes_text(static_cast<i64>(o.bytes())), summary_of(b),
             short_target(b.target));
  const ir::function& f = b.module[entry_of(b.module)];
  const std::vector<ir::type> inputs = ir::entry_inputs(b.module, entry_of(b.module)),
                              outputs = ir::any_outputs(b.module, entry_of(b.module));
  for (size_t i = 0; i < inputs.size(); ++i) show_value(o, "input", ir::input_name(f, i), print(b.module, inputs[i]));
  for (size_t i = 0; i < outputs.size(); ++i)
    show_value(o, "output", i < f.result_names.size() ? f.result_names[i] : std::to_string(i),
               print(b.module, outputs[i]));
  return 0;
}

int info_module(info_options& o, const ir::module& m, const std::string& phase) {
  observer watch;
  watch.look(m, phase);
  const observer::phase_summary& s = watch.phases.back();
  o.talk.document = {{"file", o.path},           {"kind", "module"},     {"bytes", o.bytes()}, {"phase", phase},
                     {"functions", s.functions}, {"kernels", s.kernels}, {"ops", s.ops}};
  if (o.talk.json) return 0;
  fmt::print("module {} in phase {}: {} functions, {} kernels\nops: {}\n", o.path,
             phase.empty() ? "(none named)" : phase, s.functions, s.kernels, histogram_text(s.ops, 30));
  return 0;
}

int info_text(info_options& o) {
  const std::string text = read_text(o.path);
  return info_module(o, parse(text, o.path, {.phase = {}, .ops = known_ops()}), phase_of_text(text, o.path));
}

int info_read(info_options& o) {
  const module_on_its_way m = read_module(o.path, "", {});
  return info_module(o, *m.body, m.phase);
}

int info_model(info_options& o) {
  const importers::onnx::model m = importers::onnx::load_model(o.path, o.limits);
  nlohmann::ordered_json& json = o.talk.document;
  json = {{"file", o.path}, {"kind", "onnx"}, {"bytes", o.bytes()}, {"ir_version", m.ir_version}};
  json["producer"] = m.producer_name + (m.producer_version.empty() ? "" : " " + m.producer_version);
  o.talk.say("ONNX model {} ({}), IR version {}{}\n", o.path, bytes_text(static_cast<i64>(o.bytes())), m.ir_version,
             m.producer_name.empty() ? "" : fmt::format(", made by {} {}", m.producer_name, m.producer_version));
  for (const auto& opset : m.opset_imports) {
    const std::string domain = opset.domain.empty() ? "ai.onnx" : opset.domain;
    json["opsets"][domain] = opset.version;
    o.talk.say("opset {} {}\n", domain, opset.version);
  }
  std::set<std::string> known;
  i64 parameters = 0;
  for (const auto& w : m.graph.initializers) {
    known.insert(w.name);
    parameters += element_count(w.dims);
  }
  for (const auto& i : m.graph.inputs)
    if (!known.count(i.name)) show_value(o, "input", i.name, type_text(i.type));
  for (const auto& out : m.graph.outputs) show_value(o, "output", out.name, type_text(out.type));
  std::map<std::string, size_t> ops;
  for (const auto& n : m.graph.nodes) ++ops[n.domain.empty() ? n.op_type : n.domain + "." + n.op_type];
  json["nodes"] = m.graph.nodes.size(), json["functions"] = m.functions.size();
  json["weights"] = m.graph.initializers.size(), json["weight_elements"] = parameters;
  json["ops"] = ops;
  o.talk.say("{}, {} with {}{}\nops: {}\n", counted(static_cast<i64>(m.graph.nodes.size()), "node"),
             counted(static_cast<i64>(m.graph.initializers.size()), "weight"), counted(parameters, "element"),
             m.functions.empty() ? "" : ", " + counted(static_cast<i64>(m.functions.size()), "function"),
             histogram_text(ops, 1000));
  for (const auto& u : importers::onnx::unknown_operators(m, {})) {
    json["not_supported"].push_back(
        {{"domain", u.domain}, {"operator", u.op_type}, {"version", u.version}, {"nodes", u.nodes}});
    o.talk.say("not supported yet: {}{}\n", u.text(), u.nodes == 1 ? "" : fmt::format(", {} nodes", u.nodes));
  }
  return 0;
}

}  // namespace

void add_info(CLI::App& app, int& status) {
  auto o = std::make_shared<info_options>();
  CLI::App* sub = app.add_subcommand("info", "show the inputs, outputs and operators of a model");
  sub->add_option("MODEL", o->path, "model.onnx, a program file, or a module")->required();
  add_words(*sub, o->talk, "print inputs and outputs only");
  add_read_options(*sub, o->limits);
  sub->callback([o, &status] {
    require_file(o->path, "give a model, a module as text or a program file");
    status = is_program_file(o->path)                                     ? info_program(*o)
             : is_bundle_file(o->path)                                    ? info_bundle(*o)
             : importer_of(o->path) != nullptr || is_module_file(o->path) ? info_read(*o)
             : is_text_module(o->path)                                    ? info_text(*o)
                                                                          : info_model(*o);
    o->talk.finish();
  });
}

}  // namespace tenon::tool
