// `tenon run`: compiles a model for this machine, or opens a program file, runs it, and shows what happened.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/core/checked.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/passes/partition_for.hpp>
#include <tenon/runtime/npy.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/targets/host_program.hpp>
#include <tenon/targets/spec.hpp>

#include "cache.hpp"
#include "modules.hpp"
#include "report.hpp"

namespace tenon::tool {
namespace {

struct run_options {
  std::string model, target = default_target, output_dir;
  int threads = 0;
  u64 seed = 1;
  std::vector<std::string> inputs, shapes;
  importers::onnx::read_options limits;
  cache_options cache;
  bool bench = false, explain = false, specialize = false, verify_each = false;
};

/// What is known of an input before there is a tensor for it; -1: an extent that is not known.
struct wanted_input {
  std::string name;
  dtype type;
  bool ranked = true;
  std::vector<i64> shape;
};

std::vector<tensor> gather_inputs(const run_options& o, const std::vector<wanted_input>& wanted) {
  std::map<std::string, std::string> files;
  std::map<std::string, std::vector<i64>> shapes;
  std::vector<std::string> names;
  for (const auto& w : wanted) names.push_back(w.name);
  const auto check_name = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw error("usage", fmt::format("'{}' has no input '{}'", o.model, name), {}, suggestion(name, names));
  };
  for (const std::string& text : o.inputs) {
    auto [name, file] = split_assignment(text, "--input");
    check_name(name);
    files[name] = file;
  }
  for (const std::string& text : o.shapes) {
    auto [name, shape] = split_assignment(text, "--shape");
    check_name(name);
    shapes[name] = parse_shape(shape, "--shape");
  }
  std::vector<tensor> inputs;
  for (const wanted_input& w : wanted) {
    if (auto f = files.find(w.name); f != files.end()) {
      inputs.push_back(read_tensor(f->second));
      fmt::print("input {} {} from {}\n", w.name, inputs.back().describe(), f->second);
      continue;
    }
    std::vector<i64> shape = w.shape;
    std::string note;
    if (auto s = shapes.find(w.name); s != shapes.end()) {
      shape = s->second;
    } else {
      bool guessed = !w.ranked;
      for (i64& d : shape)
        if (d < 0) d = 1, guessed = true;
      if (guessed) note = fmt::format(", unknown extents taken as 1: --shape {}=...", w.name);
    }
    const i64 bytes = checked_count(shape).value_or(max_elements) * size_of(w.type);
    if (bytes > o.limits.budget.bytes)
      throw error(
          "run.input",
          fmt::format("input '{}' of random numbers takes {} bytes, and no more than {} are taken", w.name, bytes,
                      o.limits.budget.bytes),
          {},
          fmt::format("give a file or a smaller shape, --input {0}=FILE or --shape {0}=..., or raise --max-bytes",
                      w.name));
    inputs.push_back(random_tensor(w.type, shape, o.seed + inputs.size()));
    fmt::print("input {} {} of random numbers (seed {}{})\n", w.name, inputs.back().describe(), o.seed, note);
  }
  return inputs;
}

void print_code(const program& p) {
  const auto& d = p.description();
  i64 constants = 0;
  for (const tensor& t : d.constants) constants += t.defined() ? t.bytes() : 0;
  fmt::print("code {} for {}, constants {}, arena {}\n", bytes_text(d.code_bytes),
             d.target.empty() ? "this machine" : short_target(d.target), bytes_text(constants),
             d.sizes.empty() ? bytes_text(d.arena_bytes) : "placed for the sizes of each run");
}

void show_outputs(const run_options& o, const std::vector<std::string>& names, const std::vector<tensor>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::string name = i < names.size() ? names[i] : std::to_string(i);
    print_output(name, outputs[i]);
    if (o.output_dir.empty()) continue;
    const std::string path = o.output_dir + "/" + file_name_of(name) + ".npy";
    write_npy(path, outputs[i]);
    fmt::print("  written to {}\n", path);
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

int shown_threads(int threads) { return threads > 0 ? threads : available_threads(); }
/// What a program runs on: what is asked, else what its code was cut for.
int threads_for(const run_options& o, const std::string& target) {
  return o.threads > 0 || target.empty() ? o.threads : threads_of(parse_target(target));
}

void bench_program(const program& p, const std::vector<tensor>& inputs, std::vector<tensor>& outputs, int threads) {
  print_latency(measure_latency([&] { p.run_into(inputs, outputs, threads); }), shown_threads(threads));
}

int run_opened(const program& p, const run_options& o, const std::vector<tensor>& inputs) {
  const int threads = threads_for(o, p.description().target);
  std::vector<tensor> outputs = p.run(inputs, threads);
  std::vector<std::string> names;
  for (const port& out : p.outputs()) names.push_back(out.name);
  show_outputs(o, names, outputs);
  if (o.bench) bench_program(p, inputs, outputs, threads);
  return 0;
}

std::vector<tensor> gather_inputs(const run_options& o, const program& p) {
  std::vector<wanted_input> wanted;
  for (const port& i : p.inputs()) wanted.push_back({i.name, i.type, true, i.shape});
  return gather_inputs(o, wanted);
}

int run_program(const run_options& o) {
  const program p = program::open(o.model);
  fmt::print("program {} ({})\n", o.model, bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))));
  print_code(p);
  return run_opened(p, o, gather_inputs(o, p));
}

/// A model whose program was compiled before, or is kept from now on.
bool run_by_cache(const run_options& o) {
  if (o.explain || o.specialize || o.verify_each) return false;  // these ask for a compilation
  const double begin = now_ms();
  context cx;
  const int threads = threads_for(o, o.target);
  const auto made = program_by_cache(o.cache.open(), o.model, o.target, threads, o.limits, cx);
  if (!made) return false;
  const double took = now_ms() - begin;
  fmt::print("model {} ({}); target {}\n{} in {:.0f} ms\n", o.model,
             bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))), o.target,
             made->found ? "compiled before; opened" : "compiled", took);
  if (!made->found) print_passes(cx);
  print_code(made->code);
  const std::vector<tensor> inputs = gather_inputs(o, made->code);
  // What does not fit is a session's to serve, or to refuse.
  if (made->code.refusal(inputs)) return false;
  run_opened(made->code, o, inputs);
  return true;
}

/// A program of several parts: what it takes stands in its module.
int run_bundle(const run_options& o) {
  bundle b = read_bundle(o.model);
  fmt::print("program {} ({}), {}, for {}\n", o.model,
             bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))), summary_of(b), b.target);
  std::vector<wanted_input> wanted;
  std::vector<std::string> names;
  for (function_id f : b.module.functions()) {
    const ir::function& fn = b.module[f];
    if (!fn.entry) continue;
    const auto& arguments = b.module[fn.body].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const ir::type& t = b.module.type_of(arguments[i]);
      wanted_input w{i < fn.argument_names.size() ? fn.argument_names[i] : std::to_string(i), t.elem, t.ranked, {}};
      for (ir::dim d : t.shape) w.shape.push_back(d.is_static() ? d.extent() : -1);
      wanted.push_back(std::move(w));
    }
    names = fn.result_names;
  }
  const int threads = threads_for(o, b.target);
  const std::unique_ptr<executable> p = load(std::move(b));
  const std::vector<tensor> inputs = gather_inputs(o, wanted);
  std::vector<tensor> outputs = p->run(inputs, threads);
  show_outputs(o, names, outputs);
  if (o.explain) explain_host(*p);
  if (o.bench) print_latency(measure_latency([&] { outputs = p->run(inputs, threads); }), shown_threads(threads));
  return 0;
}

int run_model(const run_options& o) {
  check_target(o.target);
  if (run_by_cache(o)) return 0;
  const double begin = now_ms();
  importers::onnx::model model = importers::onnx::load_model(o.model, o.limits);
  const double read = now_ms() - begin;
  fmt::print("model {} ({}, {} nodes, opset {}), read in {:.1f} ms; target {}\n", o.model,
             bytes_text(static_cast<i64>(std::filesystem::file_size(o.model))), model.graph.nodes.size(),
             model.opset().value_or(0), read, o.target);
  observer watch;
  watch.explain = o.explain;
  const int threads = threads_for(o, o.target);
  session_options options{
      .target = o.target, .threads = threads, .specialize = o.specialize, .verify_each = o.verify_each};
  options.prepare = [](context& cx, void* user) { static_cast<observer*>(user)->attach(cx); };
  options.prepare_user = &watch;
  importers::onnx::import_options import;
  import.budget = o.limits.budget;
  session s(importers::onnx::source_of(std::move(model), import), options);

  std::vector<wanted_input> wanted;
  for (const auto& i : s.inputs()) {
    wanted_input w{i.name, i.type.elem, i.type.ranked, {}};
    for (ir::dim d : i.type.shape) w.shape.push_back(d.is_static() ? d.extent() : -1);
    wanted.push_back(std::move(w));
  }
  const std::vector<tensor> inputs = gather_inputs(o, wanted);
  const double compile_begin = now_ms();
  s.prepare(inputs);
  fmt::print("compiled in {:.0f} ms\n", now_ms() - compile_begin);
  if (!s.reason().empty()) fmt::print("for these shapes only: {}\n", s.reason());
  print_passes(s.last_compilation());
  print_phases(watch);
  if (const auto* parts = s.last_compilation().find<partition_report>(); parts && o.explain)
    fmt::print("{}", parts->text());
  const program* code = s.last_compilation().find<program>();
  if (code) print_code(*code);

  std::vector<tensor> outputs = s.run(inputs);
  show_outputs(o, s.outputs(), outputs);
  if (o.bench) {
    // A session finds its code by the inputs' shapes; the program alone is what is to be timed.
    if (code && code->inputs().size() == inputs.size()) bench_program(*code, inputs, outputs, threads);
    else print_latency(measure_latency([&] { outputs = s.run(inputs); }), shown_threads(threads));
  }
  if (o.explain) explain_host(s.prepare(inputs));
  return 0;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
  auto o = std::make_shared<run_options>();
  CLI::App* sub = app.add_subcommand("run", "compile an ONNX model (or open a program file) and run it");
  sub->add_option("MODEL", o->model, "model.onnx, or what `tenon build` made")->required();
  sub->add_option("--target", o->target, "the target to compile for: see `tenon targets`")->capture_default_str();
  sub->add_option("--threads", o->threads,
                  "threads to run on; 0: those of the target, else all that this process may use")
      ->check(CLI::Range(0, 1024));
  sub->add_option("--input", o->inputs, "NAME=FILE (.npy or .pb); inputs that are not given are random numbers")
      ->take_all();
  sub->add_option("--shape", o->shapes, "NAME=1x3x224x224: the shape of a random input")->take_all();
  sub->add_option("--seed", o->seed, "seed of the random inputs")->capture_default_str();
  sub->add_option("--output-dir", o->output_dir, "write each output there, as NAME.npy");
  sub->add_flag("--bench", o->bench, "run again for a second, and show the median and the minimum time");
  sub->add_flag("--explain", o->explain, "show the functions, kernels and ops that each phase leaves");
  sub->add_flag("--specialize", o->specialize,
                "generate code for the given sizes only, even where it could serve all sizes");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  add_cache_options(*sub, o->cache);
  add_read_options(*sub, o->limits);
  sub->footer(R"(Examples:
  tenon run model.onnx --bench                          compile for this machine, run on random inputs, time it
  tenon run model.onnx --input x=x.npy --output-dir out
  tenon run model.onnx --target 'composite(cpu,second@cpu:threads=2)'
  tenon run model.tenon                                 what `tenon build` made runs without a compiler)");
  sub->callback([o, sub, &status] {
    require_file(o->model, "give the path of an ONNX model or of a program file");
    if (is_text_module(o->model))
      throw error("usage", "'" + o->model + "' is a module as text", {},
                  "compile it first: tenon build " + o->model + " -o PROGRAM");
    // A partly compiled module is no program either; the error says so.
    const bool compiled = is_bundle_file(o->model) || is_program_file(o->model);
    for (const char* option : {"--target", "--specialize", "--verify-each"})
      if (compiled && sub->count(option) != 0)
        throw error("usage", fmt::format("{} is for models, and '{}' is compiled already", option, o->model), {},
                    "leave it out, or build the program again");
    if (!o->output_dir.empty()) make_folder(o->output_dir, "--output-dir");
    status = is_bundle_file(o->model)               ? run_bundle(*o)
             : compiled || is_module_file(o->model) ? run_program(*o)
                                                    : run_model(*o);
  });
}

}  // namespace tenon::tool
