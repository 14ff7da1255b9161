/// @file model_library: definitions of models as libraries.
#pragma once

#include <tenon/compile/artifacts/object_file.ipp>
#include <tenon/targets/model_library.ipp>
