/// @file config: the two ways to build the library.
///
/// Header-only is the default: every definition is inline. With TENON_COMPILED the definitions (`*.ipp`)
/// live in the library `tenon::compiled`, and a header brings declarations only.
#pragma once

#if defined(TENON_COMPILED)
#  define TENON_INLINE
#  define TENON_HEADER_ONLY 0
#else
#  define TENON_INLINE inline
#  define TENON_HEADER_ONLY 1
#endif

namespace tenon {
inline constexpr int version_major = 0, version_minor = 1, version_patch = 0;
}
