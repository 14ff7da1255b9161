// Modules in files, whatever their form.
#include "modules.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/module_file.hpp>
#include <tenon/targets/bundle.hpp>
#include <tenon/text/parse.hpp>
#include <tenon/text/print.hpp>

#include "common.hpp"
#include "pass_registry.hpp"
#include "subject.hpp"

namespace tenon::tool {

namespace {
module_on_its_way import_by(const known_importer& importer, const std::string& path,
                            const std::vector<std::string>& shapes, const std::vector<std::string>& values) {
  const std::unique_ptr<module_source> source = importer.open(path);
  known_inputs known;
  said_sizes said = sizes_said(path, inputs_of_entry(source->signature(), true), shapes);
  if (!said.symbols.empty())
    throw usage_error("usage", fmt::format("--shape {}=… is of no input", said.symbols.begin()->first), {},
                      "sizes have names in ONNX models; here, give the shapes of the inputs that have this one");
  known.shapes = std::move(said.shapes);
  for (const std::string& text : values) {
    auto [name, what] = split_assignment(text, "--value", "NAME=0,2");
    known.values.emplace(name, value_of(input_of_entry(path, source->signature(), name), what));
  }
  sourced_module m = source->make(known);
  if (!m.module) throw *m.why;
  return {std::make_unique<ir::module>(std::move(m.module->body())), "ingestion", {}};
}

/// Advice on sizes, where they were given, is more than the importer says of them.
template <class F>
std::unique_ptr<ir::module> import_for(const given_sizes* sizes, const F& import) try {
  return std::make_unique<ir::module>(std::move(import().body()));
} catch (rule_error& e) {
  advice_time left = usual_advice_time;
  const std::string advice =
      sizes != nullptr ? size_advice(e, *sizes->source, sizes->given, find_target(default_target), left) : "";
  if (!advice.empty()) e.restate(e.message(), e.where(), advice);
  throw;
}

/// The shapes of the inputs of which all sizes were said.
std::map<std::string, std::vector<i64>> shapes_said(const ir::module& signature, const said_sizes& said) {
  std::map<std::string, std::vector<i64>> shapes = said.shapes;
  for (const wanted_input& w : inputs_of_entry(signature, true)) {
    std::vector<i64> shape = w.shape;
    for (size_t d = 0; d < shape.size(); ++d)
      if (const auto s = said.symbols.find(size_name(w, d)); s != said.symbols.end()) shape[d] = s->second;
    if (std::none_of(shape.begin(), shape.end(), [](i64 d) { return d < 0; })) shapes.emplace(w.name, shape);
  }
  return shapes;
}
}  // namespace

bool is_text_module(const std::string& path) {
  std::string head(size_t{1} << 16, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  std::string_view rest(head.data(), static_cast<size_t>(file.gcount()));
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (!rest.starts_with("//")) return rest.starts_with("tenon.module") || path.ends_with(text_ending);
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
  }
}

bool holds_module(const std::string& path) { return is_module_file(path) || is_text_module(path); }

module_on_its_way read_module(const std::string& path, const std::string& phase, const std::vector<std::string>& shapes,
                              const std::vector<std::string>& values, std::optional<u32> random_seed,
                              const importers::onnx::read_options& limits) {
  if (path != "/dev/stdin") require_file(path, "give a module (text or binary) or an ONNX model");
  if (!phase.empty()) find_phase(phase);  // a misspelled one is said as such
  const known_importer* const importer = importer_of(path);
  const bool imported = importer || std::filesystem::path(path).extension() == ".onnx";
  if (imported && !phase.empty() && phase != std::string_view(phases::ingestion::name))
    throw error(
        "opt.phase",
        fmt::format("{} comes in phase 'ingestion', not '{}'",
                    importer ? fmt::format("what importer '{}' reads", importer->name) : "an ONNX model", phase),
        {}, "leave --phase out, and begin with lift_lambdas");
  if (importer) return import_by(*importer, path, shapes, values);
  if (imported) {
    importers::onnx::import_options options;
    options.random_seed = random_seed;
    options.budget = limits.budget, options.follow_links = limits.follow_links;
    auto sizes = std::make_shared<given_sizes>();
    if (!shapes.empty() || !values.empty()) {
      sizes->source = open_source(path, limits);
      const std::unique_ptr<module_source>& source = sizes->source;
      said_sizes said = sizes_said(path, inputs_of_entry(source->signature(), true), shapes);
      sizes->given.shapes = shapes_said(source->signature(), said);
      options.shapes = std::move(said.shapes), options.symbols = std::move(said.symbols);
      for (const std::string& text : values) {
        auto [name, what] = split_assignment(text, "--value", "NAME=0,2");
        options.constants.emplace(name, value_of(input_of_entry(path, source->signature(), name), what));
      }
      sizes->given.values = options.constants;
    }
    if (!sizes->source) sizes.reset();
    return {import_for(sizes.get(), [&] { return importers::onnx::load(path, options); }), "ingestion", {}, {}, sizes};
  }
  if (!shapes.empty() || !values.empty())
    throw usage_error("usage", "'" + path + "' is a module, whose inputs have their shapes", {},
                      "--shape and --value are for ONNX models, and for the pass bind_inputs (tenon opt)");
  module_on_its_way m;
  if (path != "/dev/stdin" && is_module_file(path)) {
    // The file is read in the phase that its own header names.
    m.body = std::make_unique<ir::module>(load_module(path, {.phase = {}, .ops = known_ops(), .owner = {}}));
    module_header header = read_module_header(read_text(path), path);
    m.phase = std::move(header.phase), m.facts = std::move(header.facts);
  } else {
    const std::string text = read_text(path);
    if (has_magic(text, program_file_kind) || has_magic(text, bundle_file_kind))
      open_frame(text, module_file_kind, path);  // says what to do instead
    m.phase = phase_of_text(text, path), m.facts = facts_of_text(text, path), m.run = run_of_text(text, path);
    if (m.phase.empty()) m.phase = phase;
    if (m.phase.empty())
      throw error("opt.phase", "the text does not name its phase", path,
                  "begin it with 'tenon.module phase=...', or say --phase");
    m.body = std::make_unique<ir::module>(parse(text, path, {.phase = {}, .ops = known_ops()}));
  }
  find_phase(m.phase);
  if (!phase.empty() && m.phase != phase)
    throw error("opt.phase", fmt::format("the module is in phase '{}', not '{}'", m.phase, phase), path);
  return m;
}

void write_module(const std::string& path, const ir::module& m, std::string_view phase, const module_style& style,
                  std::span<const std::string> facts) {
  if (style.binary) return save_module(path, m, phase, facts);
  print_options text;
  text.phase = phase;
  text.elide_constants = style.elide;
  text.facts = facts, text.run = style.run;
  write_atomically(path, print(m, text));
}

}  // namespace tenon::tool
