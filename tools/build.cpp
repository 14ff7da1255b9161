// `tenon build`: an ONNX model becomes a program file, which runs without a compiler.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#if TENON_HAS_LLVM
#  include <tenon/importers/onnx.hpp>
#  include <tenon/targets/cpu.hpp>
#endif

#include "report.hpp"

namespace tenon::tool {
namespace {

struct build_options {
  std::string model, output, target = "cpu", arch, features;
  int threads = 0;
  std::vector<std::string> shapes;
  bool explain = false, verify_each = false;
};

int build_file(const build_options& o) {
  check_target(o.target);
#if TENON_HAS_LLVM
  if (o.target != "cpu")
    throw error("target.no_program", "target '" + o.target + "' makes no program files", {}, "use --target cpu");
  importers::onnx::import_options options;
  for (const std::string& text : o.shapes) {
    auto [name, shape] = split_assignment(text, "--shape");
    options.shapes[name] = parse_shape(shape, "--shape");
  }
  const double begin = now_ms();
  ir_module<phases::ingestion> m = importers::onnx::load(o.model, options);
  fmt::print("model {}, read in {:.1f} ms; target {}\n", o.model, now_ms() - begin, o.target);
  context cx;
  cx.verify_each = o.verify_each;
  observer watch;
  watch.explain = o.explain;
  watch.attach(cx);
  targets::cpu target;
  target.arch = o.arch, target.features = o.features, target.threads = o.threads;
  target.configure(cx);
  const auto built = build<targets::cpu>(std::move(m), cx);
  print_passes(cx);
  print_phases(watch);
  save(o.output, built);
  fmt::print("{}: {}; run it with: tenon run {}\n", o.output,
             bytes_text(static_cast<i64>(std::filesystem::file_size(o.output))), o.output);
  return 0;
#else
  throw error("target.no_program", "this tenon was built without LLVM, and makes no program files", {},
              "install llvm-22-dev, and build tenon again");
#endif
}

}  // namespace

void add_build(CLI::App& app, int& status) {
  auto o = std::make_shared<build_options>();
  CLI::App* sub = app.add_subcommand("build", "compile an ONNX model to a program file");
  sub->add_option("MODEL", o->model, "model.onnx")->required();
  sub->add_option("-o,--output", o->output, "the program file to write")->required();
  sub->add_option("--target", o->target, "what to compile for: see `tenon targets`")->capture_default_str();
  sub->add_option("--shape", o->shapes, "NAME=1x3x224x224: the shape of an input, where the model leaves it open")->take_all();
  sub->add_option("--arch", o->arch, "the processor as LLVM names it, such as x86-64-v3; default: this one");
  sub->add_option("--features", o->features, "+feature,-feature, as LLVM names them; default: what this processor has");
  sub->add_option("--threads", o->threads, "threads that the code is cut for; 0: those of this machine")->check(CLI::Range(0, 1024));
  sub->add_flag("--explain", o->explain, "show what each phase leaves");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, prove the facts that it claims");
  sub->callback([o, &status] { status = build_file(*o); });
}

}  // namespace tenon::tool
