/// @file text: definitions of modules as text.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/phases/ahead.ipp>
#include <tenon/text/parse.ipp>
#include <tenon/text/parse_functions.ipp>
#include <tenon/text/print.ipp>
