// `tenon run`: compiles a model for this machine, or opens a program file, runs it, and shows what happened.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/alone.hpp>
#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/ir/variant.hpp>
#include <tenon/passes/partition_for.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/spec.hpp>

#include "cache.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"
#include "profile_view.hpp"
#include "report.hpp"
#include "subject.hpp"
#include "weights.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct run_options {
  std::string model, target = default_target, output_dir, trace, entry;
  int threads = 0;
  input_options inputs;
  cache_options cache;
  words talk;
  bool bench = false, profile = false, explain = false, specialize = false, verify_each = false;
};

void print_code(const words& talk, const program& p) {
  const auto& d = p.description();
  i64 constants = 0;
  for (const tensor& t : d.constants) constants += t.defined() ? t.bytes() : 0;
  talk.say("code {} for {}, constants {}, arena {}\n", bytes_text(d.code_bytes),
           d.target.empty() ? "this machine" : short_target(d.target), bytes_text(constants),
           d.sizes.empty() ? bytes_text(d.arena_bytes) : "placed for the sizes of each run");
}

void show_outputs(run_options& o, const std::vector<std::string>& names, const std::vector<tensor>& outputs) {
  std::vector<std::string> all = names;
  for (size_t i = all.size(); i < outputs.size(); ++i) all.push_back(std::to_string(i));
  const std::vector<std::string> files = file_names_of(all);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string& name = all[i];
    nlohmann::ordered_json& shown = o.talk.document["outputs"].emplace_back();
    shown = {{"name", name}, {"type", name_of(outputs[i].type())}, {"shape", outputs[i].shape()}};
    if (!o.talk.json) print_output(name, outputs[i]);
    if (o.output_dir.empty()) continue;
    const std::string path = o.output_dir + "/" + files[i] + ".npy";
    write_npy(path, outputs[i]);
    o.talk.say("  written to {}\n", path);
    shown["file"] = path;
  }
}

/// Which regions of a host's program have run natively, and why the others have not.
void explain_host(const executable& e) {
  const auto* h = dynamic_cast<const hosted*>(&e);
  if (h == nullptr) return;
  const host_program::counts c = h->host().counted();
  fmt::print("calls of regions: {} native, {} evaluated; {} compiled here, {} of them for all sizes\n", c.native,
             c.evaluated, c.compiled, c.for_all);
  for (const auto* list : {&c.not_for_all, &c.without_code})
    for (const std::string& why : *list)
      fmt::print("  {} {}\n", list == &c.not_for_all ? "not for all sizes:" : "evaluated:", why);
}

/// Targets that have no option `threads` make code for one.
bool runs_on_threads(const target_spec& spec) {
  if (!spec.members.empty()) return std::any_of(spec.members.begin(), spec.members.end(), runs_on_threads);
  const target_entry* e = lookup_entry(spec.name);
  return e != nullptr && std::any_of(e->options.begin(), e->options.end(),
                                     [](const option_info& option) { return option.name == "threads"; });
}
/// What a program of a target runs on, as it is shown.
int shown_threads(int threads, const std::string& target) {
  return target.empty() || runs_on_threads(parse_target(target)) ? threads > 0 ? threads : available_threads() : 1;
}
/// What a program runs on: what is asked, else what its code was cut for.
int threads_for(const run_options& o, const std::string& target) {
  return o.threads > 0 || target.empty() ? o.threads : threads_of(parse_target(target));
}

void show_latency(run_options& o, const latency& l, int threads) {
  o.talk.document["latency"] = {{"median_ms", l.median}, {"least_ms", l.least}, {"runs", l.runs}, {"threads", threads}};
  if (!o.talk.json) print_latency(l, threads);
}

/// What the steps take.
template <class F>
void show_profile(run_options& o, int threads, F&& once) {
  const profiled p = profile_runs(once, threads, !o.trace.empty());
  o.talk.document["profile"] = profile_json(p);
  if (!o.talk.json) fmt::print("{}", profile_text(p));
  if (o.trace.empty()) return;
  write_atomically(o.trace, p.trace);
  o.talk.say("{}: {}; open it in chrome://tracing or ui.perfetto.dev\n", o.trace,
             bytes_text(static_cast<i64>(p.trace.size())));
}

int run_opened(const program& p, run_options& o, const std::vector<tensor>& inputs, const std::string& target) {
  const int threads = threads_for(o, target), shown = shown_threads(threads, target);
  std::vector<tensor> outputs = p.run(inputs, threads);
  std::vector<std::string> names;
  for (const port& out : p.outputs()) names.push_back(out.name);
  show_outputs(o, names, outputs);
  const auto once = [&] { p.run_into(inputs, outputs, threads); };
  if (o.bench) show_latency(o, measure_latency(once), shown);
  if (o.profile) show_profile(o, shown, once);
  return 0;
}

/// Which of several entries runs; `all` begins with it.
void show_entry(const run_options& o, const std::vector<std::string>& all) {
  if (all.size() < 2) return;
  std::string others;
  for (size_t i = 1; i < all.size(); ++i) others += (i > 1 ? ", " : "") + all[i];
  o.talk.say("entry {}; others, which --entry runs: {}\n", all[0], others);
}

int run_program(run_options& o) {
  program p = program::open(o.model);
  if (!o.entry.empty()) p = p.entry(o.entry);
  o.talk.say("program {} ({})\n", o.model, bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))));
  print_code(o.talk, p);
  show_entry(o, p.entries());
  return run_opened(p, o, gather_inputs(o.model, o.inputs, p), p.description().target);
}

/// A model whose program was compiled before, or is kept from now on.
bool run_by_cache(run_options& o) {
  if (o.explain || o.specialize || o.verify_each) return false;  // these ask for a compilation
  const double begin = now_ms();
  context cx;
  o.talk.show_progress(cx), o.talk.show_diagnostics(cx);
  const int threads = threads_for(o, o.target);
  const auto made = program_by_cache(o.cache.open_to_keep(), o.model, o.target, threads, o.inputs, cx);
  if (!made) return false;
  const double took = now_ms() - begin;
  o.talk.say("model {} ({}); target {}\n{} in {:.0f} ms\n", o.model,
             bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))), o.target,
             made->found ? "compiled before; opened" : "compiled", took);
  o.talk.document["target"] = o.target, o.talk.document["found"] = made->found, o.talk.document["compile_ms"] = took;
  print_code(o.talk, made->code);
  const std::vector<tensor> inputs = gather_inputs(o.model, o.inputs, made->code);
  // What does not fit is a session's to serve, or to refuse.
  if (made->code.refusal(inputs)) return false;
  run_opened(made->code, o, inputs, o.target);
  return true;
}

/// A program of several parts: what it takes stands in its module.
int run_bundle(run_options& o) {
  bundle b = read_bundle(o.model);
  o.talk.say("program {} ({}), {}, for {}\n", o.model,
             bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))), summary_of(b), b.target);
  const std::vector<wanted_input> wanted = inputs_of_entry(b.module);
  const std::vector<std::string> names = b.module[entry_of(b.module)].result_names;
  const std::string target = b.target;
  const int threads = threads_for(o, target);
  const std::vector<tensor> inputs = gather_inputs(o.model, o.inputs, wanted, b.module.conditions.items());
  const std::unique_ptr<executable> p = load(std::move(b));
  std::vector<tensor> outputs = p->run(inputs, threads);
  show_outputs(o, names, outputs);
  if (o.explain && !o.talk.silent()) explain_host(*p);
  const auto once = [&] { outputs = p->run(inputs, threads); };
  if (o.bench) show_latency(o, measure_latency(once), shown_threads(threads, target));
  if (o.profile) show_profile(o, shown_threads(threads, target), once);
  return 0;
}

/// A module as text is a model as long as nothing was compiled of it. Of several entries one is.
std::unique_ptr<module_source> source_of_text(const run_options& o) {
  module_on_its_way m = read_module(o.model, "", {}, {});
  if (m.phase != std::string_view(phases::ingestion::name))
    throw usage_error("usage", fmt::format("'{}' is a module in phase '{}'", o.model, m.phase), {},
                      "finish it: tenon build " + o.model + " -o PROGRAM");
  auto graph = ir_module<phases::ingestion>::adopt(std::move(*m.body));
  std::vector<std::string> entries;
  for (const function_id f : ir::entries_of(graph.body()))
    if (ir::variant_of(graph.body()[f]) == nullptr) entries.push_back(graph.body()[f].name);
  if (const auto asked = std::find(entries.begin(), entries.end(), o.entry); asked != entries.end())
    std::rotate(entries.begin(), asked, asked + 1);
  show_entry(o, entries);
  if (o.entry.empty() && entries.size() < 2) return source_of(std::move(graph));
  return source_of(alone(std::move(graph), o.entry.empty() ? entries.at(0) : o.entry));
}

std::unique_ptr<module_source> open_to_run(const run_options& o) {
  const double begin = now_ms();
  const std::string size = bytes_text(static_cast<i64>(std::filesystem::file_size(o.model)));
  if (is_text_module(o.model)) {
    std::unique_ptr<module_source> source = source_of_text(o);
    o.talk.say("module {} ({}), read in {:.1f} ms; target {}\n", o.model, size, now_ms() - begin, o.target);
    return source;
  }
  if (importer_of(o.model)) {
    std::unique_ptr<module_source> source = open_source(o.model, o.inputs.limits);
    o.talk.say("model {} ({}), read in {:.1f} ms; target {}\n", o.model, size, now_ms() - begin, o.target);
    return source;
  }
  importers::onnx::model model = importers::onnx::load_model(o.model, o.inputs.limits);
  o.talk.say("model {} ({}, {}, opset {}), read in {:.1f} ms; target {}\n", o.model, size,
             counted(static_cast<i64>(model.graph.nodes.size()), "node"), model.opset().value_or(0), now_ms() - begin,
             o.target);
  importers::onnx::import_options import;
  import.budget = o.inputs.limits.budget;
  return importers::onnx::source_of(std::move(model), import);
}

int run_model(run_options& o) {
  // What is kept was compiled for a target that is right.
  if (!importer_of(o.model) && !is_text_module(o.model) && run_by_cache(o)) return 0;
  check_target(o.target);
  std::unique_ptr<module_source> source = open_to_run(o);
  observer watch;
  watch.explain = o.explain;
  const int threads = threads_for(o, o.target), shown = shown_threads(threads, o.target);
  session_options options{
      .target = o.target, .threads = threads, .specialize = o.specialize, .verify_each = o.verify_each};
  std::pair<observer&, const words&> watching(watch, o.talk);
  options.prepare = [](context& cx, void* user) {
    auto& [passes, talk] = *static_cast<decltype(watching)*>(user);
    passes.attach(cx), talk.show_progress(cx), talk.show_diagnostics(cx);
  };
  options.prepare_user = &watching;
  const std::vector<tensor> inputs = gather_inputs(o.model, o.inputs, *source);
  session s(std::move(source), options);
  const double compile_begin = now_ms();
  s.prepare(inputs);
  const double compiled = now_ms() - compile_begin;
  o.talk.say("compiled in {:.0f} ms\n", compiled);
  o.talk.document["target"] = o.target, o.talk.document["compile_ms"] = compiled;
  o.talk.document["passes"] = passes_as_json(s.last_compilation());
  if (!s.reason().empty()) o.talk.say("for these shapes only: {}\n", s.reason());
  if (o.explain && !o.talk.silent()) print_passes(s.last_compilation()), print_phases(watch);
  print_weights(o.talk, s.last_compilation(), o.explain);
  if (const auto* parts = s.last_compilation().find<partition_report>(); parts && o.explain && !o.talk.silent())
    fmt::print("{}", parts->text());
  const program* code = s.last_compilation().find<program>();
  if (code) print_code(o.talk, *code);

  std::vector<tensor> outputs = s.run(inputs);
  show_outputs(o, s.outputs(), outputs);
  if (o.bench) {
    // A session finds its code by the inputs' shapes; the program alone is what is to be timed.
    const bool alone = code && code->inputs().size() == inputs.size();
    show_latency(o, measure_latency([&] {
                   if (alone) code->run_into(inputs, outputs, threads);
                   else outputs = s.run(inputs);
                 }),
                 shown);
  }
  if (o.profile) show_profile(o, shown, [&] { outputs = s.run(inputs); });
  if (o.explain && !o.talk.silent()) explain_host(s.prepare(inputs));
  return 0;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  auto o = std::make_shared<run_options>();
  CLI::App* sub = app.add_subcommand("run", "compile a model (or open a program file) and run it");
  sub->add_option("MODEL", o->model, "model.onnx, a module as text, or what `tenon build` made")->required();
  sub->add_option("--target", o->target, "the target to compile for: see `tenon targets`")->capture_default_str();
  sub->add_option("--threads", o->threads,
                  "threads to run on; 0: those of the target, else all that this process may use")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--entry", o->entry, "which function of a program file, or of a module as text, that has several");
  sub->add_option("--output-dir", o->output_dir, "write each output there, as NAME.npy");
  sub->add_flag("--bench", o->bench, "run again for a second, and show the median and the minimum time");
  auto* profile = sub->add_flag("--profile", o->profile,
                                "run again for a while, and show what each kernel takes: time, operations, bytes, and "
                                "the nodes that it computes");
  sub->add_option("--trace", o->trace, "with --profile: write each call to this file, in Chrome's trace event format")
      ->needs(profile);
  sub->add_flag("--explain", o->explain,
                "show what each pass took, and the functions, kernels and ops that each phase leaves");
  sub->add_flag("--specialize", o->specialize,
                "generate code for the given sizes only, even where it could serve all sizes");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  add_words(*sub, o->talk);
  add_cache_options(*sub, o->cache);
  add_input_options(*sub, o->inputs);
  sub->footer(R"(Examples:
  tenon run model.onnx --bench                          compile for this machine, run on random inputs, time it
  tenon run model.onnx --profile                        what each kernel takes, and which nodes it computes
  tenon run model.onnx --input x=x.npy --output-dir out
  tenon run model.onnx --target 'composite(cpu,second@cpu:threads=2)'
  tenon run model.tenon                                 what `tenon build` made runs without a compiler)");
  sub->callback([o, sub, &status] {
    require_file(o->model, "give the path of an ONNX model or of a program file");
    // A partly compiled module is no program either; the error says so.
    const bool compiled = is_bundle_file(o->model) || is_program_file(o->model);
    for (const char* option : {"--target", "--specialize", "--verify-each"})
      if (compiled && sub->count(option) != 0)
        throw usage_error("usage", fmt::format("{} is for models, and '{}' is compiled already", option, o->model), {},
                          "leave it out, or build the program again");
    if (!o->entry.empty() && !is_program_file(o->model) && !is_text_module(o->model))
      throw usage_error(
          "usage",
          fmt::format("--entry is for program files of native code and for modules as text, and '{}' is neither",
                      o->model),
          {}, "leave it out; `tenon build --function` makes a program of one function");
    o->inputs.quiet = o->talk.silent();
    check_given(o->inputs);
    o->talk.document["model"] = o->model;
    warn_of_threads(o->threads);
    if (!o->output_dir.empty()) make_folder(o->output_dir, "--output-dir");
    status = is_bundle_file(o->model)               ? run_bundle(*o)
             : compiled || is_module_file(o->model) ? run_program(*o)
                                                    : run_model(*o);
    o->talk.finish();
  });
}

}  // namespace tenon::tool
