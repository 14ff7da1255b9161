/// @file onnx: all definitions, with the ONNX importer and sessions; needs protozero.
#pragma once

#include <tenon/definitions.hpp>

#if !__has_include(<tenon_definitions_are_linked>)
#  include <tenon/definitions/parts/importer_onnx.hpp>
#  include <tenon/definitions/parts/onnx_files.hpp>
#  include <tenon/definitions/parts/session.hpp>
#endif
