/// @file xsimd_session: makes `xsimd` a target of sessions (session.hpp), by its name.
#pragma once

#include <tenon/core/config.hpp>

namespace tenon::targets {

TENON_INLINE void register_xsimd_target();

}  // namespace tenon::targets

#if TENON_HEADER_ONLY
#  include <tenon/targets/xsimd_session.ipp>
#endif
