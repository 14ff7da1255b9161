/// @file find_op: an op of a module by its name.
#pragma once

#include <string_view>

#include <tenon/ir/walk.hpp>

namespace tenon::testing {

/// The op of that name before which there are so many others of it; none if there is no such op.
inline op_id find_op(const ir::module& m, std::string_view name, int number = 0) {
  op_id found;
  ir::for_each_op(m, [&](op_id op) {
    if (m.view(op).name() == name && number-- == 0) found = op;
  });
  return found;
}

}  // namespace tenon::testing
