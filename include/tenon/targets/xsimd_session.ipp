/// @file xsimd_session.ipp: definition of targets/xsimd_session.hpp.
#pragma once

#include <tenon/targets/all.hpp>  // declares what is instantiated here
#include <tenon/targets/registry.hpp>
#include <tenon/targets/xsimd.hpp>
#include <tenon/targets/xsimd_session.hpp>

namespace tenon::targets {

void register_xsimd_target() { register_target<xsimd>(); }

}  // namespace tenon::targets

namespace tenon { template const target_entry& entry_of<targets::xsimd>(); }
