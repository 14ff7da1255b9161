// `tenon compare`: a model on two targets, and the first value that differs.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/text/print.hpp>

#include "common.hpp"
#include "subject.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct compare_options {
  std::string model, targets = fmt::format("{},interpreter", default_target);
  input_options inputs;
  int threads = 1;
  bool every_value = false, verify_each = false;
};

/// "cpu:threads=2,optimize=1,interpreter" as two targets: a comma that an option follows belongs to the first.
std::pair<std::string, std::string> two_targets(const std::string& text) {
  std::vector<std::string> found;
  int depth = 0;
  bool quoted = false;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '"') quoted = !quoted;
    if (quoted && i < text.size()) continue;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || (depth != 0 && i < text.size())) continue;
    const size_t next = text.find_first_of(",=(@:", i + 1);
    if (i < text.size() && next != std::string::npos && text[next] == '=') continue;
    found.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  if (found.size() != 2 || found[0].empty() || found[1].empty())
    throw usage_error("usage", fmt::format("--target takes two targets to compare, and '{}' was given", text), {},
                      "write them as in cpu,interpreter: the second is the reference");
  return {found[0], found[1]};
}

/// The same module on both targets.
struct both {
  const compare_options& o;
  std::string target, reference;
  std::shared_ptr<const given_sizes> sizes = {};

  /// `talk`: says what passes note and warn of, once: for the module as it is given, not for its parts.
  std::vector<tensor> run(const ir::module& m, const std::string& phase, const std::string& on,
                          std::span<const tensor> inputs, const words* talk = nullptr) const {
    return runnable({std::make_unique<ir::module>(m), phase, {}, {}, sizes}, on, o.threads, o.verify_each, talk)
        ->run(inputs, o.threads);
  }
};

std::string shown(const tensor& t, i64 at) {
  return is_float(t.type()) ? fmt::format("{:.9g}", t.at_f64(at)) : std::to_string(t.at_i64(at));
}
/// "largest error 0.12 at [0,3]: 1.25 on cpu, 1.37 on interpreter"
std::string error_text(const comparison& c, const tensor& got, const tensor& want, const both& b) {
  if (c.index < 0 || got.shape() != want.shape() || got.type() != want.type()) return c.ok ? "no error" : c.message;
  return fmt::format("largest error {:.3g} at {}: {} on {}, {} on {}", c.max_abs_error,
                     position_text(want.shape(), c.index), shown(got, c.index), b.target, shown(want, c.index),
                     b.reference);
}

/// Values of the entry that may be looked at: tensors that ops compute, in order.
std::vector<value_id> values_of(const ir::module& m, function_id entry) {
  std::vector<value_id> r;
  for (op_id op : m[m[entry].body].ops) {
    if (m.view(op).is<op::constant>()) continue;
    for (value_id v : m.results(op))
      if (m.type_of(v).is_tensor() && m.type_of(v).elem != dtype::string) r.push_back(v);
  }
  return r;
}

ir::module giving(const ir::module& m, function_id entry, std::span<const value_id> values) {
  ir::module cut = m;
  give(cut, entry, values);
  cut[entry].result_names.clear();
  for (size_t i = 0; i < values.size(); ++i) cut[entry].result_names.push_back("value" + std::to_string(i));
  drop_unused(cut, entry);
  return cut;
}

/// A value that differs, as both targets have it.
struct difference {
  value_id value;
  tensor got, want;
  bool fused = true;  ///< seen where ops around it are compiled with it
};

/// The first value that differs. All are kept at first: where none differs then, what hides it is how ops are compiled
/// together, and the entry is cut at one value at a time, by halving.
std::optional<difference> first_difference(const subject& s, const both& b, std::vector<tensor>& wants) {
  const ir::module& m = *s.module.body;
  const function_id entry = entry_of(m);
  const std::vector<value_id> values = values_of(m, entry);
  const ir::module all = giving(m, entry, values);
  wants = b.run(all, s.module.phase, b.reference, s.inputs);
  const std::vector<tensor> gots = b.run(all, s.module.phase, b.target, s.inputs);
  for (size_t i = 0; i < values.size(); ++i)
    if (!compare(gots[i], wants[i])) return difference{values[i], gots[i], wants[i], false};
  const auto at = [&](size_t i) {
    return b.run(giving(m, entry, {&values[i], 1}), s.module.phase, b.target, s.inputs)[0];
  };
  size_t low = 0, high = values.size();
  std::optional<difference> found;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (tensor got = at(middle); !compare(got, wants[middle]))
      found = difference{values[middle], std::move(got), wants[middle]}, high = middle;
    else low = middle + 1;
  }
  return found;
}

/// The op that makes a value, alone: what it takes becomes inputs, with the values that the reference has.
std::optional<std::pair<tensor, tensor>> alone(const subject& s, const both& b, value_id v,
                                               std::span<const tensor> wants) {
  const ir::module& m = *s.module.body;
  const function_id entry = entry_of(m);
  const op_id op = m[v].definition;
  if (m.view(op).region_count() != 0) return {};
  const std::vector<value_id> known = values_of(m, entry);
  ir::module one = m;
  std::vector<tensor> inputs = s.inputs;
  std::map<u32, value_id> made;
  for (int i = 0; i < m.view(op).operand_count(); ++i) {
    if (!m.view(op).has_operand(i)) continue;
    const value_id from = m.operand(op, i);
    const auto at = std::find(known.begin(), known.end(), from);
    if (at == known.end()) continue;  // an input, or a constant
    const auto [it, is_new] = made.emplace(from.index, value_id{});
    if (is_new) {
      const tensor& want = wants[static_cast<size_t>(at - known.begin())];
      it->second = one.add_argument(
          one[entry].body, one.intern(ir::type::tensor(want.type(), {want.shape().begin(), want.shape().end()})));
      one[entry].argument_names.push_back(fmt::format("operand{}", i));
      inputs.push_back(want);
    }
    one.set_operand(op, i, it->second);
  }
  give(one, entry, {&v, 1});
  one[entry].result_names = {"value"};
  drop_unused(one, entry);
  return std::pair{b.run(one, s.module.phase, b.target, inputs)[0], b.run(one, s.module.phase, b.reference, inputs)[0]};
}

/// The line of an op in the text of its function, which `tenon opt` shows.
std::string line_of(const ir::module& m, function_id f, op_id op) {
  print_options style;
  style.elide_constants = true;
  const std::string text = print(m, f, style);
  const auto& all = m[m[f].body].ops;
  auto left = std::find(all.begin(), all.end(), op) - all.begin();
  for (size_t begin = text.find('\n') + 1, end = 0; begin != 0 && begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const bool outer = line.size() > 2 && line.starts_with("  ") && line[2] != ' ' && line[2] != '}';
    if (outer && left-- == 0) return line.substr(2);
  }
  return std::string(m.view(op).name());
}

void explain(const subject& s, const both& b, bool good) {
  std::vector<tensor> wants;
  const std::optional<difference> d = first_difference(s, b, wants);
  const ir::module& m = *s.module.body;
  if (!d) {
    fmt::print("no value inside differs{}\n",
               good ? "" : " by itself: what differs is how the outputs are made together");
    return;
  }
  const op_id op = m[d->value].definition;
  const std::string& from = m.text(m.view(op).location());
  fmt::print("the first value that differs: {}{}\n", line_of(m, entry_of(m), op), from.empty() ? "" : "  // " + from);
  fmt::print("  {}\n", error_text(compare(d->got, d->want), d->got, d->want, b));
  if (d->fused)
    fmt::print("  only where it is compiled together with what comes before it: with every value kept, none differs\n");
  if (const auto single = alone(s, b, d->value, wants))
    fmt::print("  this op alone, on the values that {} has: {}\n", b.reference,
               error_text(compare(single->first, single->second), single->first, single->second, b));
}

int compare_targets(const compare_options& o) {
  const auto [target, reference] = two_targets(o.targets);
  check_target(target), check_target(reference);
  const subject s = read_subject(o.model, o.inputs);
  const both b{o, target, reference, s.module.sizes};
  const ir::module& m = *s.module.body;
  const function_id entry = entry_of(m);
  const words talk;
  const std::vector<tensor> got = b.run(m, s.module.phase, target, s.inputs, &talk);
  const std::vector<tensor> want = b.run(m, s.module.phase, reference, s.inputs, &talk);
  bool good = got.size() == want.size();
  for (size_t i = 0; i < got.size() && i < want.size(); ++i) {
    const comparison c = compare(got[i], want[i]);
    const std::string name = i < m[entry].result_names.size() ? m[entry].result_names[i] : std::to_string(i);
    fmt::print("output {} {}: {}{}\n", name, want[i].describe(), error_text(c, got[i], want[i], b),
               c.ok ? "" : "  OUT OF TOLERANCE: " + c.message);
    good = good && c.ok;
  }
  if (!good || o.every_value) explain(s, b, good);
  if (good) fmt::print("the outputs of {} are those of {}, within tolerance\n", target, reference);
  return good ? 0 : 1;
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
  auto o = std::make_shared<compare_options>();
  CLI::App* sub =
      app.add_subcommand("compare", "run a model on two targets, and name the first op whose values differ");
  sub->add_option("MODEL", o->model, "an ONNX model, or a module as text or binary")->required();
  sub->add_option("--target", o->targets, "two targets, as in cpu,interpreter: the second one is the reference")
      ->capture_default_str();
  sub->add_option("--threads", o->threads, "threads to run on")->capture_default_str()->check(CLI::Range(1, 1024));
  sub->add_flag("--every-value", o->every_value, "look at the values inside even where the outputs agree");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  add_input_options(*sub, o->inputs);
  sub->footer(R"(Examples:
  tenon compare model.onnx
  tenon compare model.onnx --target cpu:optimize=0,cpu --input x=x.npy
The tolerance is that of `tenon check`: |a-b| <= 1e-4 + 1e-3*|b| for each element, and norm(a-b) <= 1e-3*norm(b).
Exit status 1 when an output is out of it.)");
  sub->callback([o, &status] { status = compare_targets(*o); });
}

}  // namespace tenon::tool
