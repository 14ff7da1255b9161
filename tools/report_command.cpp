// `tenon report`: one page that shows what a compilation did, and what each kernel takes.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/core/framed_file.hpp>
#include <tenon/runtime/threads.hpp>
#include <tenon/targets/registry.hpp>
#include <tenon/targets/spec.hpp>

#include "common.hpp"
#include "modules.hpp"
#include "pass_registry.hpp"
#include "report_data.hpp"
#include "subject.hpp"
#include "words.hpp"

namespace tenon::tool {
namespace {

struct report_options {
  std::string model, output, target = default_target;
  int threads = 0;
  bool profile = false;
  input_options inputs;
  words talk;
};

/// How far a target's modules come as graphs and loops: code is no module any more.
std::string last_phase(const target_entry& e) {
  const std::string build = "build";
  for (const pass_desc* p : e.passes)
    if (p->is_transition() && std::string_view(p->to->name) == build) return build;
  return std::string(std::string_view(e.end->name));
}

module_on_its_way copy_of(const module_on_its_way& m) {
  return {std::make_unique<ir::module>(*m.body), m.phase, m.facts, {}, m.sizes};
}

/// What kernels take. A module that was compiled in part goes on from there.
std::optional<profiled> measured(const report_options& o, module_on_its_way m, const std::vector<tensor>& inputs) {
  const int threads = o.threads > 0 ? o.threads : available_threads();
  const std::unique_ptr<executable> code = runnable(std::move(m), o.target, o.threads, false);
  return profile_runs([&] { code->run(inputs, o.threads); }, threads, false);
}

int write_report(report_options& o) {
  check_target(o.target);
  const target_spec spec = find_target(o.target);
  if (!spec.members.empty())
    throw usage_error("usage", "'" + o.target + "' is several targets, and a report shows one", {},
                      "name one of its members");
  check_output(o.model, o.output);
  warn_of_threads(o.threads);
  const double begin = now_ms();
  o.inputs.quiet = o.talk.silent();
  subject s = read_subject(o.model, o.inputs);
  context cx;
  compilation_request{.target = spec, .threads = o.threads}.configure(cx);
  report_watch watch;
  watch.begin(*s.module.body);
  attach(cx, watch);
  o.talk.show_progress(cx), o.talk.show_diagnostics(cx);
  report_parts parts;
  parts.watch = &watch;
  const std::string phase = last_phase(find_entry(spec.name));
  const whole_module whole = try_whole(copy_of(s.module), o.target, cx, phase);
  const module_on_its_way& built = whole.built;
  if (whole.why) {
    parts.note = "There is no list of kernels: " + whole.why->message() + ". With --profile, those that ran are shown.";
  } else if (phase == "build") {
    parts.kernels = texts_of_kernels(*built.body, cx, spec.name == "cpu");
    parts.built = built.body.get();
  } else {
    parts.note = fmt::format(
        "The target {} makes no kernels of its own: what it runs is known when it runs, with "
        "--profile.",
        spec.name);
  }
  // What is not one piece of kernels is compiled as it is.
  if (o.profile) parts.profile = measured(o, copy_of(built.body ? built : s.module), s.inputs);
  parts.model = std::filesystem::path(o.model).filename().string();
  std::string sizes;
  for (const tensor& t : s.inputs) sizes += (sizes.empty() ? "" : ", ") + t.describe();
  parts.summary = fmt::format("for {}, inputs {}; {} passes, {} kernels in {} steps{}", short_target(o.target), sizes,
                              watch.passes.size(), parts.kernels.kernels.size(), parts.kernels.steps.size(),
                              parts.note.empty() ? "" : ". " + parts.note);
  const std::string page = report_page(parts);
  write_atomically(o.output, page);
  o.talk.say("{}: {} in {:.0f} ms; open it in a browser\n", o.output, bytes_text(static_cast<i64>(page.size())),
             now_ms() - begin);
  o.talk.document = {{"model", o.model}, {"output", o.output}, {"bytes", page.size()}, {"target", o.target}};
  o.talk.finish();
  return 0;
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  auto o = std::make_shared<report_options>();
  CLI::App* sub = app.add_subcommand(
      "report", "write a page that shows the graph in each phase, passes, memory and kernels of a model");
  sub->add_option("MODEL", o->model, "model.onnx, or a module")->required();
  sub->add_option("-o,--output", o->output, "the page to write: one file, which needs no network")->required();
  sub->add_option("--target", o->target, "the target to compile for: see `tenon targets`")->capture_default_str();
  sub->add_option("--threads", o->threads, "threads to compile for and to run on; 0: all that this process may use")
      ->check(CLI::Range(0, 1024));
  sub->add_flag("--profile", o->profile, "run it too, and show what each kernel takes");
  add_words(*sub, o->talk);
  add_input_options(*sub, o->inputs);
  sub->footer(R"(Examples:
  tenon report model.onnx -o report.html
  tenon report model.onnx -o report.html --profile       with times, and a roofline
  tenon report model.onnx -o report.html --shape x=8x3x224x224)");
  sub->callback([o, &status] { status = write_report(*o); });
}

}  // namespace tenon::tool
