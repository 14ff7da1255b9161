/// @file c_source_session.ipp: definition of targets/c_source_session.hpp.
#pragma once

#include <tenon/targets/c_source.hpp>
#include <tenon/targets/c_source_session.hpp>
#include <tenon/targets/registry.hpp>

namespace tenon::targets {

void register_c_source_target() { register_target<c_source>(); }

}  // namespace tenon::targets
