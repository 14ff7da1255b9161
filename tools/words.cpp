// How much a command says.
#include "words.hpp"

#include <cstdio>

#include <tenon/compile/context.hpp>
#include <tenon/runtime/threads.hpp>

#include "common.hpp"
#include "terminal.hpp"

namespace tenon::tool {

void add_words(CLI::App& sub, words& to, const std::string& quietly) {
  auto* quiet = sub.add_flag("--quiet", to.quiet, quietly);
  sub.add_flag("--json", to.json, "print one JSON document in place of text")->excludes(quiet);
}

void words::show_progress(context& cx) const {
  if (!silent()) tool::show_progress(cx);
}

nlohmann::ordered_json passes_as_json(const context& cx) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const pass_record& r : cx.records)
    list.push_back({{"name", r.name},
                    {"phase", r.phase},
                    {"ms", r.milliseconds},
                    {"ops_before", r.ops_before},
                    {"ops_after", r.ops_after}});
  return list;
}

namespace {
class on_stderr final : public diagnostic_sink {
 public:
  explicit on_stderr(bool notes) : notes_(notes) {}
  void report(const diagnostic& d) override {
    const bool note = d.level == severity::note;
    if (note && !notes_) return;
    fmt::print(stderr, "{} {}{}{} [{}]\n", note ? note_word() : warning_word(), d.where, d.where.empty() ? "" : ": ",
               d.message, d.code);
    if (!d.hint.empty()) fmt::print(stderr, "  {}\n", in_own_name(d.hint));
  }

 private:
  bool notes_;
};
}  // namespace

void words::show_diagnostics(context& cx) const {
  static on_stderr all(true), warnings(false);
  cx.diagnostics = silent() ? &warnings : &all;
}

void warn_of_threads(int threads) {
  const int there = available_threads();
  if (threads > there)
    fmt::print(stderr, "{} {} threads on {} processor{}: more than one on each makes it slower; --threads {}\n",
               warning_word(), threads, there, there == 1 ? "" : "s", there);
}

}  // namespace tenon::tool
