/// @file instruments: definitions of the instruments that print, interpret and write modules.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/compile/instruments/bisect.ipp>
#include <tenon/compile/instruments/print.ipp>
#include <tenon/compile/instruments/reproducer.ipp>
