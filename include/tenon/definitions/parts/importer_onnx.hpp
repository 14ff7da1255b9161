/// @file importer_onnx: definitions of the ONNX importer.
/// Made of cmake/definitions.txt by cmake/check_definitions.sh --write.
#pragma once

#include <tenon/importers/onnx.ipp>
#include <tenon/importers/onnx/context.ipp>
#include <tenon/importers/onnx/families/activation.ipp>
#include <tenon/importers/onnx/families/attention.ipp>
#include <tenon/importers/onnx/families/classic.ipp>
#include <tenon/importers/onnx/families/control.ipp>
#include <tenon/importers/onnx/families/conv_pool.ipp>
#include <tenon/importers/onnx/families/elementwise.ipp>
#include <tenon/importers/onnx/families/experimental.ipp>
#include <tenon/importers/onnx/families/image.ipp>
#include <tenon/importers/onnx/families/indexing.ipp>
#include <tenon/importers/onnx/families/loss.ipp>
#include <tenon/importers/onnx/families/matmul.ipp>
#include <tenon/importers/onnx/families/microsoft.ipp>
#include <tenon/importers/onnx/families/microsoft_attention.ipp>
#include <tenon/importers/onnx/families/microsoft_layers.ipp>
#include <tenon/importers/onnx/families/microsoft_weights.ipp>
#include <tenon/importers/onnx/families/movement.ipp>
#include <tenon/importers/onnx/families/normalization.ipp>
#include <tenon/importers/onnx/families/quantize.ipp>
#include <tenon/importers/onnx/families/random.ipp>
#include <tenon/importers/onnx/families/recurrent.ipp>
#include <tenon/importers/onnx/families/reduce.ipp>
#include <tenon/importers/onnx/families/sequence.ipp>
#include <tenon/importers/onnx/families/shape.ipp>
#include <tenon/importers/onnx/families/signal.ipp>
#include <tenon/importers/onnx/families/text.ipp>
#include <tenon/importers/onnx/families/training.ipp>
#include <tenon/importers/onnx/families/trees.ipp>
#include <tenon/importers/onnx/families/vector_machines.ipp>
#include <tenon/importers/onnx/registry.ipp>
#include <tenon/importers/onnx/unknown_operators.ipp>
#include <tenon/importers/onnx/writer.ipp>
