/// @file statistics.ipp: definitions of compile/instruments/statistics.hpp.
#pragma once

#include <tenon/compile/instruments/statistics.hpp>
#include <tenon/ir/walk.hpp>

namespace tenon::instrument {

size_t statistics::count(const ir::module& m) {
  size_t n = 0;
  ir::for_each_op(m, [&n](op_id) { ++n; });
  return n;
}

}  // namespace tenon::instrument
