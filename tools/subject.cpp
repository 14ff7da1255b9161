// A model or a module, with inputs to run it on.
#include "subject.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/module_source.hpp>
#include <tenon/core/checked.hpp>
#include <tenon/core/smallest_extents.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>

#include "common.hpp"
#include "pass_registry.hpp"

namespace tenon::tool {

wanted_input wanted_of(std::string name, const ir::type& t) {
  if (!t.is_tensor())
    throw error("run.input", "input '" + name + "' is no tensor, and only tensors can be given here", {},
                "run such models by a tenon::session");
  wanted_input w{std::move(name), t.elem, t.ranked, {}};
  for (ir::dim d : t.shape) w.shape.push_back(d.is_static() ? d.extent() : -1);
  return w;
}

std::vector<wanted_input> inputs_of_entry(const ir::module& m) {
  const ir::function& f = m[entry_of(m)];
  const auto& arguments = m[f.body].arguments;
  std::vector<wanted_input> wanted;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const ir::type& t = m.type_of(arguments[i]);
    wanted.push_back(wanted_of(ir::input_name(f, i), t));
    for (ir::dim d : t.shape)
      wanted.back().extents.push_back(d.is_static()   ? std::optional<extent_expr>(d.extent())
                                      : d.is_symbol() ? extent_expr::parse(m.name(d.symbol()))
                                                      : std::nullopt);
  }
  return wanted;
}

std::vector<wanted_input> inputs_of(const program& p) {
  const std::vector<std::string>& symbols = p.description().sizes.symbols;
  std::vector<wanted_input> wanted;
  for (const port& i : p.inputs()) {
    wanted.push_back({i.name, i.type, true, i.shape});
    for (i64 d : i.shape)
      wanted.back().extents.push_back(d >= 0 ? std::optional<extent_expr>(d)
                                             : extent_expr::parse(symbols.at(static_cast<size_t>(-2 - d))));
  }
  return wanted;
}

std::unique_ptr<module_source> open_source(const std::string& path, const importers::onnx::read_options& limits) {
  if (const known_importer* own = importer_of(path)) return own->open(path);
  importers::onnx::import_options import;
  import.budget = limits.budget, import.follow_links = limits.follow_links;
  return importers::onnx::source_of(importers::onnx::load_model(path, limits), import);
}

void add_input_options(CLI::App& sub, input_options& to) {
  sub.add_option("--input", to.inputs, "NAME=FILE (.npy or .pb); inputs that are not given are random numbers")
      ->take_all();
  sub.add_option("--shape", to.shapes, "NAME=1x3x224x224: the shape of a random input")->take_all();
  sub.add_option("--seed", to.seed, "seed of the random inputs")->capture_default_str();
  add_read_options(sub, to.limits);
}

/// Which extents nobody gave, and what was taken for them.
static std::string note_on_extents(const wanted_input& w, const std::vector<i64>& taken) {
  bool guessed = !w.ranked, large = false;
  for (size_t d = 0; d < w.shape.size() && d < taken.size(); ++d)
    if (w.shape[d] < 0) guessed = true, large = large || taken[d] > 1;
  if (!guessed) return "";
  return fmt::format(", unknown extents taken as {}: --shape {}=...", large ? "small as they may be" : "1", w.name);
}

std::vector<tensor> gather_inputs(const std::string& model, const input_options& o,
                                  const std::vector<wanted_input>& wanted,
                                  std::span<const extent_condition> conditions) {
  std::map<std::string, std::string> files;
  std::map<std::string, std::vector<i64>> shapes;
  std::vector<std::string> names;
  for (const auto& w : wanted) names.push_back(w.name);
  const auto check_name = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw error("usage", fmt::format("'{}' has no input '{}'", model, name), {}, suggestion(name, names));
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
  // What is given says its shape; of the rest nothing, or how it hangs together with the others.
  std::map<std::string, tensor> read;
  std::vector<open_shape> open;
  for (const wanted_input& w : wanted) {
    open_shape& s = open.emplace_back(open_shape{w.extents, {}});
    for (size_t d = s.extents.size(); d < w.shape.size(); ++d)
      s.extents.push_back(w.shape[d] < 0 ? std::nullopt : std::optional<extent_expr>(w.shape[d]));
    if (auto f = files.find(w.name); f != files.end()) s.given = (read[w.name] = read_tensor(f->second)).shape();
    else if (auto given = shapes.find(w.name); given != shapes.end()) s.given = given->second;
  }
  const auto fitting = smallest_shapes(open, conditions);
  std::vector<tensor> inputs;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const wanted_input& w = wanted[i];
    if (auto f = read.find(w.name); f != read.end()) {
      inputs.push_back(f->second);
      if (!o.quiet) fmt::print("input {} {} from {}\n", w.name, inputs.back().describe(), files[w.name]);
      continue;
    }
    std::vector<i64> shape = open[i].given.value_or(fitting ? (*fitting)[i] : w.shape);
    std::string note;
    if (!open[i].given) {
      for (i64& d : shape) d = std::max<i64>(d, 1);
      note = note_on_extents(w, shape);
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
    if (!o.quiet)
      fmt::print("input {} {} of random numbers (seed {}{})\n", w.name, inputs.back().describe(), o.seed, note);
  }
  return inputs;
}

std::vector<tensor> gather_inputs(const std::string& model, const input_options& o, const program& p) {
  return gather_inputs(model, o, inputs_of(p), p.description().sizes.conditions);
}

namespace {
/// For the inputs' shapes, and for the values of those that operators must know: these are no inputs any more.
subject import_for(const std::string& path, const input_options& o) {
  const std::unique_ptr<module_source> source = open_source(path, o.limits);
  const ir::module& signature = source->signature();
  const std::vector<wanted_input> wanted = inputs_of_entry(signature);
  std::vector<tensor> given = gather_inputs(path, o, wanted);
  known_inputs known;
  for (size_t i = 0; i < given.size(); ++i) known.shapes.emplace(wanted[i].name, given[i].shape());
  for (;;) {
    sourced_module m = source->make(known);
    if (m.module) {
      subject s{{std::make_unique<ir::module>(std::move(m.module->body())), "ingestion", {}}, {}};
      for (const wanted_input& left : inputs_of_entry(*s.module.body))
        for (size_t i = 0; i < wanted.size(); ++i)
          if (wanted[i].name == left.name) s.inputs.push_back(given[i]);
      return s;
    }
    bool more = false;
    for (const ir::input_need& n : m.needs)
      for (size_t i = 0; i < wanted.size(); ++i)
        if (n.value && wanted[i].name == n.name) more = known.values.emplace(n.name, given[i]).second || more;
    if (!more) throw *m.why;
  }
}
}  // namespace

subject read_subject(const std::string& path, const input_options& o) {
  require_file(path, "give an ONNX model or a module");
  if (importer_of(path) || !holds_module(path)) return import_for(path, o);
  subject s{read_module(path, "", {}, {}, {}, o.limits), {}};
  s.inputs = gather_inputs(path, o, inputs_of_entry(*s.module.body));
  return s;
}

function_id entry_of(const ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].entry && m[f].kind == ir::function_kind::graph) return f;
  throw error("usage", "the module has no entry function, which could be run", {},
              "mark one as such: func entry @main(...)");
}

void give(ir::module& m, function_id entry, std::span<const value_id> values) {
  const op_id last = m.terminator(m[entry].body);
  if (!last || !m.view(last).is<op::return_>())
    throw error("usage", "the entry gives no values: it is no graph any more", {},
                "take the module from an earlier phase");
  m.erase(last);
  ir::builder<ops<op::return_>> b(m, m[entry].body);
  b.make_op(op::return_{}, values, {});
  m[entry].result_types.clear();
  for (value_id v : values) m[entry].result_types.push_back(m[v].type);
}

void drop_unused(ir::module& m, function_id entry) {
  for (bool more = true; more;) {
    more = false;
    const std::vector<op_id> all = m[m[entry].body].ops;
    const fact::purity pure = fact::purity_known::compute(m);
    std::vector<op_id> unused;
    for (op_id op : all) {
      const std::vector<value_id> results = m.results(op);
      if (m.view(op).info().traits.terminator || !pure.of_op(m, op) ||
          std::any_of(results.begin(), results.end(), [&m](value_id v) { return m.has_uses(v); }))
        continue;
      unused.push_back(op);
    }
    for (op_id op : unused) m.erase(op), more = true;
  }
}

}  // namespace tenon::tool
