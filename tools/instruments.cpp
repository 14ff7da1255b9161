// What watches passes, as options of a subcommand.
#include "instruments.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "common.hpp"

namespace tenon::tool {

void add_instrument_options(CLI::App& sub, instrument_options& to) {
  const char* group = "Watching passes";
  sub.add_option("--print-before", to.print_before, "PASS: the text of the module before each run of it")->group(group);
  sub.add_option("--print-after", to.print_after, "PASS: the text of the module after each run of it")->group(group);
  sub.add_flag("--print-before-all", to.print_before_all, "the text before each pass")->group(group);
  sub.add_flag("--print-after-all", to.print_after_all, "the text after each pass")->group(group);
  sub.add_flag("--print-changed", to.print_changed, "after each pass, the functions that it changed")->group(group);
  sub.add_option("--stop-after", to.stop_after, "PASS: stop behind it, and write the module")->group(group);
  sub.add_flag("--timing", to.timing, "what passes cost, each once, on stderr")->group(group);
  sub.add_flag("--bisect", to.bisect,
               "find the first pass behind which the interpreter computes something else, on random inputs")
      ->group(group);
  sub.add_option("--reproducer", to.reproducer,
                 "if a pass fails, write this file: the module, the passes that are left, options and target; `tenon "
                 "opt FILE` runs it")
      ->group(group);
}

asked_instruments::asked_instruments(context& cx, const instrument_options& o, bool elide) : asked_(o) {
  before_.pass = o.print_before, after_.pass = o.print_after, stop_.pass = o.stop_after,
  reproducer_.path = o.reproducer;
  if (o.print_before_all) before_.pass.clear();
  if (o.print_after_all) after_.pass.clear();
  before_.elide = after_.elide = elide;
  if (!o.reproducer.empty()) attach(cx, reproducer_);
  if (o.bisect) attach(cx, bisect_);
  if (o.timing) attach(cx, timing_);
  if (o.print_before_all || !o.print_before.empty()) attach(cx, before_);
  if (o.print_after_all || !o.print_after.empty()) attach(cx, after_);
  if (o.print_changed) attach(cx, changed_);
  if (!o.stop_after.empty()) attach(cx, stop_);
}

asked_instruments::~asked_instruments() {
  if (reproducer_.written)
    std::fprintf(stderr, "'%s' was written: %s\n", asked_.reproducer.c_str(),
                 in_own_name("tenon opt " + asked_.reproducer).c_str());
}

void asked_instruments::report() const {
  if (!asked_.stop_after.empty() && !stop_.module)
    throw usage_error("usage",
                      fmt::format("--stop-after names pass '{}', and none of that name ran", asked_.stop_after));
  if (asked_.timing) fmt::print(stderr, "{}", timing_.text());
  if (asked_.bisect) fmt::print(stderr, "bisect: {}", bisect_.text());
}

}  // namespace tenon::tool
