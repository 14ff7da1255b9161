/// @file xsimd_session: makes `xsimd` a target of sessions (compile/session.hpp), by its name.
#pragma once

namespace tenon::targets { void register_xsimd_target(); }  // namespace tenon::targets
