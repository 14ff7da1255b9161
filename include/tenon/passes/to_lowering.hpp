/// @file to_lowering: tensors become buffers, and calls say where their results go.
///
/// Before: %1 = call_kernel(%x) {kernel = @k}; return %1
/// After:  call_dps(%x, %result) {kernel = @k}; return              (the entry takes its results as buffers)
/// A result that another op uses first lives in an `alloc`; views become views of buffers; a result that is an
/// argument, a constant or another result's view is copied. Calls between graph functions that are left are inlined.
/// Cost: O(ops).
#pragma once

#include <tenon/compile/context.hpp>
#include <tenon/facts/extents_known.hpp>
#include <tenon/facts/memory_planned.hpp>
#include <tenon/facts/ops_legalized.hpp>
#include <tenon/facts/shapes_known.hpp>
#include <tenon/ir/ir_module.hpp>
#include <tenon/pass.hpp>
#include <tenon/phases/all.hpp>

namespace tenon::passes {

struct to_lowering {
  static constexpr fixed_string name = "to_lowering";
  using from = phases::optimization;
  using to = phases::lowering;
  using needs = facts<fact::ops_legalized>;
  // The first two speak of tensors, and now there are buffers; these have no places yet.
  using breaks = facts<fact::shapes_known, fact::extents_known, fact::memory_planned>;
  using eliminates = ops<op::constant, op::call, op::call_kernel, op::view, op::yield>;
  using handles = ops<op::constant, op::call, op::call_kernel, op::view, op::yield>;
  using emits = ops<op::alloc, op::constant_buffer, op::view_buffer, op::copy_buffer, op::call_dps, op::return_>;
  using moves = side_effects;                                             // bodies of calls that are left
  using keeps_inside = moves;                                             // whole regions go with them
  static constexpr bool adds_functions = true, removes_functions = true;  // a kernel may be finished anew
  ir_module<to> run(ir_module<from>&& m, context& cx) const;
};

}  // namespace tenon::passes

template <>
struct tenon::ways_into<tenon::phases::lowering> {
  using type = pass_list<passes::to_lowering>;
};
