// `tenon onnx-table`: docs/onnx.md: each operator that is imported, with what the ONNX backend tests say of it.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/importers/onnx.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace {

namespace fs = std::filesystem;
namespace onnx = importers::onnx;

struct table_options {
  std::vector<std::string> folders, results;
};

using operator_name = std::pair<std::string, std::string>;  // domain, type

struct count {
  int passed = 0, all = 0;
};

struct row {
  i64 since = 1, oldest = 0, newest = 0;
  std::set<dtype> types;  // of the tensors that it reads and writes in tests that pass
  std::map<std::string, count> targets;
};

/// What `tenon test-onnx` printed of each test: 'P', 'F' or 'S'.
std::map<std::string, char> read_results(const std::string& file) {
  std::map<std::string, char> all;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("PASS ", 0) == 0 || line.rfind("FAIL ", 0) == 0 || line.rfind("SKIP ", 0) == 0)
      all[line.substr(5, line.find(": ") - 5)] = line[0];
  return all;
}

/// Element types by the values' names, as far as a graph declares them.
std::map<std::string, dtype> declared_types(const onnx::graph& g) {
  std::map<std::string, dtype> types;
  const auto add = [&](const std::string& name, onnx::elem_type t) {
    if (const auto known = onnx::to_dtype(t)) types.emplace(name, *known);
  };
  for (const auto* list : {&g.inputs, &g.outputs, &g.value_infos})
    for (const onnx::value_info& v : *list) {
      const onnx::value_type* t = &v.type;
      while (!t->inner.empty()) t = &t->inner[0];  // of what a sequence or an optional holds
      add(v.name, t->element);
    }
  for (const onnx::tensor_proto& w : g.initializers) add(w.name, w.type);
  return types;
}

void count_tests(const std::string& folder, const std::string& target, const std::map<std::string, char>& results,
                 std::map<operator_name, row>& rows) {
  for (const auto& [name, what] : results) {
    const fs::path file = fs::path(folder) / name / "model.onnx";
    if (!fs::exists(file)) continue;
    const onnx::model m = onnx::load_model(file.string());
    const std::map<std::string, dtype> types = declared_types(m.graph);
    std::set<operator_name> used;
    for (const onnx::node& n : m.graph.nodes) {
      used.emplace(n.domain, n.op_type);
      const auto found = rows.find({n.domain, n.op_type});
      if (found == rows.end() || what != 'P') continue;
      for (const auto* values : {&n.inputs, &n.outputs})
        for (const std::string& v : *values)
          if (const auto t = types.find(v); t != types.end()) found->second.types.insert(t->second);
    }
    for (const operator_name& o : used) {
      const auto found = rows.find(o);
      if (found == rows.end()) continue;
      count& c = found->second.targets[target];
      ++c.all;
      c.passed += what == 'P';
      const i64 opset = m.opset(o.first).value_or(1);
      i64 &oldest = found->second.oldest, &newest = found->second.newest;
      oldest = oldest == 0 ? opset : std::min(oldest, opset);
      newest = std::max(newest, opset);
    }
  }
}

void print_table(const table_options& o) {
  std::map<operator_name, row> rows;
  for (const onnx::registered_operator& r : onnx::built_in_operators()) {
    const auto [place, is_new] = rows.try_emplace({std::string(r.domain), std::string(r.op_type)});
    place->second.since = is_new ? r.since : std::min(place->second.since, r.since);
  }
  std::vector<std::string> targets;
  for (const std::string& text : o.results) {
    const auto [target, file] = split_assignment(text, "--results", "TARGET=FILE");
    if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
    const std::map<std::string, char> results = read_results(file);
    for (const std::string& folder : o.folders) count_tests(folder, target, results, rows);
  }
  std::string line = "| operator | from version | tested in | with |", rule = "| --- | --- | --- | --- |";
  for (const std::string& t : targets) line += " " + t + " |", rule += " --- |";
  std::string domain = "?";
  for (const auto& [name, r] : rows) {
    if (name.first != domain) {
      domain = name.first;
      fmt::print("\n## {}\n\n{}\n{}\n", domain.empty() ? "ai.onnx" : domain, line, rule);
    }
    const std::string tested = r.newest == 0          ? ""
                               : r.oldest == r.newest ? std::to_string(r.newest)
                                                      : fmt::format("{}–{}", r.oldest, r.newest);
    std::string types;
    for (dtype t : r.types) types += (types.empty() ? "" : " ") + std::string(name_of(t));
    fmt::print("| {} | {} | {} | {} |", name.second, r.since, tested, types);
    for (const std::string& t : targets) {
      const auto c = r.targets.find(t);
      fmt::print(" {} |", c == r.targets.end() ? "" : fmt::format("{}/{}", c->second.passed, c->second.all));
    }
    fmt::print("\n");
  }
}

}  // namespace

void add_onnx_table(CLI::App& app, int& status) {
  auto o = std::make_shared<table_options>();
  CLI::App* sub = app.add_subcommand("onnx-table", "list the ONNX operators that are imported, as a Markdown table");
  sub->add_option("DIR", o->folders, "folders that `tenon test-onnx` ran on");
  sub->add_option("--results", o->results, "TARGET=FILE: what `tenon test-onnx DIR --target TARGET` printed")
      ->allow_extra_args(false);
  sub->footer("With results, each operator has the number of tests that pass, of those whose graph uses it.");
  sub->callback([o, &status] {
    print_table(*o);
    status = 0;
  });
}

}  // namespace tenon::tool
