/// @file orders: the passes that orders are written with, as `tenon opt` has them where there is no LLVM.
#pragma once

#include <tenon/judge/order.hpp>
#include <tenon/passes/all.hpp>
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/xsimd.hpp>

namespace tenon::fuzzing {

using passes_of_orders =
    meta::concat_t<built_in_passes,
                   pass_list<passes::emit_c, passes::partition_for<targets::xsimd_library>,
                             passes::run_external_codegen<targets::xsimd_library>, passes::lower_external_calls>>;

}  // namespace tenon::fuzzing
