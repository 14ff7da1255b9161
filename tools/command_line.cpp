// The command line: one subcommand a file; errors become one line and an exit status.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/core/version.hpp>
#if TENON_HAS_LLVM
#  include <tenon/compile/codegen/apart.hpp>
#endif

#include "common.hpp"
#include "completion.hpp"
#include "pass_registry.hpp"
#include "terminal.hpp"

namespace {

using tenon::tool::error_word;

constexpr const char* footer = R"(Examples:
  tenon demo                                           compile and run a small network; needs no file
  tenon info model.onnx                                its inputs, outputs and operators
  tenon run model.onnx --bench                         compile for this machine, run on random inputs, time it
  tenon run model.onnx --input x=x.npy --output-dir out
  tenon build model.onnx -o model.tenon --shape x=1x3x224x224
  tenon run model.tenon                                a program file needs no compiler
  tenon run model.onnx --profile                       what each kernel takes, and which nodes it computes
  tenon report model.onnx -o report.html               one page: graph, passes, memory, kernels
  tenon build model.onnx -o half.tmod --stop-at lowering   stop early; `tenon build half.tmod` goes on from there
  tenon inspect half.tmod                              what is inside a program, a module or a model
  tenon opt graph.tir --passes "lift_lambdas, infer_shapes, fold_constants" --print-after-all
  tenon run model.onnx --target 'composite(cpu,second@cpu:threads=2)'
  tenon pipeline cpu --explain fuse                    what a pass needs and gives, and who gives it

Files are known by what is in them. Customary endings: .tenon a program, .tir a module as text, .tmod a module as binary.
Exit status: 0 done; 1 the model, the data or a test is at fault; 2 the command line is.
`tenon COMMAND --help` explains each command.)";

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}
std::string joined(const std::vector<std::string>& list) {
  std::string s;
  for (const std::string& one : list) s += (s.empty() ? "" : ", ") + one;
  return s;
}

/// The option that is missing.
const CLI::Option* missing_option(const CLI::App& at) {
  for (const CLI::Option* o : at.get_options())
    if (o->get_required() && o->count() == 0) return o;
  return nullptr;
}
/// The option whose value is missing: whatever follows would be taken for it, so it comes last.
const CLI::Option* option_without_value(const CLI::App& at, const std::string& last_argument) {
  const CLI::Option* const o = at.get_option_no_throw(last_argument);
  return o != nullptr && o->get_items_expected_min() > 0 ? o : nullptr;
}

/// What CLI11 found wrong with the arguments, in the form of all errors; an option that is nearly one is reported.
void print_usage_error(const CLI::App& app, const CLI::ParseError& e, const std::string& last_argument) {
  const CLI::App* at = &app;
  std::string command = app.get_name();
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front(), command += " " + at->get_name();
  const std::vector<std::string> rest = at->remaining();
  const auto option = std::find_if(rest.begin(), rest.end(), [](const std::string& s) { return s.starts_with("-"); });
  std::string message = e.what(), hint;
  const auto tell_of = [&](const CLI::Option& o) {
    hint = fmt::format("{}: {}; see {} --help", o.get_name(), o.get_description(), command);
  };
  const bool is_mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&e) != nullptr,
             is_required = dynamic_cast<const CLI::RequiredError*>(&e) != nullptr;
  if (option != rest.end()) {
    std::vector<std::string> known;
    for (const CLI::Option* o : at->get_options()) known.push_back(o->get_name());
    const std::string given = option->substr(0, option->find('='));
    message = fmt::format("'{}' has no option '{}'", command, given);
    hint = tenon::tool::suggestion(given, known);
    if (!hint.starts_with("did you mean")) hint.clear();
  } else if (!rest.empty()) {
    message = fmt::format("'{}' does not take '{}' as well", command, rest.back());  // CLI11 has them from the end
    if (tenon::tool::is_tensor_file(rest.back()) && at->get_option_no_throw("--input") != nullptr)
      hint = fmt::format("inputs are given by name: --input NAME={}", rest.back());
  } else if (const CLI::Option* o = is_mismatch ? option_without_value(*at, last_argument) : nullptr) {
    message = fmt::format("{} takes a value, and none was given", o->get_name());
    tell_of(*o);
  } else if (const CLI::Option* missing = is_required ? missing_option(*at) : nullptr) {
    tell_of(*missing);
  } else if (std::vector<std::string> commands = commands_of(*at); !commands.empty()) {
    message = fmt::format("'{}' is no command by itself: say which of {}", command, joined(commands));
  }
  fmt::print(stderr, "{} {} [usage]\n  {}\n", error_word(), message,
             hint.empty() ? "see " + command + " --help" : hint);
}

/// What the command and its options say of `tenon`, as of the tool that has them.
void speak_in_own_name(CLI::App& sub) {
  sub.description(tenon::tool::in_own_name(sub.get_description()));
  sub.footer(tenon::tool::in_own_name(sub.get_footer()));
  for (CLI::Option* o : sub.get_options()) o->description(tenon::tool::in_own_name(o->get_description()));
  for (CLI::App* inner : sub.get_subcommands([](CLI::App*) { return true; })) speak_in_own_name(*inner);
}

/// What was printed must have arrived: a full disk behind `>` is an error too.
int finished(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  fmt::print(stderr, "{} cannot write to the standard output [io.write]\n  check the free space\n", error_word());
  return 1;
}

void print_error(const tenon::error& e) {
  // Codes of the judge come first, as the compiler prints them.
  const bool judged = e.code().rfind("tenon-E", 0) == 0;
  fmt::print(stderr, "{} {}{}{}{}{}\n", error_word(), judged ? e.code() + ": " : "", e.where(),
             e.where().empty() ? "" : ": ", e.message(), judged ? "" : " [" + e.code() + "]");
  if (!e.hint().empty()) fmt::print(stderr, "  {}\n", tenon::tool::in_own_name(e.hint()));
  if (!e.pass().empty() && !e.says_pass()) fmt::print(stderr, "  in pass {}\n", e.pass());
}

/// The stack cannot grow any more where memory is limited (`ulimit -v`) and used up, which is a signal and no error. So
/// it grows now, by what judging an order needs and more.
[[gnu::noinline]] void grow_stack() {
  constexpr size_t page = 4096;
  [[maybe_unused]] volatile char room[128 * page];
  for (size_t i = 0; i < sizeof room; i += page) room[i] = 0;
}

/// Destructors of JSON values allocate, and may not throw. So where memory runs out, there is some for them.
std::atomic<char*> kept_memory = nullptr;
[[noreturn]] void out_of_memory() {
  delete[] kept_memory.exchange(nullptr);
  throw std::bad_alloc();
}

}  // namespace

int tenon::tool::run_command_line(int argc, char** argv, const parts& known) {
  grow_stack();
  kept_memory = new char[size_t{64} << 10];
  std::set_new_handler(out_of_memory);
  set_known(known);
  const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "tenon";
  set_own_name(name);
  CLI::App app{
      "tenon compiles tensor programs: an ONNX model, or a module as text, to native code, through typed phases.",
      name};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("tenon {}.{}.{}", version_major, version_minor, version_patch));
  app.footer(footer);
  int status = 0;
  tool::add_run(app, status);
  tool::add_build(app, status);
  tool::add_cache(app, status);
  tool::add_report(app, status);
  tool::add_info(app, status);
  tool::add_inspect(app, status);
  tool::add_opt(app, status);
  tool::add_pipeline(app, status);
  tool::add_targets(app, status);
  tool::add_test_onnx(app, status);
  tool::add_onnx_table(app, status);
  tool::add_check(app, status);
  tool::add_demo(app, status);
  tool::add_compare(app, status);
  tool::add_reduce(app, status);
  tool::add_completion(app, status);
  tool::add_man(app, status);
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    if (sub->get_footer() == footer) sub->footer("");  // that of all is no help for one
    speak_in_own_name(*sub);
  }
  app.footer(in_own_name(footer));
  if (argc == 1) return fmt::print(stderr, "{}", app.help()), 2;
  // `tenon help run` is `tenon run --help`.
  std::vector<const char*> arguments(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "help")
    arguments.erase(arguments.begin() + 1), arguments.push_back("--help");
  const CLI::App* at = &app;  // whose commands are next: `tenon`'s, then those of `tenon cache`
  for (size_t i = 1; i < arguments.size() && arguments[i][0] != '-'; ++i) {
    const std::vector<std::string> commands = commands_of(*at);
    if (commands.empty()) break;
    if (std::find(commands.begin(), commands.end(), arguments[i]) == commands.end()) {
      fmt::print(stderr, "{} there is no command '{}{}'\n  {}\n", error_word(), at == &app ? "" : at->get_name() + " ",
                 arguments[i], tool::suggestion(arguments[i], commands));
      return 2;
    }
    at = app.get_subcommand(arguments[1]);
    if (i > 1) break;
  }
#if TENON_HAS_LLVM
  // What LLVM runs out of is an error then, and not the end. Test suites, of thousands of small models, do without.
  const std::string_view command = arguments.size() > 1 ? arguments[1] : "";
  codegen::make_code_apart(command != "test-onnx" && command != "check");
#endif
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
    return finished(status);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return finished(app.exit(e));  // --help, --version
    print_usage_error(app, e, arguments.back());
    return 2;
  } catch (const error& e) {
    std::fflush(stdout);
    print_error(e);
    return dynamic_cast<const usage_error*>(&e) != nullptr ? 2 : 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{} there is not enough memory for this [memory]\n", error_word());
  } catch (const std::filesystem::filesystem_error& e) {
    fmt::print(stderr, "{} '{}': {} [io]\n", error_word(), e.path1().string(), e.code().message());
  } catch (const std::exception& e) {
    if (finished(0) == 0) fmt::print(stderr, "{} {} [internal]\n", error_word(), e.what());
  }
  return 1;
}
