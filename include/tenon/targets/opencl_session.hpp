/// @file opencl_session: makes `opencl` a target of sessions (compile/session.hpp) and composites, by its name.
#pragma once

namespace tenon::targets { void register_opencl_target(); }  // namespace tenon::targets
