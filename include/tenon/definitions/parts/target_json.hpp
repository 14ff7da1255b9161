/// @file target_json: definitions of targets as JSON.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/targets/json.ipp>
