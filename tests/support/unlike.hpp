/// @file unlike: how results differ from what the interpreter computes.
#pragma once

#include <string>
#include <vector>

#include <tenon/ir/walk.hpp>
#include <tenon/runtime/compare.hpp>

namespace tenon::testing {

/// Where a module has 16-bit floats their rounding is what counts, wherever its results went.
inline tolerance allowed_for(const ir::module& m) {
  bool small = false;
  ir::for_each_op(m, [&](op_id op) {
    for (value_id v : m.results(op))
      small = small || m.type_of(v).elem == dtype::f16 || m.type_of(v).elem == dtype::bf16;
  });
  const double t = small ? 6e-2 : 2e-3;
  return {t, t, t, false};
}

/// What differs, or nothing.
inline std::string unlike(const std::vector<tensor>& got, const std::vector<tensor>& want, const tolerance& allowed) {
  if (got.size() != want.size()) return "number of results";
  for (size_t i = 0; i < want.size(); ++i)
    if (const comparison c = compare(got[i], want[i], allowed); !c.ok)
      return "result " + std::to_string(i) + ": " + c.message;
  return "";
}

}  // namespace tenon::testing
