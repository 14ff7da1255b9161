// The command line: one subcommand a file; errors become one line and an exit status.
#include <algorithm>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "common.hpp"

namespace {

constexpr const char* footer = R"(Examples:
  tenon demo                                           compile and run a small network; needs no file
  tenon info model.onnx                                what a model takes, gives and is made of
  tenon run model.onnx --bench                         compile for this machine, run on random inputs, time it
  tenon run model.onnx --input x=x.npy --output-dir out
  tenon build model.onnx -o model.tenon --shape x=1x3x224x224
  tenon run model.tenon                                what `build` made runs without a compiler
  tenon build model.onnx -o half.tmod --stop-at lowering   a module on its way, to be looked at and finished later
  tenon inspect half.tmod                              what a program, a module or a model holds
  tenon opt graph.tenon --passes "lift_lambdas, infer_shapes, fold_constants" --print-after-all
  tenon run model.onnx --target 'composite(cpu,second@cpu:threads=2)'
  tenon pipeline cpu --explain fuse                    what a pass needs and gives, and who gives it

Exit status: 0 done; 1 the model, the data or a test is at fault; 2 the command line is.
`tenon COMMAND --help` explains each command.)";

void print_error(const tenon::error& e) {
  // Codes of the judge come first, as the compiler prints them.
  const bool judged = e.code().rfind("tenon-E", 0) == 0;
  fmt::print(stderr, "error: {}{}{}{}{}\n", judged ? e.code() + ": " : "", e.where(), e.where().empty() ? "" : ": ", e.message(),
             judged ? "" : " [" + e.code() + "]");
  if (!e.hint().empty()) fmt::print(stderr, "  {}\n", e.hint());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tenon;
  CLI::App app{"tenon compiles tensor programs: an ONNX model, or a module as text, to native code, through typed phases.",
               "tenon"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("tenon {}.{}.{}", version_major, version_minor, version_patch));
  app.footer(footer);
  int status = 0;
  tool::register_targets();
  tool::add_run(app, status);
  tool::add_build(app, status);
  tool::add_info(app, status);
  tool::add_inspect(app, status);
  tool::add_opt(app, status);
  tool::add_pipeline(app, status);
  tool::add_targets(app, status);
  tool::add_test_onnx(app, status);
  tool::add_onnx_table(app, status);
  tool::add_check(app, status);
  tool::add_demo(app, status);
  if (argc > 1 && argv[1][0] != '-') {
    std::vector<std::string> known;
    for (const CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) known.push_back(sub->get_name());
    if (std::find(known.begin(), known.end(), argv[1]) == known.end()) {
      fmt::print(stderr, "error: there is no command '{}'\n  {}\n", argv[1], tool::suggestion(argv[1], known));
      return 2;
    }
  }
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  } catch (const error& e) {
    std::fflush(stdout);
    print_error(e);
    for (const char* code : {"usage", "target.unknown", "target.syntax", "target.option", "target.value", "target.members"})
      if (e.code() == code) return 2;
    return 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: there is not enough memory for this [memory]\n");
  } catch (const std::exception& e) {
    fmt::print(stderr, "error: {} [internal]\n", e.what());
  }
  return 1;
}
