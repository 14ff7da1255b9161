/// @file c_source_session: makes `c_source` a target of sessions (compile/session.hpp) and composites, by its name.
#pragma once

namespace tenon::targets { void register_c_source_target(); }  // namespace tenon::targets
