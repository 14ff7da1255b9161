// `tenon test-onnx`: ONNX backend test folders, a few in a process, which is made anew where one crashes: it is one
// failed test.
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/compile/session.hpp>
#include <tenon/importers/onnx.hpp>
#include <tenon/runtime/compare.hpp>
#include <tenon/targets/bundle.hpp>

#include "common.hpp"
#include "modules.hpp"

namespace tenon::tool {
namespace {

namespace fs = std::filesystem;
namespace onnx = importers::onnx;

struct test_options {
  std::vector<std::string> folders;
  std::string target = default_target, filter;
  int threads = 1, jobs = 1, timeout = 60;
  bool quiet = false, verify_each = false, as_file = false;
};

struct test_case {
  std::string name;
  fs::path folder;
};

enum class outcome : char { pass = 'P', fail = 'F', skip = 'S' };

struct result {
  outcome what = outcome::fail;
  std::string reason;
};

std::vector<fs::path> numbered_files(const fs::path& set, const std::string& prefix) {
  std::vector<fs::path> files;
  for (size_t i = 0;; ++i) {
    const fs::path f = set / fmt::format("{}_{}.pb", prefix, i);
    if (!fs::exists(f)) return files;
    files.push_back(f);
  }
}

/// The declared values that are given when the model runs: not those which have an initializer, unless the test has a
/// file for each input.
std::vector<size_t> given_inputs(const onnx::model& m, size_t files) {
  std::vector<size_t> given;
  for (size_t i = 0; i < m.graph.inputs.size(); ++i) {
    bool has_value = false;
    for (const auto& w : m.graph.initializers) has_value = has_value || w.name == m.graph.inputs[i].name;
    if (!has_value || files == m.graph.inputs.size()) given.push_back(i);
  }
  return given;
}

value to_value(onnx::data_value data) {
  using kind = onnx::data_value::kind_t;
  if (data.kind == kind::nothing) return {};
  if (data.kind == kind::tensor) return std::move(data.tensors.at(0));
  return value::sequence({data.tensors.begin(), data.tensors.end()});
}

/// What differs, in words; nothing when the values agree.
std::string difference(const value& got, const value& want) {
  if (got.kind() != want.kind()) return fmt::format("got {}, want {}", got.describe(), want.describe());
  if (want.is_nothing()) return {};
  if (want.is_tensor())
    return compare(got.as_tensor(), want.as_tensor(), {.abs = 1e-4, .rel = 1e-3, .norm = 0, .check_norm = false})
        .message;
  if (got.items().size() != want.items().size())
    return fmt::format("got {} items, want {}", got.items().size(), want.items().size());
  for (size_t i = 0; i < want.items().size(); ++i)
    if (const std::string how = difference(got.items()[i], want.items()[i]); !how.empty())
      return fmt::format("item {}: {}", i, how);
  return {};
}

/// What `tenon build` makes of the model, read again as `tenon run` does.
struct built_file {
  std::unique_ptr<executable> code;
  std::vector<bool> known;  ///< inputs that were given when it was built, since an operator had to know them
};

/// For whatever inputs; where an operator must know small ones (axes, sizes), for theirs, as `tenon build --value`
/// takes them.
built_file through_file(const fs::path& model, const session& s, std::span<const value> inputs, const test_options& o) {
  const fs::path file = fs::temp_directory_path() / fmt::format("tenon_test_{}", getpid());
  const struct remover {
    fs::path file;
    ~remover() { fs::remove(file); }
  } at_end{file};
  const auto source = onnx::source_of(onnx::load_model(model.string()));
  known_inputs known;
  built_file b;
  b.known.assign(inputs.size(), false);
  for (;;) {
    sourced_module m = source->make(known);
    if (m.module) {
      context cx;
      cx.verify_each = o.verify_each;
      configure_target(o.target, cx);
      write_program(file.string(), {std::make_unique<ir::module>(std::move(m.module->body())), "ingestion", {}},
                    o.target, cx);
      b.code = open_executable(file.string());
      return b;
    }
    bool more = false;
    for (const ir::input_need& n : m.needs)
      for (size_t i = 0; i < inputs.size(); ++i) {
        const bool small = inputs[i].is_tensor() && inputs[i].as_tensor().type() != dtype::string &&
                           inputs[i].as_tensor().size() <= 64;
        if (s.inputs()[i].name != n.name || !inputs[i].is_tensor()) continue;
        if (!n.value) more = known.shapes.emplace(n.name, inputs[i].as_tensor().shape()).second || more;
        else if (small && known.values.emplace(n.name, inputs[i].as_tensor()).second) b.known[i] = more = true;
      }
    if (!more) throw *m.why;
  }
}

result run_test(const test_case& t, const test_options& o) {
  onnx::model model = onnx::load_model((t.folder / "model.onnx").string());

  std::vector<fs::path> sets;
  for (const auto& entry : fs::directory_iterator(t.folder))
    if (entry.path().filename().string().rfind("test_data_set_", 0) == 0) sets.push_back(entry.path());
  std::sort(sets.begin(), sets.end());
  if (sets.empty()) return {outcome::fail, "the test has no folder test_data_set_0: nothing is compared"};
  const onnx::model declared = model;
  session s(std::move(model), session_options{.target = o.target, .threads = o.threads, .verify_each = o.verify_each});
  built_file built;
  for (const fs::path& set : sets) {
    const auto files = numbered_files(set, "input");
    const std::vector<size_t> given = given_inputs(declared, files.size());
    std::map<std::string, value> values;
    for (size_t i = 0; i < files.size() && i < given.size(); ++i) {
      const auto& v = declared.graph.inputs[given[i]];
      values[v.name] = to_value(onnx::read_value_pb(files[i].string(), v.type));
    }
    std::vector<value> inputs;
    for (const auto& i : s.inputs()) {
      if (!values.count(i.name)) return {outcome::fail, "the test has no file for input '" + i.name + "'"};
      inputs.push_back(values[i.name]);
    }
    if (o.as_file) {
      const bool own = std::find(built.known.begin(), built.known.end(), true) !=
                       built.known.end();  // made for the values of one set
      if (!built.code || own) built = through_file(t.folder / "model.onnx", s, inputs, o);
      for (size_t i = built.known.size(); i-- > 0;)
        if (built.known[i]) inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const std::vector<value> outputs = built.code ? built.code->run_values(inputs, o.threads) : s.run_values(inputs);
    const auto expected = numbered_files(set, "output");
    for (size_t i = 0; i < expected.size(); ++i) {
      if (i >= outputs.size()) return {outcome::fail, fmt::format("no output {} came back", i)};
      const value want = to_value(onnx::read_value_pb(expected[i].string(), declared.graph.outputs.at(i).type));
      if (const std::string how = difference(outputs[i], want); !how.empty())
        return {outcome::fail, fmt::format("output '{}': {}", s.outputs()[i], how)};
    }
  }
  return {outcome::pass, {}};
}

/// Tests [begin, end) of all.
struct test_range {
  size_t begin = 0, end = 0;
};

/// In the child: never returns, and never throws.
[[noreturn]] void run_child(const std::vector<test_case>& tests, test_range range, const test_options& o, int to) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(to, 2);
  for (size_t i = range.begin; i < range.end; ++i) {
    result r;
    try {
      r = run_test(tests[i], o);
    } catch (const unsupported_error& e) { r = {outcome::skip, e.what()}; } catch (const std::exception& e) {
      r = {outcome::fail, e.what()};
    }
    for (char& c : r.reason)
      if (c == '\n' || c == '\x02') c = ' ';
    // What comes before the first mark is what was written to stderr on the way.
    const std::string message = std::string("\x01") + static_cast<char>(r.what) + r.reason + '\x02';
    for (size_t at = 0; at < message.size();) {
      const ssize_t n = write(to, message.data() + at, message.size() - at);
      if (n <= 0) _exit(1);
      at += static_cast<size_t>(n);
    }
  }
  _exit(0);
}

/// A process that runs tests one after another, since a new one for each takes longer than many a test; if one crashes
/// or takes too long, another process runs those behind it.
struct child {
  pid_t pid = 0;
  int from = -1;
  test_range left;
  double begin = 0;
  std::string said;
};
constexpr size_t most_tests_of_a_child = 16;

child start(const std::vector<test_case>& tests, test_range range, const test_options& o) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw error("io.pipe", "no pipe to a test's process can be made");
  std::fflush(stdout);
  child c{fork(), ends[0], range, now_ms(), {}};
  if (c.pid < 0) throw error("io.fork", "no process for a test can be made");
  if (c.pid == 0) {
    close(ends[0]);
    run_child(tests, range, o, ends[1]);
  }
  close(ends[1]);
  return c;
}

/// Moves the results that the child has sent to where they belong.
void take_results(child& c, std::vector<std::unique_ptr<result>>& results) {
  for (size_t end; (end = c.said.find('\x02')) != std::string::npos; c.said.erase(0, end + 1)) {
    const size_t mark = c.said.rfind('\x01', end);
    results[c.left.begin++] = std::make_unique<result>(
        result{static_cast<outcome>(c.said.at(mark + 1)), c.said.substr(mark + 2, end - mark - 2)});
    c.begin = now_ms();
  }
}

/// What is to be said of the test at which the child ended.
result how_it_ended(child& c, bool timed_out, const test_options& o) {
  if (timed_out) kill(c.pid, SIGKILL);
  close(c.from);
  int state = 0;
  waitpid(c.pid, &state, 0);
  if (timed_out) return {outcome::fail, fmt::format("ran for more than {} s", o.timeout)};
  const std::string last = c.said.substr(0, c.said.find('\n'));
  const std::string how = WIFSIGNALED(state) ? fmt::format("crashed with signal {}", WTERMSIG(state))
                                             : fmt::format("ended with exit status {}", WEXITSTATUS(state));
  return {outcome::fail, last.empty() ? how : how + ": " + last};
}

/// Reads from the children until one of them ends, which it moves out, or `results` has more.
void wait_for_some(std::vector<child>& running, std::vector<test_range>& todo,
                   std::vector<std::unique_ptr<result>>& results, const test_options& o) {
  std::vector<pollfd> waits;
  for (const child& c : running) waits.push_back({c.from, POLLIN, 0});
  poll(waits.data(), waits.size(), 200);
  for (size_t i = running.size(); i-- > 0;) {
    child& c = running[i];
    bool ended = false;
    if (waits[i].revents) {
      char buffer[4096];
      const ssize_t n = read(c.from, buffer, sizeof buffer);
      if (n > 0) c.said.append(buffer, static_cast<size_t>(n));
      ended = n <= 0;
      take_results(c, results);
    }
    const bool timed_out = !ended && now_ms() - c.begin > o.timeout * 1000.0;
    if (!ended && !timed_out) continue;
    result r = how_it_ended(c, timed_out, o);
    if (c.left.begin < c.left.end) {
      results[c.left.begin++] = std::make_unique<result>(std::move(r));
      if (c.left.begin < c.left.end) todo.push_back(c.left);
    }
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

std::vector<test_case> find_tests(const test_options& o) {
  std::vector<test_case> tests;
  size_t found = 0;
  for (const std::string& f : o.folders) {
    const fs::path root = fs::path(f).lexically_normal();
    if (!fs::is_directory(root))
      throw file_error("io.open", fs::exists(root) ? "'" + f + "' is no folder" : "there is no folder '" + f + "'");
    const auto consider = [&](const fs::path& folder) {
      if (!fs::exists(folder / "model.onnx")) return;
      ++found;
      std::string name = folder.lexically_relative(root).string();
      if (name == ".") name = (root.has_filename() ? root : root.parent_path()).filename().string();
      if (name.find(o.filter) != std::string::npos) tests.push_back({name, folder});
    };
    consider(root);
    for (const auto& entry : fs::recursive_directory_iterator(root, fs::directory_options::follow_directory_symlink))
      if (entry.is_directory()) consider(entry.path());
  }
  std::sort(tests.begin(), tests.end(), [](const test_case& a, const test_case& b) { return a.name < b.name; });
  if (tests.empty() && !o.filter.empty() && found != 0)
    throw error("test.none", fmt::format("none of {} tests has '{}' in its name", found, o.filter), {},
                "a test is named like its folder");
  if (tests.empty())
    throw error("test.none", "no folder with a model.onnx is in what was given", {},
                "give folders of ONNX backend tests");
  return tests;
}

int test_all(const test_options& o) {
  check_target(o.target);
  const std::vector<test_case> tests = find_tests(o);
  std::vector<std::unique_ptr<result>> results(tests.size());
  const size_t jobs = static_cast<size_t>(o.jobs);
  const size_t together = std::clamp<size_t>(tests.size() / (4 * jobs), 1, most_tests_of_a_child);
  std::vector<test_range> todo;  // the next at its end
  for (size_t i = 0; i < tests.size(); i += together) todo.push_back({i, std::min(i + together, tests.size())});
  std::reverse(todo.begin(), todo.end());
  std::vector<child> running;
  size_t shown = 0, passed = 0, failed = 0, skipped = 0;
  while (shown < tests.size()) {
    while (!todo.empty() && running.size() < jobs) {
      const test_range range = todo.back();
      todo.pop_back();
      running.push_back(start(tests, range, o));
    }
    wait_for_some(running, todo, results, o);
    for (; shown < tests.size() && results[shown]; ++shown) {  // in the order of their names
      const result& done = *results[shown];
      ++(done.what == outcome::pass ? passed : done.what == outcome::skip ? skipped : failed);
      if (o.quiet && done.what == outcome::pass) continue;
      fmt::print("{} {}{}{}\n",
                 done.what == outcome::pass   ? "PASS"
                 : done.what == outcome::skip ? "SKIP"
                                              : "FAIL",
                 tests[shown].name, done.reason.empty() ? "" : ": ", done.reason);
    }
  }
  fmt::print("{} passed, {} failed, {} skipped\n", passed, failed, skipped);
  return failed ? 1 : 0;
}

}  // namespace

void add_test_onnx(CLI::App& app, int& status) {
  auto o = std::make_shared<test_options>();
  CLI::App* sub =
      app.add_subcommand("test-onnx", "run ONNX backend tests (folders with model.onnx and test_data_set_N)");
  sub->add_option("DIR", o->folders, "folders; tests are looked for within them, too")->required();
  sub->add_option("--target", o->target, "the target to compile for")->capture_default_str();
  sub->add_option("--filter", o->filter, "only tests whose name has this in it");
  sub->add_option("--jobs", o->jobs, "tests at once")->capture_default_str()->check(CLI::Range(1, 256));
  sub->add_option("--threads", o->threads, "threads of each test")->capture_default_str()->check(CLI::Range(1, 1024));
  sub->add_option("--timeout", o->timeout, "seconds that a test may take")
      ->capture_default_str()
      ->check(CLI::Range(1, 3600));
  sub->add_flag("--quiet", o->quiet, "do not list the tests that pass");
  sub->add_flag("--verify-each", o->verify_each, "after each pass, check the phase and the facts that it claims");
  sub->add_flag("--as-file", o->as_file,
                "build each model to a program file, for inputs of any size, and run that; small inputs that an "
                "operator must know are given");
  sub->footer(
      "Each test runs in a process of its own. The last line is 'N passed, M failed, K skipped'; exit status 1 when M "
      "> 0.\n"
      "A test is skipped when tenon says that it does not support what the model needs; the line says what.");
  sub->callback([o, &status] { status = test_all(*o); });
}

}  // namespace tenon::tool
