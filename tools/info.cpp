// `tenon info`: shows the inputs, outputs and operators of a model or a program file; nothing is compiled.
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/runtime/program.hpp>
#include <tenon/text/parse.hpp>

#include "modules.hpp"
#include "pass_registry.hpp"
#include "report.hpp"

namespace tenon::tool {
namespace {

void print_port(const char* what, const program& of, const port& p) {
  fmt::print("{} {} {}\n", what, p.name, of.describe(p));
}

int info_program(const std::string& path) {
  const program p = program::open(path);
  const auto& d = p.description();
  fmt::print("program file {} ({}), for {}\n", path, bytes_text(static_cast<i64>(std::filesystem::file_size(path))),
             d.target.empty() ? "an unnamed processor" : d.target.substr(0, d.target.find(' ')));
  fmt::print("code {}, arena {}\n", bytes_text(d.code_bytes),
             d.sizes.empty() ? bytes_text(d.arena_bytes) : "placed for the sizes of each run");
  for (const port& i : p.inputs()) print_port("input", p, i);
  for (const port& o : p.outputs()) print_port("output", p, o);
  return 0;
}

int info_module(const std::string& path, const ir::module& m, const std::string& phase) {
  observer watch;
  watch.look(m, phase);
  const observer::phase_summary& s = watch.phases.back();
  fmt::print("module {} in phase {}: {} functions, {} kernels\nops: {}\n", path, phase.empty() ? "(none named)" : phase,
             s.functions, s.kernels, histogram_text(s.ops, 30));
  return 0;
}

int info_text(const std::string& path) {
  const std::string text = read_text(path);
  return info_module(path, parse(text, path, {.phase = {}, .ops = known_ops()}), phase_of_text(text, path));
}

int info_imported(const std::string& path) {
  const module_on_its_way m = read_module(path, "", {});
  return info_module(path, *m.body, m.phase);
}

int info_model(const std::string& path, const importers::onnx::read_options& limits) {
  const importers::onnx::model m = importers::onnx::load_model(path, limits);
  fmt::print("ONNX model {} ({}), IR version {}", path, bytes_text(static_cast<i64>(std::filesystem::file_size(path))),
             m.ir_version);
  if (!m.producer_name.empty()) fmt::print(", made by {} {}", m.producer_name, m.producer_version);
  fmt::print("\n");
  for (const auto& o : m.opset_imports) fmt::print("opset {} {}\n", o.domain.empty() ? "ai.onnx" : o.domain, o.version);
  std::set<std::string> known;
  i64 parameters = 0;
  for (const auto& w : m.graph.initializers) {
    known.insert(w.name);
    parameters += element_count(w.dims);
  }
  for (const auto& i : m.graph.inputs)
    if (!known.count(i.name)) fmt::print("input {} {}\n", i.name, type_text(i.type));
  for (const auto& o : m.graph.outputs) fmt::print("output {} {}\n", o.name, type_text(o.type));
  std::map<std::string, size_t> ops;
  for (const auto& n : m.graph.nodes) ++ops[n.domain.empty() ? n.op_type : n.domain + "." + n.op_type];
  fmt::print("{} nodes, {} weights with {} elements", m.graph.nodes.size(), m.graph.initializers.size(), parameters);
  if (!m.functions.empty()) fmt::print(", {} functions", m.functions.size());
  fmt::print("\nops: {}\n", histogram_text(ops, 1000));
  return 0;
}

}  // namespace

void add_info(CLI::App& app, int& status) {
  auto path = std::make_shared<std::string>();
  auto limits = std::make_shared<importers::onnx::read_options>();
  CLI::App* sub = app.add_subcommand("info", "show the inputs, outputs and operators of a model");
  sub->add_option("MODEL", *path, "model.onnx, a program file, or a module as text (.tenon)")->required();
  add_read_options(*sub, *limits);
  sub->callback([path, limits, &status] {
    require_file(*path, "give a model, a module as text or a program file");
    if (is_program_file(*path)) status = info_program(*path);
    else if (importer_of(*path)) status = info_imported(*path);
    else if (std::filesystem::path(*path).extension() == ".tenon") status = info_text(*path);
    else status = info_model(*path, *limits);
  });
}

}  // namespace tenon::tool
