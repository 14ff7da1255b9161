/// @file external_run: what a run of native code and the external code that it calls know of each other.
#pragma once

#include <exception>

#include <tenon/runtime/abi.hpp>

namespace tenon::detail {

/// `tenon_runtime::failed` is its first member.
struct external_run {
  int32_t failed = 0;
  int threads = 0;           ///< of the run; 0: the process's default
  std::exception_ptr error;  ///< the first that external code threw

  static external_run& of(const tenon_runtime& rt) { return *reinterpret_cast<external_run*>(rt.failed); }
};

}  // namespace tenon::detail
