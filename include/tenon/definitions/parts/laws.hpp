/// @file laws: definitions of the laws of passes, ops and targets.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/testing/laws.ipp>
