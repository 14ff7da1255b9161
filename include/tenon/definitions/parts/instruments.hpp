/// @file instruments: definitions of the instruments that print, interpret and write modules.
#pragma once

#include <tenon/compile/instruments/bisect.ipp>
#include <tenon/compile/instruments/print.ipp>
#include <tenon/compile/instruments/reproducer.ipp>
