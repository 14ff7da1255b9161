/// @file version: of the library.
#pragma once

namespace tenon { inline constexpr int version_major = 0, version_minor = 1, version_patch = 0; }
