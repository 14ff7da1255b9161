/// @file build_record: what passes and builds decided of a whole module, and the entries that text and files have of
/// it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/int.hpp>
#include <tenon/ir/options.hpp>

namespace tenon::ir {

/// A buffer that is placed when the program runs: its life, as positions of ops, and an expression of its size in
/// bytes.
struct run_time_buffer {
  i64 first = 0, last = 0;
  std::string bytes;
  friend bool operator==(const run_time_buffer&, const run_time_buffer&) = default;
};

/// What `plan_memory` decided: bytes of the arena of each memory space (the main memory has no name), and what is
/// placed when the program runs: buffer k is that of offset -2 - k.
struct memory_plan {
  std::map<std::string, i64, std::less<>> arenas;
  std::vector<run_time_buffer> buffers;

  /// Nothing where memory was not planned.
  std::optional<i64> arena(std::string_view space = {}) const {
    const auto it = arenas.find(space);
    return it == arenas.end() ? std::nullopt : std::optional(it->second);
  }
  friend bool operator==(const memory_plan&, const memory_plan&) = default;
};

/// A flag of optional passes, as it was set.
struct flag_setting {
  std::string name;
  bool on = true;
  friend bool operator==(const flag_setting&, const flag_setting&) = default;
};
/// The options that a pass was given, where they are not the initial ones.
struct pass_setting {
  std::string pass;
  std::vector<named_option> options;
  friend bool operator==(const pass_setting&, const pass_setting&) = default;
};
/// What tunes the passes of a compilation, beside the options of its target (compile/settings.hpp).
struct build_settings {
  std::vector<flag_setting> flags;
  std::vector<pass_setting> passes;
  friend bool operator==(const build_settings&, const build_settings&) = default;
};

struct build_record {
  std::string fingerprint;  ///< of the pipeline that the module goes through; empty before a build
  std::string target;       ///< with its options, as text; empty before a build
  /// Made for certain values of its inputs: what it takes for constants is data of a run then, and means what data
  /// means on a target that asks for no values.
  bool values_are_bound = false;
  /// Its kernels were read and not lowered in this process (ir/bounds_checks.hpp). Never written: who reads says it.
  bool kernels_are_untrusted = false;
  memory_plan memory;
  build_settings settings;

  /// As entries between a module's braces, without the fingerprint, which has a word of its own in text and files:
  ///
  ///     {arena_bytes = "8256", flags = "fast=off", pass_options = "fuse{max_ops=8}; tile{rows=4, columns=8}",
  ///      run_time_buffers = "0:3:4*n;2:5:max(`a;b`,1);", target = "cpu"}
  ///
  /// Names of extents stand between backticks where they hold such characters as part buffers.
  std::map<std::string, std::string> entries() const;
  /// Takes what `entries` wrote; false if the key is none of its own. Error: "ir.record" for a text that it does not
  /// write.
  bool take(std::string_view key, std::string_view text);

  friend bool operator==(const build_record&, const build_record&) = default;
};

}  // namespace tenon::ir
