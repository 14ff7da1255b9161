/// @file verify_each: proves what each pass claims: `context::verify_each`, as an instrument.
#pragma once

#include <tenon/compile/instrument.hpp>

namespace tenon::instrument {

struct verify_each {
  void attached(context& cx) { before_ = std::exchange(cx.verify_each, true); }
  void detached(context& cx) { cx.verify_each = before_; }

 private:
  bool before_ = false;
};

}  // namespace tenon::instrument
