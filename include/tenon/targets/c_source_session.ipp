/// @file c_source_session.ipp: definition of targets/c_source_session.hpp.
#pragma once

#include <tenon/targets/all.hpp>  // declares what is instantiated here
#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon {

template const target_entry& entry_of<targets::c_source>();

namespace targets {

void register_c_source_target() { register_target<c_source>(); }

}  // namespace targets
}  // namespace tenon
