/// @file json: all definitions, with targets as JSON; needs nlohmann-json.
#pragma once

#include <tenon/definitions.hpp>

#if !__has_include(<tenon_definitions_are_linked>)
#  include <tenon/definitions/parts/target_json.hpp>
#endif
