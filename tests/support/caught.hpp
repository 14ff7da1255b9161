/// @file caught: what a call throws, to be looked at.
#pragma once

#include <string>

#include <tenon/core/error.hpp>

namespace tenon::testing {

/// The error; its code is "none" where nothing is thrown.
error caught(auto&& f) {
  try {
    f();
  } catch (const error& e) { return e; }
  return error("none", "nothing was thrown");
}
std::string code_of(auto&& f) { return caught(f).code(); }

}  // namespace tenon::testing
