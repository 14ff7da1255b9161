/// @file size_advice: which of the given sizes a model cannot have, and what would fit in their place.
///
///     input 'state', dimension 1 is 512: 1 would fit
///
/// What is said to fit was tried: the model was made for it and its shapes inferred, with one size changed. Nothing is
/// compiled for that, and it ends after some time: `advice_time`. Where no single change helps, it lists the sizes that
/// may be others.
#pragma once

#include <chrono>
#include <string>

#include <tenon/core/error.hpp>
#include <tenon/importer.hpp>
#include <tenon/targets/spec.hpp>

namespace tenon {

/// What is left of the time that may be spent on trying sizes. Who serves strangers keeps one for all their errors.
using advice_time = std::chrono::steady_clock::duration;
inline constexpr advice_time usual_advice_time = std::chrono::seconds(2);

/// What to do about an error that came of `given.shapes`: inputs that have none, or only extents that the model fixes,
/// are not spoken of. Empty where the model breaks its rules whatever its inputs are.
std::string size_advice(const size_error& e, const module_source& source, const known_inputs& given,
                        const target_spec& target, advice_time& left);

/// Calls `run`; an error that operands break the rules of an op ends with that advice, where it says not what to do.
template <class F>
auto with_size_advice(const module_source& source, const known_inputs& given, const target_spec& target,
                      advice_time& left, F&& run) {
  try {
    return run();
  } catch (rule_error& e) {
    if (e.hint().empty()) e.restate(e.message(), e.where(), size_advice(e, source, given, target, left));
    throw;
  }
}

}  // namespace tenon
