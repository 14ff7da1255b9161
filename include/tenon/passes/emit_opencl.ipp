/// @file emit_opencl.ipp: definitions of passes/emit_opencl.hpp.
#pragma once

#include <tenon/passes/cl_kernels.ipp>

namespace tenon::passes {

std::string grid_symbol(const ir::module& m, function_id kernel, size_t step) {
  return grid_symbol_of(m[kernel].name, kernel.index, step);
}

std::string opencl_source_of(const ir::module& m, bool check_bounds) {
  return c_code::emitter(m, check_bounds).opencl_unit();
}

ir_module<emit_opencl::to> emit_opencl::run(ir_module<from>&& module, context& cx) const {
  ir::module& m = module.body();
  ir::require_places(m);
  ir::number_extents(m);
  const std::string source = opencl_source_of(m, ir::needs_checks(m, cx.get<kernel_options>().check_bounds));
  m.add_artifact({"opencl_c", "opencl-c-1.2", "tenon_main", {source.begin(), source.end()}, name.data()});
  return ir_module<to>::adopt(std::move(m));
}

}  // namespace tenon::passes
