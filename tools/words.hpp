/// @file words: how much a command says: all, only what it is asked for, or one JSON document.
#pragma once

#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace tenon {
class context;
class tensor;
}  // namespace tenon

namespace tenon::tool {

struct words {
  bool quiet = false, json = false;
  nlohmann::ordered_json document = nlohmann::ordered_json::object();  ///< what `json` prints at the end

  bool silent() const { return quiet || json; }
  /// What is good to know, and no result.
  template <class... Args>
  void say(fmt::format_string<Args...> text, Args&&... args) const {
    if (!silent()) fmt::print(text, std::forward<Args>(args)...);
  }
  /// How far the passes of a context are, on a terminal.
  void show_progress(context& cx) const;
  /// What passes and plans of a context warn of, on stderr, and what they note, where more than results is wanted.
  void show_diagnostics(context& cx) const;
  void finish() const {
    if (json) fmt::print("{}\n", document.dump(2));
  }
};

/// `--quiet` and `--json`; `quietly`: what the first one leaves.
void add_words(CLI::App& sub, words& to, const std::string& quietly = "print results and errors only");

/// "passes": name, phase, milliseconds and ops of each.
nlohmann::ordered_json passes_as_json(const context& cx);
/// "warning: 99 threads on 2 processors …" on stderr, where there are more threads than processors.
void warn_of_threads(int threads);
}  // namespace tenon::tool
