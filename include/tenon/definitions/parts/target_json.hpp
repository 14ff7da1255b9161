/// @file target_json: definitions of targets as JSON.
#pragma once

#include <tenon/targets/json.ipp>
