/// @file run_observer.ipp: definitions of runtime/run_observer.hpp.
#pragma once

#include <chrono>

#include <tenon/runtime/run_observer.hpp>

namespace tenon {

namespace detail {
inline run_observer*& observer_of_thread() noexcept {
  thread_local run_observer* current = nullptr;
  return current;
}
}  // namespace detail

run_observer* current_run_observer() noexcept { return detail::observer_of_thread(); }

observed_runs::observed_runs(run_observer& o) noexcept : before_(detail::observer_of_thread()) {
  detail::observer_of_thread() = &o;
}
observed_runs::observed_runs(std::nullptr_t) noexcept : before_(detail::observer_of_thread()) {
  detail::observer_of_thread() = nullptr;
}
observed_runs::~observed_runs() { detail::observer_of_thread() = before_; }

i64 steady_now() noexcept {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace tenon
