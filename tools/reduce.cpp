// `tenon reduce`: the smallest module that still fails as the given one does.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/interpret/interpreter.hpp>
#include <tenon/ir/builder.hpp>
#include <tenon/ir/verify.hpp>
#include <tenon/ir/walk.hpp>
#include <tenon/ops/all.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/runtime/random_tensor.hpp>
#include <tenon/text/print.hpp>

#include "common.hpp"
#include "pass_registry.hpp"
#include "process.hpp"
#include "reduction.hpp"
#include "subject.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct reduce_options {
  std::string file, passes, target, check, output;
  input_options inputs;
  int threads = 1, seconds = 60, questions = 2000;
  bool verify_each = false;
};

/// A module that fails, with the inputs that it fails on.
struct failing {
  ir::module m;
  std::vector<tensor> inputs;
};

/// How something fails: "crash", "differs", "error:CODE"; empty: it does not.
class asker {
 public:
  /// `run`: the passes that fail; none: a target does.
  asker(const reduce_options& o, std::string phase, std::vector<std::string> facts, text_run run)
      : o_(o), phase_(std::move(phase)), facts_(std::move(facts)), run_(std::move(run)) {}

  /// `talk`: says what passes note and warn of.
  std::string what_happens(const failing& f, const words* talk = nullptr) const {
    const ended e = in_process(o_.seconds, [&](const auto& say) {
      try {
        say(attempt(f, talk));
      } catch (const error& e) { say("error:" + e.code() + "\n" + e.what()); } catch (const std::exception& e) {
        say(std::string("error:internal\n") + e.what());
      }
    });
    if (e.crashed) return said_ = e.how, "crash";
    if (!e.how.empty()) return said_ = e.how, "hang";
    const size_t end = std::min(e.said.find('\n'), e.said.size());
    said_ = e.said.substr(std::min(end + 1, e.said.size()));
    while (!said_.empty() && said_.back() == '\n') said_.pop_back();
    return e.said.substr(0, end);
  }
  /// What it said when it was asked last.
  const std::string& said() const { return said_; }

 private:
  std::string attempt(const failing& f, const words* talk) const {
    std::vector<tensor> got;
    if (run_.passes.empty()) {
      got = runnable({std::make_unique<ir::module>(f.m), phase_, facts_}, o_.target, o_.threads, o_.verify_each, talk)
                ->run(f.inputs, o_.threads);
    } else {
      const order passes =
          order::parse(run_.passes, known_passes(), &find_phase(phase_), known_passes().proven(f.m, facts_), &f.m);
      context cx;
      if (talk) talk->show_diagnostics(cx);
      cx.verify_each = run_.verify_each;
      cx.set_flags(run_.flags);
      const auto after = passes.run(std::make_unique<ir::module>(f.m), cx);
      // What came of crossing to code is nothing that the interpreter could run.
      if (passes.end_phase() && !after->artifacts().empty()) return "";
      got = interpret((*after), (*after)[entry_of(*after)].name, f.inputs);
    }
    const std::vector<tensor> want = interpret(f.m, f.m[entry_of(f.m)].name, f.inputs);
    for (size_t i = 0; i < got.size() && i < want.size(); ++i)
      if (const comparison c = compare(got[i], want[i]); !c) return "differs\n" + c.message;
    return "";
  }

  const reduce_options& o_;
  std::string phase_;
  std::vector<std::string> facts_;
  text_run run_;
  mutable std::string said_;
};

using reducing = reduction<failing>;

size_t op_total(const ir::module& m) {
  size_t n = 0;
  ir::for_each_op(m, [&n](op_id) { ++n; });
  return n;
}

/// Takes away arguments that nobody uses, with their inputs, functions that nobody calls, and what no value needs.
void tidy(failing& f) {
  const function_id entry = entry_of(f.m);
  drop_unused(f.m, entry);
  ir::module& m = f.m;
  for (size_t i = m[m[entry].body].arguments.size(); i-- > 0;) {
    if (m.has_uses(m[m[entry].body].arguments[i])) continue;
    m.erase_argument(m[entry].body, i);
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (i < m[entry].argument_names.size()) m[entry].argument_names.erase(m[entry].argument_names.begin() + at);
    if (i < f.inputs.size()) f.inputs.erase(f.inputs.begin() + at);
  }
  for (bool more = true; more;) {
    more = false;
    std::set<std::string> called;
    ir::for_each_op(m, [&](op_id op) {
      const void* attributes = m.attributes(m[op].attributes);
      for (const ir::attribute& a : m.view(op).info().attributes())
        a.visit(attributes, [&](const ir::function_ref& r) { called.insert(r.name); });
    });
    for (function_id g : m.functions())
      if (g != entry && !called.count(m[g].name)) m.erase_function(g), more = true;
  }
  m.compact();
}

bool keep(reducing& r, failing f) {
  tidy(f);
  ir::verify(f.m);
  return r.attempt(std::move(f));
}
/// As `keep`; what is not well-formed is no candidate.
bool try_keep(reducing& r, failing f) {
  try {
    return keep(r, std::move(f));
  } catch (const error&) { return false; }
}

std::vector<value_id> given_values(const ir::module& m) { return m.operands(m.terminator(m[entry_of(m)].body)); }

void drop_outputs(reducing& r) {
  const auto only = [&](const std::vector<value_id>& values, const std::vector<std::string>& names) {
    failing f = r.best();
    give(f.m, entry_of(f.m), values);
    f.m[entry_of(f.m)].result_names = names;
    return try_keep(r, std::move(f));
  };
  const auto names = [&] { return r.best().m[entry_of(r.best().m)].result_names; };
  const std::vector<value_id> all = given_values(r.best().m);
  for (size_t i = 0; all.size() > 1 && i < all.size(); ++i)
    if (only({all[i]}, {i < names().size() ? names()[i] : "y"})) break;
  // An earlier value may show it, too.
  const ir::module& m = r.best().m;
  const std::vector<op_id> ops_there = m[m[entry_of(m)].body].ops;
  for (op_id op : ops_there) {
    if (m.view(op).is<op::constant>() || m.view(op).result_count() == 0) continue;
    const value_id v = m.result(op);
    if (!m.type_of(v).is_tensor() || (given_values(m).size() == 1 && given_values(m)[0] == v)) continue;
    if (only({v}, {"y"})) return;
  }
}

/// What ops give becomes inputs of random numbers; or, of one op, is what it takes.
bool cut(failing& f, const std::vector<op_id>& those, u64 seed) {
  ir::module& m = f.m;
  const function_id entry = entry_of(m);
  for (op_id op : those) {
    const ir::op_view v = m.view(op);
    if (v.info().traits.terminator) return false;
    for (value_id result : m.results(op)) {
      if (!m.has_uses(result)) continue;
      const ir::type t = m.type_of(result);
      if (!t.is_tensor() || !t.is_static() || t.elem == dtype::string) return false;
      const value_id in = m.add_argument(m[entry].body, m.intern(t));
      m[entry].argument_names.push_back(fmt::format("in{}", f.inputs.size()));
      f.inputs.push_back(random_tensor(t.elem, t.extents(), seed + f.inputs.size()));
      m.replace_uses(result, in);
    }
    m.erase(op);
  }
  return true;
}

std::vector<op_id> ops_of_entry(const ir::module& m) {
  std::vector<op_id> r;
  for (op_id op : m[m[entry_of(m)].body].ops)
    if (!m.view(op).info().traits.terminator && !m.view(op).is<op::constant>()) r.push_back(op);
  return r;
}

void drop_ops(reducing& r, u64 seed) {
  const auto count = [](const failing& f) { return ops_of_entry(f.m).size(); };
  r.drop(count, [&](failing& f, size_t begin, size_t end) {
    const std::vector<op_id> all = ops_of_entry(f.m);
    if (!cut(f, {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)},
             seed))
      return false;
    try {
      tidy(f), ir::verify(f.m);
    } catch (const error&) { return false; }
    return true;
  });
}

/// An op's operand in its place, where that is of the same type.
void bypass_ops(reducing& r) {
  for (size_t k = ops_of_entry(r.best().m).size(); k-- > 0;) {
    const std::vector<op_id> all = ops_of_entry(r.best().m);
    if (k >= all.size() || r.best().m.view(all[k]).result_count() != 1) continue;
    const ir::module& m = r.best().m;
    for (value_id from : m.operands(all[k])) {
      if (!from || m[from].type != m[m.result(all[k])].type) continue;
      failing f = r.best();
      f.m.replace_uses(f.m.result(all[k]), from);
      f.m.erase(all[k]);
      if (try_keep(r, std::move(f))) break;
    }
  }
}

/// Constants of one number only: easier to read.
void flatten_constants(reducing& r) {
  for (size_t i = 0; i < r.best().m.constant_count(); ++i)
    for (double number : {0.0, 1.0}) {
      const tensor& now = r.best().m[constant_id(static_cast<u32>(i))].value;
      if (now.type() == dtype::string || now.size() < 2) break;
      tensor flat(now.type(), now.shape());
      for (i64 k = 0; k < flat.size(); ++k) flat.set_f64(k, number);
      if (same_bits(flat, now)) break;
      failing f = r.best();
      const constant_id made = f.m.add_constant(std::move(flat), f.m[constant_id(static_cast<u32>(i))].name);
      ir::for_each_op(f.m, [&](op_id op) {
        const auto* c = f.m.view(op).get_if<op::constant>();
        if (!c || c->value != constant_id(static_cast<u32>(i))) return;
        op::constant other = *c;
        other.value = made;
        f.m.set_attributes(op, f.m.intern_attributes(ir::info_of<op::constant>, &other));
      });
      if (try_keep(r, std::move(f))) break;
    }
}

int reduce_file(const reduce_options& o) {
  if (!o.passes.empty() && !o.target.empty())
    throw usage_error("usage", "say what fails: --passes \"...\" or --target NAME, one of them");
  if (!o.target.empty()) check_target(o.target);
  if (!o.check.empty() && o.check != "crash" && o.check != "differs" && o.check != "hang" &&
      !(o.check.starts_with("error:") && o.check.size() > 6))
    throw usage_error("usage", "--check is crash, differs, hang or error:CODE, and '" + o.check + "' was given");
  const std::string output =
      o.output.empty() ? file_name_of(o.file.substr(o.file.rfind('/') + 1)) + ".reduced" + std::string(text_ending)
                       : o.output;
  check_output(o.file, output);
  subject s = read_subject(o.file, o.inputs);
  const std::string phase = s.module.phase;
  // What a file says is to be run counts where the command line does not say more.
  text_run run = o.target.empty() ? s.module.run : text_run{};
  if (!o.passes.empty()) run = {o.passes, {}, false};
  run.verify_each = run.verify_each || o.verify_each;
  if (o.target.empty() && run.passes.empty())
    throw usage_error("usage", "say what fails: --passes \"...\" or --target NAME, one of them", {},
                      "a file that --reproducer wrote says it itself");
  const asker ask(o, phase, s.module.facts, run);
  failing all{std::move(*s.module.body), std::move(s.inputs)};
  const size_t ops_before = op_total(all.m);
  const words talk;
  const std::string happens = ask.what_happens(all, &talk), why = ask.said();
  if (happens.empty() || (!o.check.empty() && happens != o.check))
    throw error(
        "reduce.nothing",
        happens.empty() ? fmt::format("'{}' does not fail: it runs, and gives what the interpreter gives", o.file)
                        : fmt::format("'{}' fails otherwise: {}{}", o.file, happens, why.empty() ? "" : ": " + why),
        {},
        happens.empty() ? "check the order of passes, the target and the inputs" : "ask for that: --check " + happens);
  fmt::print("{}{}{}\n", happens, why.empty() ? "" : ": ", why);
  std::fflush(stdout);
  reducing r(std::move(all), [&](const failing& f) { return ask.what_happens(f) == happens; }, o.questions);
  r.run({[&] { drop_outputs(r); }, [&] { drop_ops(r, o.inputs.seed); }, [&] { bypass_ops(r); },
         [&] { flatten_constants(r); }});
  failing best = r.best();
  best.m.compact();
  write_module(output, best.m, phase, {.run = run.passes.empty() ? nullptr : &run}, s.module.facts);
  fmt::print("{}: {} of {} ops are left, after {} attempts{}\n", output, op_total(best.m), ops_before, r.asked(),
             r.exhausted() ? "; more of them may make it smaller: --attempts" : "");
  return 0;
}

}  // namespace

void add_reduce(CLI::App& app, int& status) {
  auto o = std::make_shared<reduce_options>();
  CLI::App* sub =
      app.add_subcommand("reduce", "the smallest module that still fails: ops, outputs, functions are dropped");
  sub->add_option("FILE", o->file, "an ONNX model, or a module as text or binary, that fails")->required();
  sub->add_option("--passes", o->passes,
                  "what fails: these passes, as `tenon opt` takes them; a file that --reproducer wrote says which");
  sub->add_option("--target", o->target, "what fails: compiling for this target, or running that");
  sub->add_option(
      "--check", o->check,
      "how it fails: crash, differs (from the interpreter), hang or error:CODE; if not said, as it does now");
  sub->add_option("-o,--output", o->output, "the module to write; if not said, FILE.reduced.tir in this folder");
  sub->add_option("--threads", o->threads, "threads to run on")->capture_default_str()->check(CLI::Range(1, 1024));
  sub->add_option("--timeout", o->seconds, "seconds that one attempt may take")
      ->capture_default_str()
      ->check(CLI::Range(1, 3600));
  sub->add_option("--attempts", o->questions, "how many smaller modules are tried")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  add_input_options(*sub, o->inputs);
  sub->footer(R"(Examples:
  tenon reduce model.onnx --target cpu --check differs -o small.tir
  tenon reduce graph.tir --passes "lift_lambdas, infer_shapes, my_pass" --verify-each
Each attempt runs in a process of its own, so that a crash ends nothing else.)");
  sub->callback([o, &status] { status = reduce_file(*o); });
}

}  // namespace tenon::tool
