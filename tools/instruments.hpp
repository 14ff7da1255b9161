/// @file instruments: what watches passes, as options of a subcommand.
#pragma once

#include <string>

#include <tenon/compile/instruments/all.hpp>

namespace CLI { class App; }

namespace tenon::tool {

struct instrument_options {
  std::string print_before, print_after, stop_after, reproducer;
  bool print_before_all = false, print_after_all = false, print_changed = false, timing = false, bisect = false;

  bool any() const { return !(*this == instrument_options()); }
  friend bool operator==(const instrument_options&, const instrument_options&) = default;
};
void add_instrument_options(CLI::App& sub, instrument_options& to);

/// Those that are asked for, which watch a context's passes.
class asked_instruments {
 public:
  asked_instruments(context& cx, const instrument_options& o, bool elide);
  asked_instruments(const asked_instruments&) = delete;
  asked_instruments& operator=(const asked_instruments&) = delete;
  ~asked_instruments();

  /// What they found, behind the last pass.
  void report() const;
  /// Where it was asked to stop, if a pass of that name ran.
  const instrument::stop_after& stopped() const { return stop_; }

 private:
  const instrument_options& asked_;
  instrument::print_before before_;
  instrument::print_after after_;
  instrument::print_changed changed_;
  instrument::timing timing_;
  instrument::stop_after stop_;
  instrument::bisect bisect_;
  instrument::reproducer reproducer_;
};

}  // namespace tenon::tool
