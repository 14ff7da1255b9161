/// @file onednn: all definitions, with those of targets/onednn.hpp; needs oneDNN. A program that links tenon::compiled
/// includes it in one file: the library has all the others.
#pragma once

#include <tenon/definitions.hpp>

#if __has_include(<oneapi/dnnl/dnnl.hpp>)
#  include <tenon/targets/onednn.ipp>
#endif
