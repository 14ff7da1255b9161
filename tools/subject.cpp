// A model or a module, with inputs to run it on.
#include "subject.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/core/checked.hpp>
#include <tenon/core/smallest_extents.hpp>
#include <tenon/facts/purity_known.hpp>
#include <tenon/importer.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/entry_ports.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/random_tensor.hpp>

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

std::vector<wanted_input> inputs_of_entry(const ir::module& m, bool tensors_alone) {
  const ir::function& f = m[entry_of(m)];
  const std::vector<ir::type> inputs = ir::entry_inputs(m, entry_of(m));
  std::vector<wanted_input> wanted;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::type& t = inputs[i];
    if (tensors_alone && !t.is_tensor()) continue;
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

namespace {
/// Where a name is among those of a model's inputs.
size_t number_of_input(const std::string& model, const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    throw usage_error("usage", fmt::format("'{}' has no input '{}'", model, name), {}, suggestion(name, names));
  return static_cast<size_t>(at - names.begin());
}
}  // namespace

wanted_input input_of_entry(const std::string& model, const ir::module& m, const std::string& name) {
  const ir::function& f = m[entry_of(m)];
  std::vector<std::string> names;
  for (size_t i = 0; i < m[f.body].arguments.size(); ++i) names.push_back(ir::input_name(f, i));
  return wanted_of(name, m.type_of(m[f.body].arguments[number_of_input(model, names, name)]));
}

namespace {
/// Numbers between commas, as elements of a type.
tensor elements_of(const wanted_input& w, std::string_view text) {
  const auto refused = [&](std::string_view item, const std::string& why) {
    throw usage_error("usage", fmt::format("--value {}: '{}' {}", w.name, item, why), {},
                      "write numbers, as in " + w.name + "=16000 or " + w.name + "=0,2, or name a .npy or .pb file");
  };
  if (w.type == dtype::string) refused(text, "is to be text, which files hold");
  std::vector<std::string_view> items;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    items.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  tensor t(w.type, {static_cast<i64>(items.size())});
  for (size_t k = 0; k < items.size(); ++k) {
    const std::string_view item = w.type == dtype::boolean && items[k] == "true"    ? "1"
                                  : w.type == dtype::boolean && items[k] == "false" ? "0"
                                                                                    : items[k];
    const char* const last = item.data() + item.size();
    const auto at = static_cast<i64>(k);
    if (is_float(w.type)) {
      double number = 0;
      if (const auto r = std::from_chars(item.data(), last, number); r.ec != std::errc() || r.ptr != last)
        refused(item, "is no number");
      t.set_f64(at, number);
    } else {
      i64 number = 0;
      const auto r = std::from_chars(item.data(), last, number);
      if (r.ec == std::errc::invalid_argument || r.ptr != last)
        refused(item, fmt::format("is no integer, and the input is {}", name_of(w.type)));
      t.set_i64(at, number);
      if (r.ec != std::errc() || t.at_i64(at) != number)
        refused(item, fmt::format("is more than {} holds", name_of(w.type)));
    }
  }
  return t;
}
}  // namespace

tensor value_of(const wanted_input& w, const std::string& what, const std::optional<std::vector<i64>>& shape) {
  if (std::filesystem::is_regular_file(what)) return read_tensor(what);
  const tensor flat = elements_of(w, what);
  const i64 count = flat.size();
  if (!shape && !w.ranked) return flat;
  std::vector<i64> extents = shape.value_or(w.shape);
  const auto open = std::count(extents.begin(), extents.end(), -1);
  i64 known = 1;
  for (i64 d : extents) known = checked_mul(known, d < 0 ? 1 : d);
  if (open == 1 && known > 0 && count % known == 0)
    std::replace(extents.begin(), extents.end(), i64{-1}, count / known);
  else if (open != 0 || known != count) {
    std::string shown;
    for (i64 d : extents) shown += (shown.empty() ? "" : ",") + (d < 0 ? "?" : std::to_string(d));
    throw usage_error(
        "usage",
        fmt::format("--value {} has {}, and the input has the shape [{}]", w.name, counted(count, "number"), shown), {},
        open > 1 ? fmt::format("say its shape too: --shape {}=...", w.name) : "give as many as it has");
  }
  return flat.reshaped(extents);
}

void add_input_options(CLI::App& sub, input_options& to) {
  sub.add_option("--input", to.inputs, "NAME=FILE (.npy or .pb); inputs that are not given are random numbers")
      ->take_all();
  sub.add_option("--value", to.values, "NAME=16000 or NAME=0,2: an input's numbers")->take_all();
  sub.add_option("--shape", to.shapes, "NAME=1x3x224x224: the shape of a random input; SIZE=8: a size that is open")
      ->take_all();
  sub.add_option("--seed", to.seed, "seed of the random inputs")->capture_default_str();
  add_read_options(sub, to.limits);
}

void check_given(const input_options& o) {
  std::set<std::string> shapes, tensors;
  const auto once = [](std::set<std::string>& all, const std::string& name, const char* what, const char* hint) {
    if (!all.insert(name).second)
      throw usage_error("usage", fmt::format("{} '{}' is given twice", what, name), {}, hint);
  };
  for (const std::string& text : o.shapes) {
    const auto [name, shape] = split_assignment(text, "--shape", "NAME=1x3x224x224");
    once(shapes, name, "the shape of input", "give --shape once for each input");
    parse_shape(shape, "--shape");
  }
  for (const std::string& text : o.inputs) {
    const auto [name, file] = split_assignment(text, "--input", "NAME=FILE");
    once(tensors, name, "input", "give --input or --value, once");
    if (!is_tensor_file(file)) read_tensor(file);  // says what is
    require_file(file, "give the path of a .npy or .pb file");
  }
  for (const std::string& text : o.values)
    once(tensors, split_assignment(text, "--value", "NAME=0,2").first, "input", "give --input or --value, once");
}

std::string size_name(const wanted_input& w, size_t d) {
  if (d >= w.extents.size() || !w.extents[d]) return "";
  const std::vector<std::string> names = w.extents[d]->names();
  return names.size() == 1 && names[0] == w.extents[d]->text() ? names[0] : "";
}

/// An input whose shape is known has the sizes that are said by name.
static void check_agrees(const wanted_input& w, const said_sizes& said, const std::vector<i64>& shape) {
  for (size_t d = 0; shape.size() == w.shape.size() && d < shape.size(); ++d)
    if (const auto s = said.symbols.find(size_name(w, d)); s != said.symbols.end() && s->second != shape[d])
      throw usage_error(
          "usage",
          fmt::format("--shape {}={}, and dimension {} of input '{}' is {}", s->first, s->second, d, w.name, shape[d]),
          {}, "say the same of both, or leave one out");
}

said_sizes sizes_said(const std::string& model, const std::vector<wanted_input>& wanted,
                      const std::vector<std::string>& texts) {
  std::vector<std::string> inputs, sizes;
  for (const wanted_input& w : wanted) {
    inputs.push_back(w.name);
    for (size_t d = 0; d < w.shape.size(); ++d)
      if (std::string name = size_name(w, d); !name.empty()) sizes.push_back(std::move(name));
  }
  const auto is_in = [](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  said_sizes said;
  for (const std::string& text : texts) {
    const auto [name, value] = split_assignment(text, "--shape", "NAME=1x3x224x224");
    const std::vector<i64> shape = parse_shape(value, "--shape");
    if (is_in(inputs, name)) {
      said.shapes[name] = shape;
    } else if (is_in(sizes, name)) {
      if (shape.size() != 1)
        throw usage_error("usage", fmt::format("'{}' is a size, which is one number, and '{}' was given", name, value),
                          {}, fmt::format("--shape {}=8", name));
      said.symbols[name] = shape[0];
    } else {
      std::vector<std::string> known = inputs;
      for (const std::string& size : sizes)
        if (!is_in(known, size)) known.push_back(size);
      throw usage_error("usage", fmt::format("'{}' has no input and no open size '{}'", model, name), {},
                        suggestion(name, known));
    }
  }
  for (const wanted_input& w : wanted)
    if (const auto s = said.shapes.find(w.name); s != said.shapes.end()) check_agrees(w, said, s->second);
  return said;
}

/// An input that the model cannot take is refused before anything is compiled for it.
static void check_fits(const wanted_input& w, const std::string& given, dtype type, const std::vector<i64>& shape,
                       bool is_array) {
  bool fits = type == w.type && (!w.ranked || shape.size() == w.shape.size());
  for (size_t d = 0; fits && w.ranked && d < shape.size(); ++d) fits = w.shape[d] < 0 || w.shape[d] == shape[d];
  if (fits) return;
  std::string extents;
  for (size_t d = 0; d < w.shape.size(); ++d) {
    const std::string name = w.shape[d] < 0 ? size_name(w, d) : std::to_string(w.shape[d]);
    extents += (d == 0 ? "" : ",") + (name.empty() ? "?" : name);
  }
  const std::string wanted = std::string(name_of(w.type)) + (w.ranked ? "[" + extents + "]" : " of any shape");
  throw error("run.input", fmt::format("input '{}' is {}, and {} was given", w.name, wanted, given), {},
              type != w.type ? fmt::format("give elements of {}: a.astype(...) in NumPy", name_of(w.type))
              : is_array     ? "give an array of that shape: a.reshape(...) or a.transpose(...) in NumPy"
                             : "give one number for each dimension; those that the model fixes stay as they are");
}

/// Which extents nobody gave, and what was taken for them.
static std::string note_on_extents(const wanted_input& w, const said_sizes& said, const std::vector<i64>& taken) {
  bool guessed = !w.ranked, large = false;
  for (size_t d = 0; d < w.shape.size() && d < taken.size(); ++d)
    if (w.shape[d] < 0 && !said.symbols.contains(size_name(w, d))) guessed = true, large = large || taken[d] > 1;
  if (!guessed) return "";
  return fmt::format(", unknown extents taken as {}: --shape {}=...", large ? "small as they may be" : "1", w.name);
}

std::vector<tensor> gather_inputs(const std::string& model, const input_options& o,
                                  const std::vector<wanted_input>& wanted,
                                  std::span<const extent_condition> conditions) {
  std::vector<std::string> names;
  for (const wanted_input& w : wanted) names.push_back(w.name);
  const auto input_named = [&](const std::string& name) -> const wanted_input& {
    return wanted[number_of_input(model, names, name)];
  };
  std::map<std::string, std::string> from;
  const said_sizes said = sizes_said(model, wanted, o.shapes);
  const std::map<std::string, std::vector<i64>>& shapes = said.shapes;
  std::map<std::string, tensor> read;
  for (const std::string& text : o.inputs) {
    auto [name, file] = split_assignment(text, "--input", "NAME=FILE");
    static_cast<void>(input_named(name));  // before the file is read
    read[name] = read_tensor(file), from[name] = file;
  }
  for (const std::string& text : o.values) {
    auto [name, what] = split_assignment(text, "--value", "NAME=0,2");
    const wanted_input& w = input_named(name);
    const auto shape = shapes.find(name);
    if (!read.emplace(name, value_of(w, what, shape == shapes.end() ? std::nullopt : std::optional(shape->second)))
             .second)
      throw usage_error("usage", fmt::format("input '{}' is given twice", name), {}, "give --input or --value, once");
    from[name] = "--value";
  }
  // What is given says its shape; of the rest nothing, or how it hangs together with the others.
  std::vector<open_shape> open;
  for (const wanted_input& w : wanted) {
    open_shape& s = open.emplace_back(open_shape{w.extents, {}});
    for (size_t d = s.extents.size(); d < w.shape.size(); ++d)
      s.extents.push_back(w.shape[d] < 0 ? std::nullopt : std::optional<extent_expr>(w.shape[d]));
    if (auto f = read.find(w.name); f != read.end()) s.given = f->second.shape();
    else if (auto given = shapes.find(w.name); given != shapes.end()) s.given = given->second;
  }
  for (const auto& [name, extent] : said.symbols) open.push_back({{extent_expr::name(name)}, std::vector<i64>{extent}});
  const auto fitting = smallest_shapes(open, conditions);
  std::vector<tensor> inputs;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const wanted_input& w = wanted[i];
    if (auto f = read.find(w.name); f != read.end()) {
      check_fits(w, f->second.describe(), f->second.type(), f->second.shape(), true);
      check_agrees(w, said, f->second.shape());
      inputs.push_back(f->second);
      if (!o.quiet) fmt::print("input {} {} from {}\n", w.name, inputs.back().describe(), from[w.name]);
      continue;
    }
    std::vector<i64> shape = open[i].given.value_or(fitting ? (*fitting)[i] : w.shape);
    std::string note;
    if (!open[i].given) {
      for (size_t d = 0; d < shape.size(); ++d)  // a fixed one may be 0
        if (d >= w.shape.size() || w.shape[d] < 0) {
          const auto s = said.symbols.find(size_name(w, d));
          shape[d] = s != said.symbols.end() ? s->second : std::max<i64>(shape[d], 1);
        }
      note = note_on_extents(w, said, shape);
    } else {
      std::string extents;
      for (i64 d : shape) extents += (extents.empty() ? "" : ",") + std::to_string(d);
      check_fits(w, fmt::format("{}[{}]", name_of(w.type), extents), w.type, shape, false);
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

void check_inputs(const std::string& model, const input_options& o, const std::vector<wanted_input>& wanted) {
  if (o.inputs.empty() && o.values.empty() && o.shapes.empty()) return;
  input_options silent = o;
  silent.quiet = true;
  static_cast<void>(gather_inputs(model, silent, wanted));
}

std::vector<tensor> gather_inputs(const std::string& model, const input_options& o, const program& p) {
  return gather_inputs(model, o, inputs_of(p), p.description().sizes.conditions);
}

namespace {
/// Are there extents that nobody gave?
bool leaves_open(const input_options& o, const std::vector<wanted_input>& wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const wanted_input& w) {
    const auto speaks = [&](const std::string& text) { return text.starts_with(w.name + "="); };
    for (const auto* said : {&o.inputs, &o.values, &o.shapes})
      if (std::any_of(said->begin(), said->end(), speaks)) return false;
    return std::count(w.shape.begin(), w.shape.end(), -1) != 0;
  });
}
/// As `gather_inputs`, by the conditions of the code that a module becomes. Its inputs may be fewer than those wanted,
/// which count where it has none of that name.
std::vector<tensor> gather_for(const std::string& path, const input_options& o, std::vector<wanted_input> wanted,
                               module_on_its_way m) {
  const std::unique_ptr<ir::module> planned = module_with_conditions(std::move(m));
  if (!planned) return gather_inputs(path, o, wanted);
  for (wanted_input& known : inputs_of_entry(*planned))
    for (wanted_input& w : wanted)
      if (w.name == known.name && w.shape.size() == known.shape.size()) w.extents = std::move(known.extents);
  return gather_inputs(path, o, wanted, planned->conditions.items());
}
}  // namespace

std::vector<tensor> gather_inputs(const std::string& model, const input_options& o, const module_source& source) {
  const std::vector<wanted_input> wanted = inputs_of_entry(source.signature());
  if (!leaves_open(o, wanted)) return gather_inputs(model, o, wanted);
  sourced_module m = source.make({});
  if (!m.module) return gather_inputs(model, o, wanted);  // more must be known first
  return gather_for(model, o, wanted, {std::make_unique<ir::module>(std::move(m.module->body())), "ingestion", {}});
}

namespace {
/// For the inputs' shapes, and for the values of those that operators must know: these are no inputs any more.
subject import_for(const std::string& path, const input_options& o) {
  auto sizes = std::make_shared<given_sizes>();
  sizes->source = open_source(path, o.limits);
  const module_source* const source = sizes->source.get();
  const ir::module& signature = source->signature();
  const std::vector<wanted_input> wanted = inputs_of_entry(signature);
  const std::vector<tensor> given = gather_inputs(path, o, *source);
  known_inputs& known = sizes->given;
  for (size_t i = 0; i < given.size(); ++i) known.shapes.emplace(wanted[i].name, given[i].shape());
  for (;;) {
    sourced_module m = advising(sizes, find_target(default_target), [&] { return source->make(known); });
    if (m.module) {
      subject s{{std::make_unique<ir::module>(std::move(m.module->body())), "ingestion", {}, {}, sizes}, {}};
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
  const std::vector<wanted_input> wanted = inputs_of_entry(*s.module.body);
  s.inputs =
      leaves_open(o, wanted)
          ? gather_for(path, o, wanted, {std::make_unique<ir::module>(*s.module.body), s.module.phase, s.module.facts})
          : gather_inputs(path, o, wanted);
  return s;
}

function_id entry_of(const ir::module& m) {
  for (function_id f : m.functions())
    if (m[f].entry && m[f].kind == ir::function_kind::graph) return f;
  throw usage_error("usage", "the module has no entry function, which could be run", {},
                    "mark one as such: func entry @main(...)");
}

void give(ir::module& m, function_id entry, std::span<const value_id> values) {
  const op_id last = m.terminator(m[entry].body);
  if (!last || !m.view(last).is<op::return_>())
    throw usage_error("usage", "the entry gives no values: it is no graph any more", {},
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
