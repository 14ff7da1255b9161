// `tenon build`: a model, or a partly compiled module, becomes a program file, which runs without a compiler.
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/alone.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/core/machine.hpp>
#include <tenon/ir/entries.hpp>
#include <tenon/runtime/program_file.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/spec.hpp>
#if TENON_HAS_LLVM
#  include <tenon/compile/codegen/apart.hpp>
#endif

#include "cache.hpp"
#include "common.hpp"
#include "emit.hpp"
#include "instruments.hpp"
#include "kernel_text.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"
#include "report.hpp"
#include "weights.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct build_options {
  std::string model, output, target, arch, features, stop_at, emit, symbol, kernel, function;
  int threads = 0;
  std::vector<std::string> shapes, values, constraints;
  std::vector<std::string> entries;  ///< NAME=MODEL
  words talk;
  std::optional<u32> seed;
  importers::onnx::read_options limits;
  cache_options cache;
  instrument_options watch;
  bool explain = false, verify_each = false, text = false, check_bounds = false, weights_apart = false;
};

/// What is asked for on the command line; without a name if no target is.
target_spec asked_target(const build_options& o) {
  target_spec spec;
  if (!o.target.empty()) spec = parse_target(o.target);
  const auto set = [&](const char* name, const std::string& value) {
    if (value.empty()) return;
    for (target_option& option : spec.options)
      if (option.name == name) return void(option.value = value);
    spec.options.push_back({name, value});
  };
  set("arch", o.arch), set("features", o.features);
  if (o.threads != 0) set("threads", std::to_string(o.threads));
  if (o.check_bounds) set("check_bounds", "on");
  return spec;
}

/// C source of several models goes to one program: what each defines for others is named after its file.
void name_entry(target_spec& spec, const std::filesystem::path& output) {
  if (spec.name != "c_source" || output.extension() != ".c") return;
  for (const target_option& option : spec.options)
    if (option.name == "entry") return;
  std::string name;
  for (char c : output.stem().string())
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name = "_" + name;
  spec.options.push_back({"entry", name + "_main"});
}

/// What a program file follows from; none where it is not to be kept.
std::optional<cache_key> key_of_build(const build_options& o, const program_cache& cache) {
  const std::filesystem::path output(o.output);
  if (!o.entries.empty() || !o.function.empty()) return std::nullopt;
  if (std::filesystem::path(o.model).extension() != ".onnx" || output.extension() == ".c" || !o.emit.empty() ||
      !o.stop_at.empty() || o.explain || o.verify_each || o.watch.any())
    return std::nullopt;
  target_spec spec = asked_target(o);
  if (spec.name.empty()) spec.name = default_target;
  cache_key key = key_of_model(cache, "build", o.model, to_text(spec), o.limits);
  for (const std::string& s : o.shapes) key.text("shape", s);
  for (const std::string& v : o.values) {
    key.text("value", v);
    if (const std::string file = v.substr(v.find('=') + 1); std::filesystem::is_regular_file(file))
      key.model(file, &cache);
  }
  for (const std::string& c : o.constraints) key.text("constrain", c);
  if (o.seed) key.text("seed", std::to_string(*o.seed));
  if (!key.digest()) return std::nullopt;
  return key;
}

/// Writes what was compiled before; false if there is no such file.
bool write_kept(build_options& o, const program_cache& cache, const cache_key& key) {
  const auto file = cache.find(key);
  if (!file) return false;
  try {
    static_cast<void>(read_program(file->bytes(), file, "the cache"));
  } catch (const error&) {
    cache.forget(key);
    return false;
  }
  write_atomically(o.output, file->bytes());
  o.talk.say("{}, compiled before\n{}: {}; {}\n", o.model, o.output, bytes_text(static_cast<i64>(file->size())),
             in_own_name("run it with: tenon run " + o.output));
  o.talk.document = {{"model", o.model}, {"output", o.output}, {"bytes", file->size()}, {"compiled before", true}};
  o.talk.finish();
  return true;
}

/// Opens LLVM on a thread of its own while a model is read that it will make code of.
std::jthread opens_generator(const build_options& o) {
#if TENON_HAS_LLVM
  const target_spec asked = asked_target(o);
  const bool makes_code = asked.name.empty() || asked.name == default_target;
  if (!makes_code || !o.stop_at.empty() || available_threads() < 2) return {};
  try {
    return std::jthread([] {
      try {
        codegen::open_generator();
      } catch (...) {  // is said again by who needs it
      }
    });
  } catch (const std::system_error&) {  // there are no more threads
  }
#endif
  return {};
}

/// Loops, LLVM IR and assembly are texts, which go to the standard output if no file is named.
bool emits_text(const build_options& o) { return o.emit == "loops" || o.emit == "llvm" || o.emit == "asm"; }

/// The model, with the others that are to be entries of the same program; or one of its functions by itself.
module_on_its_way read_functions(const build_options& o) {
  module_on_its_way m = read_module(o.model, "", o.shapes, o.values, o.seed, o.limits);
  if (!o.function.empty()) *m.body = alone(std::move(*m.body), o.function), m.facts.clear();
  for (const std::string& text : o.entries) {
    const auto [name, file] = split_assignment(text, "--entry", "NAME=MODEL");
    const module_on_its_way other = read_module(file, m.phase, {}, {}, o.seed, o.limits);
    ir::add_entry(*m.body, *other.body, name), m.facts.clear();
  }
  return m;
}

int emit_text(build_options& o) {
  if (o.output == "-") o.output.clear();
  if (!o.output.empty()) check_output(o.model, o.output);
  context cx;
  module_on_its_way m = read_functions(o);
  const target_spec spec = target_to_go_on(*m.body, asked_target(o));
  constrain_nodes(m, o.constraints, spec);
  const std::string target = to_text(spec);
  if (const std::string& name = spec.name; o.emit != "loops" && name != "cpu")
    throw usage_error("usage", fmt::format("target '{}' makes no LLVM IR, and no assembly", name), {},
                      "use --emit loops, or --target cpu");
  configure_target(target, cx);
  cx.verify_each = o.verify_each;
  o.talk.show_progress(cx), o.talk.show_diagnostics(cx);
  const module_on_its_way built = build_whole(std::move(m), target, cx, "build");
  const kernel_texts all = texts_of_kernels(*built.body, cx, o.emit != "loops");
  const std::string text = text_of(all, asked_kernels(all, o.kernel), o.emit);
  if (o.output.empty()) fmt::print("{}", text);
  else write_atomically(o.output, text), o.talk.say("{}: {}\n", o.output, bytes_text(static_cast<i64>(text.size())));
  o.talk.document = {{"model", o.model}, {"output", o.output}, {"bytes", text.size()}, {"target", target}};
  if (!o.output.empty()) o.talk.finish();
  return 0;
}

int build_file(build_options& o) {
  warn_of_threads(o.threads);
  if (!emits_text(o) && !o.kernel.empty())
    throw usage_error("usage", "--kernel is for --emit loops, llvm or asm", {}, "say which of them");
  if (o.weights_apart && o.emit != "library" && o.emit != "object")
    throw usage_error("usage", "--weights-apart is for --emit library and object", {}, "say which of them");
  if (!o.target.empty() && emits_text(o)) check_target(o.target);
  if (emits_text(o)) return emit_text(o);
  if (o.output.empty()) {
    const bool stops = !o.stop_at.empty() || !o.watch.stop_after.empty();
    const std::string_view ending = !stops ? program_ending : o.text ? text_ending : module_ending;
    throw usage_error(
        "usage", "--output is required", {},
        o.emit.empty() ? "-o " + std::filesystem::path(o.model).stem().string().append(ending) : "-o FOLDER");
  }
  const std::string symbol = o.emit.empty() ? std::string() : library_symbol_for(o.model, o.symbol);
  if (o.emit.empty()) check_output(o.model, o.output);
  else make_folder(o.output, "--output");
  if (o.text && o.stop_at.empty() && o.watch.stop_after.empty())
    throw usage_error("usage", "--text is for a module that is stopped on its way", {},
                      "say --stop-at or --stop-after too");
  if (!o.target.empty()) check_target(o.target);
  if (!o.stop_at.empty()) static_cast<void>(find_phase(o.stop_at));
  const program_cache cache = o.cache.open_to_keep();
  const std::optional<cache_key> key = cache.on() ? key_of_build(o, cache) : std::nullopt;
  if (key && write_kept(o, cache, *key)) return 0;
  const double begin = now_ms();
  const std::jthread opening = opens_generator(o);
  context cx;
  module_on_its_way m = read_functions(o);
  target_spec spec = target_to_go_on(*m.body, asked_target(o));
  constrain_nodes(m, o.constraints, spec);
  o.talk.say("{}, read in {:.1f} ms in phase {}; target {}\n", o.model, now_ms() - begin, m.phase,
             short_target(to_text(spec)));
  if (!o.stop_at.empty()) spec = on_this_machine(std::move(spec));
  else if (o.emit.empty()) name_entry(spec, o.output);
  else name_library_entry(spec, symbol);
  if (o.weights_apart && spec.name != "c_source")
    throw usage_error("usage", "--weights-apart is for C source, and the target is '" + spec.name + "'", {},
                      "leave it out: constants of machine code are an object of their own");
  const std::string target = to_text(spec);
  configure_target(target, cx);
  cx.verify_each = o.verify_each;
  o.talk.show_diagnostics(cx);
  observer watch;
  watch.explain = o.explain;
  watch.attach(cx);
  if (!o.watch.any()) o.talk.show_progress(cx);
  const asked_instruments asked(cx, o.watch, false);
  if (!o.emit.empty()) {
    const module_on_its_way built = build_whole(std::move(m), target, cx);
    asked.report();
    if (o.explain && !o.talk.silent()) print_passes(cx), print_phases(watch);
    write_library(*built.body, {o.emit, symbol, o.model, o.output, o.weights_apart}, o.talk);
    o.talk.finish();
    return 0;
  }
  std::string divided;
  try {
    divided = o.stop_at.empty() ? write_program(o.output, std::move(m), target, cx)
                                : write_stopped(o.output, std::move(m), target, o.stop_at, {!o.text, false}, cx);
  } catch (const passes_stopped&) {
    const instrument::stop_after& at = asked.stopped();
    write_module(o.output, *at.module, at.phase, {!o.text, false}, at.facts);
  }
  asked.report();
  if (o.explain && !o.talk.silent()) print_passes(cx), print_phases(watch);
  print_weights(o.talk, cx, o.explain);
  if (!divided.empty()) o.talk.say("{}\n", divided);
  if (key && is_program_file(o.output)) {
    const mapped_file made(o.output);
    cache.keep(*key, made.bytes());
  }
  const bool is_stopped = !o.stop_at.empty() || asked.stopped().module;
  std::error_code no_size;  // of what is no file: /dev/null
  const auto size = std::filesystem::file_size(o.output, no_size);
  const i64 written = no_size ? 0 : static_cast<i64>(size);
  o.talk.document = {{"model", o.model},
                     {"output", o.output},
                     {"bytes", written},
                     {"target", target},
                     {"divided", divided},
                     {"ms", now_ms() - begin},
                     {"passes", passes_as_json(cx)}};
  const bool source = std::filesystem::path(o.output).extension() == ".c";
  o.talk.say("{}: {}; {}\n", o.output, bytes_text(written),
             is_stopped                      ? in_own_name("finish it with: tenon build " + o.output + " -o PROGRAM")
             : source                        ? "compile it with: cc -std=c11 -O3 " + o.output + " ... -lm"
             : !runs_here(triple_of(target)) ? "it runs on " + std::string(triple_of(target)) +
                                                   ", by tenon-runner, libtenon_runtime or program::open"
                                             : in_own_name("run it with: tenon run " + o.output));
  o.talk.finish();
  return 0;
}

}  // namespace

void add_build(CLI::App& app, int& status) {
  auto o = std::make_shared<build_options>();
  CLI::App* sub = app.add_subcommand("build", "compile a model, or a partly compiled module, to a program file");
  sub->add_option("MODEL", o->model, "model.onnx, or a module that --stop-at or `tenon opt` wrote")->required();
  sub->add_option("-o,--output", o->output,
                  "the file to write; loops, LLVM IR and assembly go to the standard output without it");
  sub->add_option("--target", o->target,
                  "the target to compile for: see `tenon targets`; a module that was begun goes on for its own")
      ->default_str(default_target);
  sub->add_option(
         "--emit", o->emit,
         "write a library to link into programs, to the folder that -o names: library (SYMBOL.h, SYMBOL.hpp and "
         "libSYMBOL.a), object (the headers and objects) or header, of which both first are SYMBOL.c where the target "
         "is "
         "c_source; or the kernels as text: loops, llvm or asm")
      ->check(CLI::IsMember({"library", "object", "header", "loops", "llvm", "asm"}))
      ->excludes(sub->add_option(
          "--stop-at", o->stop_at,
          "stop at the end of this phase (ingestion, optimization, lowering, build, built) and write the "
          "module, to be finished later"));
  sub->add_option("--entry", o->entries,
                  "NAME=MODEL: another model, or a module in the same phase, as a function of the same program, which "
                  "`tenon run --entry NAME` runs; equal weights are stored once")
      ->take_all();
  sub->add_option("--function", o->function, "compile one function of a module by itself, with what it calls");
  sub->add_option("--symbol", o->symbol, "what the names of a library begin with; default: after the model's file")
      ->needs("--emit");
  sub->add_flag("--weights-apart", o->weights_apart,
                "of C source, with --emit library or object: constants are a file SYMBOL.weights, which the assembler "
                "takes in, instead of text that the compiler reads")
      ->needs("--emit");
  sub->add_option("--kernel", o->kernel,
                  "with --emit loops, llvm or asm: one kernel, by its name or by a node of the model")
      ->needs("--emit");
  sub->add_option("--seed", o->seed,
                  "the seed of random operators that have none; without it such a model needs the host at run time");
  sub->add_option("--shape", o->shapes,
                  "NAME=1x3x224x224: the shape of an input, where the model leaves it open; SIZE=8: one such size")
      ->take_all();
  sub->add_option("--value", o->values,
                  "NAME=0,2 or NAME=FILE: fix an input that an operator must know at compile time; the program no "
                  "longer takes it")
      ->take_all();
  sub->add_option("--constrain", o->constraints,
                  "NODE=TARGET: compile nodes, or a function, for a target: a member of a composite, or the target "
                  "with other options (cpu:threads=1); * and ? in NODE stand for any characters")
      ->take_all();
  sub->add_option(
      "--arch", o->arch,
      "the processor as LLVM names it, such as x86-64-v3; default: this one, or the one that the module was begun for");
  sub->add_option("--features", o->features, "+feature,-feature, as LLVM names them; default: what this processor has");
  sub->add_option("--threads", o->threads, "number of threads to generate code for; 0: as many as this machine has")
      ->check(CLI::Range(0, 1024));
  sub->add_flag("--text", o->text, "with --stop-at, or --stop-after: write the module as text");
  sub->add_flag("--check-bounds", o->check_bounds,
                "code checks each access that is not proven to stay inside of its buffer, and reports an error "
                "instead; without this, it does so for "
                "modules whose kernels were read from a file (off: --target cpu:check_bounds=off)");
  sub->add_flag("--explain", o->explain,
                "show what each pass took, and the functions, kernels and ops that each phase leaves");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  add_cache_options(*sub, o->cache);
  add_instrument_options(*sub, o->watch);
  add_words(*sub, o->talk);
  add_read_options(*sub, o->limits);
  sub->footer(R"(Examples:
  tenon build model.onnx -o model.tenon --shape x=1x3x224x224
  tenon build model.onnx -o model.tenon --arch x86-64-v3     for more machines than this one
  tenon build model.onnx -o half.tmod --stop-at lowering     stop early; look at it with `tenon inspect half.tmod`
  tenon build squeezenet.onnx --emit library -o lib          C and C++ call it: lib/squeezenet.hpp, lib/libsqueezenet.a
  tenon build model.onnx --emit asm --kernel conv1           the code of one kernel, beside the nodes that it computes
  tenon build half.tmod -o model.tenon                       finish it
  tenon build model.onnx -o model.tenon --target 'composite(cpu,plain@c_source)' --constrain '/head/*=plain'
                                                             what is called so runs on another member)");
  sub->callback([o, &status] { status = build_file(*o); });
}

}  // namespace tenon::tool
