/// @file print: prints modules as passes find, leave or change them.
///
///     instruments watch(cx, instrument::print_after{.pass = "fuse"}, instrument::print_changed{});
///
/// They print to the standard output, or append to `to`. Large constants are left out where `elide` says so.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <tenon/compile/instrument.hpp>
#include <tenon/core/int.hpp>

namespace tenon::instrument {

/// Before each pass, or before the one that is named.
struct print_before {
  std::string pass = {};
  std::string* to = nullptr;
  bool elide = false;
  void before(const pass_event& e) const;
};

/// After each pass, or after the one that is named; also of a pass that failed, if it left a module.
struct print_after {
  std::string pass = {};
  std::string* to = nullptr;
  bool elide = false;
  void after(const pass_event& e) const;
  void failed(const pass_event& e, const std::exception&) const;
};

/// The functions that a pass changed or made, and the names of those that it removed. Cost: O(ops), before and after.
struct print_changed {
  std::string pass = {};
  std::string* to = nullptr;
  bool elide = true;
  void before(const pass_event& e);
  void after(const pass_event& e);
  void failed(const pass_event& e, const std::exception&);

  using hashes = std::vector<std::pair<std::string, u64>>;
  std::vector<hashes> seen = {};  ///< of each pass that is running, by the names of functions
};

}  // namespace tenon::instrument
