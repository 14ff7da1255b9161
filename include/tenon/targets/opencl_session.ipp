/// @file opencl_session.ipp: definition of targets/opencl_session.hpp.
#pragma once

#include <tenon/targets/all.hpp>  // declares what is instantiated here
#include <tenon/targets/opencl.hpp>
#include <tenon/targets/opencl_session.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {

template const target_entry& entry_of<targets::opencl>();

namespace targets {

void register_opencl_target() { register_target<opencl>(); }

}  // namespace targets
}  // namespace tenon
