/// @file function_check: facts whose checker is asked of one function at a time.
#pragma once

#include <tenon/core/ids.hpp>

namespace tenon {
namespace ir { class module; }

namespace detail {
/// Is it asked of one function at a time?
template <class F>
concept checks_functions = requires(const ir::module& m, function_id f) { F::check(m, f); };
/// Only so, and not of the module as a whole?
template <class F>
concept checks_each_function = checks_functions<F> && !requires(const ir::module& m) { F::check(m); };
/// No `check`, or one of the module as a whole.
template <class F, class Probe>
concept usual_check =
    requires { Probe::check; } || requires { requires __is_same(decltype(&F::check), void (*)(const ir::module&)); };
}  // namespace detail
}  // namespace tenon
