// tenon_random_onnx: random ONNX models, on every way of running them, compared; README.md says how to read what it
// prints.
#include <chrono>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <tenon/importers/onnx/proto.hpp>
#include <tenon/tool/built_in.hpp>

#include "builder.hpp"
#include "common.hpp"
#include "oracles.hpp"
#include "pass_registry.hpp"
#include "process.hpp"
#include "reduce.hpp"

namespace random_onnx {
using tenon::tool::ended;
using tenon::tool::in_process;
namespace {

namespace fs = std::filesystem;

struct options {
  u64 seed = 1, count = 300;
  std::string ways, op, write, keep;
  bool show = false, every_way = false, reduce = true, refusals = false, only_generate = false;
  int seconds = 60, most = 20, nodes = 12;
};

std::vector<std::string> ways_of(u64 seed, const options& o) {
  std::vector<std::string> list;
  const auto add = [&](const char* name, u64 every, u64 rest) {
    if (o.every_way || seed % every == rest % every) list.emplace_back(name);
  };
  if (!o.ways.empty()) {
    for (const way& w : ways_named(o.ways == "f64" ? "" : o.ways)) list.push_back(w.name);
    return list;
  }
  add("any", 1, 0);
  add("f64", 1, 0);
#if TENON_HAS_LLVM
  add(seed % 2 ? "cpu" : "cpu2", 1, 0);
  add("specialize", 4, 1);
  add("file", 4, 3);
#endif
#if __has_include(<xsimd/xsimd.hpp>)
  add("xsimd", 1, 0);
  add("xsimd-file", 8, 2);
#  if TENON_HAS_LLVM
  add("composite", 8, 5);
#  endif
#endif
  add("c_source", 32, 7);
  return list;
}

finding found_on(const model& m, const reference& r, const std::string& name) {
  return name == "f64" ? compare_in_f64(m, r) : compare_with(m, r, ways_named(name).front());
}

/// One line of words.
std::string flat(std::string s) {
  for (char& c : s)
    if (c == '\n' || c == '\t') c = ' ';
  return s;
}

void write_folder(const fs::path& folder, const model& m, const reference& r) {
  const auto write = [](const fs::path& file, const std::string& bytes) {
    std::ofstream out(file, std::ios::binary);
    out << bytes;
    if (!out) throw tenon::error("io.write", "'" + file.string() + "' cannot be written");
  };
  fs::create_directories(folder);
  write(folder / "model.onnx", encode(m));
  write(folder / "model.txt", text_of(m));
  for (size_t set = 0; set < r.sets.size(); ++set) {
    const fs::path dir = folder / fmt::format("test_data_set_{}", set);
    fs::create_directories(dir);
    const auto all = [&](const char* prefix, const std::vector<tensor>& list) {
      for (size_t k = 0; k < list.size(); ++k)
        tenon::importers::onnx::write_tensor_pb((dir / fmt::format("{}_{}.pb", prefix, k)).string(), list[k]);
    };
    all("input", inputs_of(m, set));
    all("output", r.sets[set]);
    all("spread", spread_of(m, set, 1));
  }
}

/// "the code of an error" of a text that begins or ends with one.
std::string code_of(const std::string& text) {
  const size_t open = text.rfind(" ["), end = text.rfind(']');
  return open != std::string::npos && end == text.size() - 1 ? text.substr(open + 2, end - open - 2) : "";
}

/// Seeds [from, to), in a process of its own; what is said is read by `tally`.
ended run_seeds(u64 from, u64 to, const options& o) {
  return in_process(o.seconds, [&](const auto& say) {
    for (u64 seed = from; seed < to; ++seed) {
      say("seed\t" + std::to_string(seed));
      say("way\tgenerate");
      std::vector<refusal> refused;
      const model m = random_model(seed, &refused, o.op, o.nodes);
      for (const refusal& f : refused) say("refused\t" + f.op + "\t" + flat(f.error));
      if (m.main.outputs.empty()) continue;
      for (const node& n : m.main.nodes) say("op\t" + n.op);
      if (o.only_generate) continue;
      say("way\tinterpreter");
      const reference r = reference_of(m);
      if (!r.failed.empty()) {
        say((r.refused ? "unserved\tinterpreter\t" + code_of(r.failed) + ": " : "wrong\tinterpreter\t") +
            flat(r.failed));
        continue;
      }
      say("sets\t" + std::to_string(r.sets.size()));
      for (const std::string& name : ways_of(seed, o)) {
        say("way\t" + name);
        const finding f = found_on(m, r, name);
        if (f.what == verdict::wrong) say("wrong\t" + name + "\t" + flat(f.how));
        if (f.what == verdict::refused) say("unserved\t" + name + "\t" + flat(f.how));
        if (f.what == verdict::same) say("same\t" + name);
      }
      if (!o.write.empty()) write_folder(fs::path(o.write) / fmt::format("seed_{:06}", seed), m, r);
    }
  });
}

struct failure {
  u64 seed = 0;
  std::string way, how;
};
struct tally {
  u64 models = 0, sets = 0;
  std::map<std::string, std::map<std::string, int>> served;  ///< by way: "same", "unserved", "wrong"
  std::map<std::string, int> ops, refused, unserved;
  std::map<std::string, std::string> example;
  std::vector<failure> failures;
};

u64 take(const ended& e, tally& t) {
  u64 seed = 0;
  std::string way;
  for (size_t at = 0; at < e.said.size();) {
    const size_t end = std::min(e.said.find('\n', at), e.said.size()), tab = std::min(e.said.find('\t', at), end);
    const std::string key = e.said.substr(at, tab - at),
                      rest = e.said.substr(std::min(tab + 1, end), end - std::min(tab + 1, end));
    const size_t second = rest.find('\t');
    const std::string name = rest.substr(0, second), text = second == std::string::npos ? "" : rest.substr(second + 1);
    if (key == "seed") seed = std::strtoull(rest.c_str(), nullptr, 10);
    else if (key == "way") way = rest;
    else if (key == "op") ++t.ops[rest];
    else if (key == "sets") ++t.models, t.sets += std::strtoull(rest.c_str(), nullptr, 10);
    else if (key == "refused")
      ++t.refused[name + " " + code_of(text)],
          t.example.emplace(name + " " + code_of(text), fmt::format("seed {}: {}", seed, text));
    else if (key == "same" || key == "unserved" || key == "wrong") ++t.served[name][key];
    if (key == "unserved")
      ++t.unserved[name + ": " + text.substr(0, text.find(':'))],
          t.example.emplace(name + ": " + text.substr(0, text.find(':')), fmt::format("seed {}: {}", seed, text));
    if (key == "wrong") t.failures.push_back({seed, name, text});
    at = end + 1;
  }
  if (!e.how.empty()) {
    ++t.served[way]["wrong"];
    t.failures.push_back({seed, way, e.how});
  }
  return seed;
}

/// Whether a model still fails as one did: in the same way, with an error of the same code, or with other values.
class same_failure final : public question {
 public:
  same_failure(const failure& f, const options& o) : f_(f), o_(o) {}
  bool holds(const model& m) override {
    const ended e = in_process(o_.seconds, [&](const auto& say) {
      const reference r = reference_of(m);
      if (!r.failed.empty()) {
        if (f_.way == "interpreter") say("wrong\t" + flat(r.failed));
        return;
      }
      if (f_.way == "interpreter" || f_.way == "generate") return;
      const finding f = found_on(m, r, f_.way);
      if (f.what == verdict::wrong) say("wrong\t" + flat(f.how));
    });
    if (crashed(f_.how)) return e.how == f_.how;
    return e.how.empty() && !e.said.empty() && kind(e.said.substr(6, e.said.size() - 7)) == kind(f_.how);
  }
  static bool crashed(const std::string& how) {
    return how.rfind("crashed", 0) == 0 || how.rfind("ran for", 0) == 0 || how.rfind("ended", 0) == 0;
  }
  static std::string kind(const std::string& how) {
    const std::string code = code_of(how);
    if (!code.empty()) return code;
    return how.find("element") != std::string::npos ? "values"
           : how.find(" is ") != std::string::npos  ? "types"
                                                    : how.substr(0, 24);
  }

 private:
  const failure& f_;
  const options& o_;
};

void report(const tally& t, double seconds, const options& o) {
  fmt::print(
      "{} models of {} nodes, {} sets of inputs, in {:.1f} s\n", t.models,
      [&] {
        int n = 0;
        for (const auto& [op, k] : t.ops) n += k;
        return n;
      }(),
      t.sets, seconds);
  for (const auto& [name, counts] : t.served) {
    const auto of = [&](const char* key) { return counts.count(key) ? counts.at(key) : 0; };
    fmt::print("  {:<12} {:>6} same, {:>4} not served, {:>4} WRONG\n", name, of("same"), of("unserved"), of("wrong"));
  }
  if (!o.refusals) return;
  fmt::print("nodes drawn, by operator:");
  for (const auto& [op, k] : t.ops) fmt::print(" {} {}", op, k);
  fmt::print("\nnodes that were refused:\n");
  for (const auto& [what, k] : t.refused) fmt::print("  {:>5} {}: {}\n", k, what, t.example.at(what));
  fmt::print("models that were not served:\n");
  for (const auto& [what, k] : t.unserved) fmt::print("  {:>5} {}: {}\n", k, what, t.example.at(what));
}

/// Prints a failure, and the smallest model that still shows it. Those of one kind are shown once for each combination
/// of operators that is left of them.
class teller {
 public:
  explicit teller(const options& o) : o_(o) {}
  void tell(const failure& f) {
    fmt::print("seed {} on {}: {}\n", f.seed, f.way, f.how);
    if (o_.reduce && f.way != "generate" && ++told_ <= o_.most) shrink(f);
    std::fflush(stdout);
  }

 private:
  void shrink(const failure& f) {
    same_failure q(f, o_);
    model m;
    try {
      m = random_model(f.seed, nullptr, o_.op, o_.nodes);
    } catch (const tenon::error& e) { return fmt::print("  its model cannot be drawn again: {}\n", e.what()); }
    if (!q.holds(m)) return fmt::print("  it does not fail again\n");
    m = reduced(std::move(m), q);
    std::string key = f.way;
    for (const node& n : m.main.nodes) key += " " + n.op;
    if (shown_[key]++) return fmt::print("  as one before:{}\n", key.substr(f.way.size()));
    try {
      refresh(m);
    } catch (const tenon::error&) {  // that is the failure
    }
    fmt::print("{}\n", text_of(m));
    if (o_.keep.empty()) return;
    const fs::path folder = fs::path(o_.keep) / fmt::format("seed_{:06}_{}", f.seed, f.way);
    in_process(o_.seconds, [&](const auto&) { write_folder(folder, m, reference_of(m)); });
  }

  const options& o_;
  std::map<std::string, int> shown_;
  int told_ = 0;
};

int run(const options& o) {
  tenon::tool::set_known(tenon::tool::parts_of<tenon::built_in>());
  if (!o.ways.empty() && o.ways != "f64") ways_named(o.ways);
  if (o.show) {
    fmt::print("{}", text_of(random_model(o.seed, nullptr, o.op, o.nodes)));
    return 0;
  }
  tally t;
  teller tell(o);
  const auto begin = std::chrono::steady_clock::now();
  constexpr u64 batch = 200;
  for (u64 seed = o.seed; seed < o.seed + o.count;) {
    const u64 end = std::min(seed + batch, o.seed + o.count);
    const ended e = run_seeds(seed, end, o);
    const size_t before = t.failures.size();
    const u64 last = take(e, t);
    for (size_t k = before; k < t.failures.size(); ++k) tell.tell(t.failures[k]);
    seed = e.how.empty() ? end : std::max(last, seed) + 1;
  }
  report(t, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), o);
  fmt::print("{} of {} models differ or fail\n", t.failures.size(), t.models);
  return t.failures.empty() ? 0 : 1;
}

}  // namespace
}  // namespace random_onnx

int main(int argc, char** argv) {
  CLI::App app("random ONNX models, run in every way that there is, and compared with the interpreter");
  random_onnx::options o;
  app.add_option("--seed", o.seed, "the first seed")->capture_default_str();
  app.add_option("--count", o.count, "how many models, of seeds one after the other")->capture_default_str();
  app.add_option("--ways", o.ways,
                 "cpu,cpu2,specialize,file,xsimd,xsimd-file,c_source,composite,any, or f64; default: the cheap ones "
                 "for each model, the others in turn");
  app.add_flag("--every-way", o.every_way, "all ways for each model");
  app.add_option("--op", o.op, "each model begins with this operator");
  app.add_option("--nodes", o.nodes, "at most so many nodes in a model")->capture_default_str();
  app.add_option("--write", o.write,
                 "write each model to a folder of the ONNX backend tests below this one, with what rounding can do to "
                 "its outputs");
  app.add_option("--keep", o.keep, "write reduced failures as such folders below this one");
  app.add_option("--seconds", o.seconds, "how long one step may take")->capture_default_str();
  app.add_option("--most", o.most, "how many failures are reduced")->capture_default_str();
  app.add_flag("--show", o.show, "print the model of the first seed as text, and do nothing else");
  app.add_flag("--refusals", o.refusals, "print what was drawn, refused and not served, with examples");
  app.add_flag("--only-generate", o.only_generate, "draw models, and run nothing");
  bool whole = false;
  app.add_flag("--no-reduce", whole, "do not reduce failures");
  CLI11_PARSE(app, argc, argv);
  o.reduce = !whole;
  try {
    return random_onnx::run(o);
  } catch (const tenon::error& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 2;
  }
}
