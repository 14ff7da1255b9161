// `tenon check`: models with stored inputs and outputs (meta.json) must load, compile and give those outputs.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <tenon/runtime/compare.hpp>
#include <tenon/session.hpp>

#include "common.hpp"

namespace tenon::tool {
namespace {

namespace fs = std::filesystem;

struct check_options {
  std::vector<std::string> folders;
  std::string target = default_target;
  int threads = 1;
  bool verify_each = false;
};

nlohmann::json read_meta(const std::string& path) {
  try {
    return nlohmann::json::parse(read_text(path));
  } catch (const nlohmann::json::exception& e) {
    throw error("check.meta", e.what(), path);
  }
}

/// Runs one set; true when every output is within the tolerance.
bool check_set(session& s, const nlohmann::json& set, const fs::path& folder) {
  const fs::path dir = folder / set.at("dir").get<std::string>();
  std::vector<tensor> inputs;
  for (const auto& i : s.inputs()) {
    if (!set.at("inputs").contains(i.name)) throw error("check.meta", "no file for input '" + i.name + "'", dir.string());
    inputs.push_back(read_tensor((dir / set["inputs"][i.name].at("file").get<std::string>()).string()));
  }
  const double begin = now_ms();
  s.prepare(inputs);
  const double compiled = now_ms();
  const std::vector<tensor> outputs = s.run(inputs);
  fmt::print("  {}: compiled in {:.0f} ms, first run {:.2f} ms\n", set["dir"].get<std::string>(), compiled - begin, now_ms() - compiled);
  bool good = true;
  for (size_t i = 0; i < outputs.size() && i < s.outputs().size(); ++i) {
    const std::string& name = s.outputs()[i];
    if (!set.at("outputs").contains(name)) continue;
    const tensor want = read_tensor((dir / set["outputs"][name].at("file").get<std::string>()).string());
    const comparison c = compare(outputs[i], want);
    fmt::print("    {} {}: largest error {:.3g}, norm ratio {:.3g}{}\n", name, outputs[i].describe(), c.max_abs_error, c.norm_ratio,
               c.ok ? "" : "  OUT OF TOLERANCE: " + c.message);
    good = good && c.ok;
  }
  return good;
}

bool check_model(const fs::path& folder, const check_options& o) {
  fmt::print("{}\n", folder.filename().string());
  try {
    const nlohmann::json meta = read_meta((folder / "meta.json").string());
    session s(importers::onnx::load_model((folder / "model.onnx").string()),
              session_options{.target = o.target, .threads = o.threads, .verify_each = o.verify_each});
    bool good = true;
    for (const auto& set : meta.at("sets")) good = check_set(s, set, folder) && good;
    return good;
  } catch (const error& e) {
    fmt::print("  FAILED: {}\n", e.what());
  } catch (const nlohmann::json::exception& e) {
    fmt::print("  FAILED: meta.json: {}\n", e.what());
  }
  return false;
}

int check_all(const check_options& o) {
  check_target(o.target);
  std::vector<fs::path> models;
  for (const std::string& f : o.folders) {
    fs::path folder = fs::path(f).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (fs::exists(folder / "meta.json")) {
      models.push_back(folder);
      continue;
    }
    if (fs::is_directory(folder))
      for (const auto& entry : fs::directory_iterator(folder))
        if (fs::exists(entry.path() / "meta.json")) models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  if (models.empty())
    throw error("check.none", "no folder with a meta.json is in what was given", {}, "give folders that hold model.onnx, meta.json and sets");
  size_t good = 0;
  for (const fs::path& m : models) {
    good += check_model(m, o);
    std::fflush(stdout);
  }
  fmt::print("{} of {} models within tolerance on {} with {} thread{}\n", good, models.size(), o.target, o.threads,
             o.threads == 1 ? "" : "s");
  return good == models.size() ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto o = std::make_shared<check_options>();
  CLI::App* sub = app.add_subcommand("check", "run models on stored inputs, and compare with stored outputs");
  sub->add_option("DIR", o->folders, "folders with model.onnx and meta.json, or folders of such")->required();
  sub->add_option("--target", o->target, "what to compile for")->capture_default_str();
  sub->add_option("--threads", o->threads, "threads to run on; 0: all")->capture_default_str()->check(CLI::Range(0, 1024));
  sub->add_flag("--verify-each", o->verify_each, "after each pass, prove the facts that it claims");
  sub->footer("Tolerance of floats: |a-b| <= 1e-4 + 1e-3*|b| for each element, and norm(a-b) <= 1e-3*norm(b).\n"
              "Exit status 1 when an output is out of it.");
  sub->callback([o, &status] { status = check_all(*o); });
}

}  // namespace tenon::tool
