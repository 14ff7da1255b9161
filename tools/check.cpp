// `tenon check`: models with stored inputs and outputs (meta.json) must load, compile and give those outputs.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/core/nearest.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/bundle.hpp>

#include "report.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

namespace fs = std::filesystem;

struct check_options {
  std::vector<std::string> folders;
  std::string target = default_target;
  int threads = 1;
  bool verify_each = false, bench = false, specialize = false;
  i64 outliers = 0;
  int compilations = 0;  ///< at most so many; 0: any number
  importers::onnx::read_options limits;
  std::string program;  ///< a program file that was made of the model; empty: compile it
  words talk;
};

/// What is checked: a model that is compiled when it must be, or a program.
struct checked_model {
  std::vector<std::string> inputs, outputs;
  std::function<void(const std::vector<tensor>&)> prepare;
  std::function<std::vector<tensor>(const std::vector<tensor>&)> run;
  std::function<const program*()> code;  ///< that serves all inputs of the model, or null
};

checked_model checked_of(session& s) {
  checked_model r{{},
                  s.outputs(),
                  [&s](const auto& inputs) { s.prepare(inputs); },
                  [&s](const auto& inputs) { return s.run(inputs); },
                  [&s] { return s.last_compilation().find<program>(); }};
  for (const auto& i : s.inputs()) r.inputs.push_back(i.name);
  return r;
}
checked_model checked_of(const program& p, int threads) {
  checked_model r{{},
                  {},
                  [](const auto&) {},
                  [&p, threads](const auto& inputs) { return p.run(inputs, threads); },
                  [&p] { return &p; }};
  for (const port& i : p.inputs()) r.inputs.push_back(i.name);
  for (const port& o : p.outputs()) r.outputs.push_back(o.name);
  return r;
}

/// A row of the table that --bench ends with.
struct measured {
  std::string model;
  double compile_ms = 0, run_ms = 0, peer_ms = 0, error = 0;
  bool good = true;
  nlohmann::ordered_json sets = nlohmann::ordered_json::array();  ///< what was found in each
  std::string failure;
};

nlohmann::json read_meta(const std::string& path) {
  try {
    return nlohmann::json::parse(read_text(path));
  } catch (const nlohmann::json::exception& e) { throw error("check.meta", e.what(), path); }
}

/// The largest element of each row, beside that of the reference.
void print_choices(const words& talk, const tensor& got, const tensor& want) {
  if (talk.silent() || want.rank() == 0 || want.size() == 0 || got.shape() != want.shape()) return;
  const i64 width = want.shape().back(), rows = want.size() / width;
  const auto largest = [width](const tensor& t, i64 row) {
    i64 best = 0;
    for (i64 i = 1; i < width; ++i)
      if (t.at_f64(row * width + i) > t.at_f64(row * width + best)) best = i;
    return best;
  };
  constexpr i64 shown = 8;
  i64 same = 0;
  std::string list;
  for (i64 r = 0; r < rows; ++r) {
    const i64 a = largest(got, r), b = largest(want, r);
    same += a == b ? 1 : 0;
    if (r < shown) list += fmt::format("{}{}{}", r == 0 ? "" : ", ", a, a == b ? "" : fmt::format(" (want {})", b));
  }
  fmt::print("      largest of each row: {}{}; {} of {} rows agree\n", list, rows > shown ? ", ..." : "", same, rows);
}

/// A set that compares nothing, or names what the model does not give, would pass whatever the model gives.
void check_names(const nlohmann::json& wanted, const std::vector<std::string>& outputs, const fs::path& dir) {
  if (wanted.empty())
    throw error("check.meta", "the set has no file for any output, so nothing would be compared", dir.string());
  for (const auto& [name, file] : wanted.items())
    if (std::find(outputs.begin(), outputs.end(), name) == outputs.end())
      throw error("check.meta", "the model has no output '" + name + "'", dir.string(), nearest(name, outputs));
}

/// Runs one set, and adds what it finds to `row`. `spread`: see the tool's help.
void check_set(const checked_model& s, const nlohmann::json& set, const fs::path& folder, const check_options& o,
               double spread, measured& row) {
  const fs::path dir = folder / set.at("dir").get<std::string>();
  check_names(set.at("outputs"), s.outputs, dir);
  std::vector<tensor> inputs;
  for (const std::string& name : s.inputs) {
    if (!set.at("inputs").contains(name)) throw error("check.meta", "no file for input '" + name + "'", dir.string());
    inputs.push_back(read_tensor((dir / set["inputs"][name].at("file").get<std::string>()).string()));
  }
  const double begin = now_ms();
  s.prepare(inputs);
  const double compiled = now_ms();
  const std::vector<tensor> outputs = s.run(inputs);
  const double first = now_ms() - compiled;
  const std::string name_of_set = set["dir"].get<std::string>();
  o.talk.say("  {}: compiled in {:.0f} ms, first run {:.2f} ms\n", name_of_set, compiled - begin, first);
  nlohmann::ordered_json& found = row.sets.emplace_back();
  found = {{"set", name_of_set}, {"compile_ms", compiled - begin}, {"first_run_ms", first}};
  row.compile_ms = std::max(row.compile_ms, compiled - begin);
  for (size_t i = 0; i < outputs.size() && i < s.outputs.size(); ++i) {
    const std::string& name = s.outputs[i];
    if (!set.at("outputs").contains(name)) continue;
    const tensor want = read_tensor((dir / set["outputs"][name].at("file").get<std::string>()).string());
    const tolerance allowed{.norm = std::max(tolerance{}.norm, 2 * spread)};
    const comparison c = compare(outputs[i], want, allowed);
    // Where the reference itself varies by more than the tolerance, single elements say nothing.
    const bool by_norm = is_float(want.type()) && spread > tolerance{}.norm;
    const bool few = by_norm || c.bad_elements <= o.outliers;
    const bool outliers = !c.ok && few && std::isfinite(c.max_abs_error) && c.norm_ratio <= allowed.norm;
    const bool good = c.ok || outliers;
    if (!o.talk.json && !(o.talk.quiet && good))
      fmt::print("    {}{} {}: largest error {:.3g}, norm ratio {:.3g}{}\n", o.talk.quiet ? row.model + ": " : "", name,
                 outputs[i].describe(), c.max_abs_error, c.norm_ratio,
                 c.ok ? "" : (outliers ? "  tolerated: " : "  OUT OF TOLERANCE: ") + c.message);
    if (by_norm) print_choices(o.talk, outputs[i], want);
    found["outputs"].push_back({{"name", name},
                                {"type", outputs[i].describe()},
                                {"within_tolerance", good},
                                {"largest_error", c.max_abs_error},
                                {"norm_ratio", c.norm_ratio},
                                {"message", c.message}});
    row.good = row.good && good;
    row.error = std::max(row.error, c.norm_ratio);
  }
  if (!o.bench || row.run_ms != 0) return;
  std::vector<tensor> results = outputs;
  const program* code = s.code();
  const bool direct = code && code->inputs().size() == inputs.size();
  const latency l = measure_latency([&] {
    if (direct) code->run_into(inputs, results, o.threads);
    else results = s.run(inputs);
  });
  row.run_ms = l.median;
  found["run_ms"] = l.median;
  if (o.talk.silent()) return;
  fmt::print("    ");
  print_latency(l, o.threads);
}

/// A program whose parts a host holds together.
checked_model checked_of(const executable& e, const ir::module& m, int threads) {
  checked_model r{{},
                  {},
                  [](const auto&) {},
                  [&e, threads](const auto& inputs) { return e.run(inputs, threads); },
                  [] { return nullptr; }};
  for (function_id f : m.functions())
    if (m[f].entry) r.inputs = m[f].argument_names, r.outputs = m[f].result_names;
  return r;
}

measured check_model(const fs::path& folder, const check_options& o) {
  measured row;
  row.model = folder.filename().string();
  o.talk.say("{}\n", row.model);
  const auto failed = [&](const std::string& why) {
    row.good = false, row.failure = why;
    if (!o.talk.json) fmt::print("  {}FAILED: {}\n", o.talk.quiet ? row.model + " " : "", why);
  };
  try {
    const std::string meta_file = (folder / "meta.json").string();
    const nlohmann::json meta = read_meta(meta_file);
    if (meta.at("sets").empty()) throw error("check.meta", "it has no sets, so nothing would be compared", meta_file);
    const double spread = meta.value("spread", 0.0);
    if (!o.program.empty() && is_bundle_file(o.program)) {
      bundle b = read_bundle(o.program);
      const ir::module m = b.module;
      const auto code = load(std::move(b));
      const checked_model checked = checked_of(*code, m, o.threads);
      for (const auto& set : meta.at("sets")) check_set(checked, set, folder, o, spread, row);
      const auto again = code->specialized();
      if (!again.reason.empty()) failed(again.reason);
      return row;
    }
    if (!o.program.empty()) {
      const program p = program::open(o.program);
      const checked_model checked = checked_of(p, o.threads);
      for (const auto& set : meta.at("sets")) check_set(checked, set, folder, o, spread, row);
      return row;
    }
    session_options options{
        .target = o.target, .threads = o.threads, .specialize = o.specialize, .verify_each = o.verify_each};
    options.prepare = [](context& cx, void* user) {
      const words& talk = *static_cast<const words*>(user);
      talk.show_progress(cx), talk.show_diagnostics(cx);
    };
    options.prepare_user = const_cast<words*>(&o.talk);
    importers::onnx::import_options import;
    import.budget = o.limits.budget;
    session s(
        importers::onnx::source_of(importers::onnx::load_model((folder / "model.onnx").string(), o.limits), import),
        options);
    const checked_model checked = checked_of(s);
    for (const auto& set : meta.at("sets")) check_set(checked, set, folder, o, spread, row);
    o.talk.say("  {} compilation{} for {} sets{}{}\n", s.compilations(), s.compilations() == 1 ? "" : "s",
               meta["sets"].size(), s.reason().empty() ? "" : ": ", s.reason());
    if (o.compilations > 0 && s.compilations() > o.compilations)
      failed(fmt::format("{} compilations, and no more than {} are allowed", s.compilations(), o.compilations));
    const std::string key = "threads_" + std::to_string(o.threads);
    if (meta.contains("onnxruntime_ms") && meta["onnxruntime_ms"].contains(key))
      row.peer_ms = meta["onnxruntime_ms"][key].get<double>();
    return row;
  } catch (const error& e) { failed(e.what()); } catch (const nlohmann::json::exception& e) {
    failed(std::string("meta.json: ") + e.what());
  }
  return row;
}

/// The table that README has; the peer's times are those of meta.json, from its own machine.
void print_table(const std::vector<measured>& rows, int threads) {
  fmt::print(
      "\n| model | compile ms | run ms, {0} thread{1} | ONNX Runtime ms | ratio | norm of the error "
      "|\n|---|---|---|---|---|---|\n",
      threads, threads == 1 ? "" : "s");
  for (const measured& r : rows) {
    if (!r.good) fmt::print("| {} | failed | | | | |\n", r.model);
    else
      fmt::print("| {} | {:.0f} | {:.3g} | {} | {} | {:.1e} |\n", r.model, r.compile_ms, r.run_ms,
                 r.peer_ms > 0 ? fmt::format("{:.3g}", r.peer_ms) : "",
                 r.peer_ms > 0 ? fmt::format("{:.2f}", r.run_ms / r.peer_ms) : "", r.error);
  }
  fmt::print("\n");
}

int check_all(check_options& o) {
  check_target(o.target);
  std::vector<fs::path> models;
  for (const std::string& f : o.folders) {
    fs::path folder = fs::path(f).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (!fs::is_directory(folder))
      throw file_error("io.open", fs::exists(folder) ? "'" + f + "' is no folder" : "there is no folder '" + f + "'",
                       {}, "give folders that hold model.onnx, meta.json and sets");
    if (fs::exists(folder / "meta.json")) {
      models.push_back(folder);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(folder))
      if (fs::exists(entry.path() / "meta.json")) models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  if (models.empty())
    throw error("check.none", "no folder with a meta.json is in what was given", {},
                "give folders that hold model.onnx, meta.json and sets");
  size_t good = 0;
  std::vector<measured> rows;
  for (const fs::path& m : models) {
    progress_of(fmt::format("{} of {} models, {}", rows.size() + 1, models.size(), m.filename().string()));
    rows.push_back(check_model(m, o));
    const measured& row = rows.back();
    good += row.good;
    nlohmann::ordered_json& shown = o.talk.document["models"].emplace_back();
    shown = {{"model", row.model}, {"good", row.good}, {"compile_ms", row.compile_ms}, {"sets", row.sets}};
    if (!row.failure.empty()) shown["failure"] = row.failure;
    std::fflush(stdout);
  }
  o.talk.document["target"] = o.target, o.talk.document["threads"] = o.threads, o.talk.document["good"] = good;
  o.talk.finish();
  if (o.bench && !o.talk.json) print_table(rows, o.threads);
  if (!o.talk.json)
    fmt::print("{} of {} models within tolerance on {} with {} thread{}\n", good, models.size(), o.target, o.threads,
               o.threads == 1 ? "" : "s");
  return good == models.size() ? 0 : 1;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
  auto o = std::make_shared<check_options>();
  CLI::App* sub = app.add_subcommand("check", "run models on stored inputs, and compare with stored outputs");
  sub->add_option("DIR", o->folders, "folders with model.onnx and meta.json, or folders of such")->required();
  sub->add_option("--target", o->target, "the target to compile for")->capture_default_str();
  sub->add_option("--threads", o->threads, "threads to run on; 0: all")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  sub->add_flag("--bench", o->bench,
                "time each model, and end with a table beside the times of ONNX Runtime in meta.json");
  sub->add_option("--outliers", o->outliers,
                  "how many elements of an output may be out of the elementwise tolerance while its norm is within: "
                  "for outputs whose reference is itself rounding noise there");
  sub->add_option("--compilations", o->compilations,
                  "how many times a model may be compiled for all its sets; 0: any number");
  sub->add_option("--program", o->program,
                  "run this program file, which `tenon build` made of the model, for all sets; nothing is compiled");
  sub->add_flag("--specialize", o->specialize, "make code for each set of shapes, even where one could serve all");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  add_words(*sub, o->talk, "print only what is wrong, and how many models are right");
  add_read_options(*sub, o->limits);
  sub->footer(
      "Tolerance of floats: |a-b| <= 1e-4 + 1e-3*|b| for each element, and norm(a-b) <= 1e-3*norm(b).\n"
      "\"spread\" in meta.json, by how much (of the norm) the reference varies with the order of its roundings, as "
      "that of\n"
      "quantized models does, widens it: norm(a-b) <= 2*spread*norm(b); where it is above 1e-3, elements are not\n"
      "compared one by one, and the largest of each row is shown.\n"
      "Exit status 1 when an output is out of it.");
  sub->callback([o, &status] { status = check_all(*o); });
}

}  // namespace tenon::tool
