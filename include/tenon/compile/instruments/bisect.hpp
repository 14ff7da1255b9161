/// @file bisect: finds the first pass behind which a module computes something else, by the reference interpreter.
///
///     instruments<instrument::bisect> watch(cx);
///     auto built = build<targets::cpu>(std::move(m), cx);
///     if (auto f = watch.get<instrument::bisect>().find()) std::printf("%s: %s\n", f->pass.c_str(), f->what.c_str());
///
/// Modules are kept as they are behind each pass; `find` halves the passes between one that is right and one that is
/// not. Parallel loops run in another order, and two iterations that meet in an element are a finding. What cannot be
/// interpreted, as compiled code, is not looked at. Cost: a copy of the module a pass, and of `find` O(log passes)
/// interpretations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/compile/instrument.hpp>
#include <tenon/runtime/compare.hpp>

namespace tenon::instrument {

struct bisect {
  std::vector<tensor> inputs = {};  ///< of the entry; none: random ones, and where extents are open, small ones
  u64 seed = 1;                     ///< of random inputs
  tolerance allowed = {.abs = 1e-3, .rel = 1e-3, .norm = 1e-3, .check_norm = true};

  struct finding {
    std::string pass;
    size_t number = 0;  ///< of the passes that ran, from 1
    std::string what;   ///< how its results differ
  };
  /// Nothing: no pass changes what is computed. Throws what the interpreter does of a module that no pass changed yet.
  std::optional<finding> find() const;
  /// The same as a sentence, with a newline.
  std::string text() const;

  void before(const pass_event& e);
  void after(const pass_event& e);

  struct snapshot {
    std::string pass;  ///< that left it; empty: none, a run begins with it
    std::shared_ptr<const ir::module> module;
  };
  std::vector<snapshot> kept = {};

 private:
  std::optional<finding> find_within(size_t first, size_t last) const;
};

}  // namespace tenon::instrument
