/// @file c_source: definitions of the targets that write C and OpenCL C, and what binds loops to grids.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/artifacts/c_source.ipp>
#include <tenon/facts/threads_bound.ipp>
#include <tenon/ir/grid.ipp>
#include <tenon/passes/bind_threads.ipp>
#include <tenon/passes/c_checks.ipp>
#include <tenon/passes/c_contract.ipp>
#include <tenon/passes/c_elementary.ipp>
#include <tenon/passes/c_entry.ipp>
#include <tenon/passes/c_loops.ipp>
#include <tenon/passes/c_products.ipp>
#include <tenon/passes/c_scalars.ipp>
#include <tenon/passes/c_sizes.ipp>
#include <tenon/passes/cl_kernels.ipp>
#include <tenon/passes/emit_c.ipp>
#include <tenon/passes/emit_opencl.ipp>
#include <tenon/targets/c_source.ipp>
#include <tenon/targets/c_source_session.ipp>
#include <tenon/targets/opencl.ipp>
#include <tenon/targets/opencl_api.ipp>
#include <tenon/targets/opencl_session.ipp>
