// `tenon opt`: text in, text out: runs passes by name, in an order that is judged first.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/passes/bind_inputs.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/text/print.hpp>

#include "common.hpp"
#include "instruments.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"
#include "report.hpp"
#include "subject.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct opt_options {
  std::string file, passes, phase, output;
  std::vector<std::string> shapes, values;
  importers::onnx::read_options limits;
  instrument_options watch;
  bool verify_each = false, elide = false, times = false, binary = false;
};

/// The number of an input of the entry, by its name.
int input_named(const ir::module& m, function_id entry, const std::string& name) {
  const auto& names = m[entry].argument_names;
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end())
    throw usage_error("usage", fmt::format("function '{}' has no input '{}'", m[entry].name, name), {},
                      suggestion(name, names));
  return static_cast<int>(it - names.begin());
}

/// What `bind_inputs` is to give a module's inputs: shapes, and values as files or as integers of an input's type.
passes::input_binding binding_of(const ir::module& m, const opt_options& o) {
  passes::input_binding b;
  function_id entry;
  for (function_id f : m.functions())
    if (!entry && m[f].entry) entry = f;
  if (!entry) throw usage_error("usage", "the module has no entry function, whose inputs could be bound");
  for (const std::string& text : o.shapes) {
    const auto [name, shape] = split_assignment(text, "--shape", "NAME=1x3x224x224");
    b.shapes.resize(m[entry].argument_names.size());
    b.shapes[static_cast<size_t>(input_named(m, entry, name))] = parse_shape(shape, "--shape");
  }
  for (const std::string& text : o.values) {
    const auto [name, what] = split_assignment(text, "--value", "NAME=0,2");
    const int i = input_named(m, entry, name);
    const ir::type& t = m.type_of(m[m[entry].body].arguments[static_cast<size_t>(i)]);
    b.values.emplace_back(i, value_of(wanted_of(name, t), what));
  }
  return b;
}

int optimize(opt_options& o) {
  if (o.binary) check_is_file(o.output);
  else if (o.output == "-") o.output.clear();
  // Shapes and values of an ONNX model are for its import, those of a module for the pass that binds them.
  const bool bound = std::filesystem::path(o.file).extension() != ".onnx" && !importer_of(o.file) &&
                     o.passes.find(std::string_view(passes::bind_inputs::name)) != std::string::npos;
  using list = std::vector<std::string>;
  auto [m, phase, facts, run, sizes] =
      read_module(o.file, o.phase, bound ? list() : o.shapes, bound ? list() : o.values, {}, o.limits);
  // What a file says is to be run counts where the command line does not say more.
  if (!o.passes.empty()) run = {o.passes, {}, false};
  std::vector<std::string> held;
  if (!run.passes.empty()) held = known_passes().proven(*m, facts);
  const order passes = order::parse(run.passes, known_passes(), &find_phase(phase), held, m.get());
  context cx;
  cx.verify_each = o.verify_each || run.verify_each;
  cx.set_flags(run.flags);
  words().show_diagnostics(cx);
  if (bound) cx.set(binding_of(*m, o));
  observer watch;
  watch.attach(cx);
#if TENON_HAS_LLVM
  // For what the module was begun for, where that is known here.
  const target_spec begun = target_to_go_on(*m, {});
  configure_target(lookup_entry(begun.name) != nullptr ? to_text(begun) : "cpu", cx);
#endif
  print_options style;
  style.elide_constants = o.elide;
  const asked_instruments asked(cx, o.watch, o.elide);
  try {
    m = advising(sizes, find_target(default_target), [&] { return passes.run(std::move(m), cx); });
    if (passes.end_phase()) phase = std::string_view(passes.end_phase()->name);
    if (passes.size()) facts = passes.facts();
  } catch (const passes_stopped&) {
    const instrument::stop_after& at = asked.stopped();
    m = std::make_unique<ir::module>(*at.module), phase = at.phase, facts = at.facts;
  }
  asked.report();
  style.phase = phase;
  style.facts = facts;
  // What was printed after the last pass is not printed again.
  const bool shown = !o.output.empty() || (o.watch.print_after_all && passes.size());
  const std::string text = shown ? std::string() : print(*m, style);
  if (o.output.empty()) fmt::print("{}", text);
  else write_module(o.output, *m, phase, {o.binary, o.elide}, facts);
  std::fflush(stdout);
  if (o.times)
    for (const pass_record& r : cx.records)
      fmt::print(stderr, "{:<24}{:>10.2f} ms  {} -> {} ops\n", r.name, r.milliseconds, r.ops_before, r.ops_after);
  return 0;
}

}  // namespace

void add_opt(CLI::App& app, int& status) {
  auto o = std::make_shared<opt_options>();
  CLI::App* sub = app.add_subcommand("opt", "run passes by name on a module: text in, text (or the binary form) out");
  sub->add_option("FILE", o->file, "a module, as text or binary, or an ONNX model, which is imported first")
      ->required();
  sub->add_option("--passes", o->passes,
                  "\"infer_shapes, repeat(simplify, eliminate_dead), fuse{max_ops=8}\"; the order is judged before "
                  "anything runs; a file that --reproducer wrote says which");
  sub->add_option("--phase", o->phase, "the phase that the text must be in, or is in if it does not say");
  sub->add_option("-o,--output", o->output, "write the module there; -: to the standard output, as without it");
  sub->add_flag("--binary", o->binary, "write the binary form, which is smaller, checked, and mapped when it is read")
      ->needs("--output");
  sub->add_option("--shape", o->shapes,
                  "NAME=1x3x224x224: the shape of an input of an ONNX model, or of a module for bind_inputs")
      ->take_all();
  sub->add_option("--value", o->values,
                  "NAME=0,2 or NAME=FILE: an input of an ONNX model that is known now, or of a module for bind_inputs")
      ->take_all();
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  sub->add_flag("--elide-constants", o->elide, "leave large constants out: shorter, but it cannot be read back");
  sub->add_flag("--times", o->times, "what each pass cost, on stderr");
  add_instrument_options(*sub, o->watch);
  add_read_options(*sub, o->limits);
  std::string names;
  for (const registered_pass& p : known_passes()) {
    names += (names.empty() ? "" : ", ") + std::string(std::string_view(p.desc->name));
    if (p.make == nullptr) continue;
    std::string options;
    for (const ir::option_info& i : ir::list_options(p.attributes(), p.make().get()))
      options += (options.empty() ? "{" : ", ") + i.name + "=" + i.initial;
    if (!options.empty()) names += options + "}";
  }
  sub->footer(
      "Example:\n  tenon opt graph.tir --passes \"lift_lambdas, infer_shapes, fold_constants\" "
      "--print-after-all\n\nPasses: " +
      names);
  sub->callback([o, &status] { status = optimize(*o); });
}

}  // namespace tenon::tool
