// `tenon onnx-table`: docs/onnx.md: each operator that is imported, with what the ONNX backend tests say of it.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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

void count_tests(const std::string& folder, const std::string& target, const std::map<std::string, char>& results,
                 std::map<operator_name, row>& rows) {
  for (const auto& [name, what] : results) {
    const fs::path file = fs::path(folder) / name / "model.onnx";
    if (!fs::exists(file)) continue;
    const onnx::model m = onnx::load_model(file.string());
    std::set<operator_name> used;
    for (const onnx::node& n : m.graph.nodes) used.emplace(n.domain, n.op_type);
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
    const auto [target, file] = split_assignment(text, "--results");
    if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
    const std::map<std::string, char> results = read_results(file);
    for (const std::string& folder : o.folders) count_tests(folder, target, results, rows);
  }
  std::string line = "| operator | from version | tested in |", rule = "| --- | --- | --- |";
  for (const std::string& t : targets) line += " " + t + " |", rule += " --- |";
  std::string domain = "?";
  for (const auto& [name, r] : rows) {
    if (name.first != domain) {
      domain = name.first;
      fmt::print("\n## {}\n\n{}\n{}\n", domain.empty() ? "ai.onnx" : domain, line, rule);
    }
    const std::string tested = r.newest == 0 ? "" : r.oldest == r.newest ? std::to_string(r.newest)
                                                                         : fmt::format("{}–{}", r.oldest, r.newest);
    fmt::print("| {} | {} | {} |", name.second, r.since, tested);
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
