/// @file importer_onnx: definitions of the ONNX importer.
#pragma once

#include <tenon/importers/onnx.ipp>
#include <tenon/importers/onnx/context.ipp>
#include <tenon/importers/onnx/unknown_operators.ipp>
#include <tenon/importers/onnx/writer.ipp>
