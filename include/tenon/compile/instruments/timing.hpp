/// @file timing: what the passes of several runs cost, each pass once; with the time inside of it that other passes
/// took.
///
/// `context::records` holds each run of a pass by itself.
#pragma once

#include <string>
#include <vector>

#include <tenon/compile/instrument.hpp>

namespace tenon::instrument {

struct timing {
  struct entry {
    std::string pass;
    size_t runs = 0;
    double milliseconds = 0, own = 0;  ///< own: without the passes that ran inside of it
  };
  std::vector<entry> entries;  ///< in the order in which they ran first

  /// A table, the most expensive pass first.
  std::string text() const;

  void before(const pass_event& e);
  void after(const pass_event& e);
  void failed(const pass_event& e, const std::exception&);

 private:
  std::vector<double> inside_;  ///< of each pass that is running: what passes inside took
};

}  // namespace tenon::instrument
