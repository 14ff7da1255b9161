/// @file onnx_files: definitions of ONNX files as they are stored.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/importers/onnx/budget.ipp>
#include <tenon/importers/onnx/data_file.ipp>
#include <tenon/importers/onnx/decode.ipp>
#include <tenon/importers/onnx/proto.ipp>
#include <tenon/importers/onnx/tensor_proto.ipp>
