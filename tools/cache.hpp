/// @file cache: what the command line compiled before, kept for the next time.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <tenon/compile/context.hpp>
#include <tenon/runtime/program.hpp>
#include <tenon/targets/program_cache.hpp>

#include "subject.hpp"

namespace tenon::tool {

/// `--cache FOLDER` and `--no-cache`.
struct cache_options {
  std::string folder;
  bool off = false;
  program_cache open() const;
  /// The same, to keep programs in. Warns if a folder that was named cannot hold any.
  program_cache open_to_keep() const;
};
void add_cache_options(CLI::App& sub, cache_options& to);

/// A key that begins with what all commands' keys have: the model, the target, this machine's processor by name.
cache_key key_of_model(const program_cache& cache, const std::string& command, const std::string& model,
                       const std::string& target, const importers::onnx::read_options& limits);

struct cached_program {
  program code;
  bool found = false;  ///< else it was compiled now
};
/// A model in one piece of native code, from the cache or compiled for it. Nothing where it has no such form, where
/// there is no cache, or what is given is not what the model takes: a session serves it, or says so. `threads`: as in a
/// session.
std::optional<cached_program> program_by_cache(const program_cache& cache, const std::string& model,
                                               const std::string& target, int threads, const input_options& given,
                                               context& cx);

}  // namespace tenon::tool
