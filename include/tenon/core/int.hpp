/// @file int: the integer names that the library uses, and those of the standard library.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tenon/core/int_names.hpp>
