/// @file c_checks.ipp: in C, accesses that are not proven to stay inside of their buffers are looked at before they are
/// made.
#pragma once

#include <tenon/core/checked.hpp>
#include <tenon/ir/bounds.hpp>
#include <tenon/ops/loop/loop.hpp>
#include <tenon/passes/c_scalars.ipp>
#include <tenon/passes/c_sizes.ipp>

namespace tenon::passes::c_code {

class checks {
 public:
  checks(const ir::module& m, sizes& s, bool on) : m_(m), bounds_(m), sizes_(s), on_(on) {}

  bool has(op_id op) { return on_ && !bounds_.proven(op); }
  std::string inside(const std::string& kernel, op_id op, const ir::access_map& map, const ir::type& t,
                     const strings& at) {
    std::string all;
    for (size_t d = 0; d < map.rows.size(); ++d)
      all += (d == 0 ? "" : " && ") + test(kernel, op, d, wrapping(map.rows[d], at), t.shape[d]);
    return all.empty() ? "1" : all;
  }
  /// The corners of what a contraction reads; without them where it reads nothing. `outer` has the extents that only
  /// the run knows, too.
  std::string inside_contract(const std::string& kernel, op_id op, const strings& outer) {
    const ir::op_view v = m_.view(op);
    const auto& c = v.as<loop::contract>();
    std::vector<i64> extents = c.m;
    extents.push_back(c.n);
    extents.insert(extents.end(), c.k.begin(), c.k.end());
    std::string nothing;
    for (i64 e : extents) {
      if (e == 0) return "1";
      if (e < 0) nothing += outer[static_cast<size_t>(-1 - e)] + " <= 0 || ";
    }
    std::string all;
    for (int side : {0, 1}) {
      const auto& rows = (side == 0 ? c.map_a : c.map_b).rows;
      for (size_t d = 0; d < rows.size(); ++d) {
        std::vector<i64> low(rows[d].begin(), rows[d].begin() + static_cast<std::ptrdiff_t>(1 + outer.size())),
            high = low;
        for (size_t k = 0; k < extents.size(); ++k) {
          const i64 by = rows[d][1 + outer.size() + k];
          std::vector<i64>& end = by < 0 ? low : high;
          if (const i64 e = extents[k]; e > 0) {
            end[0] = checked_add(end[0], checked_mul(by, e - 1));
          } else {  // by * (extent - 1)
            i64& of_extent = end[static_cast<size_t>(-e)];
            of_extent = checked_add(of_extent, by), end[0] = checked_add(end[0], -by);
          }
        }
        for (const auto& corner : {low, high})
          all +=
              (all.empty() ? "" : " && ") + test(kernel, op, d, wrapping(corner, outer), v.operand_type(side).shape[d]);
      }
    }
    return all.empty() ? "1" : nothing.empty() ? all : nothing + "(" + all + ")";
  }
  bool any() const { return any_; }
  /// Behind the layouts of runtime/abi.hpp.
  const char* prelude() const {
    return !any_ ? "" : R"c(
#include <stdlib.h>
static _Thread_local struct tn_fault tn_first_fault;
static int tn_inside(uint64_t index, uint64_t extent, const char* what, int64_t dimension) {
  if (index < extent) return 1;
  if (tn_first_fault.what == 0) tn_first_fault.what = what, tn_first_fault.dimension = dimension, tn_first_fault.index = (int64_t)index;
  return 0;
}
static void tn_say_fault(const void* runtime) {
  const struct tn_runtime* r = (const struct tn_runtime*)runtime;
  if (tn_first_fault.what == 0) return;
  if (r == 0 || r->fault == 0) abort();
  *r->fault = tn_first_fault;
  tn_first_fault.what = 0;
}
)c";
  }

 private:
  /// Sums that may wrap, as those of C's unsigned numbers do.
  static std::string wrapping(const std::vector<i64>& row, const strings& at) {
    std::string s = "(uint64_t)" + number(row[0]);
    for (size_t k = 0; k < at.size(); ++k)
      if (row[1 + k] != 0) s += " + (uint64_t)" + at[k] + " * (uint64_t)" + number(row[1 + k]);
    return s;
  }
  std::string test(const std::string& kernel, op_id op, size_t dimension, const std::string& index, ir::dim extent) {
    any_ = true;
    const std::string what = "kernel '" + kernel + "': " + std::string(m_.view(op).name());
    std::string quoted;
    for (char c : what) quoted += c < ' ' || c == '"' || c == '\\' || c == '?' ? '_' : c;
    return "tn_inside(" + index + ", (uint64_t)" + sizes_.extent(extent) + ", \"" + quoted + "\", " +
           std::to_string(dimension) + ")";
  }

  const ir::module& m_;
  ir::bounds bounds_;
  sizes& sizes_;
  bool on_, any_ = false;
};

}  // namespace tenon::passes::c_code
