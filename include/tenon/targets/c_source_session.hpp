/// @file c_source_session: makes `c_source` a target of sessions (session.hpp) and composites, by its name.
#pragma once

#include <tenon/core/config.hpp>

namespace tenon::targets {

TENON_INLINE void register_c_source_target();

}  // namespace tenon::targets

#if TENON_HEADER_ONLY
#  include <tenon/targets/c_source_session.ipp>
#endif
