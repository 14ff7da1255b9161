/// @file open_extents: what of a run's inputs may be of another size, for errors about sizes that speak of inner
/// values.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tenon/core/error.hpp>
#include <tenon/ir/module.hpp>
#include <tenon/runtime/value.hpp>

namespace tenon::ir {

/// "input 'x' is f32[1,3,8,8], of which dimensions 2 and 3 may be others": for each tensor among the inputs of a
/// function that has such dimensions, or any number of them. Empty where there is none.
std::string open_extents_sentence(const module& m, function_id f, std::span<const value> inputs);
/// The same of shapes; nothing for what is no tensor, or of which none is known.
std::string open_extents_sentence(const module& m, function_id f,
                                  std::span<const std::optional<std::vector<i64>>> shapes);

/// Calls `run`; an error that operands break the rules of an op says more of these inputs, where it says not what to
/// do.
template <class F>
auto with_open_extents(const module& m, function_id f, std::span<const value> inputs, const F& run) {
  try {
    return run();
  } catch (rule_error& e) {
    if (e.hint().empty()) e.restate(e.message(), e.where(), open_extents_sentence(m, f, inputs));
    throw;
  }
}

}  // namespace tenon::ir
