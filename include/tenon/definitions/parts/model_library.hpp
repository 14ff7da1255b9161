/// @file model_library: definitions of models as libraries and as program files.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/artifacts/object_file.ipp>
#include <tenon/targets/model_library.ipp>
#include <tenon/targets/model_library_headers.ipp>
#include <tenon/targets/program_cache.ipp>
#include <tenon/targets/program_maker.ipp>
#include <tenon/targets/program_parts.ipp>
