/// @file bundle: definitions of bundles of programs.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/targets/bundle.ipp>
