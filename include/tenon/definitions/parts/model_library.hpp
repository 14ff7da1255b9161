/// @file model_library: definitions of models as libraries and as program files.
#pragma once

#include <tenon/compile/artifacts/object_file.ipp>
#include <tenon/targets/model_library.ipp>
#include <tenon/targets/program_cache.ipp>
#include <tenon/targets/program_maker.ipp>
